// How moves and squares are written, everywhere on a page in the same way: on the board's edge, in lists, hints,
// buttons and engine lines. Xiangqi has three notations; its reader chooses one for each language.

import { html } from './dom.js';
import { addTexts, language, remember, remembered, retell, t } from './i18n.js';

addTexts({
  'switch.notation': ['Notation: {example}', '记谱法：{example}'],
  'notation.chinese': ['炮二平五', '炮二平五'],
  'notation.wxf': ['C2.5', 'C2.5'],
  'notation.text': ['h2-e2', 'h2-e2'],
  'notation.square': ['file {file} rank {rank}', '{file}路{rank}线'],
  'move.set-up': ['set-up {numbers}', '布局 {numbers}'],
  'move.hidden': ['hidden set-up', '未公开的布局'],
});

/// The notations of Xiangqi: the names of a move's fields.
const NOTATIONS = ['chinese', 'wxf', 'text'];
const USUAL_NOTATION = { zh: 'chinese', en: 'wxf' };
const CHINESE_NUMBERS = '零一二三四五六七八九十';
/// Letters that stand for a piece that another letter names.
const SAME_PIECE = { G: 'A', M: 'B', E: 'B', H: 'N' };

const notationKey = () => `agon-notation-${language()}`;
const chosenNotations = {};

/// The notation of Xiangqi: that chosen for the page's language, or the usual one.
export function notation() {
  const key = notationKey();
  if (!(key in chosenNotations)) chosenNotations[key] = remembered(key);
  const chosen = chosenNotations[key];
  return NOTATIONS.includes(chosen) ? chosen : USUAL_NOTATION[language()];
}

/// The notation that the switch chooses next.
export function nextNotation() {
  return NOTATIONS[(NOTATIONS.indexOf(notation()) + 1) % NOTATIONS.length];
}

/// Chooses a notation for the page's language and remembers it.
export function setNotation(name) {
  chosenNotations[notationKey()] = name;
  remember(notationKey(), name);
  retell();
}

/// The number of a file of Xiangqi, counted from the right of a side, as that side writes it.
function fileNumber(letter, side) {
  const file = 'abcdefghi'.indexOf(letter);
  return numberText(side === 0 ? 9 - file : file + 1, side);
}

function numberText(n, side) {
  return notation() === 'chinese' && side === 0 ? CHINESE_NUMBERS[n] : String(n);
}

function hasFileNumbers({ game, files, ranks }) {
  return game === 'xiangqi' && files === 9 && ranks === 10 && notation() !== 'text';
}

/// What stands on the edges of a board whose squares have these names, row by row: texts of the columns `below` and
/// `above` it and of the rows on the `left`; an edge without texts has none.
export function edgeTexts(view, names) {
  const letters = names.slice(-view.files).map((name) => name.replace(/\d+$/, ''));
  if (hasFileNumbers(view)) {
    const below = names[0].endsWith('9') ? 0 : 1;
    const numbers = (side) => letters.map((letter) => fileNumber(letter, side));
    return { below: numbers(below), above: numbers(1 - below), left: [] };
  }
  const rank = (_, row) => names[row * view.files].replace(/^[a-z]+/i, '');
  return { below: letters, above: [], left: Array.from({ length: view.ranks }, rank) };
}

/// A square as the edge of the board names it; in the numbers of Xiangqi's files from the side to move.
export function squareText(view, name) {
  if (!hasFileNumbers(view)) return name;
  const side = view.turn === 1 ? 1 : 0;
  const row = Number(name.slice(1));
  return t('notation.square', { file: fileNumber(name[0], side), rank: numberText(side === 0 ? row + 1 : 10 - row, side) });
}

/// The kind of the piece that an outcome of chance names, such as `rC` for `=C`; null for others.
function revealedKind(text) {
  const letter = /^=([a-z])$/i.exec(text)?.[1];
  if (!letter) return null;
  const capital = letter.toUpperCase();
  return (letter === capital ? 'r' : 'b') + (SAME_PIECE[capital] ?? capital);
}

/// A move, a die or a revealed piece alone: `a3-b2`, `5`, `red cannon`.
export function moveText(move) {
  const kind = revealedKind(move.text);
  if (kind) return t(`piece.${kind}`);
  if (/^\d{6}$/.test(move.text)) return t('move.set-up', { numbers: move.text });
  return move.text === '?' ? t('move.hidden') : move[notation()] ?? move.text;
}

/// The same as a part of its move: `5:`, `= red cannon`.
export function partText(move) {
  if (revealedKind(move.text)) return `= ${moveText(move)}`;
  return /^[1-6]$/.test(move.text) ? `${move.text}:` : moveText(move);
}

/// Moves with their dice and revealed pieces: `5: a3-b2`, `b3 = red cannon`.
export function lineText(moves) {
  // A die whose move is still to come stands alone.
  return moves.map(partText).join(' ').replace(/(\d):$/, '$1');
}

/// The plies of a game by the move to which they belong: lists of pairs of index and ply.
export function byMoves(plies) {
  const groups = [];
  plies.forEach((ply, i) => {
    const last = groups.at(-1);
    if (last && ply.number !== null && last[0][1].number === ply.number) last.push([i, ply]);
    else groups.push([[i, ply]]);
  });
  return groups;
}

/// A text with the number of its move before it, if it has one.
export function numberedText(number, text) {
  return number === null ? text : `${number}. ${text}`;
}

/// The moves to which the plies from `first` on belong: numbers and texts.
export function movesFrom(plies, first) {
  const groups = byMoves(plies).filter((group) => group.at(-1)[0] >= first);
  return groups.map((group) => ({ number: group[0][1].number, text: lineText(group.map(([, ply]) => ply)) }));
}

/// The number of moves of some plies, with one of which only the die is known.
export function movesIn(plies) {
  return plies.reduce((most, { number }) => Math.max(most, number ?? 0), 0);
}

/// The list of a game's moves: for each move its number and a button for each of its plies, so that each position can
/// be chosen. `current` is the number of plies before the shown position, `choose` gets such a number.
export function moveButtons(plies, current, choose) {
  const button = (group, [i, ply]) => {
    const now = i + 1 === current ? { 'aria-current': 'step' } : {};
    const text = group.length === 1 ? lineText([ply]) : partText(ply);
    const shown = i === group[0][0] ? numberedText(ply.number, text) : text;
    return html('button', { type: 'button', className: ply.by === null ? 'chance' : '', ...now, onclick: () => choose(i + 1) }, shown);
  };
  return byMoves(plies).map((group) => html('span', { className: 'move' },
    ...group.flatMap((ply, i) => (i ? [' ', button(group, ply)] : [button(group, ply)]))));
}

// What stands beside the squares: EinStein's die and living stones, dark chess's hidden pieces.

import { html } from './dom.js';
import { dieIcon, pieceIcon } from './pieces.js';
import { t } from './i18n.js';

/// The name of a side of a view's game, or of chance; in dark chess with its colour once that is known.
export function sideName(view, side) {
  if (side === 'chance') return t('side.chance');
  const name = t(`side.${view.game}.${side}`);
  const colour = colourOf(view, side);
  return colour ? t('side.coloured', { side: name, colour }) : name;
}

/// The colour of a player of dark chess in words; empty before it is known, and in all other games.
export function colourOf(view, side) {
  const red = view.game === 'darkchess' ? view.state?.red ?? null : null;
  return red === null ? '' : t(side === red ? 'colour.red' : 'colour.black');
}

/// Who won a finished game and why: the view has the name of the rule, or a whole sentence.
export function resultText(view) {
  const { winner, text } = view.result;
  const why = t(`end.${text}`);
  if (why === `end.${text}`) return text;
  return winner === null ? t('result.draw', { why }) : t('result.win', { side: sideName(view, winner), why });
}

/// The elements that show a view's state; none for games that have only their board.
export function stateStrip(view, letters) {
  const state = view.state ?? {};
  if (view.game === 'einstein' && state.alive) return [einsteinState(state)];
  if (view.game === 'darkchess') {
    const counts = [['hidden', state.hidden], ['captured', state.captured]]
      .filter(([, counts]) => counts && Object.keys(counts).length)
      .map(([key, counts]) => countsOf(t(`state.${key}`), counts, letters));
    return [coloursOf(view, letters), ...counts];
  }
  return [];
}

/// Who has which colour, with a king of it.
function coloursOf(view, letters) {
  const strip = html('div', { className: 'state colours' }, html('span', { className: 'state-title' }, t('state.colours')));
  const red = view.state?.red ?? null;
  if (red === null) strip.append(html('span', {}, t('state.colours.open')));
  else {
    const king = (side) => pieceIcon(side === red ? 'rK' : 'bK', { size: 26, letters });
    strip.append(...[0, 1].map((side) => html('span', { className: 'state-count' }, king(side), sideName(view, side))));
  }
  return strip;
}

function einsteinState(state) {
  const strip = html('div', { className: 'state' });
  if (state.die) {
    const die = html('span', { className: 'state-die' }, dieIcon(state.die));
    die.setAttribute('role', 'img');
    die.setAttribute('aria-label', t('state.die', { die: state.die }));
    strip.append(die);
  }
  state.alive.forEach((alive, side) => {
    const colour = 'rb'[side];
    const stones = [1, 2, 3, 4, 5, 6].map((n) => pieceIcon(`${colour}${n}`, {
      size: 24, className: alive.includes(n) ? '' : 'gone',
    }));
    const list = html('span', { className: 'state-stones' }, ...stones);
    list.setAttribute('role', 'img');
    list.setAttribute('aria-label', t('state.alive', { side: t(`side.einstein.${side}`), stones: alive.join(' ') }));
    strip.append(list);
  });
  return strip;
}

/// The letters of the pieces from the king to the pawn, as FENs list them.
const RANKS = 'KAGBEMRNHCP';

/// Red's pieces, then Black's, by rank. Keys of counts are FEN letters (`K`, `k`) or kinds (`rK`).
function countsOf(title, counts, letters) {
  const strip = html('div', { className: 'state' }, html('span', { className: 'state-title' }, title));
  const kindOf = (key) => (key.length > 1 ? key : `${key === key.toUpperCase() ? 'r' : 'b'}${key.toUpperCase()}`);
  const place = ([kind]) => (kind[0] === 'r' ? 0 : RANKS.length) + RANKS.indexOf(kind[1]);
  const counted = Object.entries(counts).map(([key, n]) => [kindOf(key), n]).filter(([, n]) => n);
  for (const [kind, n] of counted.sort((a, b) => place(a) - place(b))) {
    const item = html('span', { className: 'state-count' }, pieceIcon(kind, { size: 26, letters }), `×${n}`);
    item.setAttribute('role', 'img');
    item.setAttribute('aria-label', `${n} ${t(`piece.${kind}`)}`);
    strip.append(item);
  }
  return strip;
}

// The pieces of all games as SVG. A piece's kind names its colour and what it is: `rK`, `b3`, `wQ`.
// Colour is never the only difference between the sides: shape, shade or text differs too. All of a
// piece's look is here; only the fonts of Chinese characters (`brush`) are the style's.

import { svg } from './dom.js';
import { UNIT } from './board-grid.js';

/// Letters of a FEN with the characters of Red and of Black; games differ in some letters.
const CHARACTERS = {
  K: '帥將', A: '仕士', G: '仕士', B: '相象', E: '相象', M: '相象',
  R: '俥車', N: '傌馬', H: '傌馬', C: '炮砲', P: '兵卒',
};
const CROWN = 'M9 31L6 16.5L13.5 23L16 11.5L22 21L28 11.5L30.5 23L38 16.5L35 31Z'
  + 'M6 12.6a2.3 2.3 0 1 0 .01 0ZM16 7.4a2.3 2.3 0 1 0 .01 0ZM28 7.4a2.3 2.3 0 1 0 .01 0Z'
  + 'M38 12.6a2.3 2.3 0 1 0 .01 0ZM9.5 33.2h25v3.4h-25Z';
const HALF = UNIT / 2;
const LINE = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };

/// The colours of stones, discs and other shapes.
const PAINT = {
  light: { fill: '#fffdf8', stroke: '#20242b', 'stroke-width': 1.8, 'stroke-linejoin': 'round' },
  shade: { fill: '#20242b', stroke: '#fffdf8', 'stroke-width': 1.3, 'stroke-linejoin': 'round' },
  white: { fill: '#fdfcf8', stroke: '#3d434c', 'stroke-width': 1.2 },
  black: { fill: '#1a1d22', stroke: '#747c88', 'stroke-width': 1.2 },
  arrow: { fill: '#36454f', stroke: '#e7edf2', 'stroke-width': 1.4 },
  arrowhead: { ...LINE, stroke: '#fff', 'stroke-width': 3.4 },
  down: { fill: '#7a4a25', stroke: '#2b1a0c', 'stroke-width': 1.6 },
  back: { fill: 'none', stroke: '#e6c79c', 'stroke-width': 1.8 },
  redStone: { fill: '#b3261e', stroke: '#fff', 'stroke-width': 1.6 },
  blueStone: { fill: '#1f4e9c', stroke: '#fff', 'stroke-width': 1.6 },
  redDisc: { fill: '#fdf1d8', stroke: '#a3150e', 'stroke-width': 1.8 },
  blackDisc: { fill: '#23272e', stroke: '#fdf1d8', 'stroke-width': 1.3 },
  redRing: { fill: 'none', stroke: '#a3150e', 'stroke-width': 1.1 },
  blackRing: { fill: 'none', stroke: '#fdf1d8', 'stroke-width': 1.1 },
  die: { fill: '#fffdf8', stroke: '#20242b', 'stroke-width': 2 },
};
/// The shaded look: for each paint the colours of the lit middle and of the edge.
const SHADES = {
  light: ['#ffffff', '#e0d8c6'], shade: ['#555d69', '#101216'], white: ['#ffffff', '#cdc6b6'], black: ['#6d7580', '#0c0e11'],
  arrow: ['#5d7180', '#27323a'], down: ['#a8713f', '#5a3216'], redStone: ['#d8574d', '#8c150e'], blueStone: ['#4d7ecd', '#143872'],
  redDisc: ['#fff3d8', '#dfbb86'], blackDisc: ['#4d5560', '#14171b'],
};
/// The colours of the texts on them.
const INK = { light: '#20242b', shade: '#fff', stone: '#fff', redDisc: '#a3150e', blackDisc: '#fdf1d8' };

/// The Chinese character of a Xiangqi or dark-chess piece (`rK`), or null.
export function pieceCharacter(kind) {
  return CHARACTERS[kind[1]]?.[kind[0] === 'r' ? 0 : 1] ?? null;
}

/// The capital or small letter of a Xiangqi or dark-chess piece (`rK` is `K`, `bK` is `k`).
export function pieceLetter(kind) {
  return kind[0] === 'r' ? kind[1].toUpperCase() : kind[1].toLowerCase();
}

/// Whether boards are of wood with shaded pieces, or flat.
export function isShaded() {
  return document.documentElement.dataset.board !== 'flat';
}

/// The gradients of the shaded look, once in the page: an element that other pictures refer to.
export function shades() {
  const known = document.querySelector('.shades');
  if (known) return known.firstChild;
  const gradient = ([name, [middle, edge]]) => svg('radialGradient', { id: `agon-${name}`, cx: 0.36, cy: 0.3, r: 0.75 },
    svg('stop', { offset: 0, 'stop-color': middle }), svg('stop', { offset: 1, 'stop-color': edge }));
  const all = svg('defs', {}, ...Object.entries(SHADES).map(gradient));
  document.body.append(svg('svg', { class: 'shades', width: 0, height: 0, 'aria-hidden': 'true' }, all));
  return all;
}

/// The attributes of a paint in the look of the page.
function painted(name) {
  if (!isShaded() || !SHADES[name]) return PAINT[name];
  shades();
  return { ...PAINT[name], fill: `url(#agon-${name})` };
}

/// A shape with its shadow in the shaded look.
function solid(name, attributes) {
  const shape = svg(name, attributes);
  if (!isShaded()) return shape;
  const shadow = svg(name, { ...attributes, fill: '#000', 'fill-opacity': 0.3, stroke: 'none', transform: 'translate(1.2 2)' });
  return svg('g', {}, shadow, shape);
}

let glyphs = null;

/// Whether the fonts of this machine have the characters: two that look the same are missing.
export function hasCharacters() {
  if (glyphs !== null) return glyphs;
  const picture = (text) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 24;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return text;
    context.font = '20px serif';
    context.fillText(text, 2, 20);
    return context.getImageData(0, 0, 24, 24).data.join();
  };
  glyphs = picture('帥') !== picture('卒');
  return glyphs;
}

/// A piece of a view in a box of UNIT by UNIT; `letters` writes letters instead of characters.
export function drawPiece(piece, letters) {
  const { kind, side } = piece;
  if (kind === 'arrow') return arrowBlock();
  if (piece.down || kind === 'hidden') return faceDown();
  if (/^[wb]Q$/.test(kind)) return solid('path', { ...painted(kind[0] === 'w' ? 'light' : 'shade'), d: CROWN });
  if (/^[wb]S$/.test(kind)) return disc(kind[0] === 'w' ? 'white' : 'black', 20.5);
  if (/^[rb][1-9]$/.test(kind)) return numbered(kind);
  if (/^[rb][A-Z]$/.test(kind)) return xiangqiPiece(kind, letters || !hasCharacters());
  const shade = side === 1 ? 'shade' : 'light';
  return svg('g', {}, disc(shade, 18.5), inscription(piece.text ?? '', INK[shade], 22));
}

function disc(name, r) {
  return solid('circle', { ...painted(name), cx: HALF, cy: HALF, r });
}

function ring(name, r) {
  return svg('circle', { ...PAINT[name], cx: HALF, cy: HALF, r });
}

/// A text in the middle, with the style's fonts for characters if `brush`.
function inscription(content, fill, size, brush = false) {
  const font = brush ? { class: 'brush' } : { 'font-family': 'system-ui,sans-serif' };
  const text = svg('text', {
    ...font, fill, x: HALF, y: HALF + size * 0.36, 'font-size': size, 'font-weight': 600, 'text-anchor': 'middle',
  });
  text.textContent = content;
  return text;
}

/// A square that an arrow has blocked: a block with an arrowhead.
function arrowBlock() {
  return svg('g', {},
    solid('rect', { ...painted('arrow'), x: 6, y: 6, width: UNIT - 12, height: UNIT - 12, rx: 7 }),
    svg('path', { ...PAINT.arrowhead, d: 'M15 29L29 15M20 15H29V24' }));
}

function faceDown() {
  return svg('g', {}, disc('down', 19), ring('back', 14),
    svg('path', { ...PAINT.back, d: 'M22 12v20M12 22h20' }));
}

/// EinStein's stones: the first player's are round, the second player's square.
function numbered(kind) {
  const shape = kind[0] === 'r' ? disc('redStone', 18.5)
    : solid('rect', { ...painted('blueStone'), x: 5, y: 5, width: UNIT - 10, height: UNIT - 10, rx: 6 });
  return svg('g', {}, shape, inscription(kind[1], INK.stone, 25));
}

function xiangqiPiece(kind, letters) {
  const colour = kind[0] === 'r' ? 'red' : 'black';
  const text = letters ? pieceLetter(kind) : pieceCharacter(kind);
  return svg('g', {}, disc(`${colour}Disc`, 20), ring(`${colour}Ring`, 16.8),
    inscription(text ?? '?', INK[`${colour}Disc`], letters ? 22 : 25, !letters));
}

/// A piece as a picture of its own, for buttons and lists; `text` marks what it stands for.
export function pieceIcon(kind, { text = '', size = 28, letters = false, className = '' } = {}) {
  const icon = svg('svg', {
    class: `piece-icon ${className}`, viewBox: `0 0 ${UNIT} ${UNIT}`, width: size, height: size, 'aria-hidden': 'true',
  }, drawPiece({ kind, side: null, text, down: kind === 'hidden' }, letters));
  return icon;
}

/// The pieces that stand for the sides of each game.
const SIDES = {
  amazons: ['wQ', 'bQ'], connect6: ['bS', 'wS'], nogo: ['bS', 'wS'], einstein: ['r1', 'b1'], xiangqi: ['rK', 'bK'],
};

/// The piece that stands for a side of a view's game; in dark chess face down until its colour is known.
function sideKind({ game, state }, side) {
  const red = state?.red ?? null;
  return SIDES[game]?.[side] ?? (red === null ? 'hidden' : red === side ? 'rK' : 'bK');
}

/// A side of a view's game as a piece.
export function sideIcon(view, side, size) {
  return pieceIcon(sideKind(view, side), { size, letters: document.documentElement.dataset.letters === 'yes' });
}

/// The colour of a side's pieces: `red`, `blue`, `black`, `white`, or `hidden`.
export function sideColour(view, side) {
  const kind = sideKind(view, side);
  if (kind === 'hidden') return kind;
  return { w: 'white', r: 'red', b: view.game === 'einstein' ? 'blue' : 'black' }[kind[0]];
}

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/// A die that shows `n`, from 1 to 6.
export function dieIcon(n, size = 40) {
  const pips = (PIPS[n] ?? []).map((place) => svg('circle', {
    fill: PAINT.die.stroke, cx: 12 + 10 * (place % 3), cy: 12 + 10 * Math.floor(place / 3), r: 3.6,
  }));
  return svg('svg', { class: 'die', viewBox: `0 0 ${UNIT} ${UNIT}`, width: size, height: size, 'aria-hidden': 'true' },
    svg('rect', { ...PAINT.die, x: 3, y: 3, width: 38, height: 38, rx: 8 }), ...pips);
}

// The empty board of each game as SVG: squares or lines, the marks that players know it by, and
// the coordinates. A square is UNIT user units wide.

import { svg } from './dom.js';
import { edgeTexts } from './notation.js';

export const UNIT = 44;
const MARGIN = { empty: 10, left: 28, below: 30, above: 30 };
const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };

/// Where the squares of a view are in the picture, seen from the other side if `flip`.
export class Geometry {
  constructor(view, flip) {
    this.files = view.files;
    this.ranks = view.ranks;
    this.names = flip ? [...view.squares].reverse() : view.squares;
    this.index = new Map(this.names.map((name, i) => [name, i]));
    this.edges = edgeTexts(view, this.names);
    this.left = this.edges.left.length ? MARGIN.left : MARGIN.empty;
    this.top = this.edges.above.length ? MARGIN.above : MARGIN.empty;
    this.width = this.left + this.files * UNIT + MARGIN.empty;
    this.height = this.top + this.ranks * UNIT + MARGIN.below;
  }

  /// The top left corner of the square with this column and row.
  corner(column, row) {
    return [this.left + column * UNIT, this.top + row * UNIT];
  }

  /// The middle of the square with this column and row.
  middle(column, row) {
    const [x, y] = this.corner(column, row);
    return [x + UNIT / 2, y + UNIT / 2];
  }

  /// Column and row of a named square, or null.
  at(name) {
    const i = this.index.get(name);
    return i === undefined ? null : [i % this.files, Math.floor(i / this.files)];
  }

  /// The insets of the squares within the picture, in percent: top, right, bottom, left.
  insets() {
    const share = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;
    return [
      share(this.top, this.height), share(MARGIN.empty, this.width),
      share(MARGIN.below, this.height), share(this.left, this.width),
    ].join(' ');
  }
}

/// The empty board; `characters` writes the river's name.
export function emptyBoard(view, geometry, characters) {
  const [x, y] = geometry.corner(0, 0);
  const whole = (name) => svg('rect', {
    class: name, x, y, width: geometry.files * UNIT, height: geometry.ranks * UNIT,
  });
  const isChequered = view.grid === 'cells' && view.game !== 'darkchess';
  const parts = [whole('board-light'), ...(isChequered ? [darkSquares(view, geometry)] : []), ...grain(geometry)];
  if (view.grid === 'xiangqi') parts.push(...xiangqiLines(geometry, characters));
  else if (view.grid === 'points') parts.push(...goLines(geometry));
  else if (view.game === 'darkchess') parts.push(halfBoard(geometry));
  else parts.push(...goals(view, geometry));
  return svg('g', {}, ...parts, whole('board-edge'), ...coordinates(geometry));
}

/// The grain of the wood: lines across the whole board, each bent a little in its own way.
function grain(geometry) {
  const [width, height] = [geometry.files * UNIT, geometry.ranks * UNIT];
  const [left, top] = geometry.corner(0, 0);
  const d = ['', ''];
  for (let y = 5, i = 0; y < height - 4; y += 5 + ((i * 7) % 9), i += 1) {
    const bend = ((i * 37) % 11) - 5;
    const [low, high] = [Math.max(0, Math.min(y, y + bend)), Math.min(height, Math.max(y, y + bend))];
    const [a, b] = bend < 0 ? [low, high] : [high, low];
    const turn = width * (0.2 + ((i * 13) % 60) / 100);
    d[i % 2] += `M${left} ${top + y}C${left + turn / 2} ${top + a} ${left + turn} ${top + b} ${left + width} ${top + (a + b) / 2}`;
  }
  return d.map((lines, i) => path(`board-grain ${i ? 'deep' : ''}`, lines));
}

function path(className, d) {
  return svg('path', { class: className, d });
}

function line(geometry, from, to) {
  return `M${geometry.middle(...from)}L${geometry.middle(...to)}`;
}

function darkSquares(view, geometry) {
  let d = '';
  for (let row = 0; row < geometry.ranks; row++) {
    for (let column = 0; column < geometry.files; column++) {
      if ((column + row) % 2 === 1) d += `M${geometry.corner(column, row)}h${UNIT}v${UNIT}h-${UNIT}Z`;
    }
  }
  return path('board-dark', d);
}

/// EinStein's two goal corners: the first player's is the lower right one.
function goals(view, geometry) {
  if (view.game !== 'einstein') return [];
  return [['a', 'second'], ['e', 'first']].map(([file, side]) => {
    const [column, row] = geometry.at(file === 'a' ? `a${geometry.ranks}` : 'e1') ?? [0, 0];
    const [x, y] = geometry.corner(column, row);
    return svg('rect', { class: `board-goal ${side}`, x: x + 2, y: y + 2, width: UNIT - 4, height: UNIT - 4 });
  });
}

function goLines(geometry) {
  const [right, bottom] = [geometry.files - 1, geometry.ranks - 1];
  let d = '';
  for (let i = 0; i <= right; i++) d += line(geometry, [i, 0], [i, bottom]);
  for (let i = 0; i <= bottom; i++) d += line(geometry, [0, i], [right, i]);
  const stars = geometry.files === geometry.ranks ? STARS[geometry.files] ?? [] : [];
  const dots = stars.flatMap((a) => stars.map((b) => {
    const [cx, cy] = geometry.middle(a, b);
    return svg('circle', { class: 'board-star', cx, cy, r: geometry.files > 9 ? 5.5 : 4 });
  }));
  return [path('board-line', d), ...dots];
}

function xiangqiLines(geometry, characters) {
  let d = '';
  for (let row = 0; row < 10; row++) d += line(geometry, [0, row], [8, row]);
  for (let column = 0; column < 9; column++) {
    const edge = column === 0 || column === 8;
    if (edge) d += line(geometry, [column, 0], [column, 9]);
    else d += line(geometry, [column, 0], [column, 4]) + line(geometry, [column, 5], [column, 9]);
  }
  let palaces = '';
  for (const top of [0, 7]) {
    palaces += line(geometry, [3, top], [5, top + 2]) + line(geometry, [5, top], [3, top + 2]);
  }
  const cannons = [[1, 2], [7, 2], [1, 7], [7, 7]];
  const pawns = [0, 2, 4, 6, 8].flatMap((column) => [[column, 3], [column, 6]]);
  const marks = [...cannons, ...pawns].map((point) => pointMark(geometry, point)).join('');
  const river = !characters ? [] : [[2, '楚河'], [6, '漢界']].map(([column, text]) => {
    const [x, y] = geometry.middle(column, 4);
    const name = svg('text', { class: 'board-river brush', x, y: y + UNIT / 2 + 9, 'text-anchor': 'middle' });
    name.textContent = text;
    return name;
  });
  return [path('board-line', d), path('board-line palace', palaces), path('board-line', marks), ...river];
}

/// Four small corners around a point where a cannon or a pawn starts.
function pointMark(geometry, [column, row]) {
  const [x, y] = geometry.middle(column, row);
  let d = '';
  for (const dx of [-1, 1]) {
    if ((column === 0 && dx < 0) || (column === 8 && dx > 0)) continue;
    for (const dy of [-1, 1]) d += `M${x + 4 * dx} ${y + 11 * dy}v${-7 * dy}h${7 * dx}`;
  }
  return d;
}

/// Half a Xiangqi board with pieces in its squares: lines between them and half of the palace.
function halfBoard(geometry) {
  const edge = (from, to) => `M${geometry.corner(...from)}L${geometry.corner(...to)}`;
  let d = '';
  for (let i = 1; i < geometry.files; i++) d += edge([i, 0], [i, geometry.ranks]);
  for (let i = 1; i < geometry.ranks; i++) d += edge([0, i], [geometry.files, i]);
  if (geometry.files === 4 && geometry.ranks === 8) {
    const [near, far] = geometry.names[0] === 'a8' ? [0, 2] : [4, 2];
    d += edge([near, 3], [far, 5]) + edge([near, 5], [far, 3]);
  }
  return path('board-line', d);
}

/// The texts of the edges, at the middles of the columns and rows.
function coordinates(geometry) {
  const size = 13 * Math.min(Math.max(geometry.files / 11, 1), 1.6);
  const label = (edge, x, y, text) => {
    const place = { x, y: y + size / 3, 'font-size': size, 'text-anchor': 'middle' };
    const element = svg('text', { class: `board-coordinate ${edge}`, ...place });
    element.textContent = text;
    return element;
  };
  const { below, above, left } = geometry.edges;
  const x = (column) => geometry.middle(column, 0)[0];
  const bottom = geometry.corner(0, geometry.ranks)[1];
  return [
    ...below.map((text, column) => label('below', x(column), bottom + 16, text)),
    ...above.map((text, column) => label('above', x(column), geometry.top - 16, text)),
    ...left.map((text, row) => label('left', geometry.left / 2, geometry.middle(0, row)[1], text)),
  ];
}

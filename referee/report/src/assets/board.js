// The board of every game: a picture of a view and, on top of it, a grid of squares for mouse,
// touch, keyboard and screen readers. It knows no rules: legal moves come with the view.

import { html, svg } from './dom.js';
import { Geometry, UNIT, emptyBoard } from './board-grid.js';
import { Chooser } from './board-input.js';
import { drawMarks, markTexts } from './board-marks.js';
import { SetUp } from './board-setup.js';
import { resultText, sideName, stateStrip } from './board-state.js';
import { drawPiece, hasCharacters } from './pieces.js';
import { onLanguage, t } from './i18n.js';
import { movesFrom, movesIn, squareText } from './notation.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ARROWS = 4;
/// How far arrows stay from the middle of a piece, whose number or character they must not hide.
const CLEAR = 14;

/// How long a piece is on its way, in milliseconds, and most pieces that are on their way at once.
const WAY = 180;
const MOST_WAYS = 6;

/// Whether pieces are seen to move: as the reader chose, or as the system says.
function isMoving() {
  const chosen = document.documentElement.dataset.motion;
  return chosen ? chosen === 'yes' : !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/// Whether all boards show letters instead of Chinese characters.
export function lettersChosen() {
  return document.documentElement.dataset.letters === 'yes';
}

export class Board {
  /// `onMove(token)` gets whole moves, `onSquare(name)` every square pressed; `mini` is a picture
  /// only; `label` names the board for screen readers; `letters` overrides the page's choice. With `steps`, arrow keys
  /// belong to the page after a click.
  constructor(element, options = {}) {
    this.options = options;
    this.view = null;
    this.how = {};
    this.focus = null;
    this.hints = false;
    // The pieces of the picture by square: what they are, where, and their elements.
    this.placed = new Map();
    this.picture = html('div', { className: 'board-picture' });
    this.frame = html('div', { className: 'board-frame' }, this.picture);
    this.root = html('div', { className: `board ${options.mini ? 'mini' : ''}` }, this.frame);
    element.replaceChildren(this.root);
    if (!options.mini) this.addGrid();
    const redraw = () => (this.root.isConnected ? this.draw() : this.stop());
    const stops = [onLanguage(() => { this.say(''); redraw(); })];
    document.addEventListener('agon-look', redraw);
    stops.push(() => document.removeEventListener('agon-look', redraw));
    this.stop = () => stops.forEach((stop) => stop());
  }

  addGrid() {
    this.grid = html('div', { className: 'board-grid', role: 'grid' });
    this.grid.addEventListener('click', (event) => {
      const cell = event.target.closest('[role=gridcell]');
      if (cell) this.press(cell.dataset.at);
    });
    this.grid.addEventListener('keydown', (event) => this.key(event));
    this.grid.addEventListener('focusin', (event) => {
      const at = event.target.dataset?.at;
      if (at) this.focus = at;
      if (!this.pointed) this.byPointer = false;
    });
    // A square that was clicked has the focus, too, but nobody walks from there.
    this.grid.addEventListener('pointerdown', () => {
      this.pointed = this.byPointer = true;
      setTimeout(() => { this.pointed = false; });
    });
    this.note = html('p', { className: 'board-note', role: 'status', 'aria-live': 'polite' });
    this.below = html('div', { className: 'board-below' });
    this.frame.append(this.grid);
    this.root.append(this.note, this.below);
  }

  /// Shows a view; `how` has `flip`, `arrows`, `marks`, `interactive`, and `still` if no piece is seen to move; `chooser`
  /// takes squares instead of the legal moves, and `ahead` names the squares of a move for the next turn.
  show(view, how = {}) {
    const before = this.view;
    this.view = view;
    this.how = how;
    const legal = how.interactive ? view.legal : null;
    // The same position again, such as after a report of the engine: a half-made move stays.
    const same = before?.fen === view.fen && before?.ply === view.ply;
    if (!same) this.hints = false;
    if (!legal || legal.kind === 'setup') this.chooser = null;
    else if (!this.chooser || !same) this.chooser = new Chooser(legal);
    if (how.chooser) this.chooser = how.chooser;
    if (legal?.kind !== 'setup') this.setUp = null;
    else if (!this.setUp || !same) this.setUp = new SetUp(legal, (token) => this.options.onMove?.(token), () => this.draw());
    const placed = this.placed;
    this.draw();
    if (before?.game === view.game && !same && Math.abs(view.ply - before.ply) <= 2) this.move(placed);
    if (view.result && (!before || same)) this.say(resultText(view));
    if (before && (before.ply !== view.ply || before.fen !== view.fen)) this.announce(before);
  }

  /// Lets the pieces come from where they stood before; new ones appear. A picture alone stands still.
  move(before) {
    if (this.options.mini || this.how.still || !isMoving()) return;
    const isNew = (places, other) => [...places].filter(([at, { kind }]) => other.get(at)?.kind !== kind);
    const [came, left] = [isNew(this.placed, before), isNew(before, this.placed)];
    if (came.length > MOST_WAYS) return;
    for (const [, { kind, x, y, box }] of came) {
      const from = left.findIndex(([, old]) => old.kind === kind);
      const [[, start]] = from < 0 ? [[]] : left.splice(from, 1);
      const at = (place) => ({ transform: `translate(${place.x}px,${place.y}px)` });
      const frames = start ? [at(start), at({ x, y })] : [{ opacity: 0 }, { opacity: 1 }];
      if (start) box.parentNode.append(box);
      box.animate(frames, { duration: WAY, easing: 'ease-out' });
    }
  }

  /// Says something in the live region below the board.
  say(text) {
    if (this.note && this.note.textContent !== text) this.note.textContent = text;
  }

  announce(before) {
    const { view } = this;
    const parts = [];
    if (view.ply > before.ply && view.shown?.length) {
      // After a long way only where it ends.
      const moves = movesFrom(view.shown, before.ply).slice(-2);
      parts.push(...moves.map(({ number, text }) => (number === null ? `${text}.` : t('board.moved', { number, move: text }))));
    } else if (view.ply < before.ply) {
      const number = movesIn(view.shown ?? []);
      parts.push(number ? t('board.back', { number }) : t('board.start'));
    }
    if (view.result) parts.push(resultText(view));
    else if (view.turn === 'chance') parts.push(t(`board.chance.${view.chance?.kind ?? 'die'}`));
    else if (view.turn !== null) parts.push(t('board.turn', { side: sideName(view, view.turn) }));
    this.say(parts.join(' '));
  }

  /// The shown picture: an `svg` element.
  svg() {
    return this.picture.firstChild;
  }

  letters() {
    return this.options.letters ?? lettersChosen();
  }

  draw() {
    const { view, how } = this;
    if (!view) return;
    this.geometry = new Geometry(view, how.flip);
    const { width, height, files, ranks } = this.geometry;
    this.frame.style.setProperty('--ratio', `${width} / ${height}`);
    this.frame.style.setProperty('--shape', String(width / height));
    const input = this.setUp ? 'setup' : this.chooser?.any ? 'ahead' : this.chooser ? 'move' : 'none';
    Object.assign(this.root.dataset, { game: view.game, ply: view.ply ?? 0, input, over: view.turn === null ? 'yes' : 'no' });
    const label = `${this.options.label ?? t(`game.${view.game}`)}`;
    const characters = !this.letters() && hasCharacters();
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}` }, emptyBoard(view, this.geometry, characters),
      ...this.marks(), svg('g', {}, ...this.pieces()), ...drawMarks(this.geometry, how.marks ?? []), ...this.arrows());
    if (this.options.mini) {
      picture.setAttribute('role', 'img');
      picture.setAttribute('aria-label', `${label}, ${t('board.move', { number: movesIn(view.shown ?? []) })}`);
    } else {
      picture.setAttribute('aria-hidden', 'true');
    }
    this.picture.replaceChildren(picture);
    if (this.options.mini) return;
    this.grid.style.setProperty('--files', files);
    this.grid.style.setProperty('--ranks', ranks);
    this.grid.style.inset = this.geometry.insets();
    this.grid.setAttribute('aria-label', label);
    this.fillGrid();
    this.below.replaceChildren(...(this.setUp ? [this.setUp.tray()] : []), ...stateStrip(view, this.letters()));
  }

  /// The pieces as shown: those of the view, of a set-up in progress and of a half-made move.
  shownPieces() {
    const pieces = new Map(this.view.pieces.map((piece) => [piece.at, piece]));
    for (const piece of this.setUp?.pieces() ?? []) pieces.set(piece.at, piece);
    const chosen = this.chooser?.chosen ?? [];
    if (this.chooser?.legal.kind === 'list' && chosen.length > 1) {
      const moving = pieces.get(chosen[0]);
      pieces.delete(chosen[0]);
      if (moving) pieces.set(chosen[1], { ...moving, at: chosen[1], draft: true });
    }
    if (this.chooser?.legal.kind === 'points') {
      const kind = this.view.turn === 1 ? 'wS' : 'bS';
      for (const at of chosen) pieces.set(at, { at, kind, side: this.view.turn, draft: true });
    }
    return pieces;
  }

  pieces() {
    const movable = new Set(this.how.interactive === false ? [] : this.view.state?.movable ?? []);
    this.placed = new Map();
    return [...this.shownPieces().values()].flatMap((piece) => {
      const place = this.geometry.at(piece.at);
      if (!place) return [];
      const [x, y] = this.geometry.corner(...place);
      const box = svg('g', { transform: `translate(${x} ${y})`, class: piece.draft ? 'draft' : '' });
      if (movable.has(piece.at)) box.append(svg('rect', { class: 'mark-movable', x: 1.5, y: 1.5, width: UNIT - 3, height: UNIT - 3, rx: 9 }));
      box.append(drawPiece(piece, this.letters()));
      this.placed.set(piece.at, { kind: piece.down ? 'hidden' : piece.kind, x, y, box });
      return [box];
    });
  }

  mark(className, name, shape) {
    const place = this.geometry.at(name);
    if (!place) return [];
    const [x, y] = this.geometry.corner(...place);
    if (shape === 'dot') {
      // A dot would hide what is written on a piece; a ring goes around it.
      const taken = this.shownPieces().has(name);
      return [svg('circle', { class: `${className}${taken ? ' ring' : ''}`, cx: x + UNIT / 2, cy: y + UNIT / 2, r: taken ? UNIT / 2 - 3 : 7 })];
    }
    return [svg('rect', { class: className, x: x + 1, y: y + 1, width: UNIT - 2, height: UNIT - 2, rx: 4 })];
  }

  marks() {
    const { view } = this;
    const last = [...new Set(view.last ?? [])];
    const marks = view.grid === 'points' ? [] : last.flatMap((name) => this.mark('mark-last', name));
    const points = last.map((name) => this.geometry.at(name)).filter(Boolean);
    if (view.grid === 'cells' && points.length > 1) {
      marks.push(svg('path', { class: 'mark-trail', d: `M${points.map((p) => this.geometry.middle(...p)).join('L')}` }));
    }
    if (view.chance?.at) marks.push(...this.mark('mark-chance', view.chance.at));
    for (const name of this.how.ahead ?? []) marks.push(...this.mark('mark-ahead', name));
    for (const name of this.chooser?.chosen ?? []) marks.push(...this.mark('mark-chosen', name));
    if (this.setUp) for (const name of this.setUp.open()) marks.push(...this.mark('mark-target', name, 'dot'));
    return marks;
  }

  /// Squares that may be pressed, drawn above the pieces; and the engine's candidate moves.
  arrows() {
    const parts = this.view.grid === 'points' ? this.lastStones() : [];
    if (this.chooser && !this.chooser.any && (this.hints || (this.chooser.chosen.length && this.chooser.legal.kind === 'list'))) {
      for (const name of this.chooser.next()) parts.push(...this.mark('mark-target', name, 'dot'));
    }
    // EinStein: where the movable stones can go, before one is chosen.
    if (this.chooser && this.view.state?.movable && !this.chooser.chosen.length) {
      const targets = new Set(this.chooser.legal.moves.map(([, squares]) => squares.at(-1)));
      for (const name of targets) parts.push(...this.mark('mark-reach', name, 'dot'));
    }
    const arrows = (this.how.arrows ?? []).slice(0, ARROWS);
    for (const arrow of arrows.reverse()) parts.push(...this.arrow(arrow));
    parts.push(...this.won());
    return parts;
  }

  /// What has won: a line through its squares, or a ring on the only one.
  won() {
    const points = (this.view.won ?? []).map((name) => this.geometry.at(name)).filter(Boolean).map((place) => this.geometry.middle(...place));
    if (points.length > 1) return [svg('path', { class: 'mark-won', d: `M${points.join('L')}` })];
    return points.map(([cx, cy]) => svg('circle', { class: 'mark-won', cx, cy, r: UNIT / 2 - 2 }));
  }

  /// Rings on the last stones, which would hide a mark below them.
  lastStones() {
    return (this.view.last ?? []).map((name) => this.geometry.at(name)).filter(Boolean).map((place) => {
      const [cx, cy] = this.geometry.middle(...place);
      return svg('circle', { class: 'mark-stone', cx, cy, r: 10 });
    });
  }

  arrow({ from, to, squares, rank = 1 }) {
    const names = (squares ?? [from, to]).filter(Boolean);
    const points = names.map((name) => this.geometry.at(name)).filter(Boolean).map((p) => this.geometry.middle(...p));
    if (!points.length) return [];
    const moves = points.length > 1 && this.view.grid !== 'points';
    if (moves) this.keepClear(names, points);
    const [x, y] = points.at(-1);
    const name = `arrow rank${Math.min(rank, ARROWS)}`;
    const group = svg('g', { class: name });
    if (moves) {
      const [u, v] = points.at(-2);
      const length = Math.hypot(x - u, y - v) || 1;
      const [dx, dy] = [(x - u) / length, (y - v) / length];
      const base = [x - 13 * dx, y - 13 * dy];
      group.append(svg('path', { class: 'arrow-line', d: `M${[...points.slice(0, -1), base].join('L')}` }));
      group.append(svg('path', {
        class: 'arrow-head',
        d: `M${x} ${y}L${base[0] - 8 * dy} ${base[1] + 8 * dx}L${base[0] + 8 * dy} ${base[1] - 8 * dx}Z`,
      }));
    } else {
      for (const [cx, cy] of points) group.append(svg('circle', { class: 'arrow-line', cx, cy, r: 15 }));
    }
    const [lx, ly] = moves ? beside(points[0], points[1]) : [x, y];
    const label = svg('text', { class: 'arrow-rank', x: lx, y: ly + 5, 'text-anchor': 'middle' });
    label.textContent = rank;
    group.append(svg('circle', { class: 'arrow-label', cx: lx, cy: ly, r: 9 }), label);
    return [group];
  }

  /// Shortens an arrow at both ends that hold a piece.
  keepClear(names, points) {
    const pieces = this.shownPieces();
    const last = points.length - 1;
    const [first, end] = [towards(points[0], points[1]), towards(points[last], points[last - 1])];
    if (pieces.has(names[0])) points[0] = first;
    if (pieces.has(names.at(-1))) points[last] = end;
  }

  fillGrid() {
    const { names, files, ranks } = this.geometry;
    if (this.grid.dataset.names !== names.join()) {
      this.grid.dataset.names = names.join();
      const cell = (name) => html('div', { role: 'gridcell', tabIndex: -1, 'data-at': name });
      const row = (i) => html('div', { role: 'row' }, ...names.slice(i * files, (i + 1) * files).map(cell));
      this.grid.replaceChildren(...Array.from({ length: ranks }, (_, i) => row(i)));
    }
    if (!this.geometry.index.has(this.focus)) this.focus = names[(ranks - 1) * files];
    const pieces = this.shownPieces();
    const next = this.chooser?.next() ?? this.setUp?.open() ?? new Set();
    const chosen = new Set(this.chooser?.chosen ?? []);
    for (const cell of this.grid.querySelectorAll('[role=gridcell]')) {
      const { at } = cell.dataset;
      const piece = pieces.get(at);
      const parts = [squareText(this.view, at)];
      if (piece) parts.push(pieceName(piece));
      if (this.view.last?.includes(at)) parts.push(t('board.last'));
      if (this.view.won?.includes(at)) parts.push(t('board.won'));
      if (chosen.size && next.has(at)) parts.push(t('board.target'));
      parts.push(...markTexts(this.how.marks ?? [], at));
      cell.setAttribute('aria-label', parts.join(', '));
      cell.setAttribute('aria-selected', String(chosen.has(at)));
      cell.classList.toggle('live', next.has(at));
      cell.tabIndex = at === this.focus ? 0 : -1;
    }
  }

  key(event) {
    const place = this.geometry.at(this.focus);
    if (!place || event.altKey || event.metaKey) return;
    if (this.options.steps && (event.shiftKey || this.byPointer) && /^(Arrow|Home|End)/.test(event.key)) return;
    const { files, ranks, names } = this.geometry;
    const go = (column, row) => {
      const clamp = (x, n) => Math.min(Math.max(x, 0), n - 1);
      this.focusOn(names[clamp(row, ranks) * files + clamp(column, files)]);
    };
    const step = STEPS[event.key];
    if (step) go(place[0] + step[0], place[1] + step[1]);
    else if (event.key === 'Home') go(0, event.ctrlKey ? 0 : place[1]);
    else if (event.key === 'End') go(files, event.ctrlKey ? ranks : place[1]);
    else if (event.key === 'Enter' || event.key === ' ') this.press(this.focus);
    else if (event.key === 'Escape' && this.chooser?.back()) this.draw();
    else if (!(this.setUp && /^[1-9]$/.test(event.key) && this.setUp.place(this.focus, event.key))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /// Moves the keyboard focus to a square.
  focusOn(name) {
    this.grid.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    this.focus = name;
    const cell = this.grid.querySelector(`[data-at="${name}"]`);
    cell.tabIndex = 0;
    cell.focus();
  }

  press(name) {
    this.options.onSquare?.(name);
    if (this.setUp) {
      this.setUp.press(name);
      return;
    }
    if (!this.chooser) return;
    const answer = this.chooser.press(name);
    this.hints = Boolean(answer.refused);
    if (answer.refused) this.say(t('board.illegal', { square: squareText(this.view, name), legal: this.legalSquares() }));
    else if (answer.more) this.say(t('board.chosen', { squares: this.squareTexts(this.chooser.chosen), legal: this.legalSquares() }));
    else if (answer.back) this.say(t('board.undone'));
    const { token } = answer;
    this.draw();
    if (token !== undefined) {
      this.chooser = null;
      this.options.onMove?.(token);
    }
  }

  legalSquares() {
    const next = [...this.chooser.next()];
    return next.length > 16 ? t('board.many', { count: next.length }) : this.squareTexts(next);
  }

  squareTexts(names) {
    return names.map((name) => squareText(this.view, name)).join(', ');
  }
}

/// The point at the distance `CLEAR` from `a` on the way to `b`.
function towards([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  return [x + (CLEAR * (u - x)) / length, y + (CLEAR * (v - y)) / length];
}

/// The place of a label: beside the middle of a line, so that neither covers the other nor a number.
function beside([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  return [(x + u) / 2 - (10 * (v - y)) / length, (y + v) / 2 + (10 * (u - x)) / length];
}

/// What a screen reader says for a piece.
function pieceName(piece) {
  const known = t(`piece.${piece.down ? 'hidden' : piece.kind}`);
  return known.startsWith('piece.') ? piece.name ?? piece.text ?? piece.kind : known;
}

// A move entered ahead, while the engine thinks: any squares may be chosen. It is played once it is the player's turn if
// it is legal then, and dropped with a word if not.

import { html } from './dom.js';
import { addTexts, t } from './i18n.js';
import { squareText } from './notation.js';

addTexts({
  'ahead.next': ['Next: {move}. It is played when it is your turn.', '预先走：{move}，轮到你时即走出。'],
  'ahead.dropped': ['{move} is not legal now; it was not played.', '{move} 现在不合规则，未走出。'],
  'ahead.cancel': ['Cancel', '取消'],
});

/** The squares of a move: an amazon moves and shoots. */
const LENGTHS = { amazons: 3 };

/** Chooses squares as `Chooser` does, but knows no legal moves. */
class AheadChooser {
  constructor(view, side) {
    this.any = true;
    this.chosen = [];
    this.view = view;
    const points = view.grid === 'points';
    this.legal = { kind: points ? 'points' : 'list', moves: [] };
    this.length = points ? { connect6: 2 }[view.game] ?? 1 : LENGTHS[view.game] ?? 2;
    const taken = new Set(view.pieces.map(({ at }) => at));
    this.down = new Set(view.pieces.filter(({ down }) => down).map(({ at }) => at));
    const own = view.pieces.filter((piece) => piece.down || piece.side === side).map(({ at }) => at);
    this.first = new Set(points ? view.squares.filter((at) => !taken.has(at)) : own);
  }

  next() {
    const squares = this.chosen.length && this.legal.kind === 'list' ? this.view.squares : [...this.first];
    const last = this.legal.kind === 'list' ? this.chosen.slice(-1) : this.chosen;
    return new Set(squares.filter((at) => !last.includes(at)));
  }

  press(name) {
    if (this.chosen.includes(name) && (this.legal.kind === 'points' || this.chosen.at(-1) === name)) {
      this.chosen = this.chosen.filter((at, i) => at !== name || (this.legal.kind === 'list' && i < this.chosen.length - 1));
      return { back: true };
    }
    if (!this.next().has(name)) return { refused: true };
    this.chosen.push(name);
    const whole = this.chosen.length === this.length || (this.chosen.length === 1 && this.down.has(name));
    return whole ? { token: this.chosen } : { more: true };
  }

  back() {
    return this.chosen.pop() !== undefined;
  }
}

export class MoveAhead {
  /** `changed` is called after a move was cancelled. */
  constructor(changed) {
    this.text = html('span');
    this.button = html('button', { type: 'button', 'data-play': 'cancel', onclick: () => this.cancel() });
    this.row = html('div', { className: 'row', role: 'status', hidden: true }, this.text, this.button);
    this.changed = changed;
    this.escape = (event) => event.key === 'Escape' && this.waits && this.cancel();
    document.addEventListener('keydown', this.escape);
    this.drop();
  }

  stop() {
    document.removeEventListener('keydown', this.escape);
  }

  cancel() {
    this.drop();
    this.changed();
  }

  /** Forgets the move. */
  drop() {
    [this.squares, this.typed, this.chooser, this.key] = [null, null, null, null];
  }

  /** Keeps a move: squares, or a text. */
  take(move) {
    this.drop();
    if (Array.isArray(move)) this.squares = move;
    else this.typed = move;
  }

  /** Whether a move is kept. */
  get waits() {
    return this.squares !== null || this.typed !== null;
  }

  /** Whether a move may be entered ahead: the engine is to move against one player by hand. */
  static isTime({ sides, view }) {
    const engines = typeof view.turn === 'number' && sides[view.turn] === 'engine' && sides[1 - view.turn] === 'hand';
    return engines && !/ setup$/.test(view.fen);
  }

  /** The chooser of squares for a position. */
  chooserOf({ view }) {
    const key = `${view.ply} ${view.fen}`;
    if (key !== this.key) [this.key, this.chooser] = [key, new AheadChooser(view, 1 - view.turn)];
    return this.chooser;
  }

  /** The move as text. */
  moveText(view) {
    return this.typed ?? this.squares?.map((at) => squareText(view, at)).join(' → ') ?? '';
  }

  /** The token of the move among the legal ones; undefined if it is none of them. */
  token({ legal }) {
    if (this.typed !== null) return this.typed;
    if (legal?.kind === 'points') {
      const count = Math.min(legal.count, legal.points.length);
      const fits = this.squares.length === count && this.squares.every((at) => legal.points.includes(at));
      return fits ? this.squares.join(legal.join ?? '') : undefined;
    }
    const same = ([, squares]) => squares.length === this.squares.length && squares.every((at, i) => at === this.squares[i]);
    return legal?.moves?.find(same)?.[0];
  }

  /** Says what waits in a position; returns the text. */
  show(view) {
    this.button.textContent = t('ahead.cancel');
    this.text.textContent = this.waits ? t('ahead.next', { move: this.moveText(view) }) : '';
    [this.row.hidden, this.button.hidden] = [!this.waits, false];
    return this.text.textContent;
  }

  /** Says that a move was not played. */
  refuse(text) {
    this.text.textContent = text;
    [this.row.hidden, this.button.hidden] = [false, true];
  }

  /** What is said of the move if it is dropped. */
  droppedText(view) {
    return t('ahead.dropped', { move: this.moveText(view) });
  }
}

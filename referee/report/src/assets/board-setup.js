// EinStein's set-up: the six numbers are put on the home squares by clicking or typing digits.

import { html } from './dom.js';
import { pieceIcon } from './pieces.js';
import { t } from './i18n.js';

/// The token of a set-up: the numbers in the order of the squares.
export function setupToken(squares, placed) {
  return squares.map((square) => placed.get(square)).join('');
}

const textOf = (piece) => String(piece?.text ?? piece?.token ?? piece);

export class SetUp {
  /// `legal` has the squares, in the token's order, and the pieces; `onToken` gets the token,
  /// `changed` is called when the picture has to be drawn again.
  constructor(legal, onToken, changed) {
    this.squares = legal.squares;
    this.side = legal.side;
    this.all = legal.pieces.map(textOf);
    this.placed = new Map();
    this.held = null;
    // The square that the held number left.
    this.from = null;
    this.onToken = onToken;
    this.changed = changed;
  }

  /// The squares that are still empty.
  open() {
    return new Set(this.squares.filter((square) => !this.placed.has(square)));
  }

  /// The numbers that are not on the board.
  left() {
    const placed = new Set(this.placed.values());
    return this.all.filter((text) => !placed.has(text));
  }

  kind(text) {
    return `${this.side === 1 ? 'b' : 'r'}${text}`;
  }

  pieces() {
    return [...this.placed].map(([at, text]) => ({ at, text, kind: this.kind(text), side: this.side }));
  }

  /// Puts a number on a square, from the tray or from another square; false if it cannot.
  place(square, text) {
    if (!this.squares.includes(square) || !this.all.includes(text)) return false;
    const other = [...this.placed].find(([, there]) => there === text)?.[0];
    const before = this.placed.get(square);
    this.placed.set(square, text);
    if (other && other !== square) {
      if (before === undefined) this.placed.delete(other);
      else this.placed.set(other, before);
    } else if (this.from && this.from !== square && before !== undefined && text === this.held) {
      this.placed.set(this.from, before);
    }
    this.hold(null);
    return true;
  }

  /// Takes a number in hand, from a square or from the tray; null: none.
  hold(text, from = null) {
    [this.held, this.from] = [text, from];
    this.changed();
  }

  /// A click on a square: puts the chosen number there, or the lowest one left; on a number, takes it
  /// in hand. Two clicks on numbers exchange them.
  press(square) {
    if (!this.squares.includes(square)) return;
    if (this.placed.has(square) && this.held === null) {
      const text = this.placed.get(square);
      this.placed.delete(square);
      this.hold(text, square);
    } else {
      const text = this.held ?? this.left()[0];
      if (text !== undefined) this.place(square, text);
    }
  }

  shuffle() {
    const numbers = [...this.all];
    for (let i = numbers.length - 1; i > 0; i--) {
      const j = crypto.getRandomValues(new Uint32Array(1))[0] % (i + 1);
      [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
    }
    this.placed = new Map(this.squares.map((square, i) => [square, numbers[i]]));
    this.hold(null);
  }

  /// The numbers that are left, and the buttons.
  tray() {
    const numbers = this.left().map((text) => html('button', {
      type: 'button', className: 'tray-piece', 'aria-pressed': String(this.held === text),
      'aria-label': t('setup.take', { number: text }),
      onclick: () => this.hold(this.held === text ? null : text),
    }, pieceIcon(this.kind(text), { size: 34 })));
    const button = (key, onclick, properties = {}) => html('button', { type: 'button', onclick, ...properties }, t(key));
    const done = this.open().size === 0;
    return html('div', { className: 'tray', role: 'group', 'aria-label': t('setup.title') },
      html('p', { className: 'note' }, t('setup.how')),
      html('div', { className: 'row' }, ...numbers,
        button('setup.random', () => this.shuffle()),
        button('setup.clear', () => { this.placed.clear(); this.hold(null); }),
        button('setup.done', () => this.onToken(setupToken(this.squares, this.placed)),
          { className: 'primary', disabled: !done, 'data-action': 'setup-done' })));
  }
}

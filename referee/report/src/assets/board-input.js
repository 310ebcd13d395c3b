// What a click or the Enter key on a square means, from the legal moves that the arbiter gave.

/// The squares chosen so far and those that may follow; knows no rules but the given list.
export class Chooser {
  /// `legal` as in a view: a list of moves with their squares, or points to choose from.
  constructor(legal) {
    this.legal = legal;
    this.chosen = [];
  }

  /// The number of stones of a turn that places stones.
  get stones() {
    return Math.min(this.legal.count, this.legal.points.length);
  }

  /// The squares that may be chosen next.
  next() {
    if (this.legal.kind === 'points') {
      return new Set(this.legal.points.filter((point) => !this.chosen.includes(point)));
    }
    return new Set(this.matching().map((squares) => squares[this.chosen.length]));
  }

  /// The squares of the moves that begin with the chosen ones and have more.
  matching() {
    const { chosen } = this;
    return this.legal.moves.map(([, squares]) => squares).filter(
      (squares) => squares.length > chosen.length && chosen.every((name, i) => squares[i] === name));
  }

  /// Chooses a square. Returns `{token}` for a whole move, `{more}` if squares are missing,
  /// `{back}` if a choice was taken back, `{refused}` for a square that is not legal.
  press(name) {
    if (this.legal.kind === 'points') return this.pressPoint(name);
    if (this.next().has(name)) return this.extend(name);
    if (this.chosen.length && this.chosen.at(-1) === name) {
      this.chosen.pop();
      return { back: true };
    }
    // Another piece: the move begins anew there.
    const before = this.chosen;
    this.chosen = [];
    if (this.next().has(name)) return this.extend(name);
    this.chosen = before;
    return { refused: true };
  }

  extend(name) {
    this.chosen.push(name);
    const { chosen } = this;
    const move = this.legal.moves.find(
      ([, squares]) => squares.length === chosen.length && squares.every((square, i) => square === chosen[i]));
    return move ? { token: move[0] } : { more: true };
  }

  pressPoint(name) {
    if (this.chosen.includes(name)) {
      this.chosen = this.chosen.filter((point) => point !== name);
      return { back: true };
    }
    if (!this.legal.points.includes(name)) return { refused: true };
    this.chosen.push(name);
    if (this.chosen.length < this.stones) return { more: true };
    return { token: this.chosen.join(this.legal.join ?? '') };
  }

  /// Takes the last chosen square back; false if there was none.
  back() {
    return this.chosen.pop() !== undefined;
  }
}

// Pieces are dragged with the mouse or a finger, beside clicks and keys. A drag presses the square of the piece and the
// square on which it is dropped, so it knows no rules.

import { svg } from './dom.js';
import { UNIT } from './board-grid.js';
import { drawPiece, pieceIcon } from './pieces.js';

/** How far the pointer moves before a press is a drag. */
const SLACK_PX = 6;

class Dragging {
  /** Lets the pieces of a board be dragged. */
  constructor(board) {
    this.board = board;
    this.held = null;
    board.root.addEventListener('pointerdown', (event) => this.down(event));
    // The browser would drag a selection over the board, and end ours.
    board.root.addEventListener('dragstart', (event) => event.preventDefault());
    // The click that ends a drag is none.
    board.root.addEventListener('click', (event) => {
      if (!this.dropped) return;
      this.dropped = false;
      event.stopPropagation();
    }, { capture: true });
  }

  down(event) {
    this.dropped = false;
    if (!event.isPrimary || event.button !== 0) return;
    const piece = this.pieceAt(event.target);
    if (!piece) return;
    this.held = { ...piece, x: event.clientX, y: event.clientY, pointer: event.pointerId, ghost: null };
    const end = new AbortController();
    const listen = (name, act) => window.addEventListener(name, (later) => {
      if (later.pointerId === event.pointerId) act(later);
    }, { signal: end.signal });
    listen('pointermove', (later) => this.move(later));
    listen('pointerup', (later) => { end.abort(); this.up(later); });
    listen('pointercancel', () => { end.abort(); this.end(); });
    // A number of the tray is a button, whose text would be selected.
    if (piece.tray) event.target.releasePointerCapture?.(event.pointerId);
  }

  /** What may be dragged from here: a piece that may move, a stone of a set-up, a number of its tray. */
  pieceAt(target) {
    const { board } = this;
    const at = target.closest('[role=gridcell]')?.dataset.at;
    const tray = target.closest('.tray-piece');
    if (board.setUp && tray) return { tray: true, text: board.setUp.left()[[...tray.parentNode.querySelectorAll('.tray-piece')].indexOf(tray)] };
    if (!at) return null;
    if (board.setUp) return board.setUp.placed.has(at) ? { at, text: board.setUp.placed.get(at) } : null;
    const { chooser } = board;
    const piece = board.shownPieces().get(at);
    if (!piece || chooser?.legal.kind !== 'list') return null;
    // Further from the square where a half-made move stands: an amazon's arrow.
    if (chooser.chosen.length && chooser.chosen.at(-1) === at) return { at, piece: chooser.chosen.length > 1 ? { kind: 'arrow' } : piece };
    const goes = chooser.any ? chooser.first.has(at) && !piece.down
      : chooser.legal.moves.some(([, squares]) => squares.length > 1 && squares[0] === at);
    return goes ? { at, piece } : null;
  }

  move(event) {
    const { held } = this;
    if (!held) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK_PX) return;
      this.begin();
    }
    const half = held.size / 2;
    held.ghost.style.transform = `translate(${event.clientX - half}px, ${event.clientY - half}px)`;
  }

  /** The press has become a drag: the piece is chosen and follows the pointer. */
  begin() {
    const { board, held } = this;
    const cell = board.grid.querySelector('[role=gridcell]');
    held.size = cell.getBoundingClientRect().width;
    held.ghost = held.piece
      ? svg('svg', { viewBox: `0 0 ${UNIT} ${UNIT}`, width: held.size, height: held.size }, drawPiece(held.piece, board.letters()))
      : pieceIcon(board.setUp.kind(held.text), { size: held.size });
    held.ghost.classList.add('drag-ghost');
    document.body.append(held.ghost);
    board.root.classList.add('dragging');
    const { chooser } = board;
    if (held.piece && chooser && chooser.chosen.at(-1) !== held.at) {
      // Another piece was chosen, of which this square may be a target.
      while (chooser.back());
      board.press(held.at);
    }
    this.fade(held.at, true);
  }

  /** Shows that the piece has left its square. */
  fade(at, away) {
    const place = at && this.board.geometry.at(at);
    if (!place) return;
    const [x, y] = this.board.geometry.corner(...place);
    this.board.svg().querySelector(`g[transform="translate(${x} ${y})"]`)?.classList.toggle('away', away);
  }

  up(event) {
    const { board, held } = this;
    if (!held?.ghost) return this.end();
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[role=gridcell]');
    const to = under && board.grid.contains(under) ? under.dataset.at : null;
    this.dropped = true;
    // A click comes at once or not at all.
    setTimeout(() => { this.dropped = false; });
    this.fade(held.at, false);
    this.end();
    if (!held.piece) {
      if (to) board.setUp?.place(to, held.text);
      return;
    }
    // Dropped where it was it stays chosen; beside the board it does not.
    if (to && to !== held.at) board.press(to);
    else if (!to && board.chooser?.back()) board.draw();
  }

  end() {
    this.held?.ghost?.remove();
    this.board.root.classList.remove('dragging');
    this.held = null;
  }
}

/** Lets the pieces of a board be dragged. */
export function dragPieces(board) {
  return new Dragging(board);
}

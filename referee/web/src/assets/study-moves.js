// The moves of a game with its variations: the main line, and each variation below the move that it replaces.

import { html } from './dom.js';
import { t } from './i18n.js';
import { numberedText, partText } from './notation.js';

/** How much of a comment stands in the list. */
const SHOWN = 160;

/** A place to put elements. */
function place(element) {
  return { push: (...more) => element.append(...more) };
}

export class StudyMoves {
  /** `choose(id)` gets the node of a move that is pressed. */
  constructor(element, choose) {
    this.root = element;
    this.buttons = new Map();
    element.addEventListener('click', (event) => {
      const id = event.target.closest('[data-node]')?.dataset.node;
      if (id !== undefined) choose(Number(id));
    });
  }

  /** Draws all moves anew. */
  draw(tree) {
    this.buttons.clear();
    const start = html('button', { type: 'button', 'data-node': 0 }, t('play.start'));
    this.buttons.set(0, start);
    const list = document.createDocumentFragment();
    const parts = place(list);
    parts.push(start);
    if (tree.node(0).comment) parts.push(this.comment(tree.node(0)));
    // The lines that are still to be drawn: variations in variations are not limited by the depth of calls.
    const lines = [[tree.node(0).children[0], parts, true]];
    while (lines.length) lines.push(...this.line(tree, ...lines.pop()).reverse());
    this.root.replaceChildren(list);
    this.mark(this.current, false);
  }

  /** Draws a line into `parts`; returns its variations. */
  line(tree, first, parts, isMain) {
    const variations = [];
    let [before, box, at] = [null, null, first];
    for (; at !== undefined; [at] = tree.node(at).children) {
      const node = tree.node(at);
      const { ply } = node;
      const joins = box && ply.number !== null && ply.number === before;
      if (!joins) parts.push(' ', (box = html('span', { className: 'move' })));
      else box.append(' ');
      const text = partText(ply);
      const button = html('button', { type: 'button', className: ply.by === null ? 'chance' : '', 'data-node': at },
        joins ? text : numberedText(ply.number, text));
      this.buttons.set(at, button);
      box.append(button);
      before = ply.number;
      if (node.comment) parts.push(this.comment(node));
      const others = at === first && !isMain ? [] : tree.node(node.parent).children.slice(1);
      for (const other of others) {
        const box = html('div', { className: 'variation' });
        parts.push(box);
        variations.push([other, place(box), false]);
      }
      if (others.length || node.comment) box = null;
    }
    return variations;
  }

  comment({ comment }) {
    const text = comment.length > SHOWN ? `${comment.slice(0, SHOWN)}…` : comment;
    return html('span', { className: 'study-comment' }, text);
  }

  /** Marks the position that is shown. */
  mark(id, scroll = true) {
    this.buttons.get(this.current)?.removeAttribute('aria-current');
    this.current = id;
    const button = this.buttons.get(id);
    if (!button) return;
    button.setAttribute('aria-current', 'step');
    if (!scroll) return;
    const [box, list] = [button.getBoundingClientRect(), this.root.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.root.scrollTop += box.top - list.top - list.height / 2;
  }
}

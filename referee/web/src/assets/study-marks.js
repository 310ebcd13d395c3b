// Drawing on the board of an analysis: with the right mouse button, or with keys on a square.

import { html } from './dom.js';
import { onLanguage, t } from './i18n.js';

const SHAPES = ['circle', 'square', 'triangle', 'cross', 'label'];

export class MarkTools {
  /** `board` is the board; `onMark(mark)` gets a mark to draw, or to take away if it is there; `marks()` has those of
   *  the position. */
  constructor(element, board, { onMark, onClear, marks }) {
    Object.assign(this, { board, onMark, marks });
    this.from = null;
    this.shape = html('select', { 'data-study': 'shape' });
    this.label = html('label', {}, html('span'), this.shape);
    this.clear = html('button', { type: 'button', 'data-study': 'unmark', onclick: onClear });
    this.note = html('p', { className: 'note', role: 'status' });
    element.append(html('div', { className: 'row' }, this.label, this.clear), this.note);
    const { grid } = board;
    grid.addEventListener('contextmenu', (event) => event.preventDefault());
    grid.addEventListener('pointerdown', (event) => {
      if (event.button === 2) this.from = cellAt(event);
    });
    grid.addEventListener('pointerup', (event) => {
      if (event.button === 2 && this.from) this.draw(this.from, cellAt(event));
    });
    // Before the board's own keys.
    grid.addEventListener('keydown', (event) => this.key(event), true);
    this.stop = onLanguage(() => this.tell());
    this.tell();
  }

  tell() {
    const { value } = this.shape;
    this.label.firstChild.textContent = t('study.shape');
    this.shape.replaceChildren(...SHAPES.map((name) => html('option', { value: name, selected: name === value }, t(`mark.${name}`))));
    this.clear.textContent = t('study.unmark');
    this.note.textContent = t('study.marks.how');
  }

  /** M marks the square with the focus; A on two squares one after the other draws an arrow. */
  key(event) {
    const at = event.target.dataset?.at;
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = event.key.toLowerCase();
    if (letter === 'm') this.draw(at, at);
    else if (letter === 'a' && this.arrow) this.draw(this.arrow, at);
    else if (letter === 'a') {
      this.arrow = at;
      this.note.textContent = t('study.marks.from', { at });
      event.preventDefault();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw(at, to) {
    this.from = this.arrow = null;
    this.note.textContent = t('study.marks.how');
    if (!to) return;
    if (to !== at) this.onMark({ shape: 'arrow', at, to });
    else if (this.shape.value !== 'label') this.onMark({ shape: this.shape.value, at });
    else this.onMark(this.letterAt(at));
  }

  /** The letter that stands on a square, or the first that the position does not have yet. */
  letterAt(at) {
    const letters = this.marks().filter(({ shape }) => shape === 'label');
    const here = letters.find((mark) => mark.at === at);
    const next = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((text) => !letters.some((mark) => mark.text === text));
    return here ?? { shape: 'label', at, text: next ?? '?' };
  }
}

/** The square under the pointer. */
function cellAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest('[role=gridcell]')?.dataset.at ?? null;
}

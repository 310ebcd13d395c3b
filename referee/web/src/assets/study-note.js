// The comment of the shown position. It is saved while it is written, and kept if another page has changed it.

import { html } from './dom.js';
import { t } from './i18n.js';

export class StudyNote {
  /** `send(command)` sends a command; `onProblem(error)` gets why a comment was not kept as it is. */
  constructor(element, send, onProblem) {
    Object.assign(this, { send, onProblem, at: null, known: '' });
    this.text = html('textarea', { rows: 3, maxLength: 6000, 'data-study': 'comment', oninput: () => this.wait(), onchange: () => this.save() });
    this.title = html('span');
    element.append(html('label', { className: 'study-note' }, this.title, this.text));
  }

  label() {
    this.title.textContent = t('study.comment');
  }

  /** Shows the comment of a node; what was written for another one is saved before. */
  show(at, node) {
    if (at !== this.at) {
      this.save();
      this.at = at;
    } else if (this.saving || this.text.value !== this.known) {
      return;
    }
    this.known = node?.comment ?? '';
    if (this.text.value !== this.known) this.text.value = this.known;
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 700);
  }

  async save() {
    clearTimeout(this.timer);
    const { at, known } = this;
    const text = this.text.value;
    if (at === null || text === known) return;
    this.known = text;
    this.saving = true;
    try {
      await this.send({ do: 'comment', at, text, was: known });
    } catch (problem) {
      const now = problem.answer?.now;
      if (now !== undefined) {
        // Another page has changed it: both texts stay.
        const both = `${now}\n${text}`;
        await this.send({ do: 'comment', at, text: both, was: now }).catch(() => {});
        if (this.at === at) this.text.value = this.known = both;
      } else if (this.at === at) this.known = known;
      this.onProblem(problem);
    } finally {
      this.saving = false;
    }
  }
}

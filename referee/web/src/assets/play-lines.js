// What an engine reports while it thinks: the evaluation bar and its lines.

import { sideName } from './board-state.js';
import { html } from './dom.js';
import { t } from './i18n.js';
import { lineText } from './notation.js';
import { countText, percentText, scoreText } from './score.js';

/** A forced result as text. */
function forcedText(view, score) {
  return t('play.wins', { side: sideName(view, score.winner), n: score.mate });
}

/** The score of a line from the first player's side as text, with a sign if it is only a bound. */
export function valueText(view, { score, expected, bound }) {
  if (!score) return '';
  const text = 'cp' in score ? scoreText(view.game, score.cp, expected) : forcedText(view, score);
  return bound ? `${bound === 'lower' ? '≥' : '≤'} ${text}` : text;
}

export class EngineLines {
  /** With `onLine(line)`, a line can be taken over. */
  constructor(element, onLine) {
    this.onLine = onLine;
    // The label is in the larger part, so that it is never cut off.
    this.parts = ['first', 'second'].map((side) => html('span', { className: `evaluation-${side}` }));
    this.bar = html('div', { className: 'evaluation', role: 'img' }, ...this.parts);
    this.list = html('ol', { className: 'plain engine-lines' });
    element.append(this.bar, this.list);
    this.clear();
  }

  clear() {
    this.bar.hidden = true;
    this.list.replaceChildren();
  }

  /** Shows the lines of an event; the bar keeps its place while a search begins. */
  show(view, { lines }) {
    const best = lines.find((line) => line.rank === 1) ?? lines[0];
    // A score whose unit only the engine knows has no place on a scale of chances.
    this.bar.hidden = best ? best.expected == null : this.bar.hidden;
    if (best?.expected != null) {
      const percent = percentText(best.expected);
      const label = best.score && !('cp' in best.score) ? forcedText(view, best.score) : percent;
      this.parts.forEach((part, side) => {
        part.style.width = `${(side ? 1000 - best.expected : best.expected) / 10}%`;
        part.textContent = side === (best.expected < 500 ? 1 : 0) ? label : '';
      });
      this.bar.setAttribute('aria-label', t('play.bar', { side: sideName(view, 0), percent }));
    }
    this.list.replaceChildren(...lines.map((line) => this.row(view, line)));
  }

  row(view, line) {
    const facts = [line.depth != null ? t('play.line', { depth: line.depth }) : '', line.nodes == null ? '' : countText(line.nodes)];
    return html('li', {},
      html('strong', {}, valueText(view, line)), ' ',
      html('span', { className: 'note' }, facts.filter(Boolean).join(', ')), ' ',
      html('span', { className: 'mono' }, lineText(line.shown ?? [])), ' ', ...this.take(line));
  }

  take(line) {
    if (!this.onLine || !line.shown?.length) return [];
    const label = t('study.take', { rank: line.rank });
    return [html('button', { type: 'button', className: 'small', title: label, 'aria-label': label, 'data-line': line.rank, onclick: () => this.onLine(line) }, '↳')];
  }

  /** The arrows of the first moves, for the board. */
  static arrows(info) {
    return info.lines.filter((line) => line.squares?.length).map(({ squares, rank }) => ({ squares, rank }));
  }
}

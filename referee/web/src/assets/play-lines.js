// What an engine reports while it thinks: the evaluation bar and its lines.

import { html } from './dom.js';
import { t } from './i18n.js';

/** A score from the first player's side as text. */
function scoreText(game, score) {
  if (!score) return '';
  if ('cp' in score) return (score.cp > 0 ? '+' : '') + (score.cp / 100).toFixed(2);
  return t('play.wins', { side: t(`side.${game}.${score.winner}`), n: score.mate });
}

function compact(n) {
  if (n == null) return '';
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)}G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)}M`;
  return n >= 1e4 ? `${(n / 1e3).toFixed(0)}k` : String(n);
}

export class EngineLines {
  constructor(element) {
    this.fill = html('span', { className: 'evaluation-first' });
    this.bar = html('div', { className: 'evaluation', role: 'img' }, this.fill);
    this.list = html('ol', { className: 'plain engine-lines' });
    element.append(this.bar, this.list);
    this.clear();
  }

  clear() {
    this.bar.hidden = true;
    this.list.replaceChildren();
  }

  /** Shows the lines of an event; the bar keeps its place while a search begins. */
  show(game, { lines }) {
    const best = lines.find((line) => line.rank === 1) ?? lines[0];
    if (best?.bar != null) {
      const percent = Math.round(best.bar / 10);
      this.bar.hidden = false;
      this.fill.style.width = `${percent}%`;
      this.fill.textContent = scoreText(game, best.score);
      this.bar.setAttribute('aria-label', t('play.bar', { side: t(`side.${game}.0`), percent }));
    }
    this.list.replaceChildren(...lines.map((line) => this.row(game, line)));
  }

  row(game, line) {
    const facts = [line.depth != null ? t('play.line', { depth: line.depth }) : '', compact(line.nodes)];
    return html('li', {},
      html('strong', {}, scoreText(game, line.score)), ' ',
      html('span', { className: 'note' }, facts.filter(Boolean).join(', ')), ' ',
      html('span', { className: 'mono' }, (line.shown ?? []).join(' ')));
  }

  /** The arrows of the first moves, for the board. */
  static arrows(info) {
    return info.lines.filter((line) => line.squares?.length).map(({ squares, rank }) => ({ squares, rank }));
  }
}

// The expectation of a position in which chance decides: a table of its outcomes with what the engine says of each.

import { html } from './dom.js';
import { t } from './i18n.js';
import { lineText, moveText } from './notation.js';
import { valueText } from './play-lines.js';
import { percentText, scoreText } from './score.js';

/** The table of an event for the position `view`. */
export function outcomesTable(view, { rows, expected, cp, done }) {
  const head = ['outcome', 'share', 'value', 'line'].map((key) => html('th', { scope: 'col' }, t(`study.outcomes.${key}`)));
  const body = rows.map(({ shown, share, line }) => html('tr', {},
    html('th', { scope: 'row' }, moveText(shown)),
    html('td', { className: 'n' }, percentText(1000 * share)),
    html('td', { className: 'n' }, line?.score?.mate === 0 ? t('study.outcomes.over') : line ? valueText(view, line) : '…'),
    html('td', { className: 'mono' }, lineText((line?.shown ?? []).slice(0, 6)))));
  const mean = expected === null && cp === null ? '…' : scoreText(view.game, Math.round(cp ?? 0), expected);
  const foot = html('tr', { className: 'now' }, html('th', { scope: 'row' }, t('study.outcomes.mean')), html('td'),
    html('td', { className: 'n', 'data-study': 'mean' }, done ? mean : '…'), html('td'));
  return html('div', { className: 'scroll', tabIndex: 0, role: 'group', 'aria-label': t('study.outcomes') },
    html('table', { 'data-study': 'outcomes', 'data-done': done ? 'yes' : 'no' },
      html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...body, foot)));
}

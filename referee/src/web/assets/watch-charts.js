// Tables and the path of a sequential test, of a match's summary.

import { html, svg } from './dom.js';
import { t } from './i18n.js';

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 48;
const BOTTOM = 30;

function cells(tag, values) {
  return values.map((value, i) => html(tag, i ? { className: 'n' } : {}, value == null ? '–' : String(value)));
}

/** A table in a box that scrolls by itself. */
export function table(caption, head, rows) {
  return html('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': caption }, html('table', {},
    html('thead', {}, html('tr', {}, ...cells('th', head))),
    html('tbody', {}, ...rows.map((row) => html('tr', {}, ...row.map((value, i) =>
      html('td', i ? { className: 'n' } : {}, value instanceof Node ? value : value == null ? '–' : String(value))))))));
}

function elo(row) {
  if (row.elo == null) return null;
  const text = (x) => (x > 0 ? '+' : '') + x.toFixed(0);
  // JSON has no infinity: an end that is missing is infinite.
  const low = row.elo_low == null ? '-∞' : text(row.elo_low);
  const high = row.elo_high == null ? '+∞' : text(row.elo_high);
  return `${text(row.elo)} [${low}, ${high}]`;
}

/** The score of all engines. */
export function scoreTable(summary) {
  const head = ['engine', 'games', 'wins', 'draws', 'losses', 'percent', 'elo', 'los', 'faults', 'limit'];
  const rows = summary.score.engines.map((row, i) => {
    const games = row.wins + row.draws + row.losses;
    const percent = games ? `${((100 * (row.wins + row.draws / 2)) / games).toFixed(1)}%` : null;
    const faults = Object.values(row.faults).reduce((sum, n) => sum + n, 0);
    const los = row.los == null ? null : `${(100 * row.los).toFixed(1)}%`;
    return [row.name, games, row.wins, row.draws, row.losses, percent, elo(row), los, faults, summary.engines[i].limit];
  });
  return table(t('watch.score'), head.map((key) => t(`watch.${key}`)), rows);
}

/** The path of the test's evidence between its bounds. */
export function testPath({ state, path }) {
  const bounds = state.test === 'width' ? [state.upper] : [state.lower, state.upper];
  const values = [...path.map(([, y]) => y), ...bounds, 0];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, path.at(-1)?.[0] ?? 1);
  const x = (samples) => LEFT + ((WIDTH - LEFT - 8) * samples) / last;
  const y = (value) => 8 + ((HEIGHT - BOTTOM - 8) * (high - value)) / (high - low || 1);
  const number = (value) => value.toFixed(2);
  const line = (value, bound) => [
    svg('line', { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: bound ? 'path-bound' : 'path-axis' }),
    svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end', class: 'path-text' }, number(value)),
  ];
  const points = path.map(([samples, value]) => `${x(samples).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const label = t('watch.path', {
    low: number(low), high: number(high), lower: number(bounds[0]), upper: number(bounds.at(-1)),
  });
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label, class: 'test-path' },
    ...bounds.flatMap((bound) => line(bound, true)), ...line(0, false),
    svg('polyline', { points, class: 'path-line' }),
    svg('text', { x: LEFT, y: HEIGHT - 8, class: 'path-text' }, '0'),
    svg('text', { x: WIDTH - 8, y: HEIGHT - 8, 'text-anchor': 'end', class: 'path-text' }, `${last} ${t('watch.samples')}`));
}

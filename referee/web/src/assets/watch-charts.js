// Tables and the path of a sequential test, of a match's summary.

import { html, svg } from './dom.js';
import { t } from './i18n.js';

const WIDTH = 480;
const HEIGHT = 220;
const LEFT = 52;
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

/** An interval of Elo. JSON has no infinity: an end that is missing is infinite. */
function interval(low, high) {
  return `[${low == null ? '-inf' : signed(low)}, ${high == null ? '+inf' : signed(high)}]`;
}

function signed(x) {
  return (x > 0 ? '+' : '') + x.toFixed(0);
}

/** An engine's difference; one without an end of its interval has none, one without the value won or lost all. */
function elo(row) {
  if (row.elo == null && row.elo_low == null && row.elo_high == null) return null;
  const value = row.elo == null ? (row.elo_high == null ? '+inf' : '-inf') : signed(row.elo);
  return `${value} ${interval(row.elo_low, row.elo_high)}`;
}

/** The limits of an engine's thinking. */
function limitText({ clock, move_ms: move, depth, nodes }) {
  const parts = [];
  if (clock) {
    const moves = clock.moves ? `${clock.moves}/` : '';
    parts.push(t('watch.limit.clock', { time: `${moves}${clock.time_ms / 1000}+${clock.increment_ms / 1000}` }));
  }
  if (move) parts.push(t('watch.limit.move', { ms: move }));
  if (depth) parts.push(t('watch.limit.depth', { depth }));
  if (nodes) parts.push(t('watch.limit.nodes', { nodes }));
  return parts.join(', ') || t('watch.limit.none');
}

/** The interval that holds however often one looks. */
export function confidenceText({ interval: { low, high }, pairs }) {
  return t('watch.confidence', { interval: interval(low, high), pairs });
}

/** What the test says now. */
export function testText({ state, waiting }) {
  const number = (x, digits) => (x == null ? '+inf' : x.toFixed(digits));
  const [e0, e1] = state.e_values ?? [];
  const evidence = t(`watch.evidence.${state.test}`, {
    llr: number(state.llr, 2), low: number(state.lower, 2), high: number(state.upper, 2),
    e0: number(e0, 2), e1: number(e1, 2), at1: number(Math.exp(state.upper), 0), at0: number(Math.exp(-state.lower), 0),
    width: number(state.width, 0), target: number(state.upper, 0),
  });
  const unit = t(`watch.unit.${state.unit}`, { n: state.samples });
  const text = `${t(`watch.verdict.${state.verdict}`)}: ${evidence}, ${unit}`;
  return waiting ? `${text}; ${t('watch.waiting', { n: waiting })}` : text;
}

/** The score of all engines. */
export function scoreTable(summary) {
  const head = ['engine', 'games', 'wins', 'draws', 'losses', 'percent', 'elo', 'los', 'faults', 'limit'];
  const rows = summary.score.engines.map((row, i) => {
    const games = row.wins + row.draws + row.losses;
    const percent = games ? `${((100 * (row.wins + row.draws / 2)) / games).toFixed(1)}%` : null;
    const faults = Object.values(row.faults).reduce((sum, n) => sum + n, 0);
    const los = row.los == null ? null : `${(100 * row.los).toFixed(1)}%`;
    return [row.name, games, row.wins, row.draws, row.losses, percent, elo(row), los, faults, limitText(summary.engines[i].limit)];
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
  // The zero line is left out where its number would cover that of a bound.
  const zero = bounds.some((bound) => Math.abs(y(bound) - y(0)) < 15) ? [] : line(0, false);
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label, class: 'test-path' },
    ...bounds.flatMap((bound) => line(bound, true)), ...zero,
    svg('polyline', { points, class: 'path-line' }),
    svg('text', { x: LEFT, y: HEIGHT - 8, class: 'path-text' }, '0'),
    svg('text', { x: WIDTH - 8, y: HEIGHT - 8, 'text-anchor': 'end', class: 'path-text' }, t(`watch.unit.${state.unit}`, { n: last })));
}

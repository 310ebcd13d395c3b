// The lists of the desk: moves, games of the match, remarks, what the engine thinks.

import { html } from './dom.js';
import { pointsText } from './desk-clock.js';
import { remarkText } from './desk-status.js';
import { t } from './i18n.js';

const by = (id) => document.getElementById(id);

/// The plies of the game, the last one in view.
export function showMoves(game) {
  const list = by('moves');
  const items = (game?.plies ?? []).map((ply) => {
    const mover = ply.player === null ? '' : ['①', '②'][ply.player];
    return html('li', { textContent: `${mover} ${ply.shown}` });
  });
  list.replaceChildren(...items);
  list.scrollTop = list.scrollHeight;
}

/// The score and the games of the match.
export function showMatch(state) {
  const { match, teams } = state;
  const points = teams.map((team) => pointsText(team.half_points));
  const score = t('desk.score', { a: teams[0].name, x: points[0], y: points[1], b: teams[1].name });
  by('score').textContent = `${score} · ${t(`desk.length.${match.length}`, { n: match.count })}`;
  const head = ['game', 'first', 'winner', 'why'].map((name) => html('th', { scope: 'col', textContent: t(`desk.col.${name}`) }));
  const rows = match.games.map((game) => {
    const { end } = game;
    const winner = !end ? t('desk.running') : end.winner === null ? t('desk.draw') : teams[end.winner].name;
    const cells = [game.number, teams[game.first].name, winner, end ? [t(`why.${end.why}`), end.note].filter(Boolean).join(': ') : ''];
    return html('tr', {}, ...cells.map((text) => html('td', { textContent: text })));
  });
  by('games').replaceChildren(html('table', {}, html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...rows)));
}

/// What was noted, the newest first, and where the files are.
export function showRemarks(state) {
  const items = [...state.remarks].reverse().map((remark) => {
    const time = new Date(remark.at).toLocaleTimeString();
    return html('li', { textContent: `${time} ${remarkText(state, remark.do)}` });
  });
  by('remarks').replaceChildren(...items);
  const files = [t('file.session', { path: state.session }), t('file.records', { path: state.records })];
  by('files').textContent = files.join(' ');
}

/// What the engine thinks.
export function showEngine(state, engine) {
  const panel = by('engine');
  panel.hidden = !state?.engines.length;
  if (panel.hidden) return;
  const info = engine?.info;
  const parts = [html('h2', { textContent: `${t('desk.engine')}: ${state.engines.join(', ')}` })];
  if (info && (info.depth !== null || info.score)) {
    parts.push(html('p', { textContent: t('engine.info', { depth: info.depth ?? '-', score: info.score || '-' }) }));
  }
  if (info?.pv?.length) parts.push(html('p', { className: 'mono', textContent: info.pv.join(' ') }));
  panel.replaceChildren(...parts);
}

/// What is wrong with an entry, and the legal moves nearest to it as buttons.
export function showRefusal(error, choose) {
  const box = by('refused');
  box.hidden = !error;
  if (!error) return box.replaceChildren();
  const parts = [html('p', { className: 'error', textContent: error.message })];
  const legal = error.answer?.legal ?? [];
  if (legal.length) {
    const buttons = legal.map((text) => html('button', { type: 'button', className: 'mono', textContent: text, onclick: () => choose(text) }));
    parts.push(html('p', { className: 'note', textContent: t('desk.nearest') }), html('div', { className: 'desk-legal' }, ...buttons));
  }
  box.replaceChildren(...parts);
}

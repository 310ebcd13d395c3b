// The lists of the desk: moves, games of the match, remarks, what the engine thinks.

import { html } from './dom.js';
import { remarkText } from './desk-status.js';
import { dayTimeText, t } from './i18n.js';
import { byMoves, lineText, moveText, numberedText } from './notation.js';
import { pointsText, scoreText } from './score.js';

const by = (id) => document.getElementById(id);

/// The moves of the game with their dice and revealed pieces, the last one in view.
export function showMoves(game) {
  const list = by('moves');
  const groups = byMoves(game?.view?.shown ?? []).map((group) => group.map(([, ply]) => ply));
  const items = groups.map((plies) => html('li', { textContent: numberedText(plies[0].number, lineText(plies)) }));
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
    const time = dayTimeText(remark.at);
    return html('li', { textContent: `${time} ${remarkText(state, remark.do)}` });
  });
  by('remarks').replaceChildren(...items);
  const files = [t('file.session', { path: state.session }), t('file.records', { path: state.records })];
  by('files').textContent = files.join(' ');
}

/// What the engine of a team reported: its depth, and the score as chances, in the engine's unit, or as a forced result.
export function reportText(state, { depth, score, expected }) {
  const parts = depth == null ? [] : [t('engine.depth', { depth })];
  const forced = /^#(-?)(\d+)$/.exec(score);
  if (forced) {
    const loses = forced[1] || forced[2] === '0';
    const team = state.teams[loses ? 1 - state.engine_team : state.engine_team].name;
    parts.push(t('engine.wins', { team, n: forced[2] }));
  } else if (score) {
    // Sessions of earlier versions have a text here.
    const text = scoreText(state.game_name, /^-?\d+$/.test(score) ? Number(score) : score, expected);
    parts.push(t(text.endsWith('%') ? 'engine.expects' : 'engine.score', { score: text }));
  }
  return parts.join(t('engine.comma'));
}

/// What the engine thinks.
export function showEngine(state, engine) {
  const panel = by('engine');
  panel.hidden = !state?.engines.length;
  if (panel.hidden) return;
  const info = engine?.info;
  const parts = [html('h2', { textContent: `${t('desk.engine')}: ${state.engines.join(', ')}` })];
  const report = info ? reportText(state, info) : '';
  if (report) parts.push(html('p', { textContent: report }));
  if (info?.shown?.length) parts.push(html('p', { className: 'mono', textContent: lineText(info.shown) }));
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
    parts.push(html('p', { className: 'note', textContent: t('desk.nearest') }), moveChips(legal, choose));
  }
  box.replaceChildren(...parts);
}

/// Moves as buttons; `choose` gets the token.
export function moveChips(moves, choose) {
  return html('div', { className: 'desk-legal' }, ...moves.map((move) => html('button', {
    type: 'button', className: 'mono', textContent: moveText(move), 'data-token': move.token, onclick: () => choose(move.token),
  })));
}

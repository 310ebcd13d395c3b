// What is to be done now, in words: the headline, a hint, and the line of a remark.

import { say } from './app.js';
import { clockText } from './clock-text.js';
import { html } from './dom.js';
import { dayTimeText, t } from './i18n.js';

/// The headline and the hint.
export function statusText(state, clock) {
  const { game, match } = state;
  const team = (index) => (index === null ? '' : state.teams[index].name);
  const next = match.next;
  if (!game) {
    return [t('desk.before', { n: next?.number, team: team(next?.first ?? 0) }), t('desk.beforeHint')];
  }
  if (game.end) return ended(state, team);
  if (game.flag) return [t('flag.status', { team: team(game.flag.team) }), t('flag.hint')];
  if (game.ruled) {
    const { winner } = game.ruled;
    const text = winner === null ? t('desk.ruledDraw') : t('desk.ruled', { team: team(winner) });
    return [text, t('desk.ruledHint')];
  }
  const duty = team(game.on_duty);
  const hints = [];
  if (game.correcting) hints.push(t('desk.correctHint'));
  else if (clock?.mode === 'paused') hints.push(t('desk.pausedHint'));
  else if (clock?.mode === 'waiting' && !game.set_up_due) hints.push(t(engineStarts(state, clock) ? 'desk.startEngine' : 'desk.startHint'));
  if (game.set_up_due) return [t('desk.setup', { team: duty }), t('desk.setupHint')];
  const chance = game.view?.chance;
  if (chance?.kind === 'die') return [t('desk.roll', { team: duty }), [...hints, t('desk.rollHint')].join(' ')];
  if (chance) return [t('desk.reveal', { at: chance.at ?? '' }), hints.join(' ')];
  if (game.on_duty === state.engine_team && !game.proposal && !state.stuck && clock?.mode !== 'waiting') {
    return [t('desk.thinking', { team: duty }), hints.join(' ')];
  }
  if (state.stuck && game.on_duty === state.engine_team) hints.unshift(t(`desk.stuck.${state.stuck}`));
  return [t('desk.turn', { team: duty }), [...hints, t('desk.turnHint')].join(' ')];
}

/// Whether the engine makes the first move of the game, for which its clock has to be started.
export function engineStarts({ game, engine_team: team }, clock) {
  return clock?.mode === 'waiting' && !game.set_up_due && !game.view?.chance && game.on_duty === team;
}

function ended(state, team) {
  const { game, match } = state;
  const params = { n: game.number, team: team(game.end.winner), why: t(`why.${game.end.why}`) };
  const text = t(game.end.winner === null ? 'desk.endedDraw' : 'desk.ended', params);
  if (match.over) {
    const over = match.winner === null ? t('desk.overDraw') : t('desk.over', { team: team(match.winner) });
    return [over, text];
  }
  return [text, match.next ? t('desk.next', { n: match.next.number, team: team(match.next.first) }) : ''];
}

/// The fallen flag, about which somebody has to decide; `decide` has the two functions of the buttons.
export function showFlag(state, decide) {
  const box = document.getElementById('flag');
  const flag = state.game?.end ? null : state.game?.flag;
  const shown = flag ? t('flag.fell', { team: state.teams[flag.team].name, time: dayTimeText(flag.at) }) : '';
  box.hidden = !flag;
  // The same text again would be announced again.
  if (box.firstChild?.textContent === shown) return;
  const button = (name, key, onclick) => html('button', { type: 'button', 'data-act': `flag-${name}`, onclick }, t(`flag.${name}`), html('kbd', { textContent: key }));
  const parts = [html('strong', { textContent: shown }), html('div', { className: 'row' }, button('lost', 'F10', decide.lost), button('more', 'F8', decide.more))];
  box.replaceChildren(...(flag ? parts : []));
}

/// A remark of the session in words.
export function remarkText(state, action) {
  const team = (index) => (index === null ? t('desk.draw') : state.teams[index].name);
  const side = (player) => t(player === 0 ? 'dialog.first' : 'dialog.second');
  if (action === 'reopen') return t('log.reopen');
  const [kind, fields] = Object.entries(action)[0];
  switch (kind) {
    case 'set_clock':
      return t('log.set_clock', { team: team(fields.team), time: clockText(fields.left_ms), note: fields.note });
    case 'flag':
      return t('log.flag', { team: team(fields.team), time: dayTimeText(fields.fell_at) });
    case 'back':
      return t('log.back', { n: fields.plies });
    case 'run':
      return fields.team === null ? t('log.stop') : t('log.run', { team: team(fields.team) });
    case 'end':
      return t('log.end', { winner: team(fields.winner), why: t(`why.${fields.why}`), note: fields.note });
    case 'resumed':
      return t('log.resumed', { time: clockText(fields.gap_ms) });
    case 'commit':
      return t('log.commit', { side: side(fields.player) });
    case 'reveal':
      return t('log.reveal', { side: side(fields.player), secret: fields.secret });
    case 'engine':
      return t(`engine.${fields.event}`, { name: fields.name, detail: say(fields.detail) });
    default:
      return fields.text ?? kind;
  }
}

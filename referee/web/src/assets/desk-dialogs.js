// The desk's dialogs: set a clock, end the game, a committed roll, a remark.

import { html } from './dom.js';
import { clockText, readClock } from './clock-text.js';
import { t } from './i18n.js';

/// Opens a dialog with fields; `submit` gets the form's values and throws to keep it open. Closing
/// gives the focus back to the page's entry.
function ask(title, fields, submit, after) {
  const problem = html('p', { className: 'error', role: 'alert', hidden: true });
  const ok = html('button', { className: 'primary', textContent: t('dialog.ok') });
  const cancel = html('button', { type: 'button', textContent: t('dialog.cancel') });
  const form = html('form', { method: 'dialog' }, html('h2', { textContent: title }), ...fields, problem, html('div', { className: 'row' }, ok, cancel));
  const dialog = html('dialog', { 'aria-label': title }, form);
  cancel.onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await submit(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  dialog.onclose = () => {
    dialog.remove();
    after();
  };
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function field(label, control) {
  return html('label', {}, html('span', { textContent: label }), control);
}

function choice(name, options, chosen) {
  const select = html('select', { name });
  for (const [value, text] of options) {
    select.append(html('option', { value, textContent: text, selected: value === String(chosen) }));
  }
  return select;
}

function teams(state) {
  return state.teams.map((team, index) => [String(index), team.name]);
}

/// Sets a clock, with a note.
export function askClock(desk) {
  const { state, clocks } = desk;
  const flag = state.game?.flag;
  const team = flag?.team ?? clocks.clock?.running ?? state.game?.on_duty ?? 0;
  const value = flag ? '' : clockText(clocks.left(team));
  const time = html('input', { name: 'left', required: true, value, inputMode: 'text' });
  const which = choice('team', teams(state), team);
  which.onchange = () => {
    time.value = clockText(clocks.left(Number(which.value)));
  };
  const note = html('input', { name: 'note', required: true, maxLength: 200 });
  const fields = [field(t('dialog.team'), which), field(t('dialog.left'), time), field(t('dialog.whyClock'), note)];
  ask(t('act.clock'), fields, async (values) => {
    const ms = readClock(values.left);
    if (Number.isNaN(ms)) throw new Error(t('dialog.badTime'));
    await desk.send({ do: 'clock', team: Number(values.team), left_ms: ms, note: values.note });
  }, desk.focus);
  time.select();
}

/// Ends the game.
export function askEnd(desk) {
  const { state } = desk;
  const out = desk.clocks.clock?.out ?? [false, false];
  const loser = out[0] ? 0 : out[1] ? 1 : state.game.on_duty ?? 0;
  const why = out.includes(true) ? 'time' : 'resigned';
  const winner = choice('winner', [...teams(state), ['', t('desk.draw')]], 1 - loser);
  const reasons = ['resigned', 'time', 'adjudicated', 'agreed'].map((name) => [name, t(`why.${name}`)]);
  const note = html('input', { name: 'note', maxLength: 200 });
  const fields = [field(t('dialog.winner'), winner), field(t('dialog.why'), choice('why', reasons, why)), field(t('dialog.remark'), note)];
  ask(t('act.end'), fields, (values) => desk.send({
    do: 'end', winner: values.winner === '' ? null : Number(values.winner), why: values.why, note: values.note,
  }), desk.focus);
}

/// A remark in the session.
export function askNote(desk) {
  const text = html('input', { name: 'text', required: true, maxLength: 400 });
  ask(t('act.note'), [field(t('dialog.remark'), text)], (values) => desk.send({ do: 'note', text: values.text }), desk.focus);
}

/// A roll to which both sides commit.
export function askCommit(desk) {
  const side = (player) => t(player === 0 ? 'dialog.first' : 'dialog.second');
  const fields = [html('p', { textContent: t('dialog.commitHow') })];
  const secrets = [];
  const { agreement } = desk.state.game;
  for (const player of [0, 1]) {
    const hash = html('input', { name: `hash${player}`, className: 'mono', value: agreement.committed[player] ?? '', maxLength: 64 });
    const secret = html('input', { name: `secret${player}`, className: 'mono', maxLength: 200 });
    secrets.push(secret);
    const draw = html('button', { type: 'button', textContent: t('dialog.draw') });
    draw.onclick = async () => {
      const drawn = await desk.send({ do: 'secret' });
      hash.value = drawn.hash;
      secret.value = drawn.secret;
    };
    fields.push(field(t('dialog.hash', { side: side(player) }), hash), field(t('dialog.secret', { side: side(player) }), secret), draw);
  }
  ask(t('act.commit'), fields, async (values) => {
    for (const player of [0, 1]) {
      const hash = values[`hash${player}`].trim().toLowerCase();
      if (hash && hash !== desk.state.game.agreement.committed[player]) await desk.send({ do: 'commit', player, hash });
    }
    for (const player of [0, 1]) {
      const secret = values[`secret${player}`];
      const known = desk.state.game.agreement;
      if (secret && values.hash0 && values.hash1 && !known.revealed[player]) await desk.send({ do: 'reveal', player, secret });
    }
  }, desk.focus);
}

// The operator's page: the entry field has the focus, and everything can be done with the keyboard.

import { listen, post, say } from './app.js';
import { Board } from './board.js';
import { Clocks } from './desk-clock.js';
import { askClock, askCommit, askEnd, askNote } from './desk-dialogs.js';
import { moveChips, reportText, showEngine, showMatch, showMoves, showRefusal, showRemarks } from './desk-lists.js';
import { soundSwitch } from './desk-sound.js';
import { engineStarts, showFlag, statusText } from './desk-status.js';
import { html } from './dom.js';
import './i18n-desk.js';
import { language, onLanguage, t, translate } from './i18n.js';
import { moveText } from './notation.js';
import { dieIcon, pieceIcon } from './pieces.js';
import { addSwitches } from './switches.js';

const by = (id) => document.getElementById(id);
const desk = { state: null, engine: null, refused: null, clocks: new Clocks(by('teams'), by('warning')), send, focus };
const board = new Board(by('board'), { onMove: (token) => play(token) });
let flipped = false;

/// Gives the entry field the focus.
function focus() {
  if (!document.querySelector('dialog[open]')) by('text').focus({ preventScroll: true });
}

/// Sends a command; a refusal is thrown.
async function send(act) {
  const game = desk.state?.game;
  const about = ['play', 'roll', 'accept', 'back'].includes(act.do) && game;
  return post('api/desk', about ? { at: [game.number, game.plies.length], act } : { act });
}

/// Shows why an entry is refused, or nothing.
function refuse(error) {
  desk.refused = error;
  showRefusal(error, play);
}

/// Sends a command and shows a refusal.
async function act(command) {
  refuse(null);
  try {
    await send(command);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  } finally {
    focus();
  }
}

/// Plays an entry. The field is free for the next one at once; a refused entry comes back to it.
async function play(text) {
  const field = by('text');
  field.value = '';
  if (await act({ do: 'play', text }) || field.value) return;
  field.value = text;
  field.select();
}

/// What Enter does without a text: the next step of the match.
function proceed() {
  const { game, match } = desk.state ?? {};
  if (!desk.state) return;
  if (!game || game.end) {
    if (match.next) act({ do: 'begin' });
  } else if (game.ruled) act({ do: 'end', why: 'rules', winner: game.ruled.winner });
  else if (game.proposal) accept();
  else if (engineStarts(desk.state, clock())) startStop();
}

/// Plays the proposal that is shown.
function accept() {
  act({ do: 'accept', token: desk.state.game.proposal.shown.token });
}

/// The actions: name, key, whether they are possible, what they do.
const ACTIONS = [
  ['begin', '', ({ match, game }) => match.next && (!game || game.end), proceed],
  ['result', '', ({ game }) => game?.ruled && !game.end, proceed],
  ['back', 'F2', ({ game }) => game && !game.end && game.plies.length > 0, () => act({ do: 'back', plies: 1 })],
  ['start', 'F4', () => playing() && !flag() && clock()?.mode !== 'running', startStop],
  ['stop', 'F4', () => playing() && clock()?.mode === 'running', startStop],
  ['turn', 'F7', () => playing() && !flag() && (desk.state.game.correcting || clock()?.running !== desk.state.game.on_duty), toDuty],
  ['clock', 'F8', () => playing(), () => askClock(desk)],
  ['end', 'F9', () => playing(), () => askEnd(desk)],
  ['lost', 'F10', () => playing() && flag(), loseOnTime],
  ['reopen', '', ({ game }) => game?.end, () => act({ do: 'reopen' })],
  ['record', '', ({ match }) => match.games.some((game) => game.end), () => location.assign('api/desk/record')],
  ['think', '', ({ engines }) => playing() && engines.length > 0, () => act({ do: 'think' })],
  ['main', '', ({ engines }) => engines.length > 0, () => act({ do: 'engine', index: 0 })],
  ['standby', '', ({ engines }) => engines.length > 1, () => act({ do: 'engine', index: 1 })],
  ['note', '', () => true, () => askNote(desk)],
  ['flip', '', () => true, () => { flipped = !flipped; showBoard(); }],
  ['large', 'F6', () => true, () => document.body.classList.toggle('desk-large')],
];

const playing = () => Boolean(desk.state?.game && !desk.state.game.end);
const clock = () => desk.clocks.clock;
const flag = () => desk.state?.game?.flag;

function startStop() {
  const team = desk.state.game.on_duty;
  act({ do: 'run', team: clock()?.mode === 'running' ? null : team });
}

function loseOnTime() {
  act({ do: 'end', why: 'time', winner: 1 - flag().team });
}

function toDuty() {
  act({ do: 'run', team: desk.state.game.on_duty });
}

function showActions() {
  const possible = ACTIONS.filter(([, , can]) => can(desk.state));
  const names = possible.map(([name]) => name).join() + language();
  if (by('actions').dataset.names === names) return;
  by('actions').dataset.names = names;
  // The button of a fallen flag stands beside it.
  by('actions').replaceChildren(...possible.filter(([name]) => name !== 'lost').map(([name, key, , run]) => {
    const button = html('button', { type: 'button', 'data-act': name, onclick: () => { run(); focus(); } }, t(`act.${name}`));
    if (key) button.append(html('kbd', { textContent: key }));
    return button;
  }));
}

function showBoard() {
  const { game, start } = desk.state ?? {};
  const view = game ? game.view : start;
  if (view) board.show(view, { flip: flipped, interactive: playing(), arrows: game ? arrows(game) : [] });
}

/// The proposal as arrows between the squares of its token.
function arrows({ proposal }) {
  const squares = proposal?.shown.token.match(/[a-z]\d+/g) ?? [];
  return squares.length > 1 ? [{ squares, from: squares[0], to: squares[1], rank: 1 }] : [];
}

function showProposal() {
  const proposal = desk.state.game?.proposal;
  const box = by('proposal');
  box.hidden = !proposal || Boolean(desk.state.game.end);
  if (box.hidden) return box.replaceChildren();
  const details = [reportText(desk.state, proposal), `${(proposal.ms / 1000).toFixed(1)} s`];
  const button = html('button', { type: 'button', className: 'primary', 'data-act': 'accept', onclick: accept }, t('desk.accept'), html('kbd', { textContent: ' ⏎' }));
  const legal = desk.state.game.view?.legal;
  const count = legal?.kind === 'list' ? t('desk.legal', { n: legal.moves.length }) : '';
  box.replaceChildren(
    html('p', { className: 'note', textContent: t(proposal.standby ? 'desk.standby' : 'desk.proposal') }),
    html('div', { className: 'desk-proposal' }, html('strong', { textContent: moveText(proposal.shown) }), button),
    html('p', { className: 'note', textContent: [details.filter(Boolean).join(t('engine.comma')), count].filter(Boolean).join(' · ') }),
    moveChips(legal?.texts ?? [], play),
  );
}

/// The die or the revealed piece, to be chosen.
function showChance() {
  const chance = playing() ? desk.state.game.view?.chance : null;
  const box = by('chance');
  box.hidden = !chance;
  if (!chance) return box.replaceChildren();
  const buttons = chance.outcomes.map((outcome) => {
    const icon = chance.kind === 'die' ? dieIcon(Number(outcome.token)) : outcome.piece && pieceIcon(outcome.piece.kind);
    const label = moveText({ text: outcome.token });
    const button = html('button', { type: 'button', className: 'desk-die', 'data-token': outcome.token, 'aria-label': label, onclick: () => play(outcome.token) });
    button.append(icon ?? label);
    return button;
  });
  const roll = html('button', { type: 'button', 'data-act': 'roll', onclick: () => act({ do: 'roll' }) }, t('act.roll'), html('kbd', { textContent: ' F3' }));
  const commit = html('button', { type: 'button', 'data-act': 'commit', onclick: () => askCommit(desk) }, t('act.commit'));
  box.replaceChildren(...buttons, roll, commit);
}

function showAuto() {
  if (!desk.state.engines.length || by('auto')) return;
  const box = html('input', { type: 'checkbox', id: 'auto', onchange: () => act({ do: 'auto', on: box.checked }) });
  by('entry').after(html('label', { className: 'note' }, box, html('span', { 'data-i18n': 'desk.auto', textContent: t('desk.auto') })));
}

function showStatus() {
  const [status, advice] = statusText(desk.state, clock());
  const { starts } = desk.state;
  const hint = starts ? `${t('desk.starts', { name: starts })} ${advice}` : advice;
  if (by('status').textContent !== status) by('status').textContent = status;
  by('hint').textContent = hint;
}

/// Shows the whole state.
function show() {
  const { state } = desk;
  document.body.dataset.n = state.n;
  const game = t(`game.${state.game_name}`);
  const event = language() === 'zh' ? state.event_zh : state.event;
  // The names of most events have the game.
  by('title').textContent = [t('desk.title'), event.includes(game) ? '' : game, event].filter(Boolean).join(' · ');
  document.title = by('title').textContent;
  by('trouble').hidden = !state.trouble;
  by('trouble').textContent = say(state.trouble);
  desk.clocks.show(state);
  showFlag(state, { lost: loseOnTime, more: () => askClock(desk) });
  showStatus();
  showProposal();
  showChance();
  showActions();
  showAuto();
  if (by('auto')) by('auto').checked = state.auto;
  showMoves(state.game);
  showMatch(state);
  showRemarks(state);
  showEngine(state, desk.engine);
  showBoard();
}

function receive(topic, value) {
  if (topic === 'connection') by('lost').hidden = value;
  else if (topic === 'state') {
    desk.state = value;
    show();
  } else if (topic === 'engine') {
    desk.engine = value;
    if (desk.state) showEngine(desk.state, value);
  } else if (value) {
    desk.clocks.set(value);
    if (desk.state) {
      showStatus();
      showActions();
    }
  }
}

by('entry').onsubmit = (event) => {
  event.preventDefault();
  const text = by('text').value.trim();
  if (text) play(text);
  else proceed();
};

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]') || !desk.state || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'F3' && !by('chance').hidden) {
    event.preventDefault();
    return void act({ do: 'roll' });
  }
  const action = ACTIONS.find(([, key, can]) => key && key === event.key && can(desk.state));
  if (action) {
    event.preventDefault();
    return void action[3]();
  }
  const inBoard = event.target.closest?.('.board, button, select, input:not(#text)');
  const chance = playing() ? desk.state.game.view?.chance : null;
  if (chance?.kind === 'die' && /^[1-6]$/.test(event.key) && by('text').value === '' && !event.target.closest?.('.board')) {
    event.preventDefault();
    return void play(event.key);
  }
  if (!inBoard && event.target !== by('text') && event.key.length === 1) focus();
});

addSwitches(by('switches'));
by('switches').prepend(soundSwitch());
translate(document);
onLanguage(() => {
  delete by('actions').dataset.names;
  refuse(desk.refused);
  if (desk.state) show();
});
listen('api/desk/events', ['state', 'engine', 'clock'], receive);
focus();

// The page to play against an engine and to analyse positions. The state comes from the server.

import { listen, post, say } from './app.js';
import { Board } from './board.js';
import { savePicture } from './board-picture.js';
import { colourOf } from './board-state.js';
import { copy, html } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { moveButtons, moveText } from './notation.js';
import { dieIcon, pieceIcon } from './pieces.js';
import { MoveAhead } from './play-ahead.js';
import { askToResign } from './play-ask.js';
import { Plates } from './play-clock.js';
import { dragPieces } from './play-drag.js';
import { NewGameForm } from './play-form.js';
import { EngineLines } from './play-lines.js';
import { keep, saveFile } from './play-saved.js';
import { soundOfMove, soundSwitch } from './play-sound.js';
import { stepKeys } from './step-keys.js';

class PlayPage {
  constructor(app, id) {
    this.id = id;
    this.state = null;
    this.info = { lines: [] };
    // The earlier position that is looked at, if any.
    this.earlier = null;
    this.table = html('div', { className: 'columns', hidden: true });
    this.formPlace = html('div');
    app.append(this.table, this.formPlace);
    this.build();
    this.form = new NewGameForm(this.formPlace, (begun) => this.enter(begun), id);
    this.stopLanguage = onLanguage(() => this.label());
    const step = (ply) => () => (this.state ? this.look(ply(this.earlier?.ply ?? this.state.view.ply)) : false);
    this.stopKeys = stepKeys({ back: step((ply) => ply - 1), next: step((ply) => ply + 1), first: step(() => 0), last: step(() => Infinity) });
    this.label();
    if (id) this.listen();
  }

  /** Goes to a new game; the one before is closed. */
  enter(id) {
    if (this.id) post(`api/play/${this.id}`, { do: 'close' }).catch(() => {});
    location.hash = `#play/${id}`;
  }

  leave() {
    this.unlisten?.();
    this.stopLanguage();
    this.plates.stop();
    this.ahead.stop();
    this.stopKeys();
    this.form.stop();
  }

  build() {
    const button = (name, act) => html('button', { type: 'button', 'data-play': name, onclick: act });
    const send = (command) => () => this.send(command);
    this.buttons = {
      undo: button('undo', send({ do: 'undo' })),
      hint: button('hint', send({ do: 'hint' })),
      now: button('now', send({ do: 'now' })),
      resign: button('resign', () => askToResign(() => this.send({ do: 'resign' }))),
      flip: button('flip', () => { this.flip = !this.flip; this.draw(); }),
      save: button('save', () => saveFile(this.id).catch((error) => this.fail(error.message))),
      analyse: button('analyse', () => this.analyse(!this.state?.analysis)),
    };
    this.lineCount = html('input', { type: 'number', min: 1, max: 500, value: 3, onchange: () => this.state?.analysis && this.analyse(true) });
    this.lineLabel = html('span');
    this.boardPlace = html('div', { className: 'panel' });
    this.plates = new Plates();
    const place = html('div', { className: 'play-board' });
    this.boardPlace.append(this.plates.top, place, this.plates.bottom);
    this.board = new Board(place, { onMove: (token) => this.move(token), steps: true });
    dragPieces(this.board);
    this.ahead = new MoveAhead(() => this.draw());
    this.status = html('p', { role: 'status' });
    this.error = html('div', { className: 'error', role: 'alert', hidden: true });
    this.chance = html('div', { className: 'row' });
    this.typed = html('input', { name: 'move', autocomplete: 'off', spellcheck: false });
    this.typeButton = html('button');
    this.typeLabel = html('span');
    const type = (event) => { event.preventDefault(); this.move(this.typed.value.trim()); };
    this.typeForm = html('form', { className: 'row', onsubmit: type }, html('label', {}, this.typeLabel, this.typed), this.typeButton);
    this.linesTitle = html('h2');
    this.engineNote = html('p', { className: 'note', 'data-play': 'engine' });
    this.linesPlace = html('div');
    this.lines = new EngineLines(this.linesPlace);
    this.movesTitle = html('h2');
    this.moves = html('div', { className: 'moves', role: 'group' });
    this.here = html('button', { type: 'button', 'data-play': 'here', onclick: () => this.playFromHere() });
    this.study = html('button', { type: 'button', 'data-play': 'study', onclick: () => this.openStudy() });
    this.back = html('button', { type: 'button', 'data-play': 'back', onclick: () => { this.earlier = null; this.draw(); } });
    this.fen = html('input', { readOnly: true, className: 'mono', spellcheck: false });
    this.fenLabel = html('span');
    this.copyButton = html('button', { type: 'button', onclick: () => this.copy() });
    this.pictureButton = html('button', { type: 'button', 'data-play': 'picture', onclick: () => this.savePicture() });
    this.copied = html('span', { role: 'status', className: 'note' });
    const { undo, hint, now, resign, flip, save, analyse } = this.buttons;
    this.table.append(this.boardPlace, html('div', {},
      html('div', { className: 'panel' }, this.status, this.error, this.chance, this.typeForm, this.ahead.row,
        html('div', { className: 'row' }, undo, hint, now, resign, flip, save, soundSwitch())),
      html('div', { className: 'panel' }, this.linesTitle, this.engineNote,
        html('div', { className: 'row' }, analyse, html('label', {}, this.lineLabel, this.lineCount)), this.linesPlace),
      html('div', { className: 'panel' }, this.movesTitle, this.moves, html('div', { className: 'row' }, this.here, this.study, this.back),
        html('label', {}, this.fenLabel, this.fen), html('div', { className: 'row' }, this.copyButton, this.pictureButton, this.copied))));
  }

  label() {
    for (const [name, button] of Object.entries(this.buttons)) button.textContent = t(`play.${name}`);
    this.lineLabel.textContent = t('play.lines');
    this.typeLabel.textContent = t('play.typed');
    this.typeButton.textContent = t('play.type');
    this.linesTitle.textContent = t('play.engine.lines');
    this.movesTitle.textContent = t('play.moves');
    this.moves.setAttribute('aria-label', t('play.moves'));
    this.here.textContent = t('play.here');
    this.back.textContent = t('play.back');
    this.study.textContent = t('play.study');
    this.fenLabel.textContent = t('play.current');
    this.copyButton.textContent = t('play.copy');
    this.pictureButton.textContent = t('board.picture');
    if (this.refusal && !this.error.hidden) this.showRefusal();
    this.draw();
  }

  listen() {
    let failures = 0;
    this.unlisten = listen(`api/play/${this.id}/events`, ['state', 'info', 'clock'], (topic, data) => {
      if (topic === 'connection') {
        failures = data ? 0 : failures + 1;
        // A game that has ended never comes back; a server that restarts might.
        if (failures === 1) this.fail(t('play.lost'));
        if (failures > 2) { this.fail(t('play.ended')); this.unlisten(); }
        if (data) this.error.hidden = true;
        return;
      }
      if (topic === 'clock') return this.plates.set(data);
      if (topic === 'info') this.info = data;
      else this.take(data);
      this.draw();
    });
  }

  take(state) {
    const moved = this.state?.view.ply !== state.view.ply;
    if (moved) [this.earlier, this.ahead.row.hidden] = [null, true];
    if (!this.state) this.flip = state.sides[0] === 'engine' && state.sides[1] === 'hand';
    soundOfMove(this.state?.view, state.view);
    if (moved || state.view.result) keep(this.id, state);
    if (state.view.result || state.view.ply < this.state?.view.ply) this.ahead.drop();
    this.state = state;
    this.plates.set(state.clock);
    if (this.ahead.waits && this.isMine()) this.playAhead();
  }

  /** Whether a move by hand is due. */
  isMine() {
    const { sides, view } = this.state;
    return typeof view.turn === 'number' && sides[view.turn] === 'hand';
  }

  /** Plays the move that was entered ahead, or says why not. */
  async playAhead() {
    const { view } = this.state;
    const [token, dropped] = [this.ahead.token(view), this.ahead.droppedText(view)];
    this.ahead.drop();
    const done = token !== undefined && await post(`api/play/${this.id}`, { do: 'move', token, ply: view.ply }).then(() => true, () => false);
    if (done) return;
    this.ahead.refuse(dropped);
    this.board.say(dropped);
  }

  fail(text) {
    this.error.replaceChildren(text);
    this.error.hidden = false;
  }

  async send(command) {
    this.error.hidden = true;
    this.refusal = null;
    try {
      // The new state comes with the events: the answer may be older than they are.
      await post(`api/play/${this.id}`, command);
      this.typed.value = '';
    } catch (error) {
      this.refusal = error;
      this.showRefusal();
    }
    this.draw();
  }

  /** Why a command is refused, with the legal moves. */
  showRefusal() {
    const moves = (this.refusal.answer?.legal ?? []).map(moveText).join(', ');
    this.fail(moves ? `${this.refusal.message}. ${t('play.legal', { moves })}` : this.refusal.message);
  }

  move(token) {
    const { view } = this.state;
    if (MoveAhead.isTime(this.state)) {
      this.ahead.take(token);
      this.typed.value = '';
      this.draw();
      return this.board.say(this.ahead.show(view));
    }
    if (view.turn === 'chance') return this.send({ do: 'chance', token });
    return this.send({ do: 'move', token, ply: view.ply });
  }

  analyse(on) {
    return this.send({ do: 'analyse', lines: on ? Math.min(500, Math.max(1, Number(this.lineCount.value) || 1)) : 0 });
  }

  /** Looks at the position after `ply` moves. */
  async look(wanted) {
    const { view } = this.state;
    const ply = Math.min(Math.max(wanted, 0), view.ply);
    if (ply === view.ply) this.earlier = null;
    else this.earlier = await post('api/view', this.position(ply)).catch((error) => this.fail(error.message));
    this.draw();
  }

  position(ply) {
    const { game, start, moves } = this.state.view;
    return { game, fen: start, moves: moves.slice(0, ply) };
  }

  playFromHere() {
    const ply = this.earlier?.ply ?? this.state.view.ply;
    this.form.begin(this.position(ply));
  }

  /** Opens the whole game as an analysis, at the position that is shown. */
  async openStudy() {
    const { state, earlier } = this;
    try {
      const { id } = await post('api/study', { position: this.position(state.view.ply) });
      location.hash = `#analysis/${id}/${earlier?.ply ?? state.view.ply}`;
    } catch (error) {
      this.fail(error.message);
    }
  }

  async copy() {
    const done = await copy(this.fen.value);
    this.copied.textContent = done ? t('play.copied') : '';
  }

  savePicture() {
    const { game, ply } = this.earlier ?? this.state.view;
    savePicture(this.board.svg(), `${game}-ply-${ply}`);
  }

  draw() {
    if (!this.state) return;
    const { state, earlier } = this;
    const view = earlier ?? state.view;
    this.table.hidden = false;
    const mine = !earlier && this.isMine();
    const ahead = !earlier && MoveAhead.isTime(state);
    const chooser = ahead ? this.ahead.chooserOf(state) : null;
    this.board.show(view, { flip: this.flip, arrows: this.arrows(), interactive: mine, chooser, ahead: ahead ? this.ahead.squares : [] });
    this.plates.show(state, this.flip);
    if (ahead) this.ahead.show(view);
    this.lines.show(state.view, this.info);
    this.drawStatus(mine);
    this.drawChance();
    this.typeForm.hidden = !mine && !ahead;
    const { undo, hint, now, resign, analyse } = this.buttons;
    undo.disabled = state.view.ply === 0;
    hint.disabled = !mine || !state.engine || state.thinking === 'hint';
    now.disabled = state.thinking !== 'move' && state.thinking !== 'hint';
    resign.disabled = typeof state.view.turn !== 'number';
    analyse.disabled = !state.engine;
    analyse.setAttribute('aria-pressed', String(state.analysis > 0));
    this.back.disabled = !earlier;
    // A set-up that is hidden cannot be taken along.
    this.study.disabled = state.view.moves.includes('?');
    this.fen.value = view.fen;
    this.drawMoves(view.ply);
  }

  /** The candidates of the search or analysis of this position; after a hint the hinted move. */
  arrows() {
    const { state, info } = this;
    if (this.earlier) return [];
    if (state.hint?.squares?.length && state.thinking !== 'analysis') return [{ squares: state.hint.squares, rank: 1 }];
    const current = info.ply === state.view.ply && (state.thinking || state.analysis > 0);
    return current ? EngineLines.arrows(info) : [];
  }

  drawStatus(mine) {
    const { state } = this;
    const parts = [];
    if (state.engine?.starts) parts.push(t('play.starts', { engine: state.engine.name }));
    else if (state.thinking === 'move') parts.push(t('play.thinking', { engine: state.engine.name }));
    if (mine) parts.push(t('play.yours'));
    if (state.hint) parts.push(t('play.hinted', { move: moveText(state.hint.shown) }));
    parts.push(this.colourText());
    this.status.textContent = parts.filter(Boolean).join(' ');
    this.engineNote.textContent = state.engine ? [state.engine.name, ...state.engine.options].join(', ') : '';
    if (state.engine?.error) {
      const retry = html('button', { type: 'button', onclick: () => this.send({ do: 'retry' }) }, t('play.retry'));
      this.error.replaceChildren(html('p', {}, t('play.failed')), html('pre', { tabIndex: 0 }, say(state.engine.error)), retry);
      this.error.hidden = false;
    }
  }

  /** Which colour the player by hand has in dark chess. */
  colourText() {
    const { sides, view } = this.state;
    if (view.game !== 'darkchess' || sides[0] === sides[1]) return '';
    const colour = colourOf(view, sides.indexOf('hand'));
    return colour ? t('play.colour', { colour }) : t('play.colour.open');
  }

  /** The outcomes to choose from, if dice and pieces are entered by hand. */
  drawChance() {
    const { view } = this.state;
    const due = this.earlier ? null : view.chance;
    this.chance.hidden = !due;
    if (!due) return this.chance.replaceChildren();
    const button = ({ token, piece }) => {
      const icon = piece ? pieceIcon(piece.kind, { text: piece.text }) : dieIcon(Number(token));
      const label = moveText({ text: token });
      return html('button', { type: 'button', 'aria-label': label, title: label, 'data-chance': token, onclick: () => this.move(token) }, icon);
    };
    const label = t(`play.enter.${due.kind}`, { at: due.at ?? '' });
    const outcomes = due.outcomes.length <= 16 ? due.outcomes.map(button) : [];
    this.chance.replaceChildren(html('span', {}, label), ...outcomes,
      html('button', { type: 'button', onclick: () => this.send({ do: 'roll' }) }, t('play.roll')));
  }

  drawMoves(at) {
    const now = at === 0 ? { 'aria-current': 'step' } : {};
    const start = html('button', { type: 'button', ...now, onclick: () => this.look(0) }, t('play.start'));
    this.moves.replaceChildren(start, ...moveButtons(this.state.view.shown, at, (ply) => this.look(ply)));
    const current = this.moves.querySelector('[aria-current]');
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }
}

/** Shows the page; returns the function that leaves it. */
export function playPage(app, [id]) {
  const page = new PlayPage(app, id);
  return () => page.leave();
}

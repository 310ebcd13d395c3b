// The page of an analysis: a board, the tree of its variations, the engine that follows the shown position, comments
// and marks. The server keeps the tree, so that all pages that show it see the same.

import { listen, post } from './app.js';
import { Board } from './board.js';
import { savePicture } from './board-picture.js';
import { copy, html } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { lineText, moveText } from './notation.js';
import { dieIcon, pieceIcon } from './pieces.js';
import { stepKeys } from './step-keys.js';
import { StudyEngine } from './study-engine.js';
import { FileOpener, FileSaver } from './study-files.js';
import { StudyForm } from './study-form.js';
import { MarkTools } from './study-marks.js';
import { StudyMoves } from './study-moves.js';
import { StudyNote } from './study-note.js';
import { StudyTree } from './study-tree.js';

class StudyPage {
  constructor(app, id, at) {
    this.id = id;
    this.tree = new StudyTree(id);
    this.at = at;
    this.flip = false;
    this.build(app);
    this.stops = [
      onLanguage(() => this.label()),
      stepKeys({
        back: () => this.step(-1), next: () => this.step(1), first: () => this.show(0), last: () => this.show(this.tree.end(this.at)),
        before: () => this.turn(-1), after: () => this.turn(1),
      }),
      () => this.engine.stop(), () => this.note.save(), () => this.marks.stop(), () => this.opener.stop(),
    ];
    this.label();
    this.open();
  }

  leave() {
    this.stops.forEach((stop) => stop());
    this.unlisten?.();
  }

  build(app) {
    const button = (name, act) => html('button', { type: 'button', 'data-study': name, onclick: act });
    const send = (command) => this.send(command).catch(() => {});
    this.title = html('h2');
    this.boardPlace = html('div');
    this.board = new Board(this.boardPlace, { onMove: (token) => this.play(token), steps: true });
    this.buttons = {
      first: button('first', () => this.show(0)),
      back: button('back', () => this.step(-1)),
      next: button('next', () => this.step(1)),
      last: button('last', () => this.show(this.tree.end(this.at))),
      flip: button('flip', () => { this.flip = !this.flip; this.draw(); }),
      promote: button('promote', () => send({ do: 'promote', at: this.at })),
      remove: button('remove', () => this.remove()),
    };
    this.status = html('p', { role: 'status', 'data-study': 'status' });
    this.error = html('div', { className: 'error', role: 'alert', hidden: true });
    this.chance = html('div', { className: 'row' });
    this.typed = html('input', { name: 'move', autocomplete: 'off', spellcheck: false });
    this.typeButton = html('button');
    this.typeLabel = html('span');
    const type = (event) => { event.preventDefault(); this.play(this.typed.value.trim()); };
    this.typeForm = html('form', { className: 'row', onsubmit: type }, html('label', {}, this.typeLabel, this.typed), this.typeButton);
    this.movesTitle = html('h2');
    this.movesPlace = html('div', { className: 'moves study-moves', role: 'group', tabIndex: 0 });
    this.moves = new StudyMoves(this.movesPlace, (node) => this.show(node));
    this.fen = html('input', { readOnly: true, className: 'mono', spellcheck: false });
    this.fenLabel = html('label', {}, html('span'), this.fen);
    this.copied = html('span', { role: 'status', className: 'note' });
    this.files = { copy: button('copy', () => this.copy()), picture: button('picture', () => savePicture(this.board.svg(), `${this.view.game}-ply-${this.view.ply}`)) };
    this.notePlace = html('div', { className: 'panel' });
    this.enginePlace = html('div', { className: 'panel' });
    this.filesPlace = html('div', { className: 'panel' });
    this.problems = html('div');
    const { first, back, next, last, flip, promote, remove } = this.buttons;
    const { copy: copyButton, picture } = this.files;
    app.append(this.title, this.problems, html('div', { className: 'columns' },
      html('div', { className: 'panel' }, this.boardPlace, html('div', { className: 'row controls' }, first, back, next, last, flip), this.status, this.error, this.chance, this.typeForm),
      html('div', {}, this.enginePlace,
        html('div', { className: 'panel' }, this.movesTitle, this.movesPlace, html('div', { className: 'row' }, promote, remove)),
        this.notePlace,
        this.filesPlace)));
    this.filesPlace.append(this.fenLabel, html('div', { className: 'row' }, copyButton, picture, this.copied));
    this.saver = new FileSaver(this.filesPlace, {
      path: () => this.tree.path, forms: () => this.tree.about?.forms ?? [],
      onRemark: (text) => { this.copied.textContent = text; }, onProblem: (problem) => this.fail(problem),
    });
    this.opener = new FileOpener(this.filesPlace, (problem) => this.fail(problem));
    this.engine = new StudyEngine(this.enginePlace, (command) => this.send(command), (tokens) => this.takeLine(tokens));
    this.note = new StudyNote(this.notePlace, (command) => this.sendNote(command), (problem) => this.fail(problem));
    this.marks = new MarkTools(this.notePlace, this.board, {
      onMark: (mark) => send({ do: 'mark', at: this.at, mark }), onClear: () => send({ do: 'unmark', at: this.at }),
      marks: () => this.tree.node(this.at)?.marks ?? [],
    });
  }

  label() {
    const marks = { first: '«', back: '‹', next: '›', last: '»' };
    for (const [name, button] of Object.entries(this.buttons)) {
      button.textContent = marks[name] ?? t(`study.${name}`);
      if (marks[name]) button.setAttribute('aria-label', t(`study.${name}`));
    }
    this.typeLabel.textContent = t('play.typed');
    this.typeButton.textContent = t('play.type');
    this.movesTitle.textContent = t('play.moves');
    this.movesPlace.setAttribute('aria-label', t('play.moves'));
    this.fenLabel.firstChild.textContent = t('play.current');
    this.files.copy.textContent = t('play.copy');
    this.files.picture.textContent = t('board.picture');
    this.note.label();
    this.saver.label();
    this.opener.label();
    if (this.tree.has(0)) this.moves.draw(this.tree);
    this.draw();
  }

  async open() {
    try {
      await this.tree.sync();
      await this.engine.load(this.tree.about.game);
      this.saver.label();
      this.tellProblems();
      this.moves.draw(this.tree);
      await this.show(this.tree.has(this.at) ? this.at : 0);
      this.listen();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Tells what was left out when the game was read from its file. */
  tellProblems() {
    const key = `agon-problems-${this.id}`;
    const texts = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    this.problems.replaceChildren(...texts.map((text) => html('p', { className: 'warn', role: 'status' }, text)));
  }

  listen() {
    let failures = 0;
    this.unlisten = listen(`${this.tree.path}/events`, ['state', 'info', 'outcomes'], async (topic, data) => {
      if (topic === 'connection') {
        failures = data ? 0 : failures + 1;
        if (failures === 1) this.fail(t('play.lost'));
        if (failures > 2) { this.fail(t('study.ended')); this.unlisten(); }
        if (data) this.error.hidden = true;
        return;
      }
      if (topic === 'info') this.engine.info = data;
      else if (topic === 'outcomes') this.engine.outcomes = data;
      else {
        this.engine.state = data;
        if (data.version > this.tree.version) await this.sync().catch((error) => this.fail(error));
      }
      this.draw();
    });
  }

  /** Gets what has changed; leaves a position that another page has removed. */
  async sync() {
    const path = this.tree.pathOf(this.at);
    if (!(await this.tree.sync())) return;
    this.moves.draw(this.tree);
    this.moves.mark(this.at, false);
    if (this.tree.has(this.at)) return;
    const stays = path.filter((id) => this.tree.has(id)).at(-1) ?? 0;
    await this.show(stays);
    this.say(t('study.removed'));
  }

  fail(problem) {
    const moves = (problem.answer?.legal ?? []).map(moveText).join(', ');
    const text = problem.message ?? problem;
    this.error.replaceChildren(moves ? `${text}. ${t('play.legal', { moves })}` : text);
    this.error.hidden = false;
  }

  say(text) {
    this.said = text;
    this.status.textContent = text;
  }

  /** Sends a command and gets what it changed; a refusal is shown and thrown. */
  async send(command) {
    this.error.hidden = true;
    try {
      const answer = await post(this.tree.path, command);
      if (answer.version > this.tree.version) await this.sync();
      this.draw();
      return answer;
    } catch (problem) {
      await this.sync().catch(() => {});
      this.fail(problem);
      throw problem;
    }
  }

  /** Sends a comment; what is on the page stays as it is until the tree has it. */
  async sendNote(command) {
    await post(this.tree.path, command);
    await this.sync();
  }

  /** Plays a move in the shown position: it goes on in the line that has it, or begins a variation. */
  async play(token, command = { do: 'play', at: this.at, tokens: [token] }) {
    try {
      const { at } = await this.send(command);
      this.typed.value = '';
      await this.show(at);
    } catch {
      this.draw();
    }
  }

  /** Adds the moves of an engine's line as a variation; the shown position stays. */
  async takeLine(tokens) {
    const taken = await this.send({ do: 'play', at: this.at, tokens }).catch(() => null);
    if (taken) this.say(t('study.taken', { n: tokens.length }));
  }

  async remove() {
    const { parent } = this.tree.node(this.at);
    if (parent === null) return;
    const at = this.at;
    await this.show(parent);
    await this.send({ do: 'remove', at }).catch(() => {});
  }

  step(by) {
    const node = this.tree.node(this.at);
    const to = by < 0 ? node?.parent : node?.children[0];
    if (to !== null && to !== undefined) this.show(to);
  }

  /** Goes to the variation before or after at the nearest fork. */
  turn(by) {
    const fork = this.tree.has(this.at) && this.tree.fork(this.at);
    const to = fork && fork.children[fork.place + by];
    if (to === undefined || to === false || to === null) return false;
    this.show(to);
    return true;
  }

  async show(at) {
    if (this.at !== at) this.said = '';
    this.at = at;
    history.replaceState(null, '', `#analysis/${this.id}/${at}`);
    this.note.show(at, this.tree.node(at));
    this.moves.mark(at);
    try {
      const view = await this.tree.view(at);
      // Another position may have been chosen meanwhile.
      if (this.at !== at) return;
      this.view = view;
      this.engine.show(view, at, this.tree.node(at));
      this.draw();
    } catch (error) {
      if (this.at === at) this.fail(error);
    }
  }

  draw() {
    const { view, tree } = this;
    const node = tree.node(this.at);
    if (!view || !node) return;
    const { players, event } = tree.about;
    this.title.textContent = players.some(Boolean) ? `${players.map((name) => name || '?').join(' – ')}${event ? `, ${event}` : ''}` : t(`game.${view.game}`);
    this.engine.node = node;
    this.engine.draw();
    const arrows = this.engine.on ? this.engine.arrows() : [];
    this.board.show(view, { flip: this.flip, arrows, marks: node.marks, interactive: typeof view.turn === 'number' });
    this.note.show(this.at, node);
    this.typeForm.hidden = typeof view.turn !== 'number';
    this.drawChance();
    const { first, back, next, last, promote, remove } = this.buttons;
    first.disabled = back.disabled = remove.disabled = this.at === 0;
    next.disabled = last.disabled = node.children.length === 0;
    promote.disabled = tree.isMain(this.at);
    this.fen.value = view.fen;
    if (!this.said) this.status.textContent = this.statusText(node);
  }

  /** Where the shown position is: on the main line or in a variation, and what comes next. */
  statusText(node) {
    const line = t(this.tree.isMain(this.at) ? 'study.main' : 'study.variation');
    const next = node.children.map((id) => lineText([this.tree.node(id).ply])).slice(0, 8).join(', ');
    return next ? `${line} ${t('study.follows', { moves: next })}` : line;
  }

  /** The outcomes to choose from where chance decides. */
  drawChance() {
    const due = this.view.chance;
    this.chance.hidden = !due;
    if (!due) return this.chance.replaceChildren();
    const button = ({ token, piece }) => {
      const icon = piece ? pieceIcon(piece.kind, { text: piece.text }) : dieIcon(Number(token));
      const label = moveText({ text: token });
      return html('button', { type: 'button', 'aria-label': label, title: label, 'data-chance': token, onclick: () => this.play(token) }, icon);
    };
    this.chance.replaceChildren(html('span', {}, t(`play.enter.${due.kind}`, { at: due.at ?? '' })), ...due.outcomes.slice(0, 16).map(button),
      html('button', { type: 'button', 'data-study': 'roll', onclick: () => this.play(null, { do: 'roll', at: this.at }) }, t('play.roll')));
  }

  async copy() {
    this.copied.textContent = (await copy(this.fen.value)) ? t('play.copied') : '';
  }
}

/** Shows an analysis, or the list of those that are kept; returns the function that leaves the page. */
export function studyPage(app, [id, at]) {
  if (!id) {
    const form = new StudyForm(app);
    return () => form.stop();
  }
  const page = new StudyPage(app, id, Number(at) || 0);
  return () => page.leave();
}

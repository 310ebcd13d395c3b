// The engine of an analysis: which one, how many lines, what it says of the shown position.

import { get, say } from './app.js';
import { html } from './dom.js';
import { remember, remembered, t } from './i18n.js';
import { EngineLines } from './play-lines.js';
import { outcomesTable } from './study-outcomes.js';

/** The last choice of lines and engines, for the next page. */
const KEY = 'agon-analysis';
const MOST = 500;

export class StudyEngine {
  /** `send(command)` sends a command for the shown position; `onLine(tokens)` gets the moves of a line that is taken over. */
  constructor(element, send, onLine) {
    Object.assign(this, { send, onLine, engines: [], state: {}, info: null, outcomes: null, on: false });
    this.kept = { lines: 3, engines: {}, ...JSON.parse(remembered(KEY) ?? '{}') };
    this.title = html('h2');
    this.toggle = html('button', { type: 'button', 'data-study': 'analyse', onclick: () => this.turn(!this.on || this.isElsewhere()) });
    this.engine = html('select', { 'data-study': 'engine', onchange: () => this.chosen() });
    this.engineLabel = html('label', {}, html('span'), this.engine);
    this.count = html('input', { type: 'number', min: 1, max: MOST, value: this.kept.lines, 'data-study': 'lines', onchange: () => this.chosen() });
    this.countLabel = html('label', {}, html('span'), this.count);
    this.status = html('p', { className: 'note', role: 'status', 'data-study': 'engine-status' });
    this.error = html('div', { className: 'error', role: 'alert', hidden: true });
    this.linesPlace = html('div');
    this.lines = new EngineLines(this.linesPlace, (line) => this.onLine(line.shown.map(({ token }) => token)));
    this.expect = html('button', { type: 'button', 'data-study': 'expect', onclick: () => this.askOutcomes() });
    this.outcomesPlace = html('div');
    element.append(this.title, html('div', { className: 'row' }, this.toggle, this.countLabel, this.engineLabel), this.status, this.error,
      this.linesPlace, this.expect, this.outcomesPlace);
  }

  /** Lists the engines of a game. */
  async load(game) {
    this.game = game;
    this.engines = (await get('api/engines')).filter((engine) => !engine.game || engine.game === game);
    const chosen = this.kept.engines[game];
    this.engine.replaceChildren(...this.engines.map(({ name }) => html('option', { value: name, selected: name === chosen }, name)));
    this.draw();
  }

  chosen() {
    this.kept.lines = this.number();
    this.kept.engines[this.game] = this.engine.value;
    remember(KEY, JSON.stringify(this.kept));
    if (this.on) this.follow(0);
  }

  number() {
    return Math.min(MOST, Math.max(1, Math.round(Number(this.count.value)) || 1));
  }

  turn(on) {
    this.on = on;
    if (on) this.follow(0);
    else this.send({ do: 'analyse', at: this.at, lines: 0 });
    this.draw();
  }

  /** Shows what is known of another position, and analyses it if that is asked for: soon, as it may be passed by. */
  show(view, at, node) {
    Object.assign(this, { view, at, node });
    if (this.on) this.follow(150);
    this.draw();
  }

  follow(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { at } = this;
      this.asked = at;
      this.send({ do: 'analyse', at, lines: this.number(), engine: this.engine.value }).catch(() => { this.on = false; this.draw(); });
    }, wait);
  }

  askOutcomes() {
    this.on = false;
    this.send({ do: 'outcomes', at: this.at, ms: 1000, engine: this.engine.value }).catch(() => {});
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** Whether another page has the engine. */
  isElsewhere() {
    const { wanted } = this.state;
    return this.on && Boolean(wanted) && wanted.at !== this.at && wanted.at !== this.asked;
  }

  /** The lines of the shown position: those that come in, or those that were kept. */
  current() {
    if (this.info?.at === this.at && this.info.lines.length) return this.info;
    return { lines: this.node?.lines ?? [] };
  }

  arrows() {
    return EngineLines.arrows(this.current());
  }

  draw() {
    this.title.textContent = t('play.engine.lines');
    this.toggle.textContent = t('play.analyse');
    this.toggle.setAttribute('aria-pressed', String(this.on));
    this.countLabel.firstChild.textContent = t('play.lines');
    this.engineLabel.firstChild.textContent = t('play.engine');
    this.expect.textContent = t('study.expect');
    const none = this.engines.length === 0;
    this.toggle.disabled = none;
    const { view } = this;
    if (!view) return;
    const lines = this.current();
    if (!lines.lines.length) this.lines.clear();
    this.lines.show(view, lines);
    this.expect.hidden = view.turn !== 'chance' || none;
    const mine = this.outcomes?.at === this.at ? [outcomesTable(view, this.outcomes)] : [];
    this.outcomesPlace.replaceChildren(...mine);
    this.status.textContent = this.statusText(none, lines);
    this.drawError();
  }

  statusText(none, { lines }) {
    const { view, state } = this;
    if (none) return t('study.no.engine');
    if (state.engine?.starts) return t('play.starts', { engine: state.engine.name });
    if (this.isElsewhere()) return t('study.elsewhere');
    if (view.turn === null) return t('study.over');
    if (view.turn === 'chance') return t('study.chance');
    if (state.thinking === this.at && lines.length && lines.length < this.number() && this.legalCount() > lines.length) {
      return t('study.fewer', { n: lines.length, asked: this.number() });
    }
    if (state.thinking === this.at) return t('play.thinking', { engine: state.engine.name });
    return '';
  }

  /** The number of legal moves as far as the view lists them. */
  legalCount() {
    const { legal } = this.view;
    return (legal?.moves ?? legal?.points ?? []).length;
  }

  drawError() {
    const error = this.state.engine?.error;
    this.error.hidden = !error;
    if (!error) return;
    const retry = html('button', { type: 'button', 'data-study': 'retry', onclick: () => this.send({ do: 'retry' }) }, t('play.retry'));
    this.error.replaceChildren(html('p', {}, t('study.failed')), html('pre', { tabIndex: 0 }, say(error)), retry);
  }
}

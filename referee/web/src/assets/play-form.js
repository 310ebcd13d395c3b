// The form for a new game.

import { get, post } from './app.js';
import { html } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { EngineOptions } from './play-options.js';

/** The values of the last form, for the next one. */
const KEY = 'agon-play';

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export class NewGameForm {
  /** `onBegin(id)` is called with the number of a new game. */
  constructor(element, onBegin) {
    this.onBegin = onBegin;
    this.error = html('p', { className: 'error', role: 'alert', hidden: true });
    this.root = html('form', { className: 'card', onsubmit: (event) => this.submit(event) });
    element.append(this.root);
    this.values = { game: 'einstein', side: '0', kind: 'movetime', amount: 1000, chance: 'server', ...kept() };
    this.values.options ??= {};
    this.options = new EngineOptions(this.values.options);
    this.stop = onLanguage(() => this.draw());
    this.load();
  }

  async load() {
    try {
      [this.games, this.engines] = await Promise.all([get('api/games'), get('api/engines')]);
      this.draw();
    } catch (error) {
      this.root.replaceChildren(this.error);
      this.fail(error);
    }
  }

  fail(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
  }

  /** A list to choose from; `options` are pairs of value and text. */
  select(name, options) {
    const values = options.map(([value]) => value);
    if (!values.includes(this.values[name])) this.values[name] = values[0];
    const made = options.map(([value, text]) =>
      html('option', { value, selected: value === this.values[name] }, text));
    return html('select', { name, onchange: () => this.read() && this.draw() }, ...made);
  }

  field(key, input) {
    return html('label', {}, html('span', {}, t(key)), input);
  }

  draw() {
    if (!this.games) return;
    const { values } = this;
    const game = this.select('game', this.games.map(({ name }) => [name, t(`game.${name}`)]));
    const fitting = this.engines.filter((engine) => !engine.game || engine.game === values.game);
    const engine = this.select('engine', [...fitting.map(({ name }) => [name, name]), ['', t('play.none')]]);
    const side = (n) => t(`side.${values.game}.${n}`);
    const sides = this.select('side', [
      ['0', side(0)], ['1', side(1)], ['both', t('play.both')], ['neither', t('play.watching')],
    ]);
    const kind = this.select('kind', ['movetime', 'nodes', 'depth'].map((name) => [name, t(`play.${name}`)]));
    const amount = html('input', { name: 'amount', type: 'number', min: 1, required: true, value: values.amount });
    const parts = [this.field('play.game', game), this.field('play.engine', engine)];
    if (values.engine) {
      parts.push(this.field('play.you', sides), this.field('play.level', kind), this.field('play.amount', amount));
      this.options.show(values.engine, values.game);
    }
    this.options.root.hidden = !values.engine;
    if (this.games.find(({ name }) => name === values.game)?.chance) {
      const chance = this.select('chance', ['server', 'hand'].map((by) => [by, t(`play.chance.${by}`)]));
      parts.push(this.field('play.chance', chance));
    }
    const fen = html('input', { name: 'fen', className: 'mono', spellcheck: false, autocomplete: 'off', value: values.fen ?? '' });
    parts.push(this.field('play.fen', fen));
    this.root.replaceChildren(
      html('h2', {}, t('play.new')),
      html('div', { className: 'fields' }, ...parts),
      this.options.root,
      html('p', {}, html('button', { className: 'primary' }, t('play.begin'))),
      this.error,
    );
  }

  read() {
    const { game } = this.values;
    Object.assign(this.values, Object.fromEntries(new FormData(this.root)));
    // A position belongs to its game.
    if (game !== this.values.game) this.values.fen = '';
    return true;
  }

  /** The request for a new game from a position. */
  request(position) {
    const { engine, side, kind, amount, chance } = this.values;
    const by = { 0: ['hand', 'engine'], 1: ['engine', 'hand'], neither: ['engine', 'engine'] };
    const both = ['hand', 'hand'];
    return {
      position,
      engine: engine || null,
      sides: engine ? by[side] ?? both : both,
      level: { [kind]: Number(amount) },
      chance,
      options: engine ? this.options.values() : {},
    };
  }

  async submit(event) {
    event.preventDefault();
    this.read();
    const { game, fen } = this.values;
    await this.begin({ game, fen: fen || null });
  }

  /** Begins a game from a position, with the form's engine and level. */
  async begin(position) {
    this.error.hidden = true;
    try {
      const { id } = await post('api/play', this.request(position));
      try {
        localStorage.setItem(KEY, JSON.stringify({ ...this.values, fen: '' }));
      } catch {
        // The form begins with its defaults next time.
      }
      this.onBegin(id);
    } catch (error) {
      this.fail(error);
    }
  }
}

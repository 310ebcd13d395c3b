// The form for a new game.

import { get, post } from './app.js';
import { html } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { EngineOptions } from './play-options.js';
import { StrengthField, clock, clockFields, nameFields, names } from './play-players.js';
import { SavedGames } from './play-saved.js';

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
  /** `onBegin(id)` is called with the number of a new game; `current` is that of the game that is shown, if any. */
  constructor(element, onBegin, current) {
    this.onBegin = onBegin;
    this.error = html('p', { className: 'error', role: 'alert', hidden: true });
    this.root = html('form', { className: 'card', onsubmit: (event) => this.submit(event) });
    this.saved = new SavedGames(current, onBegin, (error) => this.fail(error));
    element.append(this.root);
    this.values = { game: 'einstein', side: '0', amount: 1000, chance: 'server', ...kept() };
    this.values.options ??= {};
    this.options = new EngineOptions(this.values.options);
    this.strength = new StrengthField(this);
    this.stop = onLanguage(() => this.draw());
    this.load();
  }

  async load() {
    try {
      [this.games, this.engines, this.events] = await Promise.all(['api/games', 'api/engines', 'api/clocks'].map(get));
      this.chooseNamed();
      this.draw();
    } catch (error) {
      this.root.replaceChildren(this.error);
      this.fail(error);
    }
  }

  /** The first engine that the command line names is the opponent, until something else is chosen. */
  chooseNamed() {
    const named = this.engines.find((engine) => engine.named);
    if (!named || this.values.server === location.pathname) return;
    this.values.engine = named.name;
    this.values.game = named.game ?? this.values.game;
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

  field(text, ...inputs) {
    return html('label', {}, html('span', {}, text), ...inputs);
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
    const amount = html('input', { name: 'amount', type: 'number', min: 1, required: true, value: values.amount });
    const clocks = clockFields(this, this.events);
    const parts = [this.field(t('play.game'), game), this.field(t('play.engine'), engine)];
    if (values.engine) {
      this.options.show(values.engine, values.game);
      this.strength.show(this.options.list(), () => this.read() && this.draw());
      parts.push(this.field(t('play.you'), sides), this.field(t('play.level'), this.strength.select, this.strength.note));
      if (this.strength.needsAmount()) parts.push(this.field(t('play.amount'), amount));
    }
    parts.push(...nameFields(this), ...clocks);
    this.options.root.hidden = !values.engine;
    if (this.games.find(({ name }) => name === values.game)?.chance) {
      const chance = this.select('chance', ['server', 'hand'].map((by) => [by, t(`play.chance.${by}`)]));
      parts.push(this.field(t('play.chance'), chance));
    }
    const fen = html('input', { name: 'fen', className: 'mono', spellcheck: false, autocomplete: 'off', value: values.fen ?? '' });
    parts.push(this.field(t('play.fen'), fen));
    const focus = this.root.contains(document.activeElement) ? document.activeElement.name : null;
    this.saved.draw();
    this.root.replaceChildren(
      html('h2', {}, t('play.new')),
      html('div', { className: 'fields' }, ...parts),
      this.options.root,
      html('p', {}, html('button', { className: 'primary' }, t('play.begin'))),
      this.error,
      this.saved.root,
    );
    // The form is drawn again after each choice.
    if (focus) this.root.elements[focus]?.focus?.();
  }

  read() {
    const { game } = this.values;
    const { kind: _, saved: __, ...values } = Object.fromEntries(new FormData(this.root));
    Object.assign(this.values, values);
    // A position belongs to its game.
    if (game !== this.values.game) this.values.fen = '';
    return true;
  }

  /** The request for a new game from a position. */
  request(position) {
    const { engine, side, amount, chance } = this.values;
    const time = clock(this.values);
    const strength = engine ? this.strength.request(amount, time !== null) : { options: {} };
    const by = { 0: ['hand', 'engine'], 1: ['engine', 'hand'], neither: ['engine', 'engine'] };
    const both = ['hand', 'hand'];
    return {
      position,
      engine: engine || null,
      sides: engine ? by[side] ?? both : both,
      ...(strength.level ? { level: strength.level } : {}),
      chance,
      options: engine ? { ...this.options.values(), ...strength.options } : {},
      names: names(this.values),
      clock: time,
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
      if (this.values.engine) await this.strength.settled();
      const { id } = await post('api/play', this.request(position));
      try {
        localStorage.setItem(KEY, JSON.stringify({ ...this.values, fen: '', server: location.pathname }));
      } catch {
        // The form begins with its defaults next time.
      }
      this.onBegin(id);
    } catch (error) {
      this.fail(error);
    }
  }
}

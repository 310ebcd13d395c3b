// The options of an engine in the form for a new game. The engine lists them; the server decides
// which a page may set.

import { post } from './app.js';
import { html } from './dom.js';
import { t } from './i18n.js';
import { isLevel } from './play-levels.js';

export class EngineOptions {
  /** `chosen` has the values that differ from their defaults, by engine and game, and is changed. */
  constructor(chosen) {
    this.chosen = chosen;
    this.listed = new Map();
    this.asked = new Map();
    this.key = '';
    this.summary = html('summary');
    this.fields = html('div', { className: 'fields' });
    this.note = html('p', { className: 'note', role: 'status' });
    this.root = html('details', { 'data-options': '', ontoggle: () => this.root.open && this.load() },
      this.summary, this.note, this.fields);
  }

  /** Shows the options of this engine; its list is asked for when the box is open. */
  show(engine, game) {
    [this.engine, this.game, this.key] = [engine, game, `${engine}/${game}`];
    this.draw();
    if (this.root.open) this.load();
  }

  /** The values for the request. */
  values() {
    return this.chosen[this.key] ?? {};
  }

  /** The options of the shown engine, which is started for them once. */
  list() {
    const { key, engine, game } = this;
    if (!this.asked.has(key)) {
      const listed = post('api/options', { engine, game });
      this.asked.set(key, listed);
      listed.then((options) => { this.listed.set(key, options); this.drop(key); }, () => this.asked.delete(key));
    }
    return this.asked.get(key);
  }

  async load() {
    const { key } = this;
    if (this.listed.has(key)) return;
    this.note.textContent = t('play.options.wait');
    try {
      await this.list();
    } catch (error) {
      if (key === this.key) this.note.textContent = error.message;
      return;
    }
    if (key === this.key) this.draw();
  }

  /** Forgets kept values of options that the engine no longer has. */
  drop(key) {
    const names = this.listed.get(key).map(({ name }) => name);
    const kept = Object.entries(this.chosen[key] ?? {}).filter(([name]) => names.includes(name));
    this.chosen[key] = Object.fromEntries(kept);
  }

  set(option, value) {
    const values = { ...this.values() };
    if (value === option.default) delete values[option.name];
    else values[option.name] = value;
    this.chosen[this.key] = values;
    this.label();
  }

  label() {
    const n = Object.keys(this.values()).filter((name) => name.toLowerCase() !== 'level').length;
    this.summary.textContent = n ? t('play.options.changed', { n }) : t('play.options');
  }

  draw() {
    this.label();
    // The level stands in the form itself.
    const options = (this.listed.get(this.key) ?? []).filter((option) => !isLevel(option));
    this.fields.replaceChildren(...options.map((option) => this.field(option)));
    const none = this.listed.has(this.key) && options.length === 0;
    this.note.textContent = none ? t('play.options.none') : '';
  }

  field(option) {
    const value = this.values()[option.name] ?? option.default;
    const set = (event) => event.target.reportValidity() && this.set(option, event.target.value);
    const common = { 'data-option': option.name, onchange: set };
    const choices = { check: ['true', 'false'], combo: option.choices }[option.type];
    const input = choices
      ? html('select', common, ...choices.map((word) => html('option', { value: word, selected: word === value }, this.word(option, word))))
      : html('input', { ...common, type: 'number', required: true, min: option.min, max: option.max, step: 1, value });
    const range = option.type === 'spin' ? t('play.options.range', option)
      : t('play.options.default', { default: this.word(option, option.default) });
    return html('label', {}, html('span', {}, option.name), input, html('span', { className: 'note' }, range));
  }

  word(option, word) {
    return option.type === 'check' ? t(`play.options.${word}`) : word;
  }
}

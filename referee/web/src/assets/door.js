// The first page: what can be done here, each with a line and its way in.

import { get, post } from './app.js';
import { html } from './dom.js';
import { language, onLanguage, t } from './i18n.js';
import './i18n-door.js';

/** A panel with a heading, a line and what leads on. */
function panel(name, what, ...children) {
  return html('section', { className: 'panel', 'data-door': name }, html('h2', {}, t(`door.${name}`)),
    html('p', { className: 'note' }, what), ...children);
}

/** A link that looks like a button; its text names the panel, so that it is understood alone. */
function way(name, href) {
  return html('p', { className: 'row' }, html('a', { className: 'button primary', href }, t(`door.${name}`)));
}

/** When a log has changed, in words. */
function ageText(seconds) {
  if (seconds == null) return '';
  if (seconds < 60) return t('door.now');
  if (seconds < 3600) return t('door.minutes', { n: Math.floor(seconds / 60) });
  if (seconds < 86400) return t('door.hours', { n: Math.floor(seconds / 3600) });
  return t('door.days', { n: Math.floor(seconds / 86400) });
}

class Door {
  /** `pages` are the words of the pages that the server has. */
  constructor(app, pages) {
    this.pages = pages;
    this.error = html('p', { className: 'error', role: 'alert', hidden: true });
    this.place = html('div', { className: 'doors' });
    this.title = html('h2');
    app.append(this.title, this.error, this.place);
    this.choice = { event: null, engine: null, team: '0', teams: ['', ''] };
    this.stopLanguage = onLanguage(() => this.draw());
    this.load();
  }

  leave() {
    this.stopLanguage();
  }

  async load() {
    try {
      [this.door, this.engines, this.logs] = await Promise.all([get('api/door'), get('api/engines'), get('api/logs')]);
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
  }

  draw() {
    if (!this.door) return;
    this.title.textContent = t('door.title');
    const { length } = this.engines;
    const panels = [
      panel('play', length ? t('door.play.what', { n: length }) : t('door.play.none'), way('play', '#play')),
      ...['analysis', 'files'].filter((name) => this.pages.includes(name))
        .map((name) => panel(name, t(`door.${name}.what`), way(name, `#${name}`))),
      this.watch(),
      this.desk(),
    ];
    this.place.replaceChildren(...panels);
  }

  /** The logs, the one that changed last first. */
  watch() {
    const age = ({ found }) => found?.seconds ?? Infinity;
    const logs = [...this.logs].sort((a, b) => age(a) - age(b));
    if (!logs.length) return panel('watch', t('door.watch.none'));
    const item = ({ number, name, found }) => {
      const text = found ? t('door.log', { name, game: t(`game.${found.game}`), engines: found.engines.join(' – ') }) : name;
      return html('li', {}, html('a', { href: `#watch/${number}` }, text), ' ',
        html('span', { className: 'note' }, ageText(found?.seconds)));
    };
    return panel('watch', t('door.watch.what'), html('ul', { className: 'plain' }, ...logs.map(item)));
  }

  /** The desk: the one that is open, or a form that opens one. */
  desk() {
    const what = t('door.desk.what');
    if (this.door.desk) return panel('desk', what, html('p', { className: 'row' }, html('a', { className: 'button primary', href: 'desk' }, t('door.desk.open'))));
    const { choice, door } = this;
    const option = (value, text, selected) => html('option', { value, selected }, text);
    const field = (name, input) => html('label', {}, t(`door.desk.${name}`), input);
    const title = (event) => (language() === 'zh' ? event.title_zh : event.title);
    choice.event ??= door.events[0]?.name;
    const event = html('select', { name: 'event' }, ...door.events.map((event) => option(event.name, title(event), event.name === choice.event)));
    const { game } = door.events.find(({ name }) => name === choice.event) ?? {};
    const fitting = this.engines.filter((engine) => !engine.game || engine.game === game).map(({ name }) => name);
    if (choice.engine !== '' && !fitting.includes(choice.engine)) choice.engine = fitting[0] ?? '';
    const engine = html('select', { name: 'engine' }, ...fitting.map((name) => option(name, name, name === choice.engine)),
      option('', t('door.desk.hand'), choice.engine === ''));
    const team = html('select', { name: 'team' }, ...['A', 'B'].map((letter, i) => option(String(i), letter, String(i) === choice.team)));
    event.onchange = () => {
      choice.event = event.value;
      choice.engine = null;
      this.draw();
      this.place.querySelector('[name=event]').focus();
    };
    engine.onchange = () => { choice.engine = engine.value; };
    team.onchange = () => { choice.team = team.value; };
    const names = ['A', 'B'].map((letter, i) => html('label', {}, t('door.desk.name', { team: letter }), html('input', {
      name: `team-${letter}`, maxLength: 100, value: choice.teams[i], oninput: (event) => { choice.teams[i] = event.target.value; },
    })));
    const form = html('form', { onsubmit: (event) => this.begin(event) },
      html('div', { className: 'fields' }, field('event', event), field('engine', engine), field('team', team), ...names),
      html('p', { className: 'row' }, html('button', { className: 'primary' }, t('door.desk.begin'))));
    return panel('desk', what, form);
  }

  async begin(submitted) {
    submitted.preventDefault();
    const button = submitted.target.querySelector('button');
    this.error.hidden = true;
    button.disabled = true;
    const { event, engine, team, teams } = this.choice;
    try {
      await post('api/door', { event, engine: engine || null, team: Number(team), teams });
      location.href = 'desk';
    } catch (error) {
      this.fail(error);
      button.disabled = false;
      button.focus();
    }
  }
}

/** The page; returns a function that ends it. */
export function doorPage(app, _rest, _logs, pages) {
  const door = new Door(app, pages);
  return () => door.leave();
}

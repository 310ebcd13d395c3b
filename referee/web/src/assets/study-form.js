// The first page of analyses: those that the server keeps, and a board for a new one.

import { get, post } from './app.js';
import { html } from './dom.js';
import { onLanguage, remember, remembered, t } from './i18n.js';
import { FileOpener } from './study-files.js';

const KEY = 'agon-analysis-game';

export class StudyForm {
  constructor(app) {
    this.error = html('p', { className: 'error', role: 'alert', hidden: true });
    this.game = html('select', { name: 'game', onchange: () => { this.fen.value = ''; remember(KEY, this.game.value); } });
    this.fen = html('input', { name: 'fen', className: 'mono', spellcheck: false, autocomplete: 'off' });
    this.form = html('form', { className: 'card', onsubmit: (event) => this.begin(event) });
    this.list = html('section', { className: 'card', 'data-study': 'list' });
    const files = html('section', { className: 'card' });
    app.append(this.form, files, this.list);
    this.opener = new FileOpener(files, (problem) => this.fail(problem));
    const stopLanguage = onLanguage(() => { this.opener.label(); this.draw(); });
    this.stop = () => { stopLanguage(); this.opener.stop(); };
    this.load();
  }

  async load() {
    try {
      [this.games, this.studies] = await Promise.all([get('api/games'), get('api/studies')]);
      this.draw();
    } catch (error) {
      this.form.replaceChildren(this.error);
      this.fail(error);
    }
  }

  fail(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
  }

  draw() {
    if (!this.games) return;
    const chosen = this.game.value || remembered(KEY) || 'xiangqi';
    this.game.replaceChildren(...this.games.map(({ name }) => html('option', { value: name, selected: name === chosen }, t(`game.${name}`))));
    const field = (key, input) => html('label', {}, html('span', {}, t(key)), input);
    this.form.replaceChildren(html('h2', {}, t('study.new')),
      html('div', { className: 'fields' }, field('play.game', this.game), field('play.fen', this.fen)),
      html('p', {}, html('button', { className: 'primary' }, t('study.open'))), this.error);
    this.list.hidden = this.studies.length === 0;
    this.list.replaceChildren(html('h2', {}, t('study.kept')), html('ul', {}, ...this.studies.map((study) => this.row(study))));
  }

  row({ id, game, players, event, positions }) {
    const names = players.some(Boolean) ? players.map((name) => name || '?').join(' – ') : event;
    const text = [t(`game.${game}`), names, t('study.positions', { n: positions })].filter(Boolean).join(', ');
    const close = html('button', { type: 'button', className: 'small', 'aria-label': `${t('study.close')}: ${text}`, onclick: () => this.close(id) }, t('study.close'));
    return html('li', {}, html('a', { href: `#analysis/${id}` }, text), ' ', close);
  }

  async close(id) {
    await post(`api/study/${id}`, { do: 'close' }).catch((error) => this.fail(error));
    this.load();
  }

  async begin(event) {
    event.preventDefault();
    this.error.hidden = true;
    try {
      const position = { game: this.game.value, fen: this.fen.value.trim() || null };
      const { id } = await post('api/study', { position });
      location.hash = `#analysis/${id}`;
    } catch (error) {
      this.fail(error);
    }
  }
}

// Files of games: opened by a button, by dropping them on the page, or on the command line of the server; and an analysis
// saved as a file.

import { get, post, say } from './app.js';
import { html, saveText } from './dom.js';
import { addTexts, onLanguage, remember, remembered, t } from './i18n.js';
import { Replay } from './replay.js';

addTexts({
  'nav.files': ['Files', '文件'],
  'files.open': ['Open a file', '打开文件'],
  'files.drop': ['PGN, SGF, WXF or the national form; or drop a file here.', 'PGN、SGF、WXF 或全国赛格式；也可把文件拖到此处。'],
  'files.none': ['No file is open.', '没有打开文件。'],
  'files.games': ['{name}: {n} {n|game|games}', '{name}：{n} 局'],
  'files.number': ['Game', '局'],
  'files.kind': ['Kind', '棋种'],
  'files.first': ['First', '先手'],
  'files.second': ['Second', '后手'],
  'files.event': ['Event', '赛事'],
  'files.date': ['Date', '日期'],
  'files.result': ['Result', '结果'],
  'files.moves': ['Moves', '着法'],
  'files.replay': ['Replay', '回放'],
  'files.analyse': ['Analyse', '分析'],
  'files.newer': ['Previous', '前一页'],
  'files.older': ['Next', '后一页'],
  'files.shown': ['{from} to {to} of {total}', '第 {from} 至 {to}，共 {total}'],
  'files.all': ['All games', '全部对局'],
  'files.kept': ['Not all of the game was legal: {problem}', '对局中有不合规则之处：{problem}'],
  'files.more': ['{n} more {n|part is|parts are} left out.', '另有 {n} 处未读入。'],
  'files.save': ['Save as', '另存为'],
  'files.save.lines': ['with the engine lines', '包含引擎变化'],
  'files.form.pgn': ['PGN', 'PGN'],
  'files.form.sgf': ['SGF', 'SGF'],
  'files.form.ccgc': ['national form (main line)', '全国赛格式（主变）'],
  'files.form.wxf': ['WXF (main line)', 'WXF（主变）'],
  'end.record': ['as the record says', '依棋谱记录'],
});

const PAGE = 200;

/** Sends a file to the server; returns its number and the number of its games. */
async function send(file) {
  const response = await fetch(`api/files?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
  let answer;
  try {
    answer = await response.json();
  } catch {
    answer = { error: `${response.status} ${response.statusText}` };
  }
  if (!('ok' in answer)) throw new Error(say(answer.message ?? answer.error));
  return answer.ok;
}

/** What was left out of a game, in sentences. */
export function problemTexts({ problems = [], more = 0 }) {
  const texts = problems.map((problem) => t('files.kept', { problem: say(problem) }));
  return more ? [...texts, t('files.more', { n: more })] : texts;
}

/** Opens a game of a file as an analysis; what was left out of it is told there. */
async function openGame(file, number) {
  const opened = await post(`api/file/${file}/open/${number}`);
  const texts = problemTexts(opened);
  if (texts.length) sessionStorage.setItem(`agon-problems-${opened.id}`, JSON.stringify(texts));
  location.hash = `#analysis/${opened.id}`;
}

/** A button that opens files, and a place to drop them. */
export class FileOpener {
  constructor(element, onProblem) {
    this.onProblem = onProblem;
    this.input = html('input', { type: 'file', hidden: true, multiple: true, 'data-files': 'input', onchange: () => this.take(this.input.files) });
    this.button = html('button', { type: 'button', 'data-files': 'open', onclick: () => this.input.click() });
    this.note = html('span', { className: 'note' });
    const over = (event) => { event.preventDefault(); document.body.classList.add('dropping'); };
    const out = () => document.body.classList.remove('dropping');
    const drop = (event) => { event.preventDefault(); out(); this.take(event.dataTransfer.files); };
    const events = { dragover: over, dragleave: out, drop };
    Object.entries(events).forEach(([name, act]) => document.addEventListener(name, act));
    this.stop = () => Object.entries(events).forEach(([name, act]) => document.removeEventListener(name, act));
    element.append(html('div', { className: 'row' }, this.button, this.input, this.note));
    this.label();
  }

  label() {
    this.button.textContent = t('files.open');
    this.note.textContent = t('files.drop');
  }

  async take(files) {
    for (const file of files) {
      try {
        const { number, games } = await send(file);
        if (games === 1 && files.length === 1) await openGame(number, 1);
        else location.hash = `#files/${number}`;
      } catch (problem) {
        this.onProblem(problem);
      }
    }
    this.input.value = '';
  }
}

/** Saves an analysis as a file of the browser's downloads. */
export class FileSaver {
  /** `path()` is the address of the analysis, `forms()` the forms of its game; `onRemark(text)` gets what a form lacks. */
  constructor(element, { path, forms, onRemark, onProblem }) {
    Object.assign(this, { path, forms, onRemark, onProblem });
    this.form = html('select', { 'data-files': 'form' });
    this.lines = html('input', { type: 'checkbox', 'data-files': 'lines' });
    this.linesLabel = html('label', {}, this.lines, html('span'));
    this.button = html('button', { type: 'button', 'data-files': 'save', onclick: () => this.save() });
    element.append(html('div', { className: 'row' }, this.button, this.form, this.linesLabel));
  }

  label() {
    const chosen = this.form.value || remembered('agon-form');
    this.form.replaceChildren(...this.forms().map((name) => html('option', { value: name, selected: name === chosen }, t(`files.form.${name}`))));
    this.form.setAttribute('aria-label', t('files.save'));
    this.button.textContent = t('files.save');
    this.linesLabel.lastChild.textContent = t('files.save.lines');
  }

  async save() {
    try {
      const file = await post(`${this.path()}/export`, { form: this.form.value, lines: this.lines.checked });
      remember('agon-form', this.form.value);
      saveText(file.name, file.text);
      this.onRemark(file.remark ? say(file.remark) : '');
    } catch (problem) {
      this.onProblem(problem);
    }
  }
}

/** The list of opened files, the games of one, or the replay of a game: `#files`, `#files/1`, `#files/1/2/PLY`. */
export function filesPage(app, [file, number]) {
  const error = html('p', { className: 'error', role: 'alert', hidden: true });
  const fail = (problem) => {
    error.textContent = problem.message;
    error.hidden = false;
  };
  const head = html('div', { className: 'card' });
  const place = html('section', { className: 'panel' });
  app.append(head, error, place);
  if (number) return replayGame(head, place, fail, file, number);
  const opener = new FileOpener(head, fail);
  let from = 0;
  const draw = () => {
    opener.label();
    const shown = file ? gamesOf(file, from, (next) => { from = next; draw(); }, fail) : listFiles();
    shown.then((parts) => place.replaceChildren(...parts)).catch(fail);
  };
  const stopLanguage = onLanguage(draw);
  draw();
  return () => {
    opener.stop();
    stopLanguage();
  };
}

async function listFiles() {
  const files = await get('api/files');
  if (!files.length) return [html('p', {}, t('files.none'))];
  const row = ({ name, games }, i) => html('li', {}, html('a', { href: `#files/${i + 1}` }, t('files.games', { name, n: games })));
  return [html('ul', { 'data-files': 'list' }, ...files.map(row))];
}

async function gamesOf(file, from, turn, fail) {
  const { name, total, games } = await get(`api/file/${file}?from=${from}&count=${PAGE}`);
  const cell = (text) => html('td', {}, String(text));
  const row = ({ number, game, players, event, date, result, moves }) => html('tr', {},
    html('th', { scope: 'row' }, String(number)), cell(t(`game.${game}`)), cell(players[0] || '?'), cell(players[1] || '?'), cell(event), cell(date),
    cell(result), cell(moves),
    html('td', {}, html('a', { href: `#files/${file}/${number}`, 'aria-label': `${t('files.replay')} ${number}` }, t('files.replay')), ' ',
      html('button', { type: 'button', className: 'small', 'data-open': number, 'aria-label': `${t('files.analyse')} ${number}`, onclick: () => openGame(file, number).catch(fail) }, t('files.analyse'))));
  const heads = ['number', 'kind', 'first', 'second', 'event', 'date', 'result', 'moves'].map((key) => html('th', { scope: 'col' }, t(`files.${key}`)));
  const more = (key, next, enabled) => html('button', { type: 'button', disabled: !enabled, onclick: () => turn(next) }, t(`files.${key}`));
  return [html('h2', {}, t('files.games', { name, n: total })),
    html('div', { className: 'scroll', tabIndex: 0, role: 'group', 'aria-label': name },
      html('table', { 'data-files': 'games' }, html('thead', {}, html('tr', {}, ...heads, html('td'))), html('tbody', {}, ...games.map(row)))),
    html('div', { className: 'row' }, more('newer', Math.max(0, from - PAGE), from > 0), more('older', from + PAGE, from + PAGE < total),
      html('span', { className: 'note' }, t('files.shown', { from: from + 1, to: from + games.length, total })))];
}

function replayGame(head, place, fail, file, number) {
  const back = html('a', { href: `#files/${file}` });
  const analyse = html('button', { type: 'button', 'data-open': number, onclick: () => openGame(file, number).catch(fail) });
  const told = html('div');
  head.append(html('div', { className: 'row' }, back, analyse), told);
  const replay = new Replay(place, { onPly: (_, ply) => history.replaceState(null, '', `#files/${file}/${number}/${ply}`) });
  let game = null;
  const label = () => {
    back.textContent = t('files.all');
    analyse.textContent = t('files.analyse');
    told.replaceChildren(...problemTexts(game ?? {}).map((text) => html('p', { className: 'warn' }, text)));
  };
  const asked = location.hash.split('/')[3];
  const ply = asked === undefined || asked === '' ? Infinity : Number(asked);
  const load = async () => {
    game = await get(`api/file/${file}/game/${number}`);
    replay.open(game, ply);
    label();
  };
  load().catch(fail);
  label();
  return onLanguage(label);
}

// The pages of a match: running games, score, test, schedule, failures, finished games; and the replay.

import { get, listen, post } from './app.js';
import { html } from './dom.js';
import { onLanguage, quoted, t } from './i18n.js';
import './i18n-watch.js';
import { Replay } from './replay.js';
import { pointsText } from './score.js';
import { LargeBoard, SmallBoard, fit } from './watch-board.js';
import { confidenceText, scoreTable, table, testPath, testText } from './watch-charts.js';

/** Games on one page of the list. */
const PAGE = 50;
/** The least width of a board that is still seen well among others, in pixels; a phone is scrolled rather. */
const LEAST = 150;
const LEAST_OF_PHONE = 280;

/** The score in a line: `A 7½ : 4½ B`, of more engines the best three. */
function scoreLine({ score: { engines } }) {
  const points = engines.map(({ name, wins, draws }) => [name, 2 * wins + draws]);
  const [a, b] = points;
  if (points.length === 2) return `${a[0]} ${pointsText(a[1])} : ${pointsText(b[1])} ${b[0]}`;
  const best = points.sort((a, b) => b[1] - a[1]).slice(0, 3);
  return best.map(([name, half]) => `${name} ${pointsText(half)}`).join(', ');
}

/** The number of a board's place. */
function slotOf(topic) {
  return Number(topic.split('-')[1]);
}

class WatchPage {
  /** `entry` has the number of boards of a match that runs there, `live`, and whether it is published: then nobody
   *  receives commands. */
  constructor(app, log, { live, published, pgn } = {}) {
    this.app = app;
    this.log = log;
    this.large = null;
    this.published = published;
    this.boards = new Map();
    this.live = live;
    // The numbers of games that have been on a board: one that ends is in the log a little later.
    this.begun = new Set();
    this.from = null;
    const section = (name, ...children) => html('section', { className: 'panel', 'data-watch': name }, ...children);
    this.error = html('p', { className: 'error', role: 'alert', hidden: true });
    this.progress = html('p', { role: 'status' });
    this.finishButton = html('button', { type: 'button', className: 'danger', 'data-watch': 'finish', hidden: live == null || published, onclick: () => this.finish() });
    this.runState = html('p', { role: 'status', className: 'note' });
    this.boardsPlace = html('div', { className: 'boards' });
    this.none = html('p', { className: 'note' });
    this.titles = { running: html('h2'), score: html('h2'), test: html('h2'), schedule: html('h2'), failures: html('h2'), played: html('h2') };
    this.places = { score: html('div'), test: html('div'), schedule: html('div'), failures: html('div'), played: html('div') };
    const part = (name) => section(name, this.titles[name], this.places[name]);
    this.testPart = part('test');
    this.title = html('h2');
    this.score = html('p', { className: 'watch-score' });
    this.files = html('span', { className: 'row', 'data-watch': 'files' });
    this.hasPgn = !published || pgn;
    this.titles.running.className = 'sr-only';
    app.classList.add('wide');
    app.append(this.error,
      section('head', this.title, this.score, this.progress, this.runState, this.files, this.finishButton),
      section('running', this.titles.running, this.none, this.boardsPlace),
      html('div', { className: 'watch-below' }, part('score'), this.testPart, part('schedule'), part('failures'), part('played')));
    this.refit = () => this.fit();
    addEventListener('resize', this.refit);
    const topics = ['summary', 'run', ...Array.from({ length: live ?? 0 }, (_, slot) => `board-${slot}`)];
    this.unlisten = listen(`api/log/${log}/events`, topics, (topic, data) => this.event(topic, data));
    this.timer = setInterval(() => {
      this.boards.forEach((board) => board.tick());
      this.large?.tick();
    }, 200);
    this.stopLanguage = onLanguage(() => this.draw());
    this.load();
  }

  leave() {
    this.unlisten();
    this.stopLanguage();
    clearInterval(this.timer);
    removeEventListener('resize', this.refit);
    this.large?.root.close();
    this.app.classList.remove('wide');
    document.title = 'Agon';
  }

  async load() {
    try {
      this.summary = await get(`api/log/${this.log}`);
    } catch (error) {
      this.fail(error);
    }
    this.draw();
  }

  fail(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
  }

  event(topic, data) {
    if (topic === 'connection') {
      if (data) this.error.hidden = true;
      // The program of a match ends with it.
      else if (this.run?.ended && !this.published) this.unlisten();
      else this.fail({ message: t('watch.lost') });
    } else if (topic === 'summary') {
      this.summary = data;
      this.draw();
    } else if (topic === 'run') {
      this.run = data;
      data.begun.forEach((number) => this.begun.add(number));
      this.drawRun();
      if (this.summary) this.drawSchedule();
    } else this.drawBoard(topic, data);
  }

  /** Shows what a board sent; without a state its game has ended. */
  drawBoard(topic, state) {
    let board = this.boards.get(topic);
    const before = board?.state.number;
    if (state) {
      if (!board) {
        board = new SmallBoard(() => this.enlarge(topic));
        this.boards.set(topic, board);
        const after = [...this.boards.keys()].filter((other) => slotOf(other) > slotOf(topic)).sort((a, b) => slotOf(a) - slotOf(b))[0];
        this.boardsPlace.insertBefore(board.root, after ? this.boards.get(after).root : null);
      }
      this.begun.add(state.number);
      board.show(state);
      if (before === undefined) this.fit();
    } else board?.end();
    if (this.large?.topic === topic) {
      if (state) this.large.show(state);
      else this.large.end();
    }
    this.none.hidden = this.boards.size > 0;
    if (this.summary && before !== state?.number) this.drawSchedule();
  }

  /** Gives the boards the place that there is on the screen. */
  fit() {
    const [first] = this.boards.values();
    if (!first || !this.boardsPlace.isConnected) return;
    const style = getComputedStyle(this.boardsPlace);
    const frame = first.root.querySelector('.board-frame');
    const card = first.root.getBoundingClientRect();
    const shown = frame.getBoundingClientRect();
    const rim = parseFloat(getComputedStyle(first.root).paddingLeft) + 1;
    const top = this.boardsPlace.getBoundingClientRect().top + scrollY;
    const { columns, size } = fit({
      count: this.boards.size, width: this.boardsPlace.clientWidth, height: Math.max(innerHeight - top - 8, 2 * LEAST),
      shape: Number(frame.style.getPropertyValue('--shape')) || 1, gap: parseFloat(style.columnGap) || 0,
      least: innerWidth < 600 ? LEAST_OF_PHONE : LEAST,
      chrome: { width: 2 * rim, height: card.height - shown.height },
    });
    this.boardsPlace.style.setProperty('--columns', columns);
    this.boardsPlace.style.setProperty('--fit', `${Math.floor(size)}px`);
  }

  /** Shows a board over the whole screen. */
  enlarge(topic) {
    const { state, over } = this.boards.get(topic) ?? {};
    if (!state) return;
    if (!this.large) {
      this.large = new LargeBoard({
        step: (by) => this.step(by),
        replay: (number) => `#game/${this.log}/${number}`,
        closed: () => {
          this.boards.get(this.large.topic)?.button.focus();
          this.large = null;
        },
      });
      this.large.open();
    }
    this.large.topic = topic;
    this.large.show(state);
    if (over) this.large.end();
  }

  /** Enlarges the board before or after the one that is. */
  step(by) {
    const topics = [...this.boards.keys()].sort((a, b) => slotOf(a) - slotOf(b));
    const at = topics.indexOf(this.large.topic);
    this.enlarge(topics[(at + by + topics.length) % topics.length]);
  }

  drawRun() {
    const { finishing, ended } = this.run ?? {};
    this.finishButton.disabled = Boolean(finishing || ended);
    if (ended) this.close();
    this.drawFiles();
    this.runState.hidden = !ended && !finishing;
    this.runState.textContent = ended ? t(this.published ? 'watch.over' : 'watch.ended') : finishing ? t('watch.finishing') : '';
  }

  /** The match has ended: no board is left, but the one that is looked at. */
  close() {
    this.boards.forEach(({ root }) => root.remove());
    this.boards.clear();
    this.none.hidden = false;
    if (this.published && !this.hasPgn) {
      get('api/logs').then(([entry]) => {
        this.hasPgn = entry.pgn;
        this.drawFiles();
      }).catch(() => {});
    }
  }

  /** Links to the log and its games; a program that has ended answers none. */
  drawFiles() {
    const link = (key, href) => html('a', { href, download: '', 'data-file': key }, t(`watch.file.${key}`));
    const links = [];
    if (!this.published) links.push(link('log', `api/log/${this.log}/file`));
    if (this.hasPgn) links.push(link('pgn', this.published ? 'games.pgn' : `api/log/${this.log}/pgn`));
    this.files.replaceChildren(...(this.run?.ended && !this.published ? [] : links));
  }

  async finish() {
    try {
      await post(`api/log/${this.log}/finish`);
    } catch (error) {
      this.fail(error);
    }
  }

  draw() {
    for (const [name, title] of Object.entries(this.titles)) title.textContent = t(`watch.${name}`);
    this.finishButton.textContent = t('watch.finish');
    this.none.textContent = t(this.published ? 'watch.idle' : 'watch.none');
    this.none.hidden = this.boards.size > 0;
    this.drawRun();
    this.boards.forEach((board) => board.draw());
    this.large?.draw();
    const { summary } = this;
    if (!summary) return;
    this.error.hidden = true;
    this.title.textContent = `${summary.name}: ${t(`game.${summary.game}`)}`;
    document.title = `${scoreLine(summary)} · ${summary.name}`;
    this.score.textContent = scoreLine(summary);
    const [games, total] = [summary.played, summary.total].map((n) => n.toLocaleString('en'));
    // A test ends when it is decided, mostly long before its last game.
    this.progress.textContent = t(summary.test && summary.played < summary.total ? 'watch.progress.test' : 'watch.progress', { played: games, total });
    const score = [scoreTable(summary)];
    if (summary.confidence) score.push(html('p', { className: 'note' }, confidenceText(summary.confidence)));
    this.places.score.replaceChildren(...score);
    this.testPart.hidden = !summary.test;
    if (summary.test) this.places.test.replaceChildren(html('p', {}, testText(summary.test)), ...this.beside(summary.test), testPath(summary.test));
    this.drawSchedule();
    this.drawFailures(summary);
    this.drawGames();
    this.fit();
  }

  /** What the test by betting says of the same games. */
  beside({ beside }) {
    if (!beside) return [];
    const text = testText({ state: beside, waiting: 0 });
    return [html('p', { className: 'note', 'data-watch': 'beside' }, t('watch.beside', { text }))];
  }

  /// The next games: those that have not begun. A page of a running match waits until it knows them.
  drawSchedule() {
    if (this.live != null && !this.run) return;
    const open = this.summary.schedule.filter(({ number }) => !this.begun.has(number));
    const rows = open.map(({ number, players }) => [number, ...players]);
    const head = ['number', 'first', 'second'].map((key) => t(`watch.${key}`));
    this.places.schedule.replaceChildren(rows.length ? table(t('watch.schedule'), head, rows) : html('p', { className: 'note' }, '–'));
  }

  /** The failures; those that the reader opened stay open. */
  drawFailures({ failures }) {
    const open = new Set([...this.places.failures.querySelectorAll('details[open]')].map((one) => one.dataset.number));
    const failure = ({ number, engine, reason, detail, said }) => html('details', { 'data-number': number, open: open.has(String(number)) },
      html('summary', {}, t('watch.failed', { number, engine, reason: t(`end.${reason}`) })),
      html('p', {}, quoted(detail ?? '')), html('pre', { tabIndex: 0 }, said || '–'),
      html('p', {}, this.link(number)));
    const list = failures.toReversed().map(failure);
    this.places.failures.replaceChildren(...(list.length ? list : [html('p', { className: 'note' }, '–')]));
  }

  link(number, text = t('watch.replay')) {
    return html('a', { href: `#game/${this.log}/${number}` }, text);
  }

  /** The finished games, the newest first. */
  async drawGames() {
    const { played } = this.summary;
    const to = Math.min(this.from ?? played, played);
    const from = Math.max(0, to - PAGE);
    const asked = this.asked = Symbol('the last question');
    let list;
    try {
      list = await get(`api/log/${this.log}/games?from=${from}&count=${to - from}`);
    } catch (error) {
      // The program of a match ends with it: the list stays as it is.
      return this.run?.ended ? undefined : this.fail(error);
    }
    // An answer to a later question may have come first.
    if (asked !== this.asked) return;
    const rows = list.games.toReversed().map(({ number, players, winner, reason, moves }) => {
      const result = winner == null ? '½–½' : winner === 0 ? '1–0' : '0–1';
      return [this.link(number, String(number)), ...players, result, t(`end.${reason}`), moves];
    });
    const head = ['number', 'first', 'second', 'result', 'reason', 'moves'].map((key) => t(`watch.${key}`));
    const turn = (key, next, enabled) => html('button', { type: 'button', disabled: !enabled, onclick: () => { this.from = next; this.drawGames(); } }, t(`watch.${key}`));
    this.places.played.replaceChildren(table(t('watch.played'), head, rows), html('div', { className: 'row' },
      turn('newer', to + PAGE >= played ? null : to + PAGE, to < played), turn('older', from, from > 0),
      html('span', { className: 'note' }, t('watch.newest', { from: played ? from + 1 : 0, to, total: played }))));
  }
}

/** Shows a match; returns the function that leaves the page. */
export function watchPage(app, [log], logs) {
  const page = new WatchPage(app, log, logs.find(({ number }) => String(number) === log));
  return () => page.leave();
}

/** Shows a game of a log at a ply; the address follows. */
export function replayPage(app, [log, number]) {
  const back = html('a', { href: `#watch/${log}` }, t('watch.match'));
  const error = html('p', { className: 'error', role: 'alert', hidden: true });
  const place = html('section', { className: 'panel' });
  app.append(html('p', {}, back), error, place);
  const address = (shown, ply) => `#game/${log}/${shown}/${ply}`;
  const replay = new Replay(place, {
    onPly: (shown, ply) => history.replaceState(null, '', address(shown, ply)),
  });
  const ply = () => {
    const at = location.hash.split('/')[3];
    return at === undefined || at === '' ? Infinity : Number(at);
  };
  const load = async () => {
    try {
      replay.open(await get(`api/log/${log}/game/${Number(number)}`), ply());
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    }
  };
  const follow = () => replay.game && location.hash.startsWith(`#game/${log}/${number}/`) && replay.go(ply());
  addEventListener('hashchange', follow);
  load();
  return () => removeEventListener('hashchange', follow);
}

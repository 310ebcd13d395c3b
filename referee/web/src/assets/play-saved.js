// Games that are kept: as a file, and the last ones in this browser, so that they go on after a reload or a restart of
// the server.

import { post } from './app.js';
import { html, saveText } from './dom.js';
import { addTexts, t } from './i18n.js';
import { movesIn } from './notation.js';

addTexts({
  'play.save': ['Save', '保存'],
  'saved.title': ['Saved games', '保存的对局'],
  'saved.open': ['Open a saved game', '打开保存的对局'],
  'saved.go': ['Go on', '继续'],
  'saved.forget': ['Forget', '删除'],
  'saved.game': ['{game}: {first} – {second}, moves: {moves}', '{game}：{first} – {second}，着法数 {moves}'],
  'saved.unread': ['“{name}” is no saved game; expected a file that the button Save has written.', '“{name}”不是保存的对局；应为“保存”按钮所写的文件。'],
  'saved.large': ['“{name}” is too large for a saved game: {kib} KiB, at most {most}.', '“{name}”太大，不是保存的对局：{kib} KiB，最多 {most} KiB。'],
});

const KEY = 'agon-games';
const MOST = 5;
const MOST_KIB = 60;

/** The kept games, the latest first. */
function keptGames() {
  try {
    const games = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(games) ? games.filter(({ id, saved }) => id && saved?.game?.position) : [];
  } catch {
    return [];
  }
}

function store(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Forgets a kept game. */
export function forget(id) {
  store(keptGames().filter((game) => game.id !== id));
}

/** Keeps a game that goes on; one that is over is forgotten. */
export async function keep(id, state) {
  const { view } = state;
  if (view.result) return forget(id);
  if (view.ply === 0) return;
  try {
    const saved = await post(`api/play/${id}`, { do: 'save' });
    const shown = { names: state.names, moves: movesIn(view.shown) };
    store([{ id, place: location.pathname, saved, shown }, ...keptGames().filter((game) => game.id !== id)]);
  } catch {
    // What the rules hide now is kept after the next move.
  }
}

/** Gives the game as a file. */
export async function saveFile(id) {
  const saved = await post(`api/play/${id}`, { do: 'save' });
  const { position } = saved.game;
  saveText(`${position.game}-ply-${position.moves.length}.agon.json`, `${JSON.stringify(saved, null, 1)}\n`, 'application/json');
}

/** Reads a file; throws what is wrong with it. */
async function readFile(file) {
  const name = file.name;
  const kib = Math.ceil(file.size / 1024);
  if (kib > MOST_KIB) throw new Error(t('saved.large', { name, kib, most: MOST_KIB }));
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(t('saved.unread', { name }));
  }
}

export class SavedGames {
  /** `open` gets a number of a game that goes on; `current` is the game that the page shows; `fail` gets errors. */
  constructor(current, open, fail) {
    Object.assign(this, { current, open, fail });
    this.root = html('div', { className: 'saved' });
  }

  /** Begins a new game from a saved one. */
  async goOn(saved) {
    try {
      this.open((await post('api/play/open', saved)).id);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** A kept game: as it is if the server still has it, else from where it was. */
  async take({ id, place, saved }) {
    if (place === location.pathname) {
      const lives = await post(`api/play/${id}`, { do: 'save' }).then(() => true, ({ status }) => status === 409);
      if (lives) return this.open(id);
    }
    if (await this.goOn(saved)) forget(id);
    return undefined;
  }

  async read(input) {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    try {
      await this.goOn(await readFile(file));
    } catch (error) {
      this.fail(error);
    }
  }

  draw() {
    const input = html('input', { type: 'file', accept: '.json,application/json', name: 'saved', onchange: () => this.read(input) });
    const games = keptGames().filter(({ id }) => id !== this.current);
    this.root.replaceChildren(
      html('label', {}, html('span', {}, t('saved.open')), input),
      ...(games.length ? [html('h3', {}, t('saved.title'))] : []),
      ...games.map((game) => this.row(game)));
  }

  row(game) {
    const { names, moves } = game.shown;
    const kind = game.saved.game.position.game;
    const name = (player) => names[player] || t(`side.${kind}.${player}`);
    const text = t('saved.game', { game: t(`game.${kind}`), first: name(0), second: name(1), moves });
    const button = (key, act) => html('button', { type: 'button', 'data-saved': key, 'aria-label': `${t(`saved.${key}`)}: ${text}`, onclick: act }, t(`saved.${key}`));
    return html('div', { className: 'row' }, html('span', {}, text), button('go', () => this.take(game)),
      button('forget', () => { forget(game.id); this.draw(); }));
  }
}

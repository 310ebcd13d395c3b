// In place of `app.js` on the page of a published match: the same functions, which read the files that the match writes
// (`publish.rs`).

/** How often the page looks for changes, in milliseconds: while the match runs, and after its end. */
const PAUSE = 1000;
const ENDED = 30_000;
/** Finished games in a file of the list, and files in a folder. */
const CHUNK = 200;
const FOLDER = 1000;

/** A file. Its version makes an address that no cache between here and the host has seen before. */
async function read(path, version) {
  const response = await fetch(`${path}?${version}`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  return response.json();
}

/** What there is: the number of the last change of each topic, and the number of finished games. */
const news = () => read('match.json', Date.now());

const place = (kind, n) => `${kind}/${Math.floor(n / FOLDER)}/${n}.json`;

async function games(from, count) {
  const { games: total, match } = await news();
  const end = Math.min(from + count, total);
  const first = Math.floor(from / CHUNK);
  const list = [];
  for (let chunk = first; chunk * CHUNK < end; chunk += 1) {
    const known = Math.min(total, (chunk + 1) * CHUNK);
    list.push(...(await read(place('list', chunk), `${match}-${known}`)));
  }
  return { total, from, games: list.slice(from - first * CHUNK, end - first * CHUNK) };
}

/** What `app.js` asks the server for. */
export async function get(path) {
  if (path === 'api/logs') {
    const { name, boards, pgn } = await news();
    return [{ number: 1, name, live: boards, published: true, pgn }];
  }
  const [, game] = /\/game\/(\d+)$/.exec(path) ?? [];
  if (game !== undefined) return read(place('games', Number(game)), (await news()).match);
  const [, from, count] = /\/games\?from=(\d+)&count=(\d+)$/.exec(path) ?? [];
  if (from !== undefined) return games(Number(from), Number(count));
  const { summary } = (await news()).topics;
  return summary === undefined ? null : read('now/summary.json', summary);
}

/** Nobody receives commands. */
export async function post(path) {
  throw new Error(path);
}

/** Looks for changes of the topics, and calls `onEvent` as `app.js` does. Returns a function that ends it. */
export function listen(path, topics, onEvent) {
  const seen = {};
  let pause = PAUSE;
  let timer;
  let ended = false;
  const look = async () => {
    try {
      const { topics: now } = await news();
      for (const topic of topics) {
        const version = now[topic];
        if (version === seen[topic]) continue;
        const state = version === undefined ? null : await read(`now/${topic}.json`, version);
        if (ended) return;
        seen[topic] = version;
        if (topic === 'run') pause = state?.ended ? ENDED : PAUSE;
        onEvent(topic, state);
      }
      onEvent('connection', true);
    } catch {
      if (!ended) onEvent('connection', false);
    }
    if (!ended) timer = setTimeout(look, pause);
  };
  look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

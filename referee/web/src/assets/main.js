// The first page: playing, watching and replaying, chosen by the part of the address after `#`.

import { get } from './app.js';
import { html } from './dom.js';
import { onLanguage, t } from './i18n.js';
import './i18n-play.js';
import { playPage } from './play.js';
import { addSwitches } from './switches.js';
import { replayPage, watchPage } from './watch.js';

const app = document.getElementById('app');
const nav = document.getElementById('nav');
let leave = () => {};
let shown = null;
let logs = [];

/** The page of an address: `#play`, `#watch/LOG` or `#game/LOG/NUMBER/PLY`; LOG and NUMBER count from 1. */
function place() {
  const [page, ...rest] = location.hash.slice(1).split('/');
  if (page) return [page, ...rest];
  return logs.length ? ['watch', String(logs[0].number)] : ['play'];
}

function show() {
  const at = place();
  // Moving to another ply of the same game changes only the address.
  const key = at[0] === 'game' ? at.slice(0, 3).join('/') : at.join('/');
  if (key !== shown) {
    leave();
    shown = key;
    app.replaceChildren();
    const pages = { watch: watchPage, game: replayPage };
    leave = (pages[at[0]] ?? playPage)(app, at.slice(1), logs) ?? (() => {});
  }
  label();
}

function label() {
  const [page, log] = place();
  const link = (hash, text, current) =>
    html('a', { href: hash, ...(current ? { 'aria-current': 'page' } : {}) }, text);
  nav.replaceChildren(
    link('#play', t('nav.play'), page === 'play'),
    ...logs.map(({ number, name }) => link(`#watch/${number}`, name, page !== 'play' && log === String(number))),
  );
  nav.setAttribute('aria-label', t('nav.pages'));
}

async function start() {
  addSwitches(document.getElementById('switches'));
  try {
    logs = await get('api/logs');
  } catch (error) {
    app.append(html('p', { className: 'error', role: 'alert' }, error.message));
  }
  onLanguage(label);
  addEventListener('hashchange', show);
  show();
}

start();

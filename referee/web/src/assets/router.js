// The page of an address: the part after `#` chooses it.

import { get } from './app.js';
import { html } from './dom.js';
import { addTexts, onLanguage, t } from './i18n.js';
import { addSwitches } from './switches.js';
import { replayPage, watchPage } from './watch.js';

addTexts({ 'nav.pages': ['Pages', '页面'] });

/** Shows `#watch/LOG` and `#game/LOG/NUMBER/PLY`, which count from 1, and the pages of `own`: functions by the word of
 *  the address, the first of them where the address says none. The text of their link is `nav.WORD`. */
export async function showPages(own = {}) {
  const app = document.getElementById('app');
  const nav = document.getElementById('nav');
  const pages = { ...own, watch: watchPage, game: replayPage };
  let words = Object.keys(own);
  let leave = () => {};
  let shown = null;
  let logs = [];

  const place = () => {
    const [page, ...rest] = location.hash.slice(1).split('/');
    if (page) return [page in pages ? page : words[0] ?? 'watch', ...rest];
    // Logs that the server found are listed on its first page; a match or named logs are what it was started for.
    const named = logs.find(({ found }) => !found);
    return named || !words.length ? ['watch', String(named?.number ?? 1)] : [words[0]];
  };
  const label = () => {
    const [page, log] = place();
    const link = (hash, text, current) =>
      html('a', { href: hash, ...(current ? { 'aria-current': 'page' } : {}) }, text);
    nav.replaceChildren(
      ...words.map((word) => link(`#${word}`, t(`nav.${word}`), page === word)),
      ...logs.filter(({ found, number }) => !found || (page === 'watch' && log === String(number))).map(({ number, name }) => link(`#watch/${number}`, name, !words.includes(page) && log === String(number))),
    );
    nav.setAttribute('aria-label', t('nav.pages'));
  };
  const show = () => {
    const at = place();
    // Moving to another ply of the same game changes only the address.
    const key = at[0] === 'game' ? at.slice(0, 3).join('/') : at.join('/');
    if (key !== shown) {
      leave();
      shown = key;
      app.replaceChildren();
      leave = pages[at[0]](app, at.slice(1), logs, words) ?? (() => {});
    }
    label();
  };

  addSwitches(document.getElementById('switches'));
  try {
    logs = await get('api/logs');
  } catch (error) {
    app.append(html('p', { className: 'error', role: 'alert' }, error.message));
  }
  // The server of a match has no first page.
  if (logs.some(({ live }) => live != null)) words = words.filter((word) => word !== 'door');
  onLanguage(label);
  addEventListener('hashchange', show);
  show();
}

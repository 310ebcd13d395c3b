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
  const words = Object.keys(own);
  let leave = () => {};
  let shown = null;
  let logs = [];

  const place = () => {
    const [page, ...rest] = location.hash.slice(1).split('/');
    if (page) return [page in pages ? page : words[0] ?? 'watch', ...rest];
    return logs.length || !words.length ? ['watch', String(logs[0]?.number ?? 1)] : [words[0]];
  };
  const label = () => {
    const [page, log] = place();
    const link = (hash, text, current) =>
      html('a', { href: hash, ...(current ? { 'aria-current': 'page' } : {}) }, text);
    nav.replaceChildren(
      ...words.map((word) => link(`#${word}`, t(`nav.${word}`), page === word)),
      ...logs.map(({ number, name }) => link(`#watch/${number}`, name, !words.includes(page) && log === String(number))),
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
      leave = pages[at[0]](app, at.slice(1), logs) ?? (() => {});
    }
    label();
  };

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

// The question before a player gives up: the button lies beside those for the next move.

import { html } from './dom.js';
import { addTexts, t } from './i18n.js';

addTexts({
  'play.resign.ask': ['Resign this game?', '确定认输吗？'],
  'play.resign.yes': ['Resign', '认输'],
  'play.resign.no': ['Play on', '继续下'],
});

/** Asks; `resign` is called after a yes. */
export function askToResign(resign) {
  const answer = (name, act) => html('button', {
    type: 'button', className: name === 'yes' ? 'danger' : '', 'data-resign': name, onclick: () => { dialog.close(); act(); },
  }, t(`play.resign.${name}`));
  const dialog = html('dialog', { 'aria-label': t('play.resign') }, html('p', {}, t('play.resign.ask')),
    html('div', { className: 'row' }, answer('no', () => {}), answer('yes', resign)));
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}

// The switches of every page: notation, letters or characters, language, light or dark; the look of boards and the motion
// of pieces. All are remembered.

import { html } from './dom.js';
import { language, onLanguage, remember, remembered, setLanguage, t, translate } from './i18n.js';
import { nextNotation, notation, setNotation } from './notation.js';

const THEMES = ['auto', 'light', 'dark'];
const root = document.documentElement;

function applyTheme(theme) {
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

function applyLetters(letters) {
  root.dataset.letters = letters ? 'yes' : 'no';
  document.dispatchEvent(new Event('agon-look'));
}

function applyBoard(board) {
  root.dataset.board = board;
  document.dispatchEvent(new Event('agon-look'));
}

let theme = THEMES.includes(remembered('agon-theme')) ? remembered('agon-theme') : 'auto';
let letters = (remembered('agon-letters') ?? root.dataset.letters) === 'yes';
let board = remembered('agon-board') === 'flat' ? 'flat' : 'wood';
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
let motion = remembered('agon-motion') ?? (isStill() ? 'no' : 'yes');
applyTheme(theme);
applyLetters(letters);
applyBoard(board);
root.dataset.motion = motion;

/// The switches that few use, behind a button.
function moreSwitches(...buttons) {
  const more = html('details', { className: 'switch-more', 'data-switch': 'more' },
    html('summary', { className: 'switch' }, '⚙'), html('div', { className: 'switch-menu' }, ...buttons));
  const close = () => { more.open = false; };
  more.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !more.open) return;
    close();
    more.firstChild.focus();
    event.stopPropagation();
  });
  document.addEventListener('click', (event) => { if (!more.contains(event.target)) close(); });
  return more;
}

/// Puts the switches, or those of `names`, into an element and translates the page.
export function addSwitches(element, names = ['notation', 'letters', 'language', 'theme', 'more']) {
  const button = (name, onclick) => html('button', { type: 'button', className: 'switch', 'data-switch': name, onclick });
  const languages = button('language', () => setLanguage(language() === 'en' ? 'zh' : 'en'));
  const themes = button('theme', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember('agon-theme', theme);
    applyTheme(theme);
    label();
  });
  const pieces = button('letters', () => {
    letters = !letters;
    remember('agon-letters', letters ? 'yes' : 'no');
    applyLetters(letters);
    label();
  });
  const boards = button('board', () => {
    board = board === 'flat' ? 'wood' : 'flat';
    remember('agon-board', board);
    applyBoard(board);
    label();
  });
  const motions = button('motion', () => {
    motion = motion === 'yes' ? 'no' : 'yes';
    remember('agon-motion', motion);
    root.dataset.motion = motion;
    label();
  });
  const more = moreSwitches(boards, motions);
  // Only a page with a board of Xiangqi shows it.
  const notations = button('notation', () => setNotation(nextNotation()));
  const label = () => {
    languages.textContent = t('switch.language');
    languages.lang = language() === 'en' ? 'zh-CN' : 'en';
    themes.textContent = { auto: '◐', light: '☀', dark: '☾' }[theme];
    themes.setAttribute('aria-label', t(`switch.theme.${theme}`));
    themes.title = t(`switch.theme.${theme}`);
    notations.textContent = t(`notation.${notation()}`);
    notations.title = t('switch.notation', { example: notations.textContent });
    notations.setAttribute('aria-label', notations.title);
    boards.textContent = t(`switch.board.${board}`);
    motions.textContent = t(`switch.motion.${motion}`);
    more.firstChild.title = t('switch.more');
    more.firstChild.setAttribute('aria-label', t('switch.more'));
    pieces.textContent = t(letters ? 'switch.characters' : 'switch.letters');
    element.setAttribute('aria-label', t('switch.group'));
  };
  element.setAttribute('role', 'group');
  element.classList.add('switches');
  element.replaceChildren(...[notations, pieces, languages, themes, more].filter((made) => names.includes(made.dataset.switch)));
  onLanguage(label);
  label();
  translate(document);
}

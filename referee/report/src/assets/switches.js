// The switches of every page: notation, letters or characters, language, light or dark. All are remembered.

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
  document.dispatchEvent(new Event('agon-letters'));
}

let theme = THEMES.includes(remembered('agon-theme')) ? remembered('agon-theme') : 'auto';
let letters = (remembered('agon-letters') ?? root.dataset.letters) === 'yes';
applyTheme(theme);
applyLetters(letters);

/// Puts the switches, or those of `names`, into an element and translates the page.
export function addSwitches(element, names = ['notation', 'letters', 'language', 'theme']) {
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
    pieces.textContent = t(letters ? 'switch.characters' : 'switch.letters');
    element.setAttribute('aria-label', t('switch.group'));
  };
  element.setAttribute('role', 'group');
  element.classList.add('switches');
  element.replaceChildren(...[notations, pieces, languages, themes].filter((made) => names.includes(made.dataset.switch)));
  onLanguage(label);
  label();
  translate(document);
}

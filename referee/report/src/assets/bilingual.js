// A page whose elements carry their Chinese beside the English: `data-zh` is the Chinese of an
// element's text. Without a script the page is English.

import { language, onLanguage } from './i18n.js';
import { addSwitches } from './switches.js';

const english = new Map();

function showLanguage() {
  const chinese = language() === 'zh';
  for (const element of document.querySelectorAll('[data-zh]')) {
    if (!english.has(element)) english.set(element, element.textContent);
    element.textContent = chinese ? element.dataset.zh : english.get(element);
  }
}

addSwitches(document.getElementById('switches'), ['language']);
onLanguage(showLanguage);
showLanguage();

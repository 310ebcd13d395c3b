// A board as an SVG file of its own, for documents. The file needs no style: what the page's style
// gives becomes attributes, so the picture looks as on the page.

import { saveText, svg } from './dom.js';
import { addTexts } from './i18n.js';
import { isShaded, shades } from './pieces.js';

addTexts({ 'board.picture': ['Save picture', '保存图片'] });

/// The properties of the style that SVG has as attributes and a parent passes on.
const PAINT_ATTRIBUTES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'font-family', 'font-size', 'font-weight', 'letter-spacing'];

/// The colour behind an element: that of the first around it that has one.
function ground(element) {
  const colour = getComputedStyle(element).backgroundColor;
  return /^rgba\(.*, 0\)$/.test(colour) && element.parentElement ? ground(element.parentElement) : colour;
}

/// Gives a copy the attributes that the shown element has by style and its parent does not pass on.
function paint(shown, copy, inherited) {
  const style = getComputedStyle(shown);
  const own = Object.fromEntries(PAINT_ATTRIBUTES.map((name) => [name, style.getPropertyValue(name)]));
  for (const [name, value] of Object.entries(own)) {
    if (value === inherited[name]) copy.removeAttribute(name);
    else copy.setAttribute(name, value);
  }
  if (style.opacity !== '1') copy.setAttribute('opacity', style.opacity);
  copy.removeAttribute('class');
  [...shown.children].forEach((child, i) => paint(child, copy.children[i], own));
}

/// The text of the file for the shown `svg` element of a board.
export function pictureFile(picture, title) {
  const copy = picture.cloneNode(true);
  paint(picture, copy, {});
  const [, , width, height] = copy.getAttribute('viewBox').split(' ');
  const whole = { width, height, role: 'img', 'aria-label': title };
  for (const [name, value] of Object.entries(whole)) copy.setAttribute(name, value);
  copy.removeAttribute('aria-hidden');
  if (isShaded()) copy.prepend(shades().cloneNode(true));
  copy.prepend(svg('rect', { width, height, fill: ground(picture) }));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/// Saves the picture as a file of the browser's downloads.
export function savePicture(picture, name) {
  saveText(`${name}.svg`, pictureFile(picture, name), 'image/svg+xml');
}

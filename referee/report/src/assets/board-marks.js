// What a reader draws on a board: circles, squares, triangles, crosses, letters and arrows.

import { svg } from './dom.js';
import { UNIT } from './board-grid.js';
import { addTexts, t } from './i18n.js';

addTexts({
  'mark.circle': ['circle', '圆圈'],
  'mark.square': ['square', '方框'],
  'mark.triangle': ['triangle', '三角'],
  'mark.cross': ['cross', '叉'],
  'mark.label': ['letter', '字母'],
  'mark.arrow': ['arrow to {to}', '指向 {to} 的箭头'],
});

const RADIUS = UNIT / 2;

/// The shapes around the middle of a square, as paths.
const PATHS = {
  circle: `M${3 - RADIUS} 0a${RADIUS - 3} ${RADIUS - 3} 0 1 0 ${UNIT - 6} 0a${RADIUS - 3} ${RADIUS - 3} 0 1 0 ${6 - UNIT} 0`,
  square: `M${5 - RADIUS} ${5 - RADIUS}h${UNIT - 10}v${UNIT - 10}h${10 - UNIT}Z`,
  triangle: `M0 ${3 - RADIUS}L${RADIUS - 4} ${RADIUS - 7}H${4 - RADIUS}Z`,
  cross: `M${7 - RADIUS} ${7 - RADIUS}L${RADIUS - 7} ${RADIUS - 7}M${RADIUS - 7} ${7 - RADIUS}L${7 - RADIUS} ${RADIUS - 7}`,
};

/// The elements of marks on a board; those on no square of it are left out.
export function drawMarks(geometry, marks) {
  return marks.flatMap((mark) => {
    const place = geometry.at(mark.at);
    if (!place) return [];
    const [x, y] = geometry.middle(...place);
    if (mark.shape === 'arrow') return arrow([x, y], geometry.at(mark.to) && geometry.middle(...geometry.at(mark.to)));
    if (mark.shape === 'label') {
      const text = svg('text', { class: 'note-text', x, y: y + 7, 'text-anchor': 'middle' });
      text.textContent = mark.text ?? 'A';
      return [text];
    }
    // A light line below, so that the mark is seen on every piece.
    return ['note-ground', 'note-mark'].map((name) => svg('path', { class: name, d: PATHS[mark.shape], transform: `translate(${x} ${y})` }));
  });
}

function arrow([u, v], end) {
  if (!end) return [];
  const [x, y] = end;
  const length = Math.hypot(x - u, y - v) || 1;
  const [dx, dy] = [(x - u) / length, (y - v) / length];
  const [a, b] = [x - 14 * dx, y - 14 * dy];
  const head = `M${x} ${y}L${a - 9 * dy} ${b + 9 * dx}L${a + 9 * dy} ${b - 9 * dx}Z`;
  return [svg('path', { class: 'note-ground', d: `M${u} ${v}L${a} ${b}${head}` }),
    svg('path', { class: 'note-mark', d: `M${u} ${v}L${a} ${b}` }), svg('path', { class: 'note-mark note-head', d: head })];
}

/// The marks of a square in words.
export function markTexts(marks, at) {
  return marks.filter((mark) => mark.at === at).map(({ shape, to, text }) => (shape === 'label' ? text : t(`mark.${shape}`, { to })));
}

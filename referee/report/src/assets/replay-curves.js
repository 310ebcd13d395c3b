// The evaluations of both engines by move, from the first player's side, with scale and legend.
// The picture is drawn at its size on the screen, so its text is as large as the page's.

import { html, svg } from './dom.js';
import { addTexts, onLanguage, t } from './i18n.js';
import { curveValues, percentText } from './score.js';

addTexts({
  'curves.label': ['Evaluations by move: {first} and {second}', '各着评估：{first} 与 {second}'],
  'curves.first': ['better for {name} (first)', '{name}（先手）优'],
  'curves.second': ['better for {name} (second)', '{name}（后手）优'],
  'curves.move': ['move', '着'],
  'curves.chance': ['expected score of {name}', '{name}的期望得分'],
  'curves.none': ['The engines reported no evaluations.', '引擎未给出评估。'],
});

const EDGE = { left: 58, right: 14, top: 14, bottom: 30 };

/// A round number of steps that divides a range into about `count` parts.
function niceStep(range, count) {
  const rough = range / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
}

export class Curves {
  /// `onPly(ply)`, if given, is called when the picture is pressed; a small picture has no legend.
  constructor(element, onPly, { small = false } = {}) {
    this.root = element;
    this.onPly = onPly;
    this.small = small;
    this.height = small ? 150 : 190;
    this.ply = 0;
    this.width = 0;
    new ResizeObserver(() => this.game && this.root.clientWidth !== this.width && this.draw()).observe(element);
    onLanguage(() => this.game && this.draw());
  }

  /// `plies` are the game's moves and chance outcomes as a view has them.
  open(game, plies) {
    this.game = game;
    Object.assign(this, curveValues(game));
    // The place of each move among the plies, as dice and revealed pieces are steps, too.
    this.plyOf = new Map(plies.flatMap(({ by, number }, i) => (by === null || number === null ? [] : [[number, i + 1]])));
    const finite = this.values.flat().map(([, value]) => Math.abs(value)).filter(Number.isFinite);
    this.most = Math.max(...finite, 10);
    this.draw();
  }

  x(ply) {
    return EDGE.left + ((this.width - EDGE.left - EDGE.right) * ply) / Math.max(this.game.by.length, 1);
  }

  /// Won and lost positions are on the edges; the greatest finite value of a unit is a little inside.
  y(value) {
    const half = (this.height - EDGE.top - EDGE.bottom) / 2;
    const finite = Number.isFinite(value) ? (0.9 * value) / this.most : Math.sign(value);
    const share = this.isChance ? value / 500 - 1 : finite;
    return EDGE.top + half * (1 - share);
  }

  draw() {
    const { game } = this;
    this.width = Math.max(this.root.clientWidth, 240);
    if (!this.values.flat().length) {
      this.root.replaceChildren(html('p', { className: 'note' }, t('curves.none')));
      this.cursor = null;
      return;
    }
    const [first, second] = game.players;
    const picture = svg('svg', {
      class: 'curves', viewBox: `0 0 ${this.width} ${this.height}`, width: this.width, height: this.height, role: 'img',
      'aria-label': t('curves.label', { first, second }),
    }, ...this.scale(), ...this.values.map((points, side) => this.line(points, side)));
    this.cursor = svg('path', { class: 'curve-cursor' });
    picture.append(this.cursor);
    if (this.onPly) {
      picture.classList.add('pressable');
      picture.addEventListener('click', (event) => {
        const place = event.clientX - picture.getBoundingClientRect().left - EDGE.left;
        this.onPly(Math.round((place / (this.width - EDGE.left - EDGE.right)) * game.by.length));
      });
    }
    this.root.replaceChildren(picture, ...(this.small ? [] : [this.legend()]));
    this.mark(this.ply);
  }

  scale() {
    const parts = [];
    const text = (x, y, anchor, content) => {
      const label = svg('text', { class: 'curve-text', x, y, 'text-anchor': anchor });
      label.textContent = content;
      parts.push(label);
    };
    const { left, top } = EDGE;
    const [right, bottom] = [this.width - EDGE.right, this.height - EDGE.bottom];
    for (const [value, label, isMiddle] of this.ticks()) {
      parts.push(svg('path', { class: isMiddle ? 'curve-zero' : 'curve-grid', d: `M${left} ${this.y(value)}H${right}` }));
      text(left - 6, this.y(value) + 4, 'end', label);
    }
    const moves = this.plyOf.size;
    const every = Math.max(niceStep(moves, this.width < 500 ? 5 : 10), 1);
    for (let move = 0; move <= moves; move += every) {
      const x = this.x(this.plyOf.get(move) ?? 0);
      parts.push(svg('path', { class: 'curve-grid', d: `M${x} ${bottom}v5` }));
      text(x, bottom + 18, 'middle', move === 0 ? `0 ${t('curves.move')}` : String(move));
    }
    parts.push(svg('path', { class: 'curve-axis', d: `M${left} ${top}V${bottom}H${right}` }));
    return parts;
  }

  /// Marks of the scale: the value, its text, and whether it is that of equal positions.
  ticks() {
    if (this.isChance) return [0, 250, 500, 750, 1000].map((value) => [value, percentText(value), value === 500]);
    // At most the greatest value, so that there is a mark above and below 0.
    const step = niceStep(2 * this.most, 5);
    const digits = step >= 100 ? 0 : step >= 10 ? 1 : 2;
    const count = Math.floor(this.most / step);
    return Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * step)
      .map((value) => [value, (value > 0 ? '+' : '') + (value / 100).toFixed(digits), value === 0]);
  }

  line(points, side) {
    const d = points.map(([ply, value], i) => `${i ? 'L' : 'M'}${this.x(ply).toFixed(1)} ${this.y(value).toFixed(1)}`).join('');
    const dots = points.map(([ply, value]) => this.dot(this.x(ply), this.y(value), side, points.length > 80 ? 1.6 : 3));
    return svg('g', { class: `curve side${side}` }, svg('path', { class: 'curve-line', d }), ...dots);
  }

  /// The first player's marks are round, the second player's square.
  dot(x, y, side, r) {
    return side === 0 ? svg('circle', { class: 'curve-dot', cx: x, cy: y, r })
      : svg('rect', { class: 'curve-dot', x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  }

  legend() {
    const entries = this.game.players.map((name, side) => html('span', { className: 'curve-key' },
      svg('svg', { class: `curve side${side}`, width: 44, height: 14, 'aria-hidden': 'true' },
        svg('path', { class: 'curve-line', d: 'M2 7H42' }), this.dot(22, 7, side, 3.5)),
      name));
    const [first, second] = this.game.players;
    return html('p', { className: 'curve-legend note' }, ...entries,
      ...(this.isChance ? [html('span', {}, t('curves.chance', { name: first }))] : []),
      html('span', {}, `↑ ${t('curves.first', { name: first })}`),
      html('span', {}, `↓ ${t('curves.second', { name: second })}`));
  }

  /// Marks the ply that the board shows.
  mark(ply) {
    this.ply = ply;
    this.cursor?.setAttribute('d', `M${this.x(ply)} ${EDGE.top}V${this.height - EDGE.bottom}`);
  }
}

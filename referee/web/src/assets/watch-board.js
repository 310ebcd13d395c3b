// A running game as a small board among others, and enlarged: the board, the moves, both clocks, and what both engines
// thought at their last moves.

import { Board } from './board.js';
import { resultText, sideName } from './board-state.js';
import { clockText } from './clock-text.js';
import { html } from './dom.js';
import { t } from './i18n.js';
import { lineText, movesFrom, movesIn } from './notation.js';
import { sideIcon } from './pieces.js';
import { Curves } from './replay-curves.js';
import { countText, percentText, scoreText } from './score.js';

/** The value that a player reported, from its own side, or null. */
function valueText({ view, reports }, player) {
  const report = reports[player];
  return report?.score == null ? null : scoreText(view.game, report.score, report.expected);
}

/** The first player's expected score in permille, as a player sees it, or null. Reports are from the player's own side. */
function share({ reports }, player) {
  const expected = reports[player]?.expected;
  if (expected == null) return null;
  return player === 0 ? expected : 1000 - expected;
}

/** A player's line: piece, name, value and clock. */
class PlayerLine {
  constructor(player) {
    this.player = player;
    this.icon = html('span', { className: 'watch-icon' });
    this.name = html('span', { className: 'watch-name' });
    this.value = html('span', { className: 'note', 'data-watch': 'reports' });
    this.clock = html('span', { className: 'watch-clock', 'data-watch': 'clock' });
    this.root = html('p', { className: 'watch-player' }, this.icon, this.name, this.value, this.clock);
  }

  show(state) {
    const { view, players, reports } = state;
    this.icon.replaceChildren(sideIcon(view, this.player, 22));
    this.name.textContent = players[this.player];
    const value = valueText(state, this.player);
    const depth = reports[this.player]?.depth;
    this.value.textContent = [value, depth == null ? null : t('watch.limit.depth', { depth })].filter(Boolean).join(', ');
    this.root.classList.toggle('turn', view.turn === this.player);
  }
}

/** A running game, and its clocks between two messages. */
class Shown {
  show(state) {
    this.state = state;
    this.since = performance.now();
    this.over = false;
  }

  /** The clock of the player to move runs on here. */
  clockOf(player) {
    const { clocks, view } = this.state;
    const runs = view.turn === player && !this.over;
    return clocks[player] == null ? '' : clockText(Math.max(0, clocks[player] - (runs ? performance.now() - this.since : 0)));
  }

  /** What stands in the title. */
  title() {
    const { number, view } = this.state;
    const move = t('board.move', { number: movesIn(view.shown ?? []) });
    const end = view.result ? resultText(view) : t('watch.gameOver');
    return t('watch.card', { number, state: this.over || view.result ? end : move });
  }
}

/** A game as a small board; `open` enlarges it. */
export class SmallBoard extends Shown {
  constructor(open) {
    super();
    this.button = html('button', { type: 'button', className: 'watch-open', onclick: open });
    this.lines = [new PlayerLine(0), new PlayerLine(1)];
    this.gauge = html('span', { className: 'watch-gauge', 'aria-hidden': 'true' }, html('span'));
    const place = html('div');
    this.root = html('div', { className: 'card watch-card' }, html('h3', {}, this.button), this.lines[1].root, place,
      this.gauge, this.lines[0].root);
    this.board = new Board(place, { mini: true });
  }

  show(state) {
    super.show(state);
    this.board.show(state.view);
    this.draw();
  }

  /** The game has ended; its last position stays until the next one begins. */
  end() {
    this.over = true;
    this.draw();
  }

  draw() {
    this.root.classList.toggle('over', this.over);
    this.button.textContent = this.title();
    this.button.title = t('watch.enlarge');
    this.lines.forEach((line) => line.show(this.state));
    const last = this.state.view.turn === 0 ? 1 : 0;
    const value = share(this.state, last) ?? share(this.state, 1 - last);
    this.gauge.classList.toggle('none', value == null);
    this.gauge.firstChild.style.width = `${(value ?? 0) / 10}%`;
    this.tick();
  }

  tick() {
    this.lines.forEach(({ clock, player }) => { clock.textContent = this.clockOf(player); });
  }
}

/** A player beside the enlarged board. */
class PlayerPanel {
  constructor(player) {
    this.player = player;
    this.icon = html('span', { className: 'watch-icon' });
    this.name = html('strong', { className: 'watch-name' });
    this.role = html('span', { className: 'note' });
    this.clock = html('div', { className: 'clock', role: 'timer', 'data-watch': 'clock' });
    this.parts = ['first', 'second'].map((side) => html('span', { className: `evaluation-${side}` }));
    this.bar = html('div', { className: 'evaluation', role: 'img' }, ...this.parts);
    this.facts = html('p', { className: 'watch-facts', 'data-watch': 'reports' });
    this.thought = html('p', { className: 'mono watch-thought', 'data-watch': 'thought' });
    this.root = html('section', { className: `panel watch-panel side${player}` },
      html('div', { className: 'watch-plate' }, this.icon, html('div', {}, this.name, ' ', this.role), this.clock),
      this.bar, this.facts, this.thought);
  }

  show(state) {
    const { view, players, reports } = state;
    this.icon.replaceChildren(sideIcon(view, this.player, 34));
    this.name.textContent = players[this.player];
    this.role.textContent = sideName(view, this.player);
    this.root.setAttribute('aria-label', players[this.player]);
    this.clock.setAttribute('aria-label', t('watch.clockOf', { name: players[this.player] }));
    const value = share(state, this.player);
    this.bar.hidden = value == null;
    if (value != null) {
      this.parts.forEach((part, side) => {
        part.style.width = `${(side ? 1000 - value : value) / 10}%`;
        part.textContent = side === (value < 500 ? 1 : 0) ? percentText(side ? 1000 - value : value) : '';
      });
      this.bar.setAttribute('aria-label', t('watch.bar', { side: sideName(view, 0), percent: percentText(value) }));
    }
    this.facts.textContent = this.factsText(state, reports[this.player]);
    this.thought.textContent = lineText(reports[this.player]?.shown ?? []);
  }

  factsText(state, report) {
    if (!report) return t('watch.silent');
    const { depth, nodes, us } = report;
    const parts = [valueText(state, this.player), depth == null ? null : t('watch.limit.depth', { depth }),
      nodes == null ? null : t('watch.nodes', { nodes: countText(nodes) }), us == null ? null : `${(us / 1e6).toFixed(us < 1e5 ? 3 : 1)} s`];
    return parts.filter(Boolean).join(t('watch.comma')) || t('watch.silent');
  }
}

/** The enlarged board, over the whole screen. Escape closes it; arrow keys go to the board before or after. */
export class LargeBoard extends Shown {
  /** `step(by)` is asked for another board, `replay(number)` for the address of a finished game. */
  constructor({ step, replay, closed }) {
    super();
    this.replay = replay;
    const button = (name, text, onclick) => html('button', { type: 'button', 'data-watch': name, onclick }, text);
    this.heading = html('h2', { id: 'watch-large' });
    this.link = html('a', {});
    this.buttons = {
      before: button('before', '‹', () => step(-1)),
      after: button('after', '›', () => step(1)),
      flip: button('flip', '⇅', () => this.turn()),
      close: button('close', '✕', () => this.root.close()),
    };
    const place = html('div', { className: 'watch-large-board' });
    this.panels = [new PlayerPanel(0), new PlayerPanel(1)];
    this.moves = html('ol', { className: 'plain watch-moves', tabIndex: 0 });
    const curves = html('div', { className: 'replay-curves watch-curves' });
    this.curves = new Curves(curves, null, { small: true });
    this.root = html('dialog', { className: 'watch-large', 'aria-labelledby': 'watch-large' },
      html('div', { className: 'watch-large-bar' }, this.heading, this.link, html('span', { className: 'row' }, ...Object.values(this.buttons))),
      html('div', { className: 'watch-large-body' }, place,
        html('div', { className: 'watch-large-side' }, this.panels[1].root, curves, this.moves, this.panels[0].root)));
    this.board = new Board(place);
    this.flip = false;
    this.root.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.ctrlKey || event.altKey || event.metaKey || event.target === this.moves) return;
      event.preventDefault();
      step(by);
    });
    this.root.addEventListener('close', () => { this.root.remove(); closed(); });
  }

  open() {
    document.body.append(this.root);
    this.root.showModal();
  }

  turn() {
    this.flip = !this.flip;
    this.draw();
  }

  show(state) {
    super.show(state);
    this.draw();
  }

  end() {
    this.over = true;
    this.draw();
  }

  draw() {
    const { view, players, number } = this.state;
    this.board.show(view, { flip: this.flip, interactive: false });
    this.heading.textContent = `${players.join(' – ')} · ${this.title()}`;
    this.link.textContent = this.over ? t('watch.replay') : '';
    this.link.href = this.over ? this.replay(number) : '';
    this.link.hidden = !this.over;
    for (const [name, button] of Object.entries(this.buttons)) {
      button.title = t(`watch.large.${name}`);
      button.setAttribute('aria-label', button.title);
    }
    this.panels.forEach((panel) => panel.show(this.state));
    this.drawMoves(view.shown ?? []);
    this.drawCurves();
    this.tick();
  }

  /** The evaluations that both engines sent so far. */
  drawCurves() {
    const { view: { shown = [] }, players, curve } = this.state;
    const at = new Map(curve.map(([ply, ...values]) => [ply, values]));
    // Expected scores are reported from the mover's side, and drawn from the first player's.
    const value = ([score, expected] = [null, null], by) => [score, by === 1 && expected !== null ? 1000 - expected : expected];
    const moves = shown.flatMap(({ by }, i) => (by === null ? [] : [value(at.get(i + 1), by)]));
    this.curves.open({
      players, by: shown.map(({ by }) => by === null ? 'c' : by + 1).join(''),
      score: moves.map(([score]) => score), expected: moves.map(([, expected]) => expected),
    }, shown);
    this.curves.mark(shown.length);
  }

  /** The list follows the game unless the reader has turned it back. */
  drawMoves(shown) {
    const { moves } = this;
    const follows = moves.scrollTop + moves.clientHeight >= moves.scrollHeight - 8;
    moves.setAttribute('aria-label', t('watch.moves'));
    moves.replaceChildren(...movesFrom(shown, 0).map(({ number, text }, i, all) => {
      const item = html('li', i === all.length - 1 ? { className: 'now' } : {});
      item.append(html('span', { className: 'note' }, number === null ? '' : `${number}.`), ` ${text}`);
      return item;
    }));
    if (follows) moves.scrollTop = moves.scrollHeight;
  }

  tick() {
    this.panels.forEach(({ clock, player, root }) => {
      const text = this.clockOf(player);
      if (clock.textContent !== text) clock.textContent = text;
      clock.hidden = !text;
      const runs = this.state.view.turn === player && !this.over;
      clock.classList.toggle('active', runs);
      root.classList.toggle('turn', runs);
    });
  }
}

/** Columns and width of boards that fill a place: `shape` is width by height, `chrome` what a card has besides. */
export function fit({ count, width, height, shape, gap, chrome, least }) {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const wide = (width - gap * (columns - 1)) / columns - chrome.width;
    const high = (height - gap * (rows - 1)) / rows - chrome.height;
    const size = Math.min(wide, high * shape);
    if (size > best.size) best = { columns, size };
  }
  if (best.size >= least) return best;
  // They do not fit on one screen: as many in a row as are still seen well.
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (least + chrome.width + gap))));
  return { columns, size: (width - gap * (columns - 1)) / columns - chrome.width };
}

// The plates of the two players, above and below the board: name, side, and the clock, which runs between the messages of
// the server.

import { sideName } from './board-state.js';
import { clockText } from './clock-text.js';
import { html } from './dom.js';
import { addTexts, t } from './i18n.js';
import { levelName } from './play-levels.js';
import { soundOfLowTime } from './play-sound.js';

addTexts({
  'plate.clock': ['Clock of {name}', '{name}的棋钟'],
  'plate.you': ['You', '你'],
  'plate.out': ['time is up', '超时'],
});

const TICK_MS = 100;

/** When little time is left: a tenth, but at least 10 seconds and at most a minute; of short games a quarter. */
function lowTime(time) {
  return Math.min(60000, Math.max(time / 10, Math.min(10000, time / 4)));
}

export class Plates {
  constructor() {
    this.state = null;
    this.clock = null;
    this.low = [false, false];
    this.plates = [0, 1].map((player) => {
      const [name, role] = [html('strong'), html('span', { className: 'note' })];
      const clock = html('span', { className: 'plate-clock', role: 'timer' });
      const root = html('div', { className: 'plate', 'data-player': player }, html('span', {}, name, ' ', role), clock);
      return { root, name, role, clock };
    });
    this.top = html('div');
    this.bottom = html('div');
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  stop() {
    clearInterval(this.timer);
  }

  /** Shows the players of a state; `flip`: the first one sits above. */
  show(state, flip) {
    this.state = state;
    const { names, sides, view, engine } = state;
    this.plates.forEach((plate, player) => {
      const side = sideName(view, player);
      const alone = sides[player] === 'hand' && sides[1 - player] === 'engine';
      plate.name.textContent = names[player] || (alone ? t('plate.you') : side);
      const level = sides[player] === 'engine' ? levelName(engine) : '';
      plate.role.textContent = [plate.name.textContent === side ? '' : side, level].filter(Boolean).join(', ');
      plate.clock.hidden = !state.clock;
      plate.clock.setAttribute('aria-label', t('plate.clock', { name: plate.name.textContent }));
      plate.root.classList.toggle('due', view.turn === player);
    });
    const [top, bottom] = flip ? [0, 1] : [1, 0];
    if (this.top.firstChild !== this.plates[top].root) {
      this.top.replaceChildren(this.plates[top].root);
      this.bottom.replaceChildren(this.plates[bottom].root);
    }
  }

  /** The clocks of the server; between messages they run here. */
  set(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    if (!this.clock) return;
    const { left_ms: left, running, time_ms: time } = this.clock;
    this.plates.forEach(({ clock }, player) => {
      const gone = running === player ? performance.now() - this.since : 0;
      const ms = Math.max(0, left[player] - gone);
      const text = clockText(ms);
      if (clock.textContent !== text) clock.textContent = text;
      clock.title = ms === 0 ? t('plate.out') : '';
      clock.classList.toggle('active', running === player);
      const low = ms < lowTime(time);
      clock.classList.toggle('low', low);
      if (low && !this.low[player] && running === player && this.state?.sides[player] === 'hand') soundOfLowTime();
      this.low[player] = low;
    });
  }
}

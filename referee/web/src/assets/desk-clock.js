// The two clocks: large figures that run between the desk's messages, and the warnings.

import { colourOf, sideName } from './board-state.js';
import { clockText } from './clock-text.js';
import { beep } from './desk-sound.js';
import { html } from './dom.js';
import { t } from './i18n.js';
import { sideColour, sideIcon } from './pieces.js';
import { pointsText } from './score.js';

export class Clocks {
  /// `warning` is the live region for warnings.
  constructor(element, warning) {
    this.warning = warning;
    this.warned = [null, null];
    this.state = null;
    this.clock = null;
    this.cards = [0, 1].map(() => {
      const icon = html('span', { className: 'watch-icon' });
      const name = html('span');
      const role = html('span', { className: 'role' });
      const points = html('span', { className: 'points' });
      const time = html('div', { className: 'clock', role: 'timer' });
      const plate = html('header', {}, icon, html('h2', {}, name, ' ', role), points);
      const root = html('div', { className: 'desk-team' }, html('div', {}, plate, time));
      element.append(root);
      return { root, icon, name, role, points, time };
    });
    setInterval(() => this.tick(), 100);
  }

  /// The state of the desk: names, points and who moves first.
  show(state) {
    this.state = state;
    this.cards.forEach((card, team) => {
      const { name, half_points: half, engine } = state.teams[team];
      card.name.textContent = name;
      const roles = [engine ? t('desk.byEngine') : t('desk.byHand')];
      const first = state.game ? state.game.first : state.match.next?.first;
      if (first !== undefined) roles.unshift(t(first === team ? 'desk.first' : 'desk.second'));
      const view = state.game?.view ?? state.start;
      const side = first === team ? 0 : 1;
      const colour = view && (view.game === 'darkchess' ? colourOf(view, side) : sideName(view, side));
      if (colour) roles.unshift(colour);
      card.role.textContent = roles.join(t('engine.comma'));
      card.root.dataset.colour = view ? sideColour(view, side) : '';
      card.icon.replaceChildren(...(view ? [sideIcon(view, side, 40)] : []));
      card.points.textContent = pointsText(half);
      card.time.setAttribute('aria-label', `${t('desk.clocks')}, ${name}`);
    });
    this.tick();
  }

  /// The clocks of the desk; between messages they run here.
  set(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  /// Milliseconds left of a team, now.
  left(team) {
    if (!this.clock) return this.state?.clock.time_ms ?? 0;
    const gone = this.clock.running === team ? performance.now() - this.since : 0;
    return this.clock.left_ms[team] - gone;
  }

  tick() {
    if (!this.state) return;
    const limited = this.state.clock.time_ms > 0;
    this.cards.forEach((card, team) => {
      const left = this.left(team);
      const shown = clockText(limited ? left : Math.abs(left));
      if (card.time.textContent !== shown) {
        card.time.textContent = shown;
        card.time.style.setProperty('--chars', Math.max(4, shown.length));
      }
      const low = limited && this.clock?.low[team];
      const out = limited && left <= 0;
      card.time.classList.toggle('active', this.clock?.running === team);
      card.time.classList.toggle('low', Boolean(low || out));
      const level = out ? 'warn.out' : low ? 'warn.low' : null;
      if (level !== this.warned[team]) {
        this.warned[team] = level;
        const text = { team: this.state.teams[team].name, time: clockText(Math.ceil(left / 1000) * 1000) };
        if (!level) return;
        this.warning.textContent = t(level, text);
        beep(out ? 3 : 1);
      }
    });
  }
}

// The part of the form for a new game that is about the players: their names, the clocks, how strong the engine plays.

import { html } from './dom.js';
import { addTexts, language, t } from './i18n.js';
import { isLevel, namedLevels } from './play-levels.js';

addTexts({
  'players.name': ['Your name', '你的名字'],
  'players.name.of': ['Name of {side}', '{side}的名字'],
  'players.clock': ['Clock of each side', '每方用时'],
  'players.clock.none': ['none', '不限时'],
  'players.clock.usual': ['Usual clocks', '常用'],
  'players.clock.events': ['Clocks of events', '赛事用时'],
  'players.clock.own': ['other', '自定'],
  'players.clock.text': ['Time, or time+increment', '用时，或用时+加秒'],
  'players.clock.how': ['such as 5:00+3 or 90', '例如 5:00+3 或 90'],
  'players.levels': ['Levels', '级别'],
  'players.limits': ['Limits for each move', '每步限制'],
  'players.byClock': ['by the clock', '按棋钟'],
  'players.wait': ['Asking the engine for its levels.', '正在查询引擎的级别。'],
});

const USUAL = ['1:00+1', '3:00+2', '5:00+3', '10:00', '15:00+10', '30:00'];
const LIMITS = ['movetime', 'nodes', 'depth'];
const OWN = 'own';

/** The milliseconds for a move of an engine with a level, without clocks. */
const USUAL_MOVE_MS = 1000;

/** Of an engine with levels, before anybody has chosen. */
const USUAL_LEVEL = 5;

/** Whether both sides are moved by hand. */
function isByHand({ engine, side }) {
  return !engine || side === 'both';
}

/** The fields of the names. */
export function nameFields(form) {
  const { values } = form;
  const input = (name) => html('input', { name, maxLength: 40, autocomplete: 'off', value: values[name] ?? '' });
  if (isByHand(values)) {
    return [0, 1].map((player) => form.field(t('players.name.of', { side: t(`side.${values.game}.${player}`) }), input(`name${player}`)));
  }
  return values.side === 'neither' ? [] : [form.field(t('players.name'), input('name'))];
}

/** The names for the request, first player first. */
export function names(values) {
  if (isByHand(values)) return [values.name0 ?? '', values.name1 ?? ''];
  return ['0', '1'].map((side) => (values.side === side ? values.name ?? '' : ''));
}

/** The fields of the clocks: the usual ones, those of the game's events, or a text. */
export function clockFields(form, events) {
  const { values } = form;
  const option = (value, text) => html('option', { value }, text);
  const group = (key, options) => html('optgroup', { label: t(key) }, ...options);
  const own = events.filter(({ game }) => game === values.game);
  const title = ({ title: english, title_zh: chinese }) => (language() === 'zh' ? chinese : english);
  const select = html('select', { name: 'clock', onchange: () => form.read() && form.draw() },
    option('', t('players.clock.none')),
    group('players.clock.usual', USUAL.map((text) => option(text, text))),
    group('players.clock.events', own.map((event) => option(`${event.clock} ${event.title}`, `${event.clock} (${title(event)})`))),
    option(OWN, t('players.clock.own')));
  select.value = values.clock ?? '';
  // The clock of another game's event.
  if (select.selectedIndex < 0) [select.value, values.clock] = ['', ''];
  const fields = [form.field(t('players.clock'), select)];
  if (values.clock === OWN) {
    const text = html('input', { name: 'ownClock', required: true, autocomplete: 'off', placeholder: t('players.clock.how'), value: values.ownClock ?? '' });
    fields.push(form.field(t('players.clock.text'), text));
  }
  return fields;
}

/** The clock for the request, or null. */
export function clock({ clock: chosen, ownClock }) {
  if (!chosen) return null;
  return chosen === OWN ? ownClock ?? '' : chosen.split(' ')[0];
}

/** How strong the engine plays: a level by name if it offers levels, else limits for each move. */
export class StrengthField {
  constructor(form) {
    this.form = form;
    this.listed = null;
    this.select = html('select', { name: 'kind', onchange: () => { form.values.kind = this.select.value; form.read(); form.draw(); } });
    this.note = html('span', { className: 'note', role: 'status' });
  }

  /** What is chosen, of what is offered now: `level:N`, `clock` or the name of a limit. */
  kind() {
    return this.select.value;
  }

  /** Shows what an engine offers; the answer comes later, and then `changed` is called. */
  show(listing, changed) {
    if (listing !== this.listing) {
      [this.listing, this.listed] = [listing, null];
      const done = (options) => {
        if (listing !== this.listing) return;
        const before = this.needsAmount();
        this.listed = options;
        this.fill();
        // Otherwise the form stays as it is: somebody may be typing.
        if (before !== this.needsAmount()) changed();
      };
      listing.then(done, () => done([]));
    }
    this.fill();
  }

  /** The list to choose from. */
  fill() {
    const option = ([value, text]) => html('option', { value }, text);
    const group = (key, options) => html('optgroup', { label: t(key) }, ...options.map(option));
    const levels = namedLevels(this.listed ?? []).map(([value, text]) => [`level:${value}`, text]);
    const { values } = this.form;
    const limits = [...(values.clock ? [['clock', t('players.byClock')]] : []), ...LIMITS.map((name) => [name, t(`play.${name}`)])];
    this.select.replaceChildren(...(levels.length ? [group('players.levels', levels)] : []), group('players.limits', limits));
    const usual = levels.length && values.kind === undefined ? levels[Math.min(USUAL_LEVEL, levels.length) - 1][0] : values.kind;
    this.select.value = usual ?? 'movetime';
    if (this.select.selectedIndex < 0) this.select.value = values.clock ? 'clock' : 'movetime';
    this.note.textContent = this.listed ? '' : t('players.wait');
  }

  /** Waits until it is known what the engine offers. */
  async settled() {
    await this.listing?.catch(() => {});
  }

  /** The level and the option for the request; `amount` is that of a limit. */
  request(amount, hasClock) {
    const [kind, value] = this.kind().split(':');
    if (kind === 'clock') return { level: 'clock', options: {} };
    if (kind !== 'level') return { level: { [kind]: Number(amount) }, options: {} };
    const level = hasClock ? 'clock' : { movetime: USUAL_MOVE_MS };
    return { level, options: { [this.listed.find(isLevel).name]: value } };
  }

  /** Whether the form needs a number for what is chosen. */
  needsAmount() {
    return LIMITS.includes(this.kind());
  }
}

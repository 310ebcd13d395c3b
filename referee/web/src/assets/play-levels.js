// Levels by name: ten steps of the option `Level`, which an engine offers with its least and its greatest value.

import { addTexts, t } from './i18n.js';

addTexts({
  'level.1': ['beginner', '初学'],
  'level.2': ['novice', '入门'],
  'level.3': ['learner', '学习'],
  'level.4': ['casual player', '爱好者'],
  'level.5': ['regular player', '熟手'],
  'level.6': ['club player', '棋社棋手'],
  'level.7': ['strong club player', '棋社强手'],
  'level.8': ['expert', '高手'],
  'level.9': ['master', '大师'],
  'level.10': ['full strength', '全力'],
});

const STEPS = 10;

/** Whether an option of an engine is its strength. */
export function isLevel(option) {
  return option.type === 'spin' && option.name.toLowerCase() === 'level' && Number(option.min) < Number(option.max);
}

/** The name of a value between the least and the greatest. */
function nameOf(value, least, greatest) {
  return t(`level.${1 + Math.round(((value - least) * (STEPS - 1)) / (greatest - least))}`);
}

/** The levels of an engine that lists these options: pairs of value and name, from the weakest; none without the option. */
export function namedLevels(options) {
  const option = options.find(isLevel);
  if (!option) return [];
  const [least, greatest] = [Number(option.min), Number(option.max)];
  const step = (i) => least + Math.round((i * (greatest - least)) / (STEPS - 1));
  const values = new Set(Array.from({ length: STEPS }, (_, i) => step(i)));
  return [...values].map((value) => [value, nameOf(value, least, greatest)]);
}

/** The name of the level at which an engine plays; empty if it has none. */
export function levelName(engine) {
  const { level } = engine ?? {};
  return level ? nameOf(level.value, level.min, level.max) : '';
}

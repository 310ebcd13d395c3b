// The sounds of a game that is played: off until the player chooses them.

import { addTexts } from './i18n.js';
import { Sound } from './sound.js';

addTexts({
  'play.sound.on': ['Sound on', '声音：开'],
  'play.sound.off': ['Sound off', '声音：关'],
});

/// Tones as pairs of Hz and seconds.
const TONES = {
  move: [[520, 0.06]],
  capture: [[420, 0.06], [300, 0.08]],
  end: [[660, 0.12], [520, 0.12], [440, 0.25]],
  low: [[880, 0.12], [880, 0.12]],
};

const sound = new Sound('agon-play-sound', false, ['play.sound.on', 'play.sound.off']);

/// The switch of the sound.
export function soundSwitch() {
  return sound.button('');
}

/// A clock has little time left.
export function soundOfLowTime() {
  sound.play(TONES.low);
}

/// What has happened between two views of a game.
export function soundOfMove(before, after) {
  if (!before || before.game !== after.game) return;
  if (after.result && !before.result) sound.play(TONES.end);
  else if (after.ply > before.ply) sound.play(after.pieces.length < before.pieces.length ? TONES.capture : TONES.move);
}

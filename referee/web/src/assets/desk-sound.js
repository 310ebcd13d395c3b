// The sound of the desk's warnings.

import { Sound } from './sound.js';

const BEEP = [880, 0.18];

const sound = new Sound('agon-sound', true, ['sound.on', 'sound.off']);

/// Beeps so many times.
export function beep(times) {
  sound.play(Array(times).fill(BEEP));
}

/// The switch of the sound.
export function soundSwitch() {
  return sound.button('switch');
}

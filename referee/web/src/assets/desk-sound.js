// The sound of the warnings: short beeps, on or off, which is remembered. Browsers let a page make
// no sound before the first click or key, so the sound is prepared then.

import { html } from './dom.js';
import { onLanguage, remember, remembered, t } from './i18n.js';

const PITCH_HZ = 880;
const LENGTH_S = 0.18;
const GAP_S = 0.12;

let isOn = remembered('agon-sound') !== 'no';
let context = null;

function prepare() {
  if (!isOn || !window.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
}

for (const gesture of ['pointerdown', 'keydown']) document.addEventListener(gesture, prepare, { capture: true });

/// Beeps so many times, if the sound is on and the page may make one.
export function beep(times) {
  if (!isOn || !context) return;
  for (let i = 0; i < times; i += 1) {
    const begin = context.currentTime + i * (LENGTH_S + GAP_S);
    const tone = new OscillatorNode(context, { frequency: PITCH_HZ });
    const volume = new GainNode(context, { gain: 0 });
    // Ramps, because a tone that begins at once clicks.
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.3, begin + 0.01);
    volume.gain.setValueAtTime(0.3, begin + LENGTH_S - 0.02);
    volume.gain.linearRampToValueAtTime(0, begin + LENGTH_S);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH_S);
  }
  document.body.dataset.beeps = Number(document.body.dataset.beeps ?? 0) + times;
}

/// The switch of the sound.
export function soundSwitch() {
  const button = html('button', { type: 'button', className: 'switch', 'data-switch': 'sound' });
  const label = () => {
    button.textContent = t(isOn ? 'sound.on' : 'sound.off');
    button.setAttribute('aria-pressed', String(isOn));
  };
  button.onclick = () => {
    isOn = !isOn;
    remember('agon-sound', isOn ? 'yes' : 'no');
    prepare();
    label();
  };
  onLanguage(label);
  label();
  return button;
}

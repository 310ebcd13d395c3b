// Short tones, on or off by the reader's choice, which is remembered. Browsers let a page make no sound before the first
// click or key, so the sound is prepared then.

import { html } from './dom.js';
import { onLanguage, remember, remembered, t } from './i18n.js';

const GAP_S = 0.12;
const RAMP_S = 0.01;

export class Sound {
  /// `key` remembers the choice, `usual` is it before there is one; `texts` are the keys of the switch's texts, on and off.
  constructor(key, usual, texts) {
    const chosen = remembered(key);
    [this.key, this.texts, this.context] = [key, texts, null];
    this.on = chosen === null || chosen === undefined ? usual : chosen === 'yes';
    for (const gesture of ['pointerdown', 'keydown']) document.addEventListener(gesture, () => this.prepare(), { capture: true });
  }

  prepare() {
    if (!this.on || !window.AudioContext) return;
    this.context ??= new AudioContext();
    if (this.context.state === 'suspended') this.context.resume();
  }

  /// Plays tones one after the other, if the sound is on and the page may make one: pairs of Hz and seconds.
  play(tones) {
    if (!this.on || !this.context) return;
    let begin = this.context.currentTime;
    for (const [pitch, length] of tones) {
      this.tone(begin, pitch, length);
      begin += length + GAP_S;
    }
    document.body.dataset.beeps = Number(document.body.dataset.beeps ?? 0) + tones.length;
  }

  tone(begin, frequency, length) {
    const tone = new OscillatorNode(this.context, { frequency });
    const volume = new GainNode(this.context, { gain: 0 });
    // Ramps, because a tone that begins at once clicks.
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.3, begin + RAMP_S);
    volume.gain.setValueAtTime(0.3, begin + length - RAMP_S);
    volume.gain.linearRampToValueAtTime(0, begin + length);
    tone.connect(volume).connect(this.context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }

  /// The switch.
  button(className) {
    const button = html('button', { type: 'button', className, 'data-switch': 'sound' });
    const label = () => {
      button.textContent = t(this.texts[this.on ? 0 : 1]);
      button.setAttribute('aria-pressed', String(this.on));
    };
    button.onclick = () => {
      this.on = !this.on;
      remember(this.key, this.on ? 'yes' : 'no');
      this.prepare();
      label();
    };
    onLanguage(label);
    label();
    return button;
  }
}

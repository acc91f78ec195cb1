// Sounds and notifications at a table, as the reader's settings have them.

import { root } from "../board/root.js";
import { say } from "../shared/page-data.js";

/** @type {AudioContext | null} */
let audio = null;

/**
 * Plays tones one after the other.
 * @param {number[]} frequencies
 * @param {number} loudness
 * @param {OscillatorType} type
 */
function playTones(frequencies, loudness, type) {
  if (!navigator.userActivation?.hasBeenActive) return; // nobody has touched the page yet: browsers forbid sound
  audio ??= new AudioContext();
  for (const [i, frequency] of frequencies.entries()) {
    const tone = new OscillatorNode(audio, { frequency, type });
    const level = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + i * 0.14;
    level.gain.linearRampToValueAtTime(loudness, start + 0.02);
    level.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(level).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.45);
  }
  root.dataset.sounded = String(Number(root.dataset.sounded ?? 0) + 1);
}

/**
 * Plays the sound of a move: a high tone if something was gained, a knock if a piece was put down.
 * @param {boolean} hasFlights
 */
export function playMoveSound(hasFlights) {
  if (!root.dataset.sounds) return;
  if (hasFlights) playTones([880], 0.035, "sine");
  else playTones([196], 0.05, "sine");
}

/** Tells the reader by sound and notification that it is their turn. */
export function notifyTurn() {
  if (root.dataset.sound) playTones([523, 659], 0.12, "triangle");
  if (root.dataset.notify && document.hidden && globalThis.Notification?.permission === "granted") {
    new Notification("Malecón", { body: say("turn"), icon: "/static/icon.svg", tag: root.dataset.table });
  }
}

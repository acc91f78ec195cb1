// What scripts of the table and the replay share: the page's root element, notes, announcements, sounds.

export const table = document.getElementById("table");
export const replay = document.getElementById("replay");
/** The table or replay that the page shows; null on other pages. */
export const root = table ?? replay;
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const TOAST_MS = 6000;
const MOST_TOASTS = 3;

/** Returns which board the style sheet shows (`--board-layout` in table-layout.css): "wide" or "tall". */
export const layout = () =>
  getComputedStyle(document.documentElement).getPropertyValue("--board-layout").trim() || "wide";

/** Returns a text of the page in the reader's language, from the attribute `data-say-…`. */
export const say = (key) => root?.dataset["say" + key] ?? "";

/** Creates an element with classes, text and attributes. */
export function createElement(tag, classes, text, attributes = {}) {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Shows a note for some seconds and returns it. */
export function toast(text, kind = "") {
  const box = document.getElementById("toasts");
  if (!box || !text) return;
  const note = createElement("p", "toast " + kind, text);
  box.append(note);
  while (box.children.length > MOST_TOASTS) box.firstChild.remove();
  setTimeout(() => note.remove(), TOAST_MS);
  return note;
}

/** Has a screen reader read these lines. */
export function announce(lines) {
  const box = document.getElementById("announcer");
  if (box && lines.length) box.textContent = lines.join(" ");
}

let audio = null;

/** Plays tones one after the other. */
function playTones(frequencies, loudness, type) {
  if (!navigator.userActivation?.hasBeenActive) return; // nobody has touched the page yet: browsers forbid sound
  audio ??= new AudioContext();
  frequencies.forEach((frequency, i) => {
    const tone = new OscillatorNode(audio, { frequency, type });
    const level = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + i * 0.14;
    level.gain.linearRampToValueAtTime(loudness, start + 0.02);
    level.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(level).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.45);
  });
  root.dataset.sounded = Number(root.dataset.sounded ?? 0) + 1;
}

/** Plays the sound of a move: a high tone if something was gained, a knock if a piece was put down. */
export function playMoveSound(flights) {
  if (!table.dataset.sounds) return;
  if (flights.length) playTones([880], 0.035, "sine");
  else playTones([196], 0.05, "sine");
}

/** Tells the reader by sound and notification, as their settings have it, that it is their turn. */
export function notifyTurn() {
  if (table.dataset.sound) playTones([523, 659], 0.12, "triangle");
  if (table.dataset.notify && document.hidden && globalThis.Notification?.permission === "granted") {
    new Notification("Malecón", { body: say("Turn"), icon: "/static/icon.svg", tag: table.dataset.table });
  }
}

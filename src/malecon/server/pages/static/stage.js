// The table or replay that the page shows, and how something is told beside it: notes, announcements, sounds.

export const table = document.getElementById("table");
export const replay = document.getElementById("replay");
export const stage = table ?? replay;
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const narrow = matchMedia("(aspect-ratio < 5/4) and (max-width: 699px)"); // as in shapes.css
export const layout = () => (narrow.matches ? "tall" : "wide");
export const say = (key) => stage?.dataset["say" + key] ?? "";

export function toast(text, kind = "") {
  const box = document.getElementById("toasts");
  if (!box || !text) return;
  const note = document.createElement("p");
  note.className = "toast " + kind;
  note.textContent = text;
  box.append(note);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(() => note.remove(), 6000);
  return note;
}

export function announce(lines) {
  const box = document.getElementById("announcer");
  if (box && lines.length) box.textContent = lines.join(" ");
}

let audio = null;
function play(frequencies, loudness, type) {
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
  stage.dataset.sounded = Number(stage.dataset.sounded ?? 0) + 1;
}

// A few soft ones for moves: higher where something was gained, a knock where a piece was put down.
export function tellMove(flights) {
  if (!table.dataset.sounds) return;
  if (flights.length) play([880], 0.035, "sine");
  else play([196], 0.05, "sine");
}

export function tellTurn() {
  if (table.dataset.sound) play([523, 659], 0.12, "triangle");
  if (table.dataset.notify && document.hidden && globalThis.Notification?.permission === "granted") {
    new Notification("Malecón", { body: say("Turn"), icon: "/static/icon.svg", tag: table.dataset.table });
  }
}

export function make(tag, classes, text, attributes = {}) {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

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
}

export function announce(lines) {
  const box = document.getElementById("announcer");
  if (box && lines.length) box.textContent = lines.join(" ");
}

let audio = null;
function ring() {
  if (!navigator.userActivation?.hasBeenActive) return; // nobody has touched the page yet: browsers forbid sound
  audio ??= new AudioContext();
  [523, 659].forEach((frequency, i) => {
    const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
    const level = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + i * 0.14;
    level.gain.linearRampToValueAtTime(0.12, start + 0.02);
    level.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(level).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.45);
  });
}

export function tellTurn() {
  if (table.dataset.sound) ring();
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

// Previews of moves and explanations of things, beside them.

import { make, stage } from "./stage.js";

export const movesAt = (place) => [...stage.querySelectorAll(".moves button[data-places]")].filter((b) => b.dataset.places.split(" ").includes(place));
export const previewOf = (button) => document.getElementById(button.getAttribute("aria-describedby"))?.textContent ?? "";

let glossary = null;
if (stage) {
  fetch(`/glossary/${stage.dataset.game}/${document.documentElement.lang}`).then(async (answer) => {
    if (answer.ok) glossary = await answer.json();
  });
}

export const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");

export function preview(element, x, y) {
  for (const hot of stage.querySelectorAll(".hot")) hot.classList.remove("hot", "reached");
  const button = element?.closest?.(".moves button[name=move]");
  const place = element?.closest?.(".target");
  const help = button ? null : element?.closest?.("[data-help]");
  const buttons = button ? [button] : place ? movesAt(place.id) : [];
  const reach = (place ?? document.getElementById(button?.dataset.places.split(" ")[0]))?.dataset.reach;
  for (const id of reach?.split(" ") ?? []) document.getElementById(id)?.classList.add("hot", "reached");
  tip.hidden = !buttons.length && !help;
  if (tip.hidden) return;
  const known = help && glossary?.[help.dataset.help];
  const lines = buttons.slice(0, known ? 2 : 4).map((one) => { // short first: the list has them all
    const line = make("p", "", "");
    if (!button) line.append(make("strong", "", one.querySelector("span").textContent), " ");
    line.append(previewOf(one));
    return line;
  });
  if (known) lines.unshift(make("p", "help", known));
  if (!lines.length) return (tip.hidden = true);
  tip.replaceChildren(...lines);
  const places = new Set(buttons.flatMap((one) => one.dataset.places.split(" ")).filter(Boolean));
  const things = [...places].map((id) => document.getElementById(id)).filter(Boolean);
  for (const thing of things) thing.classList.add("hot");
  placeBeside(tip, [button ?? help ?? place, ...things], x, y);
}

// --- where an explanation stands: never over what it explains, nor over holdings, the question and the moves

const KEPT = ".seat .panel, #prompt, .moves :is(button, summary)";

const covered = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

// What of a thing is in sight: a phone's board is larger than its frame.
function inSight(thing, frame) {
  const box = thing.getBoundingClientRect();
  if (!thing.closest(".board")) return box;
  const [top, bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
  return { left: Math.max(box.left, frame.left), right: Math.min(box.right, frame.right), top, bottom: Math.max(top, bottom) };
}

// Of the margin beside the board, the log, the places around the thing and along the board's edges, and all others: the
// first that covers least, in the first width that covers nothing it must not. What can be chosen on the board is kept
// clear too, if there is room.
const WIDTHS = [330, 220, 480];
const WEIGHTS = { thing: 1000, elsewhere: 300, kept: 100, choice: 0.001 };
const STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];

export function placeBeside(note, things, x, y) {
  const frame = stage.querySelector(".board").getBoundingClientRect();
  const explained = things.map((thing) => inSight(thing, frame));
  const weighed = [
    ...explained.map((box, number) => [box, number ? WEIGHTS.elsewhere : WEIGHTS.thing]),
    ...[...stage.querySelectorAll(KEPT)].map((one) => [one.getBoundingClientRect(), WEIGHTS.kept]),
    ...[...stage.querySelectorAll(".board .target")].map((one) => [inSight(one, frame), WEIGHTS.choice]),
  ];
  let best = { cost: Infinity };
  for (const widest of WIDTHS) {
    note.style.maxWidth = `min(${widest}px, 90vw)`;
    const [width, height] = [note.offsetWidth, note.offsetHeight];
    const within = (value, size, room) => Math.max(8, Math.min(value, room - size - 8));
    for (const spot of spots(explained[0], things[0].closest(".board"), frame, width, height, x, y)) {
      const [left, top] = [within(spot[0], width, innerWidth), within(spot[1], height, innerHeight)];
      const here = { left, top, right: left + width, bottom: top + height };
      const cost = weighed.reduce((sum, [box, weight]) => sum + weight * covered(here, box), 0);
      if (cost < best.cost) best = { cost, left, top, widest };
    }
    if (best.cost < WEIGHTS.kept) break;
  }
  Object.assign(note.style, { maxWidth: `min(${best.widest}px, 90vw)`, left: best.left + "px", top: best.top + "px" });
}

function spots(box, onBoard, board, width, height, x, y) {
  const log = stage.querySelector(".log-box").getBoundingClientRect();
  const across = (x ?? (box.left + box.right) / 2) - width / 2;
  const down = (y ?? (box.top + box.bottom) / 2) - height / 2;
  return [
    onBoard ? [board.right + 10, down] : [box.left - width - 12, box.top],
    [log.left, log.top],
    [across, box.top - height - 12],
    [across, box.bottom + 12],
    [box.left - width - 12, down],
    [box.right + 12, down],
    ...STEPS.flatMap((a) => STEPS.map((b) => [a * (innerWidth - width), b * (innerHeight - height)])),
  ];
}

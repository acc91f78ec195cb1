// Previews of moves and explanations of things, where the finger is.

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
  const lines = buttons.slice(0, 4).map((one) => {
    const line = make("p", "", "");
    if (!button) line.append(make("strong", "", one.querySelector("span").textContent), " ");
    line.append(previewOf(one));
    return line;
  });
  const known = help && glossary?.[help.dataset.help];
  if (known) lines.unshift(make("p", "help", known));
  if (!lines.length) return (tip.hidden = true);
  tip.replaceChildren(...lines);
  for (const one of buttons) {
    for (const id of one.dataset.places.split(" ").filter(Boolean)) document.getElementById(id)?.classList.add("hot");
  }
  const box = element.getBoundingClientRect();
  placeBeside(box, x ?? box.left + box.width / 2, y);
}

// Beside what it explains, never over it: in the margin next to the board, else above or below the thing itself.
function placeBeside(box, x, y) {
  const within = (value, size, room) => Math.max(8, Math.min(value, room - size - 8));
  const board = stage.querySelector(".board").getBoundingClientRect();
  const inside = box.left >= board.left && box.right <= board.right + 1;
  let [left, top] = [x - tip.offsetWidth / 2, box.top - tip.offsetHeight - 12];
  if (inside && innerWidth - board.right > 200) {
    [left, top] = [board.right + 10, (y ?? box.top) - tip.offsetHeight / 2];
  } else if (!inside && board.left < box.left && box.left - tip.offsetWidth > 20) {
    [left, top] = [box.left - tip.offsetWidth - 12, box.top];
  } else if (top < 8) top = box.bottom + 12;
  tip.style.left = within(left, tip.offsetWidth, innerWidth) + "px";
  tip.style.top = within(top, tip.offsetHeight, innerHeight) + "px";
}

// Previews of moves and explanations of things, where the finger is.

import { make, narrow, stage } from "./stage.js";

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
  for (const hot of stage.querySelectorAll(".hot")) hot.classList.remove("hot");
  const button = element?.closest?.(".moves button");
  const place = element?.closest?.(".target");
  const help = button ? null : element?.closest?.("[data-help]");
  const buttons = button ? [button] : place ? movesAt(place.id) : [];
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
  const left = x ?? box.left + box.width / 2;
  if (button && !narrow.matches) y = stage.querySelector("#dock").getBoundingClientRect().top + 8; // not over the prompt
  const above = (y ?? box.top) > tip.offsetHeight + 20;
  tip.style.left = Math.max(8, Math.min(left - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (above ? (y ?? box.top) - tip.offsetHeight - 14 : (y ?? box.bottom) + 18) + "px";
}

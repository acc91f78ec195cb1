// The search on the analysis board: it is asked step by step, with a longer search each time, until the page is left.

import { createElement } from "./page.js";

const box = document.querySelector("[data-think]");
const status = box?.querySelector("[data-status]");
const button = box?.querySelector("[data-begin]");

/** Asks for a step of the search; returns null and shows the error if there is none. */
async function requestStep(step) {
  const response = await fetch(box.dataset.think, {
    method: "POST",
    body: new URLSearchParams({ step }),
    headers: { accept: "application/json" },
  }).catch(() => null);
  if (!response) return null;
  const answer = await response.json();
  if (response.ok) return answer;
  status.textContent = answer.error;
  return null;
}

/** Lists the best moves, each as a button that makes it. */
function showMoves(moves) {
  const items = moves.map(({ move, label, chance }) => {
    const choice = createElement("button", "small", "", { name: "move", value: move });
    choice.append(createElement("span", "", label), " ", createElement("strong", "", chance));
    const form = createElement("form", "", "", { method: "post", action: box.dataset.move });
    form.append(choice);
    const item = createElement("li", "", "");
    item.append(form);
    return item;
  });
  box.querySelector("[data-moves]").replaceChildren(...items);
}

/** Shows the best line, as a form that adds it to the analysis. */
function showLine(line) {
  const form = box.querySelector("[data-line]");
  const items = line.map(({ move, told: text }) => {
    const item = createElement("li", "", text);
    item.append(createElement("input", "", "", { type: "hidden", name: "move", value: move }));
    return item;
  });
  form.querySelector("ol").replaceChildren(...items);
  form.hidden = !line.length;
}

/** Searches step by step and then shows the best line. */
async function search() {
  button.disabled = true;
  status.textContent = status.dataset.sayThinking;
  const steps = Number(box.dataset.steps);
  for (let step = 0; step < steps; step++) {
    const answer = await requestStep(step);
    if (!answer) return void (button.disabled = false);
    showMoves(answer.moves);
    if (!answer.more) break;
  }
  const last = await requestStep(steps);
  if (last) {
    showLine(last.line);
    status.textContent = "";
  }
  button.disabled = false;
}

if (box) {
  button.hidden = false;
  button.addEventListener("click", search);
}
for (const field of document.querySelectorAll("[data-address]")) {
  field.value = new URL(field.getAttribute("value"), location.href);
}
const current = document.getElementById("current");
const rows = current?.closest(".tree-rows");
if (rows) rows.scrollTop = current.offsetTop - rows.offsetTop - rows.clientHeight / 2;

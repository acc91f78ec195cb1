// The search on the analysis board: it is asked step by step, with a longer search each time, until the page is left.

import { completeAddresses, createElement, find } from "../shared/elements.js";
import { pageData, say } from "../shared/page-data.js";
import { postForm } from "../shared/requests.js";
import "./exercise.js";

/** @typedef {{ move: string, label: string, chance: string }} AdvisedMove */
/** @typedef {{ move: string, told: string }} LineMove */
/** @typedef {{ moves: AdvisedMove[], line: LineMove[] }} SearchStep */

const box = find(document, "[data-think]", HTMLElement);
const status = find(box, "[data-status]", HTMLElement);
const button = find(box, "[data-begin]", HTMLButtonElement);

/**
 * Lists the best moves, each as a button that makes it.
 * @param {AdvisedMove[]} moves
 */
function showMoves(moves) {
  const items = moves.map(({ move, label, chance }) => {
    const choice = createElement("button", "small", "", { name: "move", value: move });
    choice.append(createElement("span", "", label), " ", createElement("strong", "", chance));
    const form = createElement("form", "", "", { method: "post", action: box?.dataset.move ?? "" });
    form.append(choice);
    const item = createElement("li", "", "");
    item.append(form);
    return item;
  });
  box?.querySelector("[data-moves]")?.replaceChildren(...items);
}

/**
 * Shows the best line, as a form that adds it to the analysis.
 * @param {LineMove[]} line
 */
function showLine(line) {
  const form = find(box, "[data-line]", HTMLFormElement);
  if (!form) return;
  const items = line.map(({ move, told: text }) => {
    const item = createElement("li", "", text);
    item.append(createElement("input", "", "", { type: "hidden", name: "move", value: move }));
    return item;
  });
  form.querySelector("ol")?.replaceChildren(...items);
  form.hidden = !line.length;
}

/**
 * Searches step by step and then shows the best line; returns what to tell the reader at the end.
 * @param {string} path
 * @param {number} steps
 */
async function search(path, steps) {
  /** @param {number} step @returns {Promise<SearchStep>} */
  const request = (step) => postForm(path, new URLSearchParams({ step: String(step) }));
  try {
    for (let step = 0; step < steps; step++) {
      const { moves } = await request(step);
      showMoves(moves);
    }
    showLine((await request(steps)).line);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

if (box && button && status) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = say("thinking");
    status.textContent = await search(box.dataset.think ?? "", pageData.steps ?? 0);
    button.disabled = false;
  });
}
completeAddresses(document);
const current = document.getElementById("current");
const rows = current?.closest(".tree-rows");
if (current && rows instanceof HTMLElement) {
  rows.scrollTop = current.offsetTop - rows.offsetTop - rows.clientHeight / 2;
}

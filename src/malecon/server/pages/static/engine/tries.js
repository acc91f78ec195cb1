// The answer to a move that somebody tries in a puzzle or an exercise, at once: its chance beside that of the best one.
//
// The engine begins to think when the page is opened, so that it has something to say. Whether the move is right, the
// page knows. Reasons come from the server, if they are asked for. If the engine cannot run, forms are sent as ever.

import { createElement, find, findAll } from "../shared/elements.js";
import { fill, say } from "../shared/page-data.js";
import { postForm } from "../shared/requests.js";
import { fromBase64, startEngine } from "./client.js";
import { asNumber, asPercent, shownPosition } from "./position.js";

/** @typedef {import("./engine.js").Thought} Thought */

const OPTIONS = { nodes: 1 << 16, margin: 0 };
const AHEAD_MS = 3000;
const ANSWER_MS = 250;

const box = find(document, "#tried-move", HTMLElement);
/** The form whose moves are tried here; on a page about a move that was made before, it works as ever. */
const form = box?.dataset.tried ? null : find(document, ".exercise-moves", HTMLFormElement);
const position = shownPosition();
let engine = box && position ? startEngine(box.dataset.engine, { options: OPTIONS, onFailure: giveUp }) : null;
/** The move that was tried last. */
let tried = "";

/** The engine broke: what was tried goes to the server. */
function giveUp() {
  engine = null;
  const button = findAll(form, "button[name=move]", HTMLButtonElement).find(({ value }) => value === tried);
  if (button) form?.requestSubmit(button);
}

/** Puts a text into the box. */
function write(/** @type {string} */ selector, /** @type {string} */ text) {
  const element = find(box, selector, HTMLElement);
  if (element) element.textContent = text;
}

/** Says whether a move is right, if the page knows that. */
function showVerdict(/** @type {string} */ move) {
  if (!box) return;
  const { solution } = box.dataset;
  const isRight = move === solution;
  write("[data-verdict]", solution ? say(isRight ? "right" : "wrong") : "");
  const verdict = find(box, ".verdict", HTMLElement);
  verdict?.classList.toggle("right", isRight);
  verdict?.classList.toggle("wrong", !isRight);
  if (verdict) verdict.hidden = !solution || Boolean(box.dataset.tried); // then the page itself says it
  write("[data-move]", "");
  write("[data-other]", "");
  box.hidden = false;
}

/** Says what a move leaves, and what the best other one. */
function showChances(/** @type {string} */ move, /** @type {Thought} */ { moves }) {
  const choice = moves.find(({ name }) => name === move);
  if (!choice?.visits || !box) return;
  box.hidden = false;
  const others = moves.filter(({ name, visits }) => name !== move && visits);
  const best = Math.max(...others.map(({ chance }) => chance));
  const label = position?.labels[move] ?? move;
  const isBest = choice.chance >= best;
  const isStored = Boolean(box.dataset.tried && box.dataset.solution); // the page itself says what the solution leaves
  const isSolution = move === box.dataset.solution;
  if (!isStored || !isSolution)
    write("[data-move]", fill(say("tried"), { move: label, chance: asNumber(choice.chance) }));
  if (!isStored || isSolution)
    write(
      "[data-other]",
      others.length ? fill(say(isBest ? "othersLeave" : "bestLeaves"), { chance: asNumber(best) }) : "",
    );
  const button = findAll(form, "button[name=move]", HTMLButtonElement).find(({ value }) => value === move);
  if (!button) return;
  button.querySelector(".chance")?.remove();
  button.append(createElement("span", "chance", asPercent(choice.chance)));
}

/** Thinks about a move until its chance can be said. */
async function answer(/** @type {string} */ move) {
  const block = fromBase64(position?.block ?? "");
  const report = await engine?.ask(block, { limits: { ms: ANSWER_MS }, look: [move] });
  if (report && move === tried) showChances(move, report.thought);
}

/** Tries a move on the page; the server is told if it counts. */
function tryMove(/** @type {string} */ move) {
  tried = move;
  showVerdict(move);
  const onward = find(box, "[data-onward]", HTMLElement);
  if (onward) onward.hidden = false;
  const address = form?.getAttribute("action") ?? "";
  if (box?.dataset.counts) postForm(address, new URLSearchParams({ move })).catch(() => {});
  answer(move);
}

form?.addEventListener("submit", (event) => {
  const move = event.submitter instanceof HTMLButtonElement ? event.submitter.value : "";
  if (!engine || !move || event.submitter?.hasAttribute("data-really")) return;
  event.preventDefault();
  tryMove(move);
});

find(box, "[data-why]", HTMLButtonElement)?.addEventListener("click", () => {
  if (!form) return;
  const button = createElement("button", "", "", { name: "move", value: tried, "data-really": "", hidden: "" });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
});

if (engine && box && position) {
  tried = box.dataset.tried ?? "";
  if (tried) answer(tried);
  else engine.think(fromBase64(position.block), { limits: { ms: AHEAD_MS } });
}

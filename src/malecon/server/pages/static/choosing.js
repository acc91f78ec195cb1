// Choosing among many moves: by one place on the board and then another, by dragging, by typing, by stepping.

import { movesAt, previewOf } from "./preview.js";
import { make, say, stage, table, toast } from "./stage.js";

let choose = () => {};
export const useChooser = (chooser) => (choose = chooser);

const buttons = () => [...stage.querySelectorAll(".moves button[name=move]")];
const shown = () => buttons().filter((button) => !button.closest("li").hidden);

// Show these moves alone; the places that tell them apart are ready to be clicked.
function only(wanted) {
  const kept = new Set(wanted);
  for (const button of buttons()) button.closest("li").hidden = !kept.has(button);
  for (const group of stage.querySelectorAll(".moves .group")) {
    group.hidden = !wanted.some((button) => group.contains(button));
    group.firstElementChild.open = !group.hidden;
  }
  const all = stage.querySelector("[data-all]");
  if (all) all.hidden = false;
  stage.querySelector(".moves")?.classList.add("narrowed");
  const steps = new Set(wanted.flatMap((button) => button.dataset.places.split(" ")));
  for (const step of stage.querySelectorAll(".target.step")) step.classList.toggle("ready", steps.has(step.id));
}

export function showAll() {
  const all = stage.querySelector("[data-all]");
  if (!all || all.hidden) return;
  all.hidden = true;
  stage.querySelector(".moves").classList.remove("narrowed");
  for (const line of stage.querySelectorAll(".moves li")) line.hidden = false;
  for (const group of stage.querySelectorAll(".moves .group")) group.firstElementChild.open = false;
  for (const step of stage.querySelectorAll(".target.step")) step.classList.remove("ready");
}

// What belongs to a place, among what is shown; a place that does not fit begins anew.
function fitting(place) {
  const here = movesAt(place);
  const narrowed = stage.querySelector(".moves")?.classList.contains("narrowed");
  const left = narrowed ? here.filter((button) => shown().includes(button)) : here;
  return left.length ? left : here;
}

export function clickPlace(target) {
  const found = fitting(target.id);
  if (found.length === 1) return choose(found[0]);
  if (!found.length) return;
  only(found);
  toast(say("Several"));
  found[0].focus({ preventScroll: true });
}

// An opened group stands alone.
stage?.addEventListener(
  "toggle",
  (event) => {
    const group = event.target.closest?.(".moves .group");
    if (!group || !event.target.open || stage.querySelector(".moves.narrowed")) return;
    only([...group.querySelectorAll("button[name=move]")]);
    group.querySelector("button[name=move]").focus({ preventScroll: true });
  },
  true,
);

// --- typing

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
const matches = (text) => {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  return buttons().filter((button) => {
    const said = plain(`${button.textContent} ${button.value}`);
    return wanted.every((word) => said.includes(word));
  });
};

export function filter(text) {
  if (!text.trim()) return showAll();
  const found = matches(text);
  if (found.length) only(found);
}

// The one move that was typed, by its notation or because nothing else fits.
export function onlyMatch(text) {
  const exact = buttons().find((button) => button.value === text.trim().toLowerCase());
  const found = exact ? [exact] : matches(text);
  return found.length === 1 ? found[0] : null;
}

// --- amounts: a stepper that shows what is left over

let at = 0;
let atVersion = null;
export function dressAmounts() {
  const box = stage.querySelector("[data-amounts]");
  if (!box) return;
  const moves = [...stage.querySelectorAll(".moves li:not(.out) > button[name=move]")];
  const version = stage.querySelector(".moves [name=version]").value;
  if (version !== atVersion) [at, atVersion] = [0, version];
  at = Math.max(0, Math.min(at, moves.length - 1));
  const less = make("button", "small", "−", { type: "button", "aria-label": box.dataset.sayLess, "data-less": "" });
  const more = make("button", "small", "+", { type: "button", "aria-label": box.dataset.sayMore, "data-more": "" });
  const yes = make("button", "primary", moves[at].querySelector("span").textContent, { type: "button", "data-amount": "" });
  less.disabled = at === 0;
  more.disabled = at === moves.length - 1;
  less.onclick = () => step(-1, "[data-less]");
  more.onclick = () => step(1, "[data-more]");
  yes.onclick = () => choose(moves[at]);
  box.replaceChildren(less, yes, more, make("p", "kind", previewOf(moves[at]), { "aria-live": "polite" }));
}

function step(by, focus) {
  at += by;
  dressAmounts();
  const again = stage.querySelector(`[data-amounts] ${focus}:not(:disabled)`) ?? stage.querySelector("[data-amount]");
  again?.focus();
}

// --- dragging from one place to another: what belongs to both

let from = null;
if (table) {
  table.addEventListener("pointerdown", (event) => (from = event.target.closest?.(".board .target") ?? null));
  document.addEventListener("pointerup", (event) => {
    const start = from;
    from = null;
    if (!start?.isConnected) return;
    const end = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".board .target");
    if (!end || end === start || start.contains(end) || end.contains(start)) return;
    const both = movesAt(start.id).filter((button) => movesAt(end.id).includes(button));
    if (both.length === 1) choose(both[0]);
    else if (both.length) only(both);
  });
}

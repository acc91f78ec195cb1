// Watching a game: stepping through it, playing it by itself, the log and the chart as ways to a move, and its review.

import { fly } from "./motion.js";
import { announce, replay, stage } from "./stage.js";

const PAUSES = { slow: 2600, normal: 1300, fast: 450 }; // milliseconds between moves
const LEFT = 80 / 960; // where the chart's lines begin and end, as in drawing/charts.py
const RIGHT = 944 / 960;

const shown = () => Number(document.getElementById("slider").value);
const total = () => Number(replay.dataset.total);

let show = null; // how a page is put in place of another one: malecon.js knows
export const showBy = (swap) => (show = swap);

let steps = Promise.resolve();
let wanted = null;
export function step(number) {
  wanted = number;
  steps = steps.then(async () => {
    if (wanted !== number) return; // a later wish has overtaken this one
    const from = shown();
    const answer = await fetch(replay.dataset.replay + number, { headers: { accept: "application/json" } });
    if (!answer.ok) return;
    const found = await answer.json();
    await show(found);
    fly(found.moves === from + 1 ? found.flights : []);
    history.replaceState(null, "", replay.dataset.replay + found.moves);
    const told = stage.querySelector(".log [aria-current]");
    announce([document.getElementById("prompt").textContent, told?.textContent ?? ""]);
  });
  return steps;
}

// --- playing by itself

let clock = null;
function play(wish) {
  clearTimeout(clock);
  clock = null;
  if (wish && shown() >= total()) wish = false;
  replay.dataset.playing = wish ? "on" : "";
  dressPlay();
  if (wish) clock = setTimeout(onward, PAUSES[document.getElementById("speed").value]);
}

async function onward() {
  const going = clock;
  await step(shown() + 1);
  if (clock === going) play(true);
}

function dressPlay() {
  const button = replay.querySelector("[data-play]");
  const label = replay.dataset.playing ? replay.dataset.sayPause : replay.dataset.sayPlay;
  for (const name of ["aria-label", "title"]) button.setAttribute(name, label);
}

// --- what stands beside the board

function dressPanes() {
  const buttons = [...replay.querySelectorAll("[data-pane].small")];
  if (!buttons.some((button) => button.dataset.pane === replay.dataset.pane)) replay.dataset.pane = "log";
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.pane === replay.dataset.pane));
  const log = replay.querySelector(".log");
  const lines = [...log.querySelectorAll("li:not(.later)")];
  const line = lines.at(-1);
  if (line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight * 0.6;
}

let reviewed = false;
export function watch() {
  const has = replay.querySelector(".review") !== null;
  if (has && !reviewed && !replay.dataset.asked) replay.dataset.pane = "review";
  reviewed = has;
  dressPanes();
  dressPlay();
  awaitReview();
}

// The decision of the chart that is nearest to where somebody clicked.
function chartStep(chart, x) {
  const box = chart.querySelector("svg").getBoundingClientRect();
  const decisions = chart.dataset.steps.split(" ");
  const share = ((x - box.left) / box.width - LEFT) / (RIGHT - LEFT);
  const nearest = Math.round(Math.min(1, Math.max(0, share)) * (decisions.length - 1));
  return Number(decisions[nearest]) + 1;
}

// --- waiting for a review

let waiting = null;
function awaitReview() {
  const note = stage.querySelector("[data-wait]");
  if (!note || waiting) return;
  waiting = setTimeout(async () => {
    waiting = null;
    const answer = await fetch(note.dataset.wait, { headers: { accept: "application/json" } }).catch(() => null);
    const found = answer?.ok ? await answer.json() : null;
    const now = stage.querySelector("[data-wait] span");
    if (found?.ready || found?.over) step(shown());
    else if (now) {
      if (found) now.textContent = found.status;
      awaitReview();
    }
  }, 700);
}

export async function askReview(form, send) {
  if (await send(form)) step(shown());
}

// --- listening

replay?.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  let found;
  if ((found = on("[data-step]"))) {
    event.preventDefault();
    play(false);
    step(Number(found.dataset.step));
  } else if (on("[data-play]")) play(!replay.dataset.playing);
  else if ((found = on("[data-pane].small"))) {
    replay.dataset.pane = replay.dataset.asked = found.dataset.pane;
    dressPanes();
  } else if ((found = on(".review-chart"))) {
    play(false);
    step(chartStep(found, event.clientX));
  }
});

replay?.addEventListener("input", (event) => {
  if (event.target.id !== "slider") return;
  play(false);
  step(Number(event.target.value));
});

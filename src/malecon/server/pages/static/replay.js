// Replaying a game: step by step, by itself, from its log and its chart, with its review.

import { animateFlights } from "./motion.js";
import { announce, replay } from "./page.js";

const PAUSES_MS = { slow: 2600, normal: 1300, fast: 450 }; // between moves, by speed
const REVIEW_POLL_MS = 700;
const JSON_HEADERS = { accept: "application/json" };

/** Returns after how many moves the page shows the position. */
const currentStep = () => Number(document.getElementById("slider").value);
const lastStep = () => Number(replay.dataset.total);

let render = null; // puts a page in place of another one; main.js passes it, so that the two do not import each other
export const useRenderer = (renderer) => (render = renderer);

let steps = Promise.resolve();
let requested = null;

/** Shows the position after a number of moves; a later request overtakes those that wait. */
function goTo(number) {
  requested = number;
  steps = steps.then(async () => {
    if (requested !== number) return;
    const from = currentStep();
    const response = await fetch(replay.dataset.replay + number, { headers: JSON_HEADERS });
    if (!response.ok) return;
    const page = await response.json();
    await render(page);
    animateFlights(page.moves === from + 1 ? page.flights : []);
    history.replaceState(null, "", replay.dataset.replay + page.moves);
    const line = replay.querySelector(".log [aria-current]");
    announce([document.getElementById("prompt").textContent, line?.textContent ?? ""]);
  });
  return steps;
}

// --- playing by itself

let timer = null;

/** Starts or stops playing; at the end there is nothing to start. */
function setPlaying(on) {
  clearTimeout(timer);
  timer = null;
  const playing = on && currentStep() < lastStep();
  replay.dataset.playing = playing ? "on" : "";
  updatePlayButton();
  if (playing) timer = setTimeout(playNext, PAUSES_MS[document.getElementById("speed").value]);
}

/** Shows the next move and goes on, unless the reader did something else meanwhile. */
async function playNext() {
  const current = timer;
  await goTo(currentStep() + 1);
  if (timer === current) setPlaying(true);
}

function updatePlayButton() {
  const button = replay.querySelector("[data-play]");
  const label = replay.dataset.playing ? replay.dataset.sayPause : replay.dataset.sayPlay;
  for (const name of ["aria-label", "title"]) button.setAttribute(name, label);
}

// --- what stands beside the board

/** Marks the chosen pane's button, and scrolls the log to the current move. */
function updatePanes() {
  const buttons = [...replay.querySelectorAll("[data-pane].small")];
  if (!buttons.some((button) => button.dataset.pane === replay.dataset.pane)) replay.dataset.pane = "log";
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.pane === replay.dataset.pane));
  }
  const log = replay.querySelector(".log");
  const line = [...log.querySelectorAll("li:not(.later)")].at(-1);
  if (line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight * 0.6;
}

let hadReview = false;

/** Brings controls up to date with what was rendered; a review that has come is opened. */
export function updateReplay() {
  const hasReview = replay.querySelector(".review") !== null;
  if (hasReview && !hadReview && !replay.dataset.asked) replay.dataset.pane = "review";
  hadReview = hasReview;
  updatePanes();
  updatePlayButton();
  awaitReview();
}

/** Returns the step after the decision of the chart that is nearest to a click; its grid spans all decisions. */
function chartStep(chart, x) {
  const box = chart.querySelector(".chart-grid").getBoundingClientRect();
  const decisions = chart.dataset.steps.split(" ");
  const share = Math.min(1, Math.max(0, (x - box.left) / box.width));
  return Number(decisions[Math.round(share * (decisions.length - 1))]) + 1;
}

// --- waiting for a review

let reviewTimer = null;

/** Asks how far the review is, until it is there. */
function awaitReview() {
  const note = replay.querySelector("[data-wait]");
  if (!note || reviewTimer) return;
  reviewTimer = setTimeout(async () => {
    reviewTimer = null;
    const response = await fetch(note.dataset.wait, { headers: JSON_HEADERS }).catch(() => null);
    const review = response?.ok ? await response.json() : null;
    const status = replay.querySelector("[data-wait] span");
    if (review?.ready || review?.over) goTo(currentStep());
    else if (status) {
      if (review) status.textContent = review.status;
      awaitReview();
    }
  }, REVIEW_POLL_MS);
}

/** Asks for a review with a form, and shows that it is being made. */
export async function requestReview(form, send) {
  if (await send(form)) goTo(currentStep());
}

// --- listening

replay?.addEventListener("click", (event) => {
  const closest = (selector) => event.target.closest?.(selector);
  const step = closest("[data-step]");
  const pane = closest("[data-pane].small");
  const chart = closest(".review-chart");
  if (step) {
    event.preventDefault();
    setPlaying(false);
    goTo(Number(step.dataset.step));
  } else if (closest("[data-play]")) setPlaying(!replay.dataset.playing);
  else if (pane) {
    replay.dataset.pane = replay.dataset.asked = pane.dataset.pane;
    updatePanes();
  } else if (chart) {
    setPlaying(false);
    goTo(chartStep(chart, event.clientX));
  }
});

replay?.addEventListener("input", (event) => {
  if (event.target.id !== "slider") return;
  setPlaying(false);
  goTo(Number(event.target.value));
});

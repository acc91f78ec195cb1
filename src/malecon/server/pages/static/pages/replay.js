// Replaying a game: step by step, by itself, from its log and its chart, with its review.

import { CLICKS, onKeys } from "../board/controls.js";
import { animateFlights } from "../board/motion.js";
import { afterRender, onRender, render } from "../board/rendering.js";
import { root } from "../board/root.js";
import { Helpers } from "../engine/helpers.js";
import { findPanel, isWanted } from "../engine/panel.js";
import { asNumber, shownPosition } from "../engine/position.js";
import { announce, byId, closest, find, findAll, onClicks, toast } from "../shared/elements.js";
import { fill, pageData, say } from "../shared/page-data.js";
import { fieldsOf, getJson, postForm, RequestError } from "../shared/requests.js";
import "../board/close-up.js";
import "../board/keyboard-navigation.js";
import "../board/zoom.js";

/** @typedef {{ html: string, moves: number, flights: import("../board/motion.js").Flight[] }} ReplayStep */
/** @typedef {{ ready?: boolean, over?: boolean, status: string }} ReviewProgress */

/** @type {Record<string, number>} */
const PAUSES_MS = { slow: 2600, normal: 1300, fast: 450 }; // between moves, by speed
const REVIEW_POLL_MS = 700;

const slider = () => byId("slider", HTMLInputElement);

/** Returns after how many moves the page shows the position. */
const currentStep = () => Number(slider().value);
const lastStep = () => pageData.total ?? 0;

let steps = Promise.resolve();
/** @type {number | null} */
let requested = null;

/**
 * Shows the position after a number of moves; a later request overtakes those that wait.
 * @param {number} number
 */
function goTo(number) {
  requested = number;
  steps = steps.then(() => showStep(number));
  return steps;
}

/**
 * Shows the position after a number of moves, unless another one has been asked for since.
 * @param {number} number
 */
async function showStep(number) {
  if (requested !== number) return;
  const from = currentStep();
  /** @type {ReplayStep | null} */
  const step = await getJson(`${root.dataset.replay}${number}`).catch(() => null);
  if (!step) return;
  await render(step);
  animateFlights(step.moves === from + 1 ? step.flights : []);
  history.replaceState(null, "", `${root.dataset.replay}${step.moves}`);
  const line = root.querySelector(".log [aria-current]");
  announce([document.getElementById("prompt")?.textContent ?? "", line?.textContent ?? ""]);
}

// --- playing by itself

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Starts or stops playing; at the end there is nothing to start.
 * @param {boolean} on
 */
function setPlaying(on) {
  clearTimeout(timer);
  timer = undefined;
  const playing = on && currentStep() < lastStep();
  root.dataset.playing = playing ? "on" : "";
  updatePlayButton();
  if (playing) timer = setTimeout(playNext, PAUSES_MS[byId("speed", HTMLSelectElement).value]);
}

/** Shows the next move and goes on, unless the reader did something else meanwhile. */
async function playNext() {
  const current = timer;
  await goTo(currentStep() + 1);
  if (timer === current) setPlaying(true);
}

function updatePlayButton() {
  const button = root.querySelector("[data-play]");
  const label = root.dataset.playing ? say("pause") : say("play");
  for (const name of ["aria-label", "title"]) button?.setAttribute(name, label);
}

// --- what stands beside the board

/** Marks the chosen pane's button, and scrolls the log to the current move. */
function updatePanes() {
  const buttons = findAll(root, "[data-pane].small", HTMLElement);
  if (!buttons.some((button) => button.dataset.pane === root.dataset.pane)) root.dataset.pane = "log";
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.pane === root.dataset.pane));
  }
  const log = find(root, ".log", HTMLElement);
  const line = findAll(log, "li:not(.later)", HTMLElement).at(-1);
  if (log && line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight * 0.6;
  updateEngine();
}

let panel = findPanel();
const helpers =
  panel &&
  new Helpers(panel.address, (_, { position, report }) => {
    panel?.learn(position, report);
    showFindings();
  });

/** @param {number | string} step */
const positionPath = (step) => `${root.dataset.replay}${step}/position`;

/**
 * Lets the engine think about the position while its pane is shown, and further workers about the moves before and
 * after it; while the review is shown, about its turning points.
 */
function updateEngine() {
  if (panel && !panel.isShown) {
    panel.close();
    panel = findPanel(); // the whole page was rendered again
  }
  const { pane } = root.dataset;
  if (pane !== "engine") panel?.pause();
  else {
    panel?.show(shownPosition());
    panel?.resume();
  }
  const step = currentStep();
  const neighbours = [step + 1, step - 1].filter((other) => other >= 0 && other < lastStep());
  const points = findAll(root, ".review [data-finding]", HTMLElement).map(({ dataset }) => dataset.finding ?? "");
  const isUsed = panel?.isOn || (pane === "review" && isWanted());
  helpers?.want(isUsed ? (pane === "review" ? points : neighbours).map(positionPath) : []);
  showFindings();
}

/** Says beside each turning point what a longer search thinks of it. */
function showFindings() {
  for (const note of findAll(root, ".review [data-finding]", HTMLElement)) {
    const finding = helpers?.of(positionPath(note.dataset.finding ?? ""));
    if (!finding || note.textContent) continue;
    const { labels, made = "" } = finding.position;
    const { moves, simulations } = finding.report.thought;
    const chosen = moves.find(({ name }) => name === made);
    const texts = [fill(say("deeper"), { count: String(simulations) })];
    texts.push(fill(say("tried"), { move: labels[moves[0].name], chance: asNumber(moves[0].chance) }));
    if (chosen && chosen !== moves[0]) {
      texts.push(fill(say("onlyLeaves"), { move: labels[made], chance: asNumber(chosen.chance) }));
    }
    note.textContent = texts.join(" ");
  }
}

let hadReview = false;

/** Brings controls up to date with what was rendered; a review that has come is opened. */
function updateReplay() {
  slider().value = byId("prompt", HTMLElement).dataset.moves ?? "0";
  const hasReview = root.querySelector(".review") !== null;
  if (hasReview && !hadReview && !root.dataset.asked) root.dataset.pane = "review";
  hadReview = hasReview;
  updatePanes();
  updatePlayButton();
  awaitReview();
}

/**
 * Returns the step after the decision of the chart that is nearest to a click; its grid spans all decisions.
 * @param {HTMLElement} chart
 * @param {number} x
 */
function chartStep(chart, x) {
  const box = (chart.querySelector(".chart-grid") ?? chart).getBoundingClientRect();
  const decisions = (chart.dataset.steps ?? "").split(" ");
  const share = Math.min(1, Math.max(0, (x - box.left) / box.width));
  return Number(decisions[Math.round(share * (decisions.length - 1))]) + 1;
}

// --- waiting for a review

/** @type {ReturnType<typeof setTimeout> | undefined} */
let reviewTimer;

/** Asks how far the review is, until it is there. */
function awaitReview() {
  const note = find(root, "[data-wait]", HTMLElement);
  if (!note || reviewTimer) return;
  reviewTimer = setTimeout(async () => {
    reviewTimer = undefined;
    /** @type {ReviewProgress | null} */
    const review = await getJson(note.dataset.wait ?? "").catch(() => null);
    const status = root.querySelector("[data-wait] span");
    if (review?.ready || review?.over) goTo(currentStep());
    else if (status) {
      if (review) status.textContent = review.status;
      awaitReview();
    }
  }, REVIEW_POLL_MS);
}

/**
 * Asks for a review with a form, and shows that it is being made.
 * @param {HTMLFormElement} form
 */
async function requestReview(form) {
  try {
    await postForm(form.getAttribute("action") ?? "", fieldsOf(form));
    goTo(currentStep());
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    toast(error.message, "error");
    announce([error.message]);
  }
}

// --- listening

document.addEventListener("submit", (event) => {
  const form = closest(event.target, "[data-review]", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  requestReview(form);
});

onClicks([
  ...CLICKS,
  [
    "[data-step]",
    (control, event) => {
      event.preventDefault();
      setPlaying(false);
      goTo(Number(control.dataset.step));
    },
  ],
  ["[data-play]", () => setPlaying(!root.dataset.playing)],
  [
    "[data-pane].small",
    (button) => {
      root.dataset.pane = root.dataset.asked = button.dataset.pane;
      updatePanes();
    },
  ],
  [
    ".review-chart",
    (chart, event) => {
      setPlaying(false);
      goTo(chartStep(chart, event.clientX));
    },
  ],
]);

onKeys(
  () => {},
  () => false,
);

root.addEventListener("input", ({ target }) => {
  if (target !== slider()) return;
  setPlaying(false);
  goTo(currentStep());
});

onRender(updateReplay);
afterRender();

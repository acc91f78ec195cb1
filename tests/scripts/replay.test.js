// pages/replay.js: step by step, by itself, from its log and its chart, with its review.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  announced,
  answerRequests,
  click,
  forgetNotes,
  get,
  getForm,
  getInput,
  openPage,
  passTime,
  press,
  requests,
  setBox,
  settle,
  stopClock,
  submit,
  toasts,
  unreachable,
} from "./page.js";

const LAST_STEP = 6;
let reviewPart = "";

/**
 * Returns the HTML of a step, as replay_body.html writes it.
 * @param {number} step
 */
const body = (step) =>
  `<section class="board"><svg></svg></section>
   <!----><h2 id="prompt" data-moves="${step}">After ${step}</h2><!---->
   <input id="slider" type="range" min="0" max="${LAST_STEP}" value="${step}">
   <button data-step="0" data-key="Home">first</button><button data-step="3" data-key="x">third</button>
   <button data-play data-key=" ">play</button>
   <select id="speed"><option value="normal" selected>normal</option><option value="fast">fast</option></select>
   <button class="small" data-pane="log">Log</button><button class="small" data-pane="review">Review</button>
   <ol class="log"><!----><li aria-current="step">Ana makes move ${step}.</li><!----></ol>
   <!---->${reviewPart}<!---->`;

stopClock();
openPage(
  `<div id="replay" data-replay="/tables/a1/replay/" data-game="cuba" data-tab="board" data-pane="log">${body(0)}</div>`,
  {
    path: "/tables/a1/replay/0",
    data: { total: LAST_STEP, texts: { play: "Play", pause: "Pause", notSent: "There is no connection." } },
  },
);
answerRequests(() => Response.json({}));
await import("#scripts/pages/replay.js");
await settle();

const replay = get("#replay");
const shown = () => get("#prompt").textContent;
const stepsAsked = () => requests.filter(({ path }) => path.startsWith("/tables/a1/replay/")).map(({ path }) => path);

/** Answers with steps, and with how far the review is. */
function answerSteps(review = { status: "" }) {
  answerRequests(({ path, method }) => {
    if (method === "POST") return Response.json({});
    if (path.endsWith("/review")) return Response.json(review);
    const moves = Number(path.split("/").at(-1));
    return Response.json({ html: body(moves), moves, flights: [] });
  });
}

beforeEach(async () => {
  reviewPart = "";
  answerSteps();
  press("Home");
  await passTime(200);
  forgetNotes();
  answerSteps();
});

test("a control shows its step, announced and with its own address", async () => {
  click(get("[data-step='3']"));
  await passTime(200);
  assert.deepEqual(stepsAsked(), ["/tables/a1/replay/3"]);
  assert.equal(shown(), "After 3");
  assert.equal(announced(), "After 3 Ana makes move 3.");
  assert.equal(location.pathname, "/tables/a1/replay/3");
  assert.equal(getInput("#slider").value, "3");
});

test("the slider shows the step it is moved to; steps that were overtaken are not requested", async () => {
  for (const value of ["1", "2", "4", "5"]) {
    getInput("#slider").value = value;
    get("#slider").dispatchEvent(new Event("input", { bubbles: true }));
  }
  await passTime(200);
  await passTime(200);
  assert.equal(shown(), "After 5");
  assert.deepEqual(stepsAsked(), ["/tables/a1/replay/5"]);
});

test("if the server is out of reach, the step stays", async () => {
  answerRequests(unreachable);
  click(get("[data-step='3']"));
  await passTime(200);
  assert.equal(shown(), "After 0");
  assert.equal(location.pathname, "/tables/a1/replay/0");
});

test("it plays by itself at its speed, to the end", async () => {
  click(get("[data-play]"));
  assert.equal(replay.dataset.playing, "on");
  assert.equal(get("[data-play]").getAttribute("aria-label"), "Pause");
  await passTime(1299);
  assert.equal(shown(), "After 0");
  await passTime(1);
  await passTime(200);
  assert.equal(shown(), "After 1");
  for (let i = 0; i < 12; i++) await passTime(800);
  assert.equal(shown(), `After ${LAST_STEP}`);
  assert.equal(replay.dataset.playing, "");
  assert.equal(get("[data-play]").getAttribute("aria-label"), "Play");
});

test("at the end there is nothing to play", async () => {
  getInput("#slider").value = String(LAST_STEP);
  click(get("[data-play]"));
  assert.equal(replay.dataset.playing, "");
});

test("a step by hand stops it", async () => {
  click(get("[data-play]"));
  click(get("[data-step='3']"));
  assert.equal(replay.dataset.playing, "");
  await passTime(3000);
  assert.equal(shown(), "After 3");
});

test("it can be stopped while a step is on its way", async () => {
  /** @type {(response: Response) => void} */
  let respond = () => {};
  answerRequests(
    () =>
      new Promise((done) => {
        respond = done;
      }),
  );
  click(get("[data-play]"));
  await passTime(1300);
  click(get("[data-play]"));
  respond(Response.json({ html: body(1), moves: 1, flights: [] }));
  await passTime(200);
  assert.equal(shown(), "After 1");
  assert.equal(replay.dataset.playing, "");
});

test("a pane is chosen, and stays chosen when a review comes", async () => {
  reviewPart = '<div class="review">x</div>';
  click(get("[data-step='3']"));
  await passTime(200);
  assert.equal(replay.dataset.pane, "review", "a review that has come is opened");
  click(get("button[data-pane=log]"));
  assert.equal(replay.dataset.pane, "log");
  assert.equal(get("button[data-pane=log]").getAttribute("aria-pressed"), "true");
  assert.equal(get("button[data-pane=review]").getAttribute("aria-pressed"), "false");
  reviewPart = "";
  click(get("[data-step='0']"));
  await passTime(200);
  reviewPart = '<div class="review">y</div>';
  click(get("[data-step='3']"));
  await passTime(200);
  assert.equal(replay.dataset.pane, "log");
});

test("the chart goes to the step after the decision that is nearest", async () => {
  reviewPart = '<div class="review-chart" data-steps="0 1 4"><i class="chart-grid"></i></div>';
  click(get("[data-step='3']"));
  await passTime(200);
  setBox(get(".chart-grid"), 100, 0, 200, 50);
  click(get(".review-chart"), { clientX: 190 });
  await passTime(200);
  assert.equal(shown(), "After 2");
  setBox(get(".chart-grid"), 100, 0, 200, 50);
  click(get(".review-chart"), { clientX: 900 });
  await passTime(200);
  assert.equal(shown(), "After 5");
});

test("while a review is made, its progress is shown, and then the review", async () => {
  reviewPart = '<p data-wait="/tables/a1/review"><span>waiting</span></p>';
  answerSteps({ status: "12 of 40" });
  click(get("[data-step='3']"));
  await passTime(200);
  await passTime(700);
  assert.equal(get("[data-wait] span").textContent, "12 of 40");
  reviewPart = '<div class="review">ready</div>';
  answerRequests(({ path }) =>
    path.endsWith("/review")
      ? Response.json({ ready: true, status: "" })
      : Response.json({ html: body(3), moves: 3, flights: [] }),
  );
  await passTime(700);
  await passTime(200);
  assert.equal(get(".review").textContent, "ready");
  requests.length = 0;
  await passTime(5000);
  assert.deepEqual(requests, [], "nothing is asked any more");
});

test("a review is asked for with its form; a refusal is shown and announced", async () => {
  replay.insertAdjacentHTML(
    "beforeend",
    '<form data-review action="/tables/a1/review"><input name="depth" value="2"></form>',
  );
  assert.equal(submit(getForm("[data-review]")).defaultPrevented, true);
  await passTime(200);
  assert.deepEqual(requests[0], { path: "/tables/a1/review", method: "POST", body: "depth=2" });
  assert.deepEqual(stepsAsked(), ["/tables/a1/replay/0"]);
  answerRequests(() => Response.json({ error: "Too many reviews." }, { status: 429 }));
  submit(getForm("[data-review]"));
  await settle();
  assert.deepEqual(toasts(), ["Too many reviews."]);
  assert.equal(announced(), "Too many reviews.");
  get("[data-review]").remove();
});

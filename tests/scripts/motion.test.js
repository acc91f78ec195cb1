// board/motion.js: what flies, where, how many of it, and when nothing does.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { get, getAll, openPage, setBox, stopClock } from "./page.js";

stopClock();
openPage(
  `<svg><g id="market"></g><g id="die"></g><g id="unseen"></g></svg>
   <div id="seat-0"><b data-holding="rum">1</b></div><div id="seat-1"></div>
   <nav class="tabs"><button data-tab="seats"></button></nav>`,
);
const { animateFlights, reducedMotion } = await import("#scripts/board/motion.js");

/** @typedef {{ element: Element, frames: Keyframe[], options: KeyframeAnimationOptions, finish: () => void }} Animation */
/** @type {Animation[]} */
const animations = [];
/**
 * @this {Element}
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
function recordAnimation(frames, options) {
  /** @type {() => void} */
  let finish = () => {};
  const finished = new Promise((/** @type {(value: void) => void} */ done) => {
    finish = done;
  });
  animations.push({ element: this, frames, options, finish });
  return { finished };
}
Object.assign(Element.prototype, { animate: recordAnimation });

setBox(get("#market"), 100, 100, 20, 20);
setBox(get("#seat-0 b"), 500, 300, 10, 10);
setBox(get("#seat-0"), 400, 300, 200, 100);
setBox(get(".tabs button"), 900, 700, 100, 40);

const flight = { thing: "rum", count: 2, start: "market", end: "seat-0" };
/** @param {string} selector */
const texts = (selector) => getAll(selector).map((element) => element.textContent);

beforeEach(() => {
  animateFlights([]);
  animations.length = 0;
});

test("goods fly from the middle of one thing to what a panel shows of them", () => {
  animateFlights([flight]);
  const symbols = getAll(".sky .flight");
  assert.equal(symbols.length, 2);
  assert.equal(symbols[0].querySelector("use")?.getAttribute("href"), "#m-rum");
  assert.deepEqual([symbols[0].style.left, symbols[0].style.top], ["110px", "110px"]);
  const { frames } = animations[0];
  assert.equal(frames.at(-1)?.transform, "translate(395px, 195px) scale(.8)");
});

test("a seat that gets something shows how much, one that gives it, too", () => {
  animateFlights([flight, { ...flight, count: 3, start: "seat-0", end: "market" }]);
  assert.deepEqual(texts(".sky .gain"), ["+2"]);
  assert.deepEqual(texts(".sky .loss"), ["−3"]);
});

test("at most five symbols fly, the number says the rest", () => {
  animateFlights([{ ...flight, count: 12 }]);
  assert.equal(getAll(".sky .flight").length, 5);
  assert.deepEqual(texts(".sky .gain"), ["+12"]);
});

test("everything is over after 600 ms, and then taken away", () => {
  animateFlights(Array(8).fill({ ...flight, count: 5 }));
  const ends = animations.map(({ options }) => Number(options.duration) + Number(options.delay ?? 0));
  assert.ok(Math.max(...ends) <= 600, `the last ends after ${Math.max(...ends)} ms`);
  assert.ok(Math.min(...animations.map(({ options }) => Number(options.duration))) > 200, "none is too quick to see");
  mock.timers.tick(649);
  assert.equal(getAll(".sky").length, 1);
  mock.timers.tick(1);
  assert.equal(getAll(".sky").length, 0);
});

test("a symbol that has arrived is taken away", async () => {
  animateFlights([{ ...flight, count: 1 }]);
  animations[0].finish();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(getAll(".sky .flight").length, 0);
});

test("later flights end earlier ones, and outlive their timer", () => {
  animateFlights([flight]);
  mock.timers.tick(400);
  animateFlights([{ ...flight, count: 1 }]);
  assert.equal(getAll(".sky").length, 1);
  assert.equal(getAll(".sky .flight").length, 1);
  mock.timers.tick(300);
  assert.equal(getAll(".sky .flight").length, 1);
  mock.timers.tick(350);
  assert.equal(getAll(".sky").length, 0);
});

test("a panel that cannot be seen is where its tab is", () => {
  animateFlights([{ ...flight, end: "seat-1" }]);
  assert.equal(animations[0].frames.at(-1)?.transform, "translate(840px, 610px) scale(.8)");
});

test("of several ids the first that can be seen counts; without any nothing flies", () => {
  animateFlights([{ ...flight, start: "missing unseen market" }]);
  assert.equal(getAll(".sky .flight").length, 2);
  animateFlights([{ ...flight, start: "missing unseen" }]);
  assert.equal(getAll(".sky .flight, .sky .gain").length, 0);
});

test("what stays where it is tumbles: a die", async () => {
  animateFlights([{ thing: "die", count: 1, start: "die", end: "die" }]);
  assert.equal(getAll(".sky .flight").length, 0);
  assert.equal(animations[0].element, get("#die"));
  assert.equal(get("#die").classList.contains("tumbles"), true);
  animations[0].finish();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(get("#die").classList.contains("tumbles"), false);
});

test("what flies takes no part in what screen readers read", () => {
  animateFlights([flight]);
  assert.equal(get(".sky").getAttribute("aria-hidden"), "true");
});

test("nothing moves if reduced motion is preferred, or in a hidden tab", () => {
  assert.equal(reducedMotion.matches, false);
  Object.defineProperty(document, "hidden", { configurable: true, value: true });
  animateFlights([flight]);
  assert.equal(animations.length, 0);
  Object.defineProperty(document, "hidden", { configurable: true, value: false });
  Object.defineProperty(reducedMotion, "matches", { configurable: true, value: true });
  animateFlights([flight]);
  assert.equal(animations.length, 0);
  assert.equal(getAll(".sky").length, 0);
  Object.defineProperty(reducedMotion, "matches", { configurable: true, value: false });
  animateFlights([flight]);
  assert.ok(animations.length > 0);
});

test("the reader's preference is asked for by its usual name", () => {
  assert.equal(reducedMotion.media, "(prefers-reduced-motion: reduce)");
});

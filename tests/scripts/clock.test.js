// shared/clock.js: what is left of a turn, by the server's clock.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { announced, forgetNotes, get, openPage, stopClock } from "./page.js";

const NOW_SECONDS = 1_700_000_000;
const SKEW_SECONDS = 3600; // this machine's clock is an hour slow
stopClock({ interval: true, nowMs: (NOW_SECONDS - SKEW_SECONDS) * 1000 });
openPage(
  `<p id="own" data-deadline="${NOW_SECONDS + 100}" data-clock="200" data-mine="Your time is running out."><time></time></p>
   <p id="other" data-deadline="${NOW_SECONDS + 30}" data-clock="200"><time></time></p>`,
  { data: { now: NOW_SECONDS } },
);
const { formatSeconds, startClocks } = await import("#scripts/shared/clock.js");

test("a time is written in its two largest units, in the reader's language", () => {
  assert.equal(formatSeconds(0, "en"), "0 sec");
  assert.equal(formatSeconds(59, "en"), "59 sec");
  assert.equal(formatSeconds(60, "en"), "1 min 0 sec");
  assert.equal(formatSeconds(3600 + 62, "en"), "1 hr 1 min");
  assert.equal(formatSeconds(2 * 86400 + 3 * 3600 + 59, "en"), "2 days 3 hr");
  assert.match(formatSeconds(2 * 86400 + 3 * 3600, "de"), /^2 T.+ 3 Std\.$/); // "Tg." or "Tage", as the system has it
});

test("clocks count down by the server's clock, and the reader is warned once in the last quarter", () => {
  startClocks();
  const time = get("#own time");
  assert.equal(time.textContent, "1 min 40 sec");
  assert.equal(get("#own").classList.contains("late"), false);
  assert.equal(get("#other").classList.contains("late"), true);
  assert.equal(announced(), "", "others' clocks are not announced");
  mock.timers.tick(50_000);
  assert.equal(time.textContent, "50 sec");
  assert.equal(announced(), "");
  mock.timers.tick(1000);
  assert.equal(get("#own").classList.contains("late"), true);
  assert.equal(announced(), "Your time is running out.");
  forgetNotes();
  mock.timers.tick(10_000);
  assert.equal(announced(), "", "once is enough");
});

test("another turn has a warning of its own, and a clock stops at nothing", () => {
  const deadline = Date.now() / 1000 + SKEW_SECONDS + 10;
  get("#own").dataset.deadline = String(deadline);
  mock.timers.tick(1000);
  assert.equal(announced(), "Your time is running out.");
  mock.timers.tick(60_000);
  assert.equal(get("#own time").textContent, "0 sec");
});

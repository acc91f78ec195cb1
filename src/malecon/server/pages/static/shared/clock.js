// Counts down what is left of a turn; without this script the page shows until when it lasts.

import { announce, findAll } from "./elements.js";
import { pageData } from "./page-data.js";

const skewMs = pageData.now ? pageData.now * 1000 - Date.now() : 0; // this machine's clock may be wrong
/** @type {[string, number][]} */
const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const SHOWN_UNITS = 2;
const LATE_SHARE = 1 / 4; // of the time for a turn
const TICK_MS = 1000;
const warned = new Set();

/**
 * Returns a time span in a language, in its two largest units.
 * @param {number} seconds
 * @param {string} language
 */
export function formatSeconds(seconds, language) {
  const first = Math.max(
    0,
    UNITS.findIndex(([, length]) => seconds >= length),
  );
  const units = seconds < 1 ? UNITS.slice(-1) : UNITS.slice(first, first + SHOWN_UNITS);
  let rest = seconds;
  const parts = units.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(count);
  });
  return parts.join(" ");
}

/** Brings every clock of the page up to date, and warns once when the reader's own time runs out. */
export function updateClocks() {
  for (const clock of findAll(document, "[data-deadline]", HTMLElement)) {
    const { deadline, clock: turnSeconds, mine } = clock.dataset;
    const left = Math.max(0, Math.round(Number(deadline) - (Date.now() + skewMs) / 1000));
    const text = formatSeconds(left, document.documentElement.lang);
    const time = clock.querySelector("time");
    if (time && time.textContent !== text) time.textContent = text;
    const late = left < Number(turnSeconds) * LATE_SHARE;
    clock.classList.toggle("late", late);
    if (late && mine && !warned.has(deadline)) {
      warned.add(deadline);
      announce([mine]);
    }
  }
}

/** Keeps the clocks of the page up to date. */
export function startClocks() {
  updateClocks();
  setInterval(updateClocks, TICK_MS);
}

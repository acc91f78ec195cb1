// Counts down what is left of a turn; without this script the page shows until when it lasts.

const skewMs = Number(document.body.dataset.now ?? 0) * 1000 - Date.now() || 0; // this machine's clock may be wrong
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

/** Returns a time span in the reader's language, in its two largest units. */
function formatSeconds(seconds) {
  const first = Math.max(0, UNITS.findIndex(([, length]) => seconds >= length));
  const units = seconds < 1 ? UNITS.slice(-1) : UNITS.slice(first, first + SHOWN_UNITS);
  let rest = seconds;
  const parts = units.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" });
    return format.format(count);
  });
  return parts.join(" ");
}

/** Brings every clock of the page up to date, and warns once when the reader's own time runs out. */
function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.round(Number(clock.dataset.deadline) - (Date.now() + skewMs) / 1000));
    const text = formatSeconds(left);
    const time = clock.querySelector("time");
    if (time.textContent !== text) time.textContent = text;
    const late = left < Number(clock.dataset.clock) * LATE_SHARE;
    clock.classList.toggle("late", late);
    if (late && clock.dataset.mine && !warned.has(clock.dataset.deadline)) {
      warned.add(clock.dataset.deadline);
      const announcer = document.getElementById("announcer");
      if (announcer) announcer.textContent = clock.dataset.mine;
    }
  }
}

tick();
setInterval(tick, TICK_MS);

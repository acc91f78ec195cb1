// Counts down what is left of a turn; without this script the page shows until when it lasts.

const skew = Number(document.body.dataset.now ?? 0) * 1000 - Date.now() || 0; // this machine's clock may be wrong
const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const warned = new Set();

function told(seconds) {
  const first = Math.max(0, units.findIndex(([, length]) => seconds >= length));
  let rest = seconds;
  return units
    .slice(seconds < 1 ? 3 : first, seconds < 1 ? 4 : first + 2)
    .map(([unit, length]) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" }).format(count);
    })
    .join(" ");
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.round(Number(clock.dataset.deadline) - (Date.now() + skew) / 1000));
    const text = told(left);
    const shown = clock.querySelector("time");
    if (shown.textContent !== text) shown.textContent = text;
    const late = left < Number(clock.dataset.clock) / 4;
    clock.classList.toggle("late", late);
    if (late && clock.dataset.mine && !warned.has(clock.dataset.deadline)) {
      warned.add(clock.dataset.deadline);
      const announcer = document.getElementById("announcer");
      if (announcer) announcer.textContent = clock.dataset.mine;
    }
  }
}

tick();
setInterval(tick, 1000);

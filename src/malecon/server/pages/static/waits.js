// The number of games that wait: in the tab's title, and on the app's icon where the system shows a badge.

let waits = null; // nobody has said yet
let shown = document.title.replace(/^\(\d+\) /, "");

// Where the only one is the game on this page, its title says so already.
function show() {
  const others = waits > 1 || (waits && !shown.startsWith("●"));
  document.title = (others ? `(${waits}) ` : "") + shown;
}

export function setTitle(text) {
  shown = text;
  show();
}

export function setWaits(number) {
  waits = number;
  show();
  const badge = number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.();
  badge?.catch?.(() => {});
}

const first = document.querySelector("[data-waits]")?.dataset.waits;
if (first !== undefined) setWaits(Number(first));

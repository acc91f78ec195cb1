// Registers the service worker and tells it what to keep for use without a network: finished games, and, once somebody
// has opened them or has installed the app, the puzzles of the day and the lessons.

const MOST_GAMES = 10;

/** Registers the service worker, if the browser has them. */
export function registerWorker() {
  if (!navigator.serviceWorker) return;
  navigator.serviceWorker.register("/worker.js").catch(() => {});
  const links = [...document.querySelectorAll(".my-games a[data-finished]")].slice(0, MOST_GAMES);
  const finished = links.map((link) => link.getAttribute("href"));
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  const offers = [...document.querySelectorAll(isInstalled ? "[data-offline], [data-installed]" : "[data-offline]")];
  const learning = offers.flatMap((offer) =>
    (offer.getAttribute("data-offline") ?? offer.getAttribute("data-installed") ?? "").split(" ").filter(Boolean),
  );
  if (!finished.length && !learning.length) return;
  navigator.serviceWorker.ready.then((ready) => ready.active?.postMessage({ finished, learning }));
}

// Registers the service worker and tells it which finished games to keep for reading without a network.

const MOST_GAMES = 10;

/** Registers the service worker, if the browser has them. */
export function registerWorker() {
  if (!navigator.serviceWorker) return;
  navigator.serviceWorker.register("/worker.js").catch(() => {});
  const links = [...document.querySelectorAll(".my-games a[data-finished]")].slice(0, MOST_GAMES);
  const finished = links.map((link) => link.getAttribute("href"));
  if (finished.length) navigator.serviceWorker.ready.then((ready) => ready.active?.postMessage({ finished }));
}

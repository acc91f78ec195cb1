// The page as an app: the service worker, and a badge with the number of games that wait.

const waits = Number(document.querySelector("[data-waits]")?.dataset.waits ?? NaN);
if (!Number.isNaN(waits)) navigator.setAppBadge?.(waits || undefined)?.catch?.(() => {});

if (navigator.serviceWorker) {
  navigator.serviceWorker.register("/worker.js").catch(() => {});
  const finished = [...document.querySelectorAll(".my-games a[data-finished]")].slice(0, 10).map((link) => link.getAttribute("href"));
  if (finished.length) navigator.serviceWorker.ready.then((ready) => ready.active?.postMessage({ finished }));
}

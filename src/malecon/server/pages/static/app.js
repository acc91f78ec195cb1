// The page as an app: the service worker, and what it shall keep for when there is no network.

if (navigator.serviceWorker) {
  navigator.serviceWorker.register("/worker.js").catch(() => {});
  const finished = [...document.querySelectorAll(".my-games a[data-finished]")].slice(0, 10).map((link) => link.getAttribute("href"));
  if (finished.length) navigator.serviceWorker.ready.then((ready) => ready.active?.postMessage({ finished }));
}

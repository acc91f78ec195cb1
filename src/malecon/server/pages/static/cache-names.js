// The names of the service worker's caches: worker.js imports them, and so does the page that lists its games.

self.CACHE_NAMES = {
  files: "malecon-files-1", // styles, scripts, rules and the page that says that there is no network
  pages: "malecon-pages-1", // finished games that were looked at, of the person who is logged in here
  replays: "malecon-replays-1", // the last of them with every step
};

// The progress bar that shows, at the very first start, how much of the engine is compiled. It goes when all of it is,
// and a page that waits for that is loaded again.

const FIRST_POLL_MS = 1000;
const POLL_MS = 2000;

const line = document.getElementById("warming-up");

/** Asks the server for the progress and shows it, until all is compiled. */
async function poll() {
  try {
    const { percent, text } = await (await fetch("/engine")).json();
    if (percent === null) return document.querySelector("[data-when-ready]") ? location.reload() : line.remove();
    line.querySelector("progress").value = percent;
    line.querySelector("span").textContent = text;
  } catch {
    // the server is away for a moment: ask again
  }
  setTimeout(poll, POLL_MS);
}

setTimeout(poll, FIRST_POLL_MS);

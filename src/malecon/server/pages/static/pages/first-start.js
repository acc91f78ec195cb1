// The progress bar that shows, at the very first start, how much of the engine is compiled. It goes when all of it is,
// and a page that waits for that is loaded again.

import { byId } from "../shared/elements.js";
import { getJson } from "../shared/requests.js";

const FIRST_POLL_MS = 1000;
const POLL_MS = 2000;

const line = byId("warming-up", HTMLElement);

/**
 * Shows how far the compiler is.
 * @param {number} percent
 * @param {string} text
 */
function show(percent, text) {
  const bar = line.querySelector("progress");
  const label = line.querySelector("span");
  if (bar) bar.value = percent;
  if (label) label.textContent = text;
}

/** Asks the server for the progress and shows it, until all is compiled. */
async function poll() {
  try {
    /** @type {{ percent: number | null, text: string }} */
    const { percent, text } = await getJson("/engine");
    if (percent === null) return document.querySelector("[data-when-ready]") ? location.reload() : line.remove();
    show(percent, text);
  } catch {
    // the server is away for a moment: ask again
  }
  setTimeout(poll, POLL_MS);
}

setTimeout(poll, FIRST_POLL_MS);

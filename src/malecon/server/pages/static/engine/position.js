// The position that a page gives its engine, and how chances are written.

import { find } from "../shared/elements.js";

/**
 * A position to think about, see pages/engine_positions.py.
 * @typedef {object} Position
 * @property {string} block in Base64
 * @property {Record<string, string>} labels of the moves, by their notation
 * @property {string} [lines] the address that puts lines into words
 * @property {string} [made] the move that was made there
 */

const percent = new Intl.NumberFormat(document.documentElement.lang || "en", { style: "percent" });

/** Returns a chance between 0 and 1. */
const bounded = (/** @type {number} */ chance) => Math.min(1, Math.max(0, chance));

/** Returns a chance in percent, as the reader's language writes it. */
export const asPercent = (/** @type {number} */ chance) => percent.format(bounded(chance));

/** Returns the number of a chance in percent, for a text that writes the sign itself. */
export const asNumber = (/** @type {number} */ chance) => String(Math.round(100 * bounded(chance)));

/** Returns the position that the page shows now; null if no seat decides in it. @returns {Position | null} */
export const shownPosition = () =>
  JSON.parse(find(document, "#engine-position", HTMLElement)?.dataset.position ?? "null");

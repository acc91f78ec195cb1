// What a page tells its scripts once: texts in the reader's language, and numbers that do not change while it is open.
// Its template writes them as one JSON object, in the block `data`. What changes is in attributes of elements.

/**
 * @typedef {object} Texts
 * @property {string} [ask]
 * @property {string} [cancel]
 * @property {string} [close]
 * @property {string} [confirm]
 * @property {string} [copied]
 * @property {string} [final] that a move ends the turn
 * @property {string} [hint]
 * @property {string} [less]
 * @property {string} [more]
 * @property {string} [notSent] that a request did not reach the server
 * @property {string} [pause]
 * @property {string} [play]
 * @property {string} [pushDenied]
 * @property {string} [pushIsOff]
 * @property {string} [pushIsOn]
 * @property {string} [pushMissing]
 * @property {string} [pushOff]
 * @property {string} [pushOn]
 * @property {string} [several] that a place has several moves
 * @property {string} [thinking]
 * @property {string} [turn] that it is the reader's turn
 * @property {string} [which] that the next move is explained, not made
 */

/**
 * @typedef {object} PageData
 * @property {Texts} texts
 * @property {number} [now] the server's clock, in seconds
 * @property {number} [waits] how many games wait for the reader
 * @property {number} [total] how many moves the replayed game has
 * @property {number} [steps] how many steps the search on the analysis board has
 * @property {string} [replayCache] the service worker's cache of replays
 */

const element = document.getElementById("page-data");

/** @type {PageData} */
export const pageData = { texts: {}, ...JSON.parse(element?.textContent || "{}") };

/**
 * Returns one of the page's texts; empty if it has none of this name.
 * @param {keyof Texts} key
 */
export const say = (key) => pageData.texts[key] ?? "";

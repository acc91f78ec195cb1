// What a page tells its scripts once: texts in the reader's language, and numbers that do not change while it is open.
// Its template writes them as one JSON object, in the block `data`. What changes is in attributes of elements.

/**
 * @typedef {object} Texts
 * @property {string} [addLine]
 * @property {string} [ask]
 * @property {string} [bestMove] with the gaps move and chance
 * @property {string} [bestLeaves] with the gap chance
 * @property {string} [cancel]
 * @property {string} [chance] the name of chance as a player
 * @property {string} [chanceOfWinning] with the gap percent
 * @property {string} [close]
 * @property {string} [confirm]
 * @property {string} [copied]
 * @property {string} [deeper] with the gap count
 * @property {string} [final] that a move ends the turn
 * @property {string} [hint]
 * @property {string} [less]
 * @property {string} [lessons] with the gap game
 * @property {string} [made] that a move was chosen in the game
 * @property {string} [more]
 * @property {string} [nobodyDecides]
 * @property {string} [noEngine] that the search cannot run here
 * @property {string} [onlyLeaves] with the gaps move and chance
 * @property {string} [othersLeave] with the gap chance
 * @property {string} [notSent] that a request did not reach the server
 * @property {string} [pause]
 * @property {string} [play]
 * @property {string} [pushDenied]
 * @property {string} [pushIsOff]
 * @property {string} [pushIsOn]
 * @property {string} [pushMissing]
 * @property {string} [pushOff]
 * @property {string} [pushOn]
 * @property {string} [right]
 * @property {string} [several] that a place has several moves
 * @property {string} [simulations] with the gaps count and speed
 * @property {string} [thinking]
 * @property {string} [thinkStart]
 * @property {string} [thinkStop]
 * @property {string} [today] the puzzle of the day, with the gap game
 * @property {string} [tried] with the gaps move and chance
 * @property {string} [turn] that it is the reader's turn
 * @property {string} [which] that the next move is explained, not made
 * @property {string} [wrong]
 */

/**
 * @typedef {object} PageData
 * @property {Texts} texts
 * @property {number} [now] the server's clock, in seconds
 * @property {number} [waits] how many games wait for the reader
 * @property {number} [total] how many moves the replayed game has
 * @property {{ replays: string, learning: string }} [caches] names of the service worker's caches
 */

const element = document.getElementById("page-data");

/** @type {PageData} */
export const pageData = { texts: {}, ...JSON.parse(element?.textContent || "{}") };

/**
 * Returns one of the page's texts; empty if it has none of this name.
 * @param {keyof Texts} key
 */
export const say = (key) => pageData.texts[key] ?? "";

/**
 * Fills in the gaps of a text.
 * @param {string} text
 * @param {Record<string, string>} gaps
 */
export const fill = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");

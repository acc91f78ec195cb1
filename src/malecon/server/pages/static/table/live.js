// The live table: what the server sends is rendered, animated, announced; the connection is opened again if it closes.

import { animateFlights } from "../board/motion.js";
import { render, scrollToNews } from "../board/rendering.js";
import { root } from "../board/root.js";
import { announce, toast } from "../shared/elements.js";
import { layout } from "../shared/layout.js";
import { LiveSocket } from "../shared/live-socket.js";
import { postForm, RequestError } from "../shared/requests.js";
import { setTitle, setWaitingCount } from "../shared/waiting-count.js";
import { notifyTurn, playMoveSound } from "./sounds.js";

/**
 * @typedef {object} TableState
 * @property {number} version
 * @property {number} moves
 * @property {string} shown
 * @property {string} title
 * @property {string[]} announce
 * @property {string[]} notices
 * @property {boolean} yourTurn
 * @property {import("../board/motion.js").Flight[]} flights
 */
/** @typedef {TableState & import("../shared/page-update.js").PageMessage} TableMessage */

/**
 * A script that also uses the connection. `onOpen` is called whenever it is open anew; `onMessage` returns whether a
 * message was meant for the script.
 * @typedef {{ onOpen: () => void, onMessage: (message: object) => boolean }} Listener
 */

/** @type {LiveSocket<TableMessage | { waits: number }> | null} */
let socket = null;
/** @type {Listener | null} */
let listener = null;
let connectedLayout = "";

/** Returns where to connect, with what the page shows already. */
function livePath() {
  connectedLayout = layout();
  const { table, moves = "", as, shown = "" } = root.dataset;
  const query = new URLSearchParams({ layout: connectedLayout, moves });
  query.set("waits", "1"); // the server shall also send how many games wait
  if (as !== undefined) query.set("as", as);
  if (root.dataset.layout === connectedLayout) query.set("shown", shown);
  return `/tables/${table}/live?${query}`;
}

/**
 * Shows a state of the table.
 * @param {TableMessage} message
 */
async function show(message) {
  const { version, moves, shown, title, flights } = message;
  const hasMoved = moves !== Number(root.dataset.moves);
  Object.assign(root.dataset, { shown, moves, layout: connectedLayout });
  setTitle(title);
  await render(message);
  animateFlights(flights);
  root.dataset.ready = String(version);
  announce(message.announce);
  for (const text of message.notices) toast(text, "to-you");
  if (hasMoved) playMoveSound(flights.length > 0);
  if (message.yourTurn) notifyTurn();
}

/**
 * Shows a note for as long as there is no connection.
 * @param {boolean} isConnected
 */
function showConnection(isConnected) {
  const note = document.getElementById("connection");
  if (note) note.hidden = isConnected;
}

/** @param {TableMessage | { waits: number }} message */
function receive(message) {
  if ("waits" in message) setWaitingCount(message.waits);
  else if (!listener?.onMessage(message)) show(message);
}

/**
 * Lets a script use the connection, too.
 * @param {Listener} script
 */
export function listen(script) {
  listener = script;
  if (socket?.isOpen) script.onOpen();
}

/**
 * Sends a message to the server, if there is a connection.
 * @param {object} message
 */
export const sendLive = (message) => socket?.send(message);

/** Follows the table from now on. */
export function connect() {
  socket = new LiveSocket({
    path: livePath,
    onMessage: receive,
    onOpen: () => {
      showConnection(true);
      listener?.onOpen();
    },
    onLost: () => showConnection(false),
  });
  addEventListener("resize", () => {
    if (layout() !== connectedLayout) socket?.reopen();
    requestAnimationFrame(scrollToNews); // turned on its side, the log still ends with the news
  });
}

/**
 * Shows the table as another seat sees it, at a screen that several share.
 * @param {string} seat
 */
export function showSeat(seat) {
  root.dataset.as = seat;
  socket?.reopen();
}

/**
 * Posts data and returns the answer; shows the error and returns null if the server refuses or is away.
 * @template T
 * @param {string} path
 * @param {URLSearchParams} body
 * @returns {Promise<T | null>}
 */
export async function post(path, body) {
  try {
    return await postForm(path, body);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    toast(error.message, "error");
    announce([error.message]);
    if (error.status === 409) socket?.reopen();
    return null;
  }
}

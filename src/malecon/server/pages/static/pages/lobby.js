// The live lobby: shows what the server has rendered again, and goes to the table when a game starts.

import { find } from "../shared/elements.js";
import { LiveSocket } from "../shared/live-socket.js";
import { keepState } from "../shared/page-update.js";
import { setWaitingCount } from "../shared/waiting-count.js";

/** @typedef {{ waits?: number, go?: string, html?: string }} LobbyMessage */

const box = document.getElementById("lobby");
const path = find(document, "[data-lobby]", HTMLElement)?.dataset.lobby;

/**
 * Shows what the server sent.
 * @param {HTMLElement} lobby
 * @param {LobbyMessage} message
 */
function show(lobby, { waits, go, html }) {
  if (waits !== undefined) return setWaitingCount(waits);
  if (go) return location.assign(go);
  if (html !== undefined && html !== lobby.innerHTML) {
    keepState(lobby, () => {
      lobby.innerHTML = html;
    });
  }
  lobby.dataset.ready = "yes";
}

if (box && path) {
  new LiveSocket({
    path: () => `${path}?waits=1`, // the server shall also send how many games wait
    onMessage: (/** @type {LobbyMessage} */ message) => show(box, message),
  });
}

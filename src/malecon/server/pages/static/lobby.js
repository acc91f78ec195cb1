// The live lobby: shows what the server has rendered again, and goes to the table when a game starts.

import { setWaitingCount } from "./waiting-count.js";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

const box = document.getElementById("lobby");
const path = document.querySelector("[data-lobby]")?.dataset.lobby;
let retryMs = FIRST_RETRY_MS;

/** Shows the lobby and keeps the focus in its row. The server has escaped everything that others wrote. */
function show(html) {
  const active = document.activeElement;
  const row = box.contains(active) ? active.closest("[id]") : null;
  box.innerHTML = html;
  if (row && row !== box) document.getElementById(row.id)?.querySelector("button, a")?.focus();
}

/** Opens the socket, and opens it again whenever it closes. */
function connect() {
  const address = new URL(path, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("waits", "1"); // the server shall also send how many games wait
  const socket = new WebSocket(address);
  socket.onopen = () => (retryMs = FIRST_RETRY_MS);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.waits !== undefined) return setWaitingCount(message.waits);
    if (message.go) return void location.assign(message.go);
    if (message.html !== undefined && message.html !== box.innerHTML) show(message.html);
    box.dataset.ready = "yes";
  };
  socket.onclose = () => {
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };
}

if (path) connect();

// The lobby, live: shows what the server has rendered anew, and goes to the table when a game starts.

import { setWaits } from "./waits.js";

const box = document.getElementById("lobby");
const place = document.querySelector("[data-lobby]")?.dataset.lobby;
let patience = 500;

function show(html) {
  const active = document.activeElement;
  const row = box.contains(active) ? active.closest("[id]") : null;
  box.innerHTML = html; // rendered by the server, where everything of others is escaped
  if (row && row !== box) document.getElementById(row.id)?.querySelector("button, a")?.focus();
}

function connect() {
  const address = new URL(place, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("waits", "1"); // how many games wait is told, too
  const socket = new WebSocket(address);
  socket.onopen = () => (patience = 500);
  socket.onmessage = ({ data }) => {
    const news = JSON.parse(data);
    if (news.waits !== undefined) return setWaits(news.waits);
    if (news.go) return void location.assign(news.go);
    if (news.html !== undefined && news.html !== box.innerHTML) show(news.html);
    box.dataset.ready = "yes";
  };
  socket.onclose = () => {
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 10000);
  };
}

if (place) connect();

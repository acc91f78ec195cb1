// The conversation at a table: a channel of its own, so that nothing said ever keeps a move waiting.

import { toast } from "./stage.js";

const box = document.getElementById("talk");
const lines = document.getElementById("talk-lines");
const count = document.getElementById("talk-unread");
let patience = 500;
let unread = 0;
let socket = null;

function tell(more) {
  unread = box.open ? 0 : unread + more;
  count.hidden = !unread;
  count.textContent = unread || "";
}

function atEnd() {
  if (lines) lines.scrollTop = lines.scrollHeight;
}

function connect() {
  const address = new URL(box.dataset.company, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = (socket = new WebSocket(address));
  mine.onopen = () => (patience = 500);
  mine.onmessage = ({ data }) => {
    const news = JSON.parse(data);
    if (news.here !== undefined) document.getElementById("talk-here").innerHTML = news.here;
    if (news.stop !== undefined) document.getElementById("talk-stop").innerHTML = news.stop;
    if (news.lines && lines) {
      if (news.all) lines.replaceChildren();
      lines.insertAdjacentHTML("beforeend", news.lines.join("")); // rendered by the server, where all text is escaped
      atEnd();
      if (!news.all) {
        tell(news.unread);
        const said = lines.lastElementChild?.querySelector(".said-text");
        if (news.unread && !box.open && said) toast(said.textContent.trim().replace(/\s+/g, " "));
      }
    }
    box.dataset.ready = "yes";
  };
  mine.onclose = () => {
    if (mine !== socket) return;
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 10000);
  };
}

function reconnect() {
  const old = socket;
  socket = null;
  old?.close();
  connect();
}

box?.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-talk]");
  if (!form) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form, event.submitter ?? undefined));
  if (data.has("phrase")) data.delete("text");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: data, headers: { accept: "application/json" } });
    const said = await answer.json();
    if (!answer.ok) return void toast(said.error, "error");
    if (data.has("text")) form.reset();
    if (said.told) toast(said.told);
    if (said.again) reconnect();
  } catch {
    toast(document.getElementById("table").dataset.sayLost, "error");
  }
});
box?.addEventListener("toggle", () => {
  tell(0);
  atEnd();
});
box?.addEventListener("keydown", (event) => {
  event.stopPropagation(); // the keys of the table choose moves
  if (event.key === "Escape") {
    box.open = false;
    box.querySelector("summary").focus();
  }
});

if (box) connect();

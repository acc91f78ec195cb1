// What the page does by itself: follow the table live, send moves, keys, previews, and stepping through replays.
// Everything it shows was rendered by the server; without this script the same forms and links still work.

import { show } from "./morph.js";
import { fly } from "./motion.js";
import { clickPlace, dressAmounts, filter, onlyMatch, showAll, useChooser } from "./choosing.js";
import { placeBeside, preview, previewOf, tip } from "./preview.js";
import { askReview, showBy, watch } from "./replay.js";
import { announce, calm, layout, make, narrow, replay, say, stage, table, tellMove, tellTurn, toast } from "./stage.js";
import { setTitle, setWaits } from "./waits.js";

// --- swapping in what the server rendered

function focusKey(element) {
  if (!element || !stage.contains(element)) return null;
  return element.id || element.dataset?.key || (element.closest("#dock") ? "prompt" : null);
}

function put(news) {
  const active = document.activeElement;
  const key = focusKey(active);
  const asked = question();
  tip.hidden = true;
  show(news);
  if (question() !== asked) stage.querySelector("#dock")?.scrollTo(0, 0); // the next question begins at its beginning
  dress();
  if (key === null) return;
  if (document.activeElement === active) return void (keyed && preview(active));
  const again = stage.querySelector("#" + CSS.escape(key)) ?? stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const next = again ?? stage.querySelector(".moves button") ?? document.getElementById("prompt");
  next?.focus({ preventScroll: true, focusVisible: keyed });
}

// What the table asks for: it is another question after every move.
const question = () => stage.querySelector(".moves [name=version]")?.value ?? document.getElementById("prompt")?.textContent;

const arrived = []; // in the order they came: what changed since a message means nothing without that message
function putAll() {
  while (arrived.length) put(arrived.shift());
}

// Until the browser has drawn what was put last, or would not: a tab that nobody sees draws nothing.
const drawn = () =>
  Promise.race([
    new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    new Promise((done) => setTimeout(done, document.hidden ? 0 : 100)),
  ]);

let transition = null;
let frame = Promise.resolve();
async function swap(news) {
  arrived.push(news);
  if (!document.startViewTransition || calm.matches || document.hidden) {
    await frame; // else many quick messages would keep the first from being seen
    if (!arrived.length) return;
    putAll();
    frame = drawn();
    return;
  }
  transition?.skipTransition();
  transition = document.startViewTransition(putAll);
  transition.ready.catch(() => {});
  await transition.updateCallbackDone;
}

// While the browser takes the pictures for a transition, what is clicked is the page as a whole: it is meant for what lies there.
document.addEventListener("click", async (event) => {
  if (!event.isTrusted || event.target !== document.documentElement || !transition) return;
  await transition.ready.catch(() => {});
  const { clientX, clientY } = event;
  const meant = document.elementFromPoint(clientX, clientY);
  meant?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY }));
});

function dress() {
  requestAnimationFrame(arrange);
  if (table) dressAmounts();
  if (replay) watch();
  for (const box of stage.querySelectorAll("[data-address]")) box.value = new URL(box.getAttribute("value"), location.href);
  for (const button of stage.querySelectorAll(".tabs [data-tab]")) {
    const pressed = String(button.dataset.tab === stage.dataset.tab);
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

// What asks where things are, once a frame: every answer makes the browser lay out the page.
function arrange() {
  const log = stage.querySelector(".log");
  if (log && !replay) log.scrollTop = log.scrollHeight;
  if (!narrow.matches) return; // only there does the board scroll
  const board = stage.querySelector(".board");
  const targets = [...board.querySelectorAll(".target")].map((target) => target.getBoundingClientRect());
  const frame = board.getBoundingClientRect();
  if (targets.length && !targets.some((box) => box.top >= frame.top && box.bottom <= frame.bottom)) {
    board.scrollTop += targets[0].top - frame.top - 20;
  }
}

// --- the live table

let asSeat = null;
let socket = null;
let patience = 500;

function connect() {
  const asked = layout();
  const known = new URLSearchParams({ layout: asked, moves: table.dataset.moves });
  known.set("waits", "1"); // how many games wait is told, too
  if (asSeat !== null) known.set("as", asSeat);
  if (table.dataset.layout === asked) known.set("shown", table.dataset.shown);
  const address = new URL(`/tables/${table.dataset.table}/live?${known}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = (socket = new WebSocket(address));
  mine.onopen = () => {
    patience = 500;
    lost(false);
  };
  mine.onmessage = async (event) => {
    const news = JSON.parse(event.data);
    if (news.waits !== undefined) return setWaits(news.waits);
    const moved = news.moves !== Number(table.dataset.moves);
    Object.assign(table.dataset, { shown: "", moves: news.moves, layout: asked });
    setTitle(news.title);
    await swap(news);
    fly(news.flights);
    table.dataset.ready = news.version;
    announce(news.announce);
    news.notices.forEach((text) => toast(text, "to-you"));
    if (moved) tellMove(news.flights);
    if (news.yourTurn) tellTurn();
  };
  mine.onclose = () => {
    if (mine !== socket) return;
    if (patience > 500) lost(true);
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 10000);
  };
}

// Said for as long as it lasts.
function lost(isLost) {
  const note = document.getElementById("connection");
  if (note) note.hidden = !isLost;
}

function reconnect() {
  const old = socket;
  socket = null;
  old?.close();
  connect();
}

async function post(address, data) {
  try {
    const answer = await fetch(address, { method: "POST", body: data, headers: { accept: "application/json" } });
    const said = await answer.json();
    if (!answer.ok) {
      toast(said.error, "error");
      announce([said.error]);
      if (answer.status === 409) reconnect();
    }
    return answer.ok ? said : null;
  } catch {
    toast(say("Lost"), "error");
    return null;
  }
}

// --- moves

let sent = null; // the version a move was made at: a second click on the way to the next one means the first
function send(form, button) {
  closeQuestion();
  const data = new URLSearchParams(new FormData(form, button ?? undefined));
  const version = form.matches(".moves") ? data.get("version") : null;
  if (version !== null && version === sent) return Promise.resolve(null);
  sent = version;
  return post(form.getAttribute("action"), data).then((said) => {
    if (said === null && sent === version) sent = null; // refused: it can be tried again
    return said;
  });
}

async function sendTyped(form) {
  const only = onlyMatch(form.querySelector("[data-filter]").value); // the words typed fit one move alone
  if (only) return choose(only);
  if (await send(form)) form.reset();
}

function closeQuestion() {
  stage.querySelector(".question")?.remove();
  stage.querySelector("#dock")?.classList.remove("asking");
}

function ask(form, button) {
  closeQuestion();
  const label = button.querySelector("span").textContent;
  const box = make("div", "question", "", { role: "alertdialog", "aria-label": say("Confirm") });
  const yes = make("button", "primary", `${say("Confirm")}: ${label}`, { type: "button" });
  const no = make("button", "", say("Cancel"), { type: "button", "data-cancel": "" });
  yes.onclick = () => send(form, button);
  no.onclick = () => (closeQuestion(), button.focus());
  box.append(make("p", "", `${previewOf(button)} ${say("Final")}`), yes, no);
  const dock = stage.querySelector("#dock");
  dock.classList.add("asking");
  dock.append(box);
  yes.focus();
}

useChooser(choose);
function choose(button) {
  if (asking()) return void askAbout(button);
  const form = button.form;
  if (table?.dataset.confirm && "final" in button.dataset) ask(form, button);
  else send(form, button);
}

async function explain(place) {
  const answer = await fetch(`/tables/${table.dataset.table}/why?place=${encodeURIComponent(place)}`, { headers: { accept: "application/json" } });
  const said = await answer.json();
  document.querySelector(".toast.placed")?.remove();
  const note = toast(said.why ?? said.error, "placed");
  const thing = document.getElementById(place);
  if (note && thing) placeBeside(note, [thing]);
  announce([said.why ?? said.error]);
}

// --- hints

async function hint(button) {
  button.disabled = true;
  button.classList.add("busy");
  const found = await post(button.dataset.hint, new URLSearchParams());
  button.disabled = false;
  button.classList.remove("busy");
  if (!found || !button.isConnected) return;
  const told = found.moves.map((one, place) => {
    const advised = stage.querySelector(`.moves button[value="${CSS.escape(one.move)}"]`);
    if (advised && !advised.querySelector(".chance")) {
      advised.classList.add("advised");
      advised.append(make("span", "chance", one.chance));
      advised.closest("li").style.order = place - found.moves.length; // the best come first
    }
    return `${one.label}: ${one.chance}`;
  });
  showWhy(found.why);
  announce([`${say("Hint")}:`, ...told, ...found.why]);
}

function showWhy(sentences) {
  stage.querySelector(".hint-why")?.remove();
  const why = make("ul", "reasons hint-why", "");
  const another = make("button", "small", say("Ask"), { type: "button", "data-ask": "", "aria-pressed": "false" });
  const last = make("li", "", "");
  last.append(another);
  why.append(...sentences.map((sentence) => make("li", "", sentence)), last);
  stage.querySelector(".moves").after(why); // the moves stay in sight
  stage.querySelector("#dock").classList.add("guided"); // as high as with a tip
  showAll();
  stage.querySelector("#dock").scrollTo(0, 0);
}

// The next move that is chosen is not made: it is asked about.
const asking = () => stage.querySelector("[data-ask][aria-pressed=true]");
function wantToAsk(button) {
  const wish = !asking();
  button.setAttribute("aria-pressed", String(wish));
  if (wish) toast(say("Which"));
}

async function askAbout(move) {
  const button = asking();
  button.disabled = true;
  const found = await post(`/tables/${table.dataset.table}/explain`, new URLSearchParams({ move: move.value }));
  if (button.isConnected && found) {
    showWhy(found.why);
    announce(found.why);
  } else if (button.isConnected) {
    button.disabled = false;
    button.setAttribute("aria-pressed", "false");
  }
}

// --- listening

document.addEventListener("submit", (event) => {
  const asked = replay && event.target.closest("[data-review]");
  if (asked) {
    event.preventDefault();
    return void askReview(asked, send);
  }
  const form = event.target.closest("[data-act]");
  if (!form || !table) return;
  event.preventDefault();
  if (form.matches(".moves") && event.submitter) choose(event.submitter);
  else if (form.matches(".typed")) sendTyped(form);
  else send(form, event.submitter);
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.submit();
  if (event.target.matches("[data-send]")) event.target.form.requestSubmit();
});

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter(event.target.value);
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  let found;
  if ((found = on(".cover [data-as]"))) {
    event.preventDefault();
    asSeat = table.dataset.as = found.dataset.as;
    reconnect();
  } else if ((found = on(".tabs [data-tab]"))) {
    stage.dataset.tab = found.dataset.tab;
    dress();
  } else if ((found = on("[data-hint]"))) hint(found);
  else if ((found = on("[data-ask]"))) wantToAsk(found);
  else if ((found = on("[data-copy]"))) {
    const field = found.parentElement.querySelector("input");
    navigator.clipboard?.writeText(field.value).then(() => toast(say("Copied")));
    field.select();
  } else if (on("[data-copy-table]")) {
    navigator.clipboard?.writeText(location.origin + location.pathname).then(() => toast(say("Copied")));
  } else if (on("[data-all]")) showAll();
  else if ((found = on(".target")) && table) clickPlace(found);
  else if ((found = on(".board svg [role=img][id]")) && table) {
    showAll();
    explain(found.id);
  }
  if (table?.dataset.notify && globalThis.Notification?.permission === "default") Notification.requestPermission();
});

document.addEventListener("keydown", (event) => {
  if (!stage || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    closeQuestion();
    showAll();
    tip.hidden = true;
    return;
  }
  if (event.target.matches("input, select, textarea")) return;
  const place = event.target.closest?.(".target");
  if (place && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return clickPlace(place);
  }
  if (event.key === "/") {
    event.preventDefault();
    return document.getElementById("typed")?.focus();
  }
  if ((event.key === "Enter" || event.key === " ") && event.target.matches("button, a, summary")) return;
  const onward = [...stage.querySelectorAll(".moves li:not(.out) > button")];
  if (event.key === "Enter" && table && onward.length === 1 && !stage.querySelector(".question, .cover")) {
    event.preventDefault();
    return choose(onward[0]); // the usual way on
  }
  const button = stage.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

let keyed = false; // the last thing that was touched: keys or pointer
let pressed = null;
let heldAt = 0;
document.addEventListener("keydown", () => ([keyed, heldAt] = [true, 0]), true);
document.addEventListener("pointerover", (event) => {
  if (stage && event.pointerType !== "touch") preview(event.target, event.clientX, event.clientY);
});
document.addEventListener("focusin", (event) => {
  if (stage && keyed) preview(event.target);
});

// A long press on a touch screen shows what hovering shows; the click that ends it does nothing.
document.addEventListener("pointerdown", (event) => {
  [keyed, heldAt] = [false, 0];
  if (!stage || event.pointerType !== "touch") return;
  tip.hidden = true;
  clearTimeout(pressed);
  pressed = setTimeout(() => {
    preview(event.target, event.clientX, event.clientY);
    if (!tip.hidden) heldAt = performance.now();
  }, 450);
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) {
  document.addEventListener(kind, () => clearTimeout(pressed), true);
}
document.addEventListener("contextmenu", (event) => {
  if (stage && !tip.hidden && heldAt) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    if (!heldAt) return;
    heldAt = 0;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

showBy(swap);
document.cookie = `layout=${layout()}; path=/; max-age=31536000; samesite=lax`;
if (stage) {
  document.body.append(tip);
  dress();
}
if (table) {
  connect();
  narrow.addEventListener("change", reconnect);
  addEventListener("resize", () => requestAnimationFrame(arrange)); // turned on its side, the log still ends with the news
}

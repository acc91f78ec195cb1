// What a page does by itself: follow the table live, send moves, handle clicks and keys, show previews.
// Everything it shows was rendered by the server; without this script the same forms and links still work.

import { applyUpdate } from "./morph.js";
import { animateFlights } from "./motion.js";
import { clickPlace, filterMoves, showAll, typedMove, updateAmounts, useChooser } from "./move-chooser.js";
import {
  announce,
  createElement,
  layout,
  notifyTurn,
  playMoveSound,
  reducedMotion,
  replay,
  root,
  say,
  table,
  toast,
} from "./page.js";
import { requestReview, updateReplay, useRenderer } from "./replay.js";
import { placeBeside, previewOf, showTooltip, tooltip } from "./tooltip.js";
import { setTitle, setWaitingCount } from "./waiting-count.js";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const LONG_PRESS_MS = 450;
const FRAME_MS = 100; // how long to wait for a frame that the browser may never draw
const YEAR_SECONDS = 31_536_000;
const JSON_HEADERS = { accept: "application/json" };

// --- rendering what the server sent

/** Returns what finds the focused element again after an update: its id, its key, or the prompt. */
function focusKey(element) {
  if (!element || !root.contains(element)) return null;
  return element.id || element.dataset?.key || (element.closest("#dock") ? "prompt" : null);
}

/** Returns what the table asks for: it is another question after every move. */
const question = () =>
  root.querySelector(".moves [name=version]")?.value ?? document.getElementById("prompt")?.textContent;

/** Applies an update and keeps the focus. */
function apply(update) {
  const active = document.activeElement;
  const key = focusKey(active);
  const before = question();
  tooltip.hidden = true;
  applyUpdate(update);
  if (question() !== before) root.querySelector("#dock")?.scrollTo(0, 0); // the next question begins at its beginning
  afterRender();
  if (key === null) return;
  if (document.activeElement === active) return void (usesKeys && showTooltip(active));
  const same = root.querySelector("#" + CSS.escape(key)) ?? root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const next = same ?? root.querySelector(".moves button") ?? document.getElementById("prompt");
  next?.focus({ preventScroll: true, focusVisible: usesKeys });
}

const updates = []; // in the order they came: what changed since a message means nothing without that message
function applyAll() {
  while (updates.length) apply(updates.shift());
}

/** Waits until the browser has drawn the last update, or would not: a hidden tab draws nothing. */
const frameDrawn = () =>
  Promise.race([
    new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    new Promise((done) => setTimeout(done, document.hidden ? 0 : FRAME_MS)),
  ]);

let transition = null;
let frame = Promise.resolve();

/** Renders an update, with a view transition if the browser has them. */
async function render(update) {
  updates.push(update);
  if (!document.startViewTransition || reducedMotion.matches || document.hidden) {
    await frame; // else many quick messages would keep the first from being seen
    if (!updates.length) return;
    applyAll();
    frame = frameDrawn();
    return;
  }
  transition?.skipTransition();
  transition = document.startViewTransition(applyAll);
  transition.ready.catch(() => {});
  await transition.updateCallbackDone;
}

// While the browser takes pictures for a transition, the page as a whole gets the clicks: they go to what lies there.
document.addEventListener("click", async (event) => {
  if (!event.isTrusted || event.target !== document.documentElement || !transition) return;
  await transition.ready.catch(() => {});
  const { clientX, clientY } = event;
  const target = document.elementFromPoint(clientX, clientY);
  target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY }));
});

/** Adds what only scripts can: amounts, whole addresses, pressed tabs. */
function afterRender() {
  requestAnimationFrame(scrollToNews);
  if (table) updateAmounts();
  if (replay) updateReplay();
  for (const box of root.querySelectorAll("[data-address]")) {
    box.value = new URL(box.getAttribute("value"), location.href);
  }
  for (const button of root.querySelectorAll(".tabs [data-tab]")) {
    const pressed = String(button.dataset.tab === root.dataset.tab);
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

/** Scrolls to the log's end and to what can be chosen; once a frame, because the browser has to lay out the page. */
function scrollToNews() {
  const log = root.querySelector(".log");
  if (log && !replay) log.scrollTop = log.scrollHeight;
  if (layout() !== "tall") return; // only there does the board scroll
  const board = root.querySelector(".board");
  const targets = [...board.querySelectorAll(".target")].map((target) => target.getBoundingClientRect());
  const view = board.getBoundingClientRect();
  if (targets.length && !targets.some((box) => box.top >= view.top && box.bottom <= view.bottom)) {
    board.scrollTop += targets[0].top - view.top - 20;
  }
}

// --- the live table

let asSeat = null;
let socket = null;
let connectedLayout = null;
let retryMs = FIRST_RETRY_MS;

/** Opens the socket, and opens it again whenever it closes. */
function connect() {
  const requestedLayout = (connectedLayout = layout());
  const query = new URLSearchParams({ layout: requestedLayout, moves: table.dataset.moves });
  query.set("waits", "1"); // the server shall also send how many games wait
  if (asSeat !== null) query.set("as", asSeat);
  if (table.dataset.layout === requestedLayout) query.set("shown", table.dataset.shown);
  const address = new URL(`/tables/${table.dataset.table}/live?${query}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const current = (socket = new WebSocket(address));
  current.onopen = () => {
    retryMs = FIRST_RETRY_MS;
    showConnection(true);
  };
  current.onmessage = async (event) => {
    const message = JSON.parse(event.data);
    if (message.waits !== undefined) return setWaitingCount(message.waits);
    const hasMoved = message.moves !== Number(table.dataset.moves);
    Object.assign(table.dataset, { shown: "", moves: message.moves, layout: requestedLayout });
    setTitle(message.title);
    await render(message);
    animateFlights(message.flights);
    table.dataset.ready = message.version;
    announce(message.announce);
    message.notices.forEach((text) => toast(text, "to-you"));
    if (hasMoved) playMoveSound(message.flights);
    if (message.yourTurn) notifyTurn();
  };
  current.onclose = () => {
    if (current !== socket) return;
    if (retryMs > FIRST_RETRY_MS) showConnection(false);
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };
}

/** Shows a note for as long as there is no connection. */
function showConnection(isConnected) {
  const note = document.getElementById("connection");
  if (note) note.hidden = isConnected;
}

/** Closes the socket and opens another one. */
function reconnect() {
  const old = socket;
  socket = null;
  old?.close();
  connect();
}

/** Posts data and returns the answer; shows the error and returns null if the server refuses or is away. */
async function post(path, body) {
  try {
    const response = await fetch(path, { method: "POST", body, headers: JSON_HEADERS });
    const answer = await response.json();
    if (!response.ok) {
      toast(answer.error, "error");
      announce([answer.error]);
      if (response.status === 409) reconnect();
    }
    return response.ok ? answer : null;
  } catch {
    toast(say("Lost"), "error");
    return null;
  }
}

// --- moves

let sentVersion = null; // a second click before the answer would make the same move again

/** Sends a form; returns the answer, or null if there is none. */
function send(form, button) {
  closeConfirmation();
  const data = new URLSearchParams(new FormData(form, button ?? undefined));
  const version = form.matches(".moves") ? data.get("version") : null;
  if (version !== null && version === sentVersion) return Promise.resolve(null);
  sentVersion = version;
  return post(form.getAttribute("action"), data).then((answer) => {
    if (answer === null && sentVersion === version) sentVersion = null; // refused: it can be tried again
    return answer;
  });
}

/** Makes the move that was typed: the only one that fits the words, or what the server reads. */
async function sendTyped(form) {
  const button = typedMove(form.querySelector("[data-filter]").value);
  if (button) return choose(button);
  if (await send(form)) form.reset();
}

function closeConfirmation() {
  root.querySelector(".question")?.remove();
  root.querySelector("#dock")?.classList.remove("asking");
}

/** Asks the reader to confirm a move that cannot be taken back. */
function confirmMove(form, button) {
  closeConfirmation();
  const label = button.querySelector("span").textContent;
  const box = createElement("div", "question", "", { role: "alertdialog", "aria-label": say("Confirm") });
  const yes = createElement("button", "primary", `${say("Confirm")}: ${label}`, { type: "button" });
  const no = createElement("button", "", say("Cancel"), { type: "button", "data-cancel": "" });
  yes.onclick = () => send(form, button);
  no.onclick = () => {
    closeConfirmation();
    button.focus();
  };
  box.append(createElement("p", "", `${previewOf(button)} ${say("Final")}`), yes, no);
  const dock = root.querySelector("#dock");
  dock.classList.add("asking");
  dock.append(box);
  yes.focus();
}

/** Makes a move, or first asks to confirm it; while the reader asks about a move, explains it instead. */
function choose(button) {
  if (askButton()) return void explainMove(button);
  const form = button.form;
  if (table?.dataset.confirm && "final" in button.dataset) confirmMove(form, button);
  else send(form, button);
}
useChooser(choose);

/** Says beside a place why no move can be made there. */
async function explainPlace(id) {
  const address = `/tables/${table.dataset.table}/why?place=${encodeURIComponent(id)}`;
  const answer = await (await fetch(address, { headers: JSON_HEADERS })).json();
  const text = answer.why ?? answer.error;
  document.querySelector(".toast.placed")?.remove();
  const note = toast(text, "placed");
  const place = document.getElementById(id);
  if (note && place) placeBeside(note, [place]);
  announce([text]);
}

// --- hints

/** Asks for a hint, marks the advised moves and puts them first. */
async function requestHint(button) {
  button.disabled = true;
  button.classList.add("busy");
  const hint = await post(button.dataset.hint, new URLSearchParams());
  button.disabled = false;
  button.classList.remove("busy");
  if (!hint || !button.isConnected) return;
  hint.moves.forEach(({ move, chance }, rank) => {
    const advised = root.querySelector(`.moves button[value="${CSS.escape(move)}"]`);
    if (!advised || advised.querySelector(".chance")) return;
    advised.classList.add("advised");
    advised.append(createElement("span", "chance", chance));
    advised.closest("li").style.order = rank - hint.moves.length;
  });
  showReasons(hint.why);
  announce([`${say("Hint")}:`, ...hint.moves.map(({ label, chance }) => `${label}: ${chance}`), ...hint.why]);
}

/** Lists reasons below the moves, with a button to ask about another move. */
function showReasons(sentences) {
  root.querySelector(".hint-why")?.remove();
  const list = createElement("ul", "reasons hint-why", "");
  const button = createElement("button", "small", say("Ask"), {
    type: "button",
    "data-ask": "",
    "aria-pressed": "false",
  });
  const last = createElement("li", "", "");
  last.append(button);
  list.append(...sentences.map((sentence) => createElement("li", "", sentence)), last);
  root.querySelector(".moves").after(list); // the moves stay in sight
  root.querySelector("#dock").classList.add("guided"); // as high as with a tip
  showAll();
  root.querySelector("#dock").scrollTo(0, 0);
}

/** Returns the pressed button: then the next move that is chosen is not made, but explained. */
const askButton = () => root.querySelector("[data-ask][aria-pressed=true]");

function toggleAsk(button) {
  const isPressed = !askButton();
  button.setAttribute("aria-pressed", String(isPressed));
  if (isPressed) toast(say("Which"));
}

/** Shows why a move is not the best one. */
async function explainMove(move) {
  const button = askButton();
  button.disabled = true;
  const body = new URLSearchParams({ move: move.value });
  const explanation = await post(`/tables/${table.dataset.table}/explain`, body);
  if (!button.isConnected) return;
  if (explanation) {
    showReasons(explanation.why);
    announce(explanation.why);
  } else {
    button.disabled = false;
    button.setAttribute("aria-pressed", "false");
  }
}

// --- listening

document.addEventListener("submit", (event) => {
  const reviewForm = replay && event.target.closest("[data-review]");
  if (reviewForm) {
    event.preventDefault();
    return void requestReview(reviewForm, send);
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
  if (event.target.matches("[data-filter]")) filterMoves(event.target.value);
});

/** Copies a text and says so. */
const copy = (text) => navigator.clipboard?.writeText(text).then(() => toast(say("Copied")));

/** What a click does, by selector; the first that matches is taken, and gets the element and the event. */
const CLICKS = [
  [".cover [data-as]", (link, event) => {
    event.preventDefault();
    asSeat = table.dataset.as = link.dataset.as;
    reconnect();
  }],
  [".tabs [data-tab]", (button) => {
    root.dataset.tab = button.dataset.tab;
    afterRender();
  }],
  ["[data-hint]", requestHint],
  ["[data-ask]", toggleAsk],
  ["[data-copy]", (button) => {
    const field = button.parentElement.querySelector("input");
    copy(field.value);
    field.select();
  }],
  ["[data-copy-table]", () => copy(location.origin + location.pathname)],
  ["[data-all]", showAll],
  [".target", (place) => table && clickPlace(place)],
  [".board svg [role=img][id]", (thing) => {
    if (!table) return;
    showAll();
    explainPlace(thing.id);
  }],
];

document.addEventListener("click", (event) => {
  for (const [selector, act] of root ? CLICKS : []) {
    const element = event.target.closest?.(selector);
    if (!element) continue;
    act(element, event);
    break;
  }
  if (table?.dataset.notify && globalThis.Notification?.permission === "default") Notification.requestPermission();
});

document.addEventListener("keydown", (event) => {
  if (!root || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    closeConfirmation();
    showAll();
    tooltip.hidden = true;
    return;
  }
  if (event.target.matches("input, select, textarea")) return;
  const isPress = event.key === "Enter" || event.key === " ";
  const place = event.target.closest?.(".target");
  if (place && isPress) {
    event.preventDefault();
    return clickPlace(place);
  }
  if (event.key === "/") {
    event.preventDefault();
    return document.getElementById("typed")?.focus();
  }
  if (isPress && event.target.matches("button, a, summary")) return;
  const onward = [...root.querySelectorAll(".moves li:not(.out) > button")];
  if (event.key === "Enter" && table && onward.length === 1 && !root.querySelector(".question, .cover")) {
    event.preventDefault();
    return choose(onward[0]); // there is only this way on
  }
  const button = root.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

let usesKeys = false; // whether the reader used keys last, or a pointer
let pressTimer = null;
let longPressAt = 0;
document.addEventListener(
  "keydown",
  () => {
    usesKeys = true;
    longPressAt = 0;
  },
  true,
);
document.addEventListener("pointerover", (event) => {
  if (root && event.pointerType !== "touch") showTooltip(event.target, event.clientX, event.clientY);
});
document.addEventListener("focusin", (event) => {
  if (root && usesKeys) showTooltip(event.target);
});

// A long press on a touch screen shows what hovering shows; the click that ends it does nothing.
document.addEventListener("pointerdown", (event) => {
  usesKeys = false;
  longPressAt = 0;
  if (!root || event.pointerType !== "touch") return;
  tooltip.hidden = true;
  clearTimeout(pressTimer);
  pressTimer = setTimeout(() => {
    showTooltip(event.target, event.clientX, event.clientY);
    if (!tooltip.hidden) longPressAt = performance.now();
  }, LONG_PRESS_MS);
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) {
  document.addEventListener(kind, () => clearTimeout(pressTimer), true);
}
document.addEventListener("contextmenu", (event) => {
  if (root && !tooltip.hidden && longPressAt) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    if (!longPressAt) return;
    longPressAt = 0;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

useRenderer(render);
document.cookie = `layout=${layout()}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
if (root) {
  document.body.append(tooltip);
  afterRender();
}
if (table) {
  connect();
  addEventListener("resize", () => {
    if (layout() !== connectedLayout) reconnect();
    requestAnimationFrame(scrollToNews); // turned on its side, the log still ends with the news
  });
}

// What the page does by itself: follow the table live, send moves, keys, previews, and stepping through replays.
// Everything it shows was rendered by the server; without this script the same forms and links still work.

import { fly } from "./motion.js";

const table = document.getElementById("table");
const replay = document.getElementById("replay");
const stage = table ?? replay;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 760px)");
const layout = () => (narrow.matches ? "tall" : "wide");
const say = (key) => stage?.dataset["say" + key] ?? "";

// --- telling

function toast(text, kind = "") {
  const box = document.getElementById("toasts");
  if (!box || !text) return;
  const note = document.createElement("p");
  note.className = "toast " + kind;
  note.textContent = text;
  box.append(note);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(() => note.remove(), 6000);
}

function announce(lines) {
  const box = document.getElementById("announcer");
  if (box && lines.length) box.textContent = lines.join(" ");
}

let audio = null;
function ring() {
  if (!navigator.userActivation?.hasBeenActive) return; // nobody has touched the page yet: browsers forbid sound
  audio ??= new AudioContext();
  [523, 659].forEach((frequency, i) => {
    const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
    const level = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + i * 0.14;
    level.gain.linearRampToValueAtTime(0.12, start + 0.02);
    level.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(level).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.45);
  });
}

function tellTurn() {
  if (table.dataset.sound) ring();
  if (table.dataset.notify && document.hidden && globalThis.Notification?.permission === "granted") {
    new Notification("Malecón", { body: say("Turn"), icon: "/static/icon.svg", tag: table.dataset.table });
  }
}

// --- swapping in what the server rendered

function focusKey(element) {
  if (!element || !stage.contains(element)) return null;
  return element.id || element.dataset?.key || (element.closest("#dock") ? "prompt" : null);
}

// An element's name among its siblings; a line of the log has its number.
const nameOf = (node) => node.id || node.dataset?.number || "";

// Make a node like another one, changing as little as possible: what is as it was needs no layout and keeps its state.
function become(old, now) {
  if (now.dataset?.same === "" || old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName || nameOf(old) !== nameOf(now)) return old.replaceWith(now);
  if (!(old instanceof Element)) return (old.data = now.data);
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && name !== "open") old.removeAttribute(name); // menus stay open
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && "value" in old) old.value = value;
  }
  if (old instanceof HTMLOptionElement) old.selected = now.selected;
  align(old, old.firstChild, null, [...now.childNodes]);
}

// Put these nodes in place of the siblings from `at` up to `end`.
function align(parent, at, end, nodes) {
  const wanted = new Set(nodes.map(nameOf));
  const known = new Map();
  for (let node = at; node !== end; ) {
    const next = node.nextSibling;
    const name = nameOf(node);
    if (name && wanted.has(name)) known.set(name, node);
    else if (name) {
      if (node === at) at = next;
      node.remove();
    }
    node = next;
  }
  for (const node of nodes) {
    const name = nameOf(node);
    const fits = name ? known.get(name) : at !== end && !nameOf(at) && at.nodeName === node.nodeName ? at : null;
    if (!fits) {
      parent.insertBefore(node, at);
      continue;
    }
    if (fits !== at && at !== end && at.nextSibling === fits) {
      parent.insertBefore(at, end); // what went round, like the stops before the car
      at = fits;
    }
    if (fits === at) at = at.nextSibling;
    else parent.insertBefore(fits, at);
    become(fits, node);
  }
  while (at !== end) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function parsed(html, parent) {
  const isDrawing = parent.namespaceURI.endsWith("svg");
  const box = document.createElement("template");
  box.innerHTML = isDrawing ? `<svg>${html}</svg>` : html;
  return [...(isDrawing ? box.content.firstChild : box.content).childNodes];
}

// What the server sent: everything, or the parts that changed, by their number; empty comments are the seams around parts.
function show({ html, parts }) {
  if (html !== undefined) return align(stage, stage.firstChild, null, parsed(html, stage));
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_COMMENT);
  const seams = [];
  while (walker.nextNode()) if (!walker.currentNode.data) seams.push(walker.currentNode);
  for (const [number, content] of Object.entries(parts)) {
    const [start, end] = seams.slice(2 * number);
    align(start.parentNode, start.nextSibling, end, parsed(content, start.parentNode));
  }
}

function put(news) {
  const active = document.activeElement;
  const key = focusKey(active);
  tip.hidden = true;
  show(news);
  dress();
  if (key === null) return;
  if (document.activeElement === active) return void (keyed && preview(active));
  const again = stage.querySelector("#" + CSS.escape(key)) ?? stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const next = again ?? stage.querySelector(".moves button") ?? document.getElementById("prompt");
  next?.focus({ preventScroll: true, focusVisible: true });
}

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

function dress() {
  requestAnimationFrame(arrange);
  if (replay) awaitReview();
  for (const box of stage.querySelectorAll("[data-address]")) box.value = new URL(box.getAttribute("value"), location.href);
  for (const button of stage.querySelectorAll(".tabs [data-tab]")) {
    const pressed = String(button.dataset.tab === stage.dataset.tab);
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

// What asks where things are, once a frame: every answer makes the browser lay out the page.
function arrange() {
  const log = stage.querySelector(".log");
  if (log) log.scrollTop = log.scrollHeight;
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
  if (asSeat !== null) known.set("as", asSeat);
  if (table.dataset.layout === asked) known.set("shown", table.dataset.shown);
  const address = new URL(`/tables/${table.dataset.table}/live?${known}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = (socket = new WebSocket(address));
  mine.onopen = () => (patience = 500);
  mine.onmessage = async (event) => {
    const news = JSON.parse(event.data);
    Object.assign(table.dataset, { shown: "", moves: news.moves, layout: asked });
    document.title = news.title;
    await swap(news);
    fly(news.flights);
    table.dataset.ready = news.version;
    announce(news.announce);
    news.notices.forEach((text) => toast(text, "to-you"));
    if (news.yourTurn) tellTurn();
  };
  mine.onclose = () => {
    if (mine !== socket) return;
    if (patience > 500) toast(say("Lost"), "error");
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

function send(form, button) {
  closeQuestion();
  const data = new URLSearchParams(new FormData(form, button ?? undefined));
  return post(form.getAttribute("action"), data);
}

async function sendTyped(form) {
  if (await send(form)) form.reset();
}

function closeQuestion() {
  stage.querySelector(".question")?.remove();
  stage.querySelector("#dock")?.classList.remove("asking");
}

function make(tag, classes, text, attributes = {}) {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
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

function choose(button) {
  const form = button.form;
  if (table?.dataset.confirm && "final" in button.dataset) ask(form, button);
  else send(form, button);
}

const movesAt = (place) => [...stage.querySelectorAll(".moves button[data-places]")].filter((b) => b.dataset.places.split(" ").includes(place));
const previewOf = (button) => document.getElementById(button.getAttribute("aria-describedby"))?.textContent ?? "";

function clickPlace(target) {
  const buttons = movesAt(target.id);
  if (buttons.length === 1) return choose(buttons[0]);
  if (!buttons.length) return;
  for (const line of stage.querySelectorAll(".moves li")) {
    line.hidden = !buttons.includes(line.querySelector("button"));
  }
  stage.querySelector("[data-all]").hidden = false;
  toast(say("Several"));
  buttons[0].focus();
}

async function explain(place) {
  const answer = await fetch(`/tables/${table.dataset.table}/why?place=${encodeURIComponent(place)}`, { headers: { accept: "application/json" } });
  const said = await answer.json();
  toast(said.why ?? said.error);
  announce([said.why ?? said.error]);
}

function showAll() {
  const all = stage.querySelector("[data-all]");
  if (all) all.hidden = true;
  for (const line of stage.querySelectorAll(".moves li")) line.hidden = false;
}

// --- previews and explanations, where the finger is

let glossary = null;
if (stage) {
  fetch(`/glossary/${stage.dataset.game}/${document.documentElement.lang}`).then(async (answer) => {
    if (answer.ok) glossary = await answer.json();
  });
}

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");

function preview(element, x, y) {
  for (const hot of stage.querySelectorAll(".hot")) hot.classList.remove("hot");
  const button = element?.closest?.(".moves button");
  const place = element?.closest?.(".target");
  const help = button ? null : element?.closest?.("[data-help]");
  const buttons = button ? [button] : place ? movesAt(place.id) : [];
  tip.hidden = !buttons.length && !help;
  if (tip.hidden) return;
  const lines = buttons.slice(0, 4).map((one) => {
    const line = make("p", "", "");
    if (!button) line.append(make("strong", "", one.querySelector("span").textContent), " ");
    line.append(previewOf(one));
    return line;
  });
  const known = help && glossary?.[help.dataset.help];
  if (known) lines.unshift(make("p", "help", known));
  if (!lines.length) return (tip.hidden = true);
  tip.replaceChildren(...lines);
  for (const one of buttons) {
    for (const id of one.dataset.places.split(" ").filter(Boolean)) document.getElementById(id)?.classList.add("hot");
  }
  const box = element.getBoundingClientRect();
  const left = x ?? box.left + box.width / 2;
  if (button && !narrow.matches) y = stage.querySelector("#dock").getBoundingClientRect().top + 8; // not over the prompt
  const above = (y ?? box.top) > tip.offsetHeight + 20;
  tip.style.left = Math.max(8, Math.min(left - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (above ? (y ?? box.top) - tip.offsetHeight - 14 : (y ?? box.bottom) + 18) + "px";
}

// --- hints

async function hint(button) {
  button.disabled = true;
  button.classList.add("busy");
  const found = await post(button.dataset.hint, new URLSearchParams());
  button.disabled = false;
  button.classList.remove("busy");
  if (!found || !button.isConnected) return;
  const box = make("div", "hints", "", { role: "status" });
  const list = make("ol", "", "");
  for (const one of found.moves) {
    const line = make("li", "", "");
    line.append(make("strong", "", one.label), " ", make("span", "kind", one.chance));
    list.append(line);
    stage.querySelector(`.moves button[value="${CSS.escape(one.move)}"]`)?.classList.add("advised");
  }
  box.append(make("h3", "", say("Hint")), list);
  stage.querySelector(".hints")?.remove();
  stage.querySelector(".moves").before(box);
}

// --- replay

let steps = Promise.resolve();
let wanted = null;
function step(number) {
  wanted = number;
  steps = steps.then(async () => {
    if (wanted !== number) return; // a later wish has overtaken this one
    const answer = await fetch(replay.dataset.replay + number, { headers: { accept: "application/json" } });
    if (!answer.ok) return;
    const found = await answer.json();
    const onward = found.moves === shown() + 1;
    await swap(found);
    fly(onward ? found.flights : []);
    history.replaceState(null, "", replay.dataset.replay + found.moves);
    const last = [...stage.querySelectorAll(".log li")].at(-1);
    announce([document.getElementById("prompt").textContent, last?.textContent ?? ""]);
  });
}

// --- waiting for a review

let waiting = null;
function awaitReview() {
  const note = stage.querySelector("[data-wait]");
  if (!note || waiting) return;
  waiting = setTimeout(async () => {
    waiting = null;
    const answer = await fetch(note.dataset.wait, { headers: { accept: "application/json" } }).catch(() => null);
    const found = answer?.ok ? await answer.json() : null;
    const now = stage.querySelector("[data-wait] span");
    if (found?.ready || found?.over) step(shown());
    else if (now) {
      if (found) now.textContent = found.status;
      awaitReview();
    }
  }, 700);
}

const shown = () => Number(document.getElementById("slider").value);

async function askReview(form) {
  if (await send(form)) step(shown());
}

// --- listening

document.addEventListener("submit", (event) => {
  const asked = replay && event.target.closest("[data-review]");
  if (asked) {
    event.preventDefault();
    return void askReview(asked);
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
  if (event.target.id === "slider") step(Number(event.target.value));
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  let found;
  if ((found = on(".cover [data-as]"))) {
    event.preventDefault();
    asSeat = table.dataset.as = found.dataset.as;
    reconnect();
  } else if ((found = on("[data-step]"))) {
    event.preventDefault();
    step(Number(found.dataset.step));
  } else if ((found = on(".tabs [data-tab]"))) {
    stage.dataset.tab = found.dataset.tab;
    dress();
  } else if ((found = on("[data-hint]"))) hint(found);
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
  if (event.key === "Enter" && event.target.matches("button, a, summary")) return;
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

document.cookie = `layout=${layout()}; path=/; max-age=31536000; samesite=lax`;
if (stage) {
  document.body.append(tip);
  dress();
}
if (table) {
  connect();
  narrow.addEventListener("change", reconnect);
}

// A large view of what lies before a player, in a dialog over the table: opened from the player's panel, kept up to
// date, closed with Escape. While it is open, keys and clicks do nothing at the table.

import { root } from "./page.js";

const CONTENT = `
  <header><h2 id="closer-title" tabindex="-1"></h2><button type="button" class="small"></button></header>
  <div class="close-up" tabindex="0" role="region" aria-labelledby="closer-title"></div>
  <p class="said hidden" aria-live="polite"></p>`;

let dialog = null;
let openerPath = null; // finds the link again: the page around it may have been rendered again

/** Loads the view into the dialog; returns whether it is there. */
async function load(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } }).catch(() => null);
  if (!response?.ok || !dialog) return false;
  const view = await response.json();
  dialog.querySelector("h2").textContent = view.title;
  dialog.querySelector(".close-up").innerHTML = view.html;
  dialog.querySelector(".said").textContent = (view.announce ?? []).join(" ");
  return true;
}

/** Creates the dialog, still closed. */
function build() {
  dialog = document.createElement("dialog");
  dialog.className = "closer";
  dialog.setAttribute("aria-labelledby", "closer-title");
  dialog.innerHTML = CONTENT;
  dialog.querySelector("button").textContent = root.dataset.sayClose;
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("click", (event) => {
    event.stopPropagation();
    if (event.target === dialog || event.target.closest("button")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    const tip = dialog.querySelector(".tip");
    if (tip) document.body.append(tip);
    dialog.remove();
    dialog = null;
    root.querySelector(`[data-look][href="${CSS.escape(openerPath)}"]`)?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
}

/** Opens the dialog with the view at a path. */
async function open(path) {
  if (dialog) return;
  openerPath = path;
  build();
  if (!(await load(withSeat(path)))) return dialog?.close();
  const tip = document.querySelector(".tip");
  if (tip) dialog.append(tip); // only inside the dialog can it be seen above it
  dialog.showModal();
  dialog.querySelector("#closer-title").focus();
}

/** Returns the path as the seat that plays at a shared screen: its player sees their own side here too. */
const withSeat = (path) => (root.dataset.as ? `${path}?as=${root.dataset.as}` : path);

if (root) {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("[data-look]");
    const panel = event.target.closest?.(".panel");
    if (link) event.preventDefault();
    else if (!panel || event.target.closest(".target")) return;
    open((link ?? panel.closest(".seat").querySelector("[data-look]")).getAttribute("href"));
  });
  const refresh = new MutationObserver(() => dialog?.open && load(withSeat(openerPath)));
  refresh.observe(root, { attributes: true, attributeFilter: ["data-ready"] });
}

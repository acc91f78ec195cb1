// A large view of what lies before a player, in a dialog over the table: opened from the player's panel, kept up to
// date, closed with Escape. While it is open, keys and clicks do nothing at the table.

import { closestAny, find } from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { getJson } from "../shared/requests.js";
import { root } from "./root.js";

/** @typedef {{ title: string, html: string, announce?: string[] }} CloseUp */

const CONTENT = `
  <header><h2 id="closer-title" tabindex="-1"></h2><button type="button" class="small"></button></header>
  <div class="close-up" tabindex="0" role="region" aria-labelledby="closer-title"></div>
  <p class="said hidden" aria-live="polite"></p>`;

/** @type {HTMLDialogElement | null} */
let dialog = null;
let openerPath = ""; // finds the link again: the page around it may have been rendered again

/** Returns the path as the seat that plays at a shared screen: its player sees their own side here too. */
const viewPath = () => (root.dataset.as ? `${openerPath}?as=${root.dataset.as}` : openerPath);

/** Loads the view into the dialog; returns whether it is there. */
async function load() {
  try {
    /** @type {CloseUp} */
    const view = await getJson(viewPath());
    if (!dialog) return false;
    const [title, content, announced] = ["h2", ".close-up", ".said"].map((selector) => dialog?.querySelector(selector));
    if (title) title.textContent = view.title;
    if (content) content.innerHTML = view.html;
    if (announced) announced.textContent = (view.announce ?? []).join(" ");
    return true;
  } catch {
    return false;
  }
}

/** Creates the dialog, still closed. */
function build() {
  const box = document.createElement("dialog");
  box.className = "closer";
  box.setAttribute("aria-labelledby", "closer-title");
  box.innerHTML = CONTENT;
  const closeButton = find(box, "button", HTMLButtonElement);
  if (closeButton) closeButton.textContent = say("close");
  box.addEventListener("keydown", (event) => event.stopPropagation());
  box.addEventListener("click", (event) => {
    event.stopPropagation();
    if (event.target === box || closestAny(event.target, "button")) box.close();
  });
  box.addEventListener("close", () => {
    const tip = box.querySelector(".tip");
    if (tip) document.body.append(tip);
    box.remove();
    dialog = null;
    find(root, `[data-look][href="${CSS.escape(openerPath)}"]`, HTMLElement)?.focus({ preventScroll: true });
  });
  document.body.append(box);
  return box;
}

/**
 * Opens the dialog with the view at a path.
 * @param {string} path
 */
async function open(path) {
  if (dialog) return;
  openerPath = path;
  const box = build();
  dialog = box;
  if (!(await load())) {
    box.remove(); // closing does nothing to what was never shown
    dialog = null;
    return;
  }
  const tip = document.querySelector(".tip");
  if (tip) box.append(tip); // only inside the dialog can it be seen above it
  box.showModal();
  find(box, "#closer-title", HTMLElement)?.focus();
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = closestAny(event.target, "[data-look]");
  const panel = closestAny(event.target, ".panel");
  if (link) event.preventDefault();
  else if (!panel || closestAny(event.target, ".target")) return;
  const opener = link ?? panel?.closest(".seat")?.querySelector("[data-look]");
  const path = opener?.getAttribute("href");
  if (path) open(path);
});
const refresh = new MutationObserver(() => dialog?.open && load());
refresh.observe(root, { attributes: true, attributeFilter: ["data-ready"] });

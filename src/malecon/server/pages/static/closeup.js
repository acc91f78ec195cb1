// A large view of what lies before a player, over the table: opened from the player's panel, kept up to date, closed
// with Escape. While it is open, keys and clicks do nothing at the table.

import { stage } from "./stage.js";

let dialog = null;
let opener = null; // the address, to find its link again: the page around it may have been drawn anew

async function load(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || !dialog) return false;
  const found = await answer.json();
  dialog.querySelector("h2").textContent = found.title;
  dialog.querySelector(".close-up").innerHTML = found.html;
  const said = (found.announce ?? []).join(" ");
  dialog.querySelector(".said").textContent = said;
  return true;
}

function build() {
  dialog = document.createElement("dialog");
  dialog.className = "closer";
  dialog.setAttribute("aria-labelledby", "closer-title");
  dialog.innerHTML = `<header><h2 id="closer-title" tabindex="-1"></h2><button type="button" class="small"></button></header>
    <div class="close-up" tabindex="0" role="region" aria-labelledby="closer-title"></div><p class="said hidden" aria-live="polite"></p>`;
  dialog.querySelector("button").textContent = stage.dataset.sayClose;
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
    stage.querySelector(`[data-look][href="${CSS.escape(opener)}"]`)?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
}

async function open(address) {
  if (dialog) return;
  opener = address;
  build();
  if (!(await load(withSeat(address)))) return dialog?.close();
  const tip = document.querySelector(".tip");
  if (tip) dialog.append(tip); // only inside the dialog can it be seen above it
  dialog.showModal();
  dialog.querySelector("#closer-title").focus();
}

// Several people at one screen: whose turn it is has said so, and sees their own side here too.
const withSeat = (address) => (stage.dataset.as ? `${address}?as=${stage.dataset.as}` : address);

if (stage) {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("[data-look]");
    const panel = event.target.closest?.(".panel");
    if (link) event.preventDefault();
    else if (!panel || event.target.closest(".target")) return;
    open((link ?? panel.closest(".seat").querySelector("[data-look]")).getAttribute("href"));
  });
  new MutationObserver(() => dialog?.open && load(withSeat(opener))).observe(stage, { attributes: true, attributeFilter: ["data-ready"] });
}

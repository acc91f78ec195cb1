// Menus: one is open at a time; Escape, and a click elsewhere, close it.

import { findAll } from "./elements.js";

const MENU = "details.seat-menu";

/**
 * Closes the open menus, but not one that contains a node.
 * @param {Node | null} [kept]
 */
function closeMenus(kept = null) {
  for (const menu of findAll(document, `${MENU}[open]`, HTMLDetailsElement)) {
    if (!menu.contains(kept)) menu.open = false;
  }
}

/** Closes menus from now on when the reader has done with them. */
export function startMenus() {
  document.addEventListener("click", ({ target, detail }) => {
    // without a pointer it is 0: a key that stands for a control presses it, and leaves the menu as it is
    if (detail) closeMenus(target instanceof Node ? target : null);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.activeElement?.closest(`${MENU}[open]`);
    closeMenus();
    menu?.querySelector("summary")?.focus();
  });
}

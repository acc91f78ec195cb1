// What clicks and keys do at a table and in a replay alike.

import { find, isKeyTaken, isPressOfControl } from "../shared/elements.js";
import { afterRender } from "./rendering.js";
import { root } from "./root.js";
import { hideTooltip } from "./tooltip.js";

/** @type {[string, (element: HTMLElement, event: MouseEvent) => void][]} */
export const CLICKS = [
  [
    ".tabs [data-tab]",
    (button) => {
      root.dataset.tab = button.dataset.tab;
      afterRender();
    },
  ],
];

/**
 * Handles keys: Escape, those that the page itself has a use for, and those that press a control with `data-key`.
 * @param {() => void} onEscape
 * @param {(event: KeyboardEvent) => boolean} handle returns whether it has handled the key
 */
export function onKeys(onEscape, handle) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      onEscape();
      hideTooltip();
      return;
    }
    if (isKeyTaken(event)) return;
    if (handle(event)) return event.preventDefault();
    if (isPressOfControl(event)) return;
    const control = find(root, `[data-key="${CSS.escape(event.key)}"]`, HTMLElement);
    if (!control) return;
    event.preventDefault();
    control.click();
  });
}

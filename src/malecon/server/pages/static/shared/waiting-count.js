// The number of games that wait for the reader: in the tab's title, and on the app's icon if the system shows a badge.

import { pageData } from "./page-data.js";

/** @type {number | null} */
let count = null; // null: the server has not said yet
let title = document.title.replace(/^\(\d+\) /, "");

/** Shows the number in the title, unless the only game that waits is this page's: its title says so already. */
function showCount() {
  const others = count && (count > 1 || !title.startsWith("●"));
  document.title = (others ? `(${count}) ` : "") + title;
}

/**
 * Sets the page's title, without the number.
 * @param {string} text
 */
export function setTitle(text) {
  title = text;
  showCount();
}

/**
 * Sets how many games wait.
 * @param {number} number
 */
export function setWaitingCount(number) {
  count = number;
  showCount();
  const badge = number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

if (pageData.waits !== undefined) setWaitingCount(pageData.waits);

// The element that holds the board and all that is beside it: a table, or the replay of a game.

import { find } from "../shared/elements.js";

const element = find(document, "#table, #replay", HTMLElement);
if (!element) throw new Error("this page shows neither a table nor a replay");

export const root = element;
export const isTable = element.id === "table";

/** Returns the frame of the board. */
export const board = () => find(root, ".board", HTMLElement);

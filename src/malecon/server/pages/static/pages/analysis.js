// The analysis board: the engine thinks about the position that is shown, and the tree scrolls to it.

import { findPanel } from "../engine/panel.js";
import { shownPosition } from "../engine/position.js";
import { completeAddresses } from "../shared/elements.js";
import "./exercise.js";

const panel = findPanel();
panel?.show(shownPosition());
panel?.resume();
completeAddresses(document);
const current = document.getElementById("current");
const rows = current?.closest(".tree-rows");
if (current && rows instanceof HTMLElement) {
  rows.scrollTop = current.offsetTop - rows.offsetTop - rows.clientHeight / 2;
}

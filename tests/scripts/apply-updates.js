// Applies updates as the server wrote them: node apply-updates.js CASES.json, a list of {before, updates}.
// Prints what the page shows after each update. tests/test_scripts.py compares it with what the server meant.

import { readFileSync } from "node:fs";
import { get, openPage } from "./page.js";

openPage('<div id="box"></div>');
const { updater } = await import("#scripts/shared/page-update.js");

/** @type {{ before: string, updates: import("#scripts/shared/page-update.js").PageMessage[] }[]} */
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
const box = get("#box");
const shown = cases.map(({ before, updates }) => {
  box.innerHTML = before;
  const update = updater(box);
  return updates.map((message) => {
    update(message);
    return box.innerHTML;
  });
});
console.log(JSON.stringify(shown));

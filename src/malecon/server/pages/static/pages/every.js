// What every page does: clocks count, selects with `data-submit` submit their forms, the app works without a network.

import { startClocks } from "../shared/clock.js";
import { rememberLayout } from "../shared/layout.js";
import { startMenus } from "../shared/menus.js";
import { registerWorker } from "../shared/register-worker.js";

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  if (target.matches("[data-submit]")) target.form?.submit();
  if (target.matches("[data-send]")) target.form?.requestSubmit();
});

rememberLayout();
startClocks();
startMenus();
registerWorker();

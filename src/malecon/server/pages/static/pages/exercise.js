// A position to decide in: places on the board choose among the moves beside it, and keys do, too.
// Without this script the buttons work by themselves.

import { byId, closest, closestAny, find, findAll, isKeyTaken, isPress, isPressOfControl } from "../shared/elements.js";
import { movesAt, placesOf } from "../shared/places.js";

const page = byId("exercise", HTMLElement);
const form = find(page, ".exercise-moves", HTMLFormElement);

/** Returns the buttons of all moves. */
const moveButtons = () => findAll(form, "button[name=move]", HTMLButtonElement);

/**
 * Lists these moves alone.
 * @param {HTMLButtonElement[]} buttons
 */
function showOnly(buttons) {
  for (const button of moveButtons()) {
    const item = button.closest("li");
    if (item) item.hidden = !buttons.includes(button);
  }
  const showAllButton = find(form, "[data-all]", HTMLElement);
  if (showAllButton) showAllButton.hidden = buttons.length === moveButtons().length;
}

/**
 * Makes the only move at a place, or lists the moves there.
 * @param {string} place
 */
function choosePlace(place) {
  const buttons = movesAt(moveButtons(), place);
  if (buttons.length === 1) return form?.requestSubmit(buttons[0]);
  if (!buttons.length) return;
  showOnly(buttons);
  buttons[0].focus();
}

page.addEventListener("click", ({ target }) => {
  const place = closestAny(target, ".target");
  if (place) choosePlace(place.id);
  else if (closestAny(target, "[data-all]")) showOnly(moveButtons());
});

// A move and its places light up together.
page.addEventListener("pointerover", ({ target }) => {
  for (const hot of page.querySelectorAll(".hot")) hot.classList.remove("hot");
  const button = closest(target, "button[name=move]", HTMLButtonElement);
  const place = closestAny(target, ".target");
  if (button) for (const id of placesOf(button)) document.getElementById(id)?.classList.add("hot");
  if (place) for (const move of movesAt(moveButtons(), place.id)) move.classList.add("hot");
});

document.addEventListener("keydown", (event) => {
  if (isKeyTaken(event)) return;
  const place = closestAny(event.target, ".target");
  if (place && form && isPress(event)) {
    event.preventDefault();
    return choosePlace(place.id);
  }
  if (isPressOfControl(event)) return;
  const control = find(page, `[data-key="${CSS.escape(event.key)}"]`, HTMLElement);
  if (!control) return;
  event.preventDefault();
  control.click();
});

page.dataset.ready = ""; // keys work from now on

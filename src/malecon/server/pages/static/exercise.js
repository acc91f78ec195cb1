// A position to decide in: places on the board choose among the moves beside it, and keys do, too.
// Without this script the buttons work by themselves.

const page = document.getElementById("exercise");
const form = page?.querySelector(".exercise-moves");

/** Returns the buttons of all moves. */
const moveButtons = () => [...(form?.querySelectorAll("button[name=move]") ?? [])];

/** Returns the places on the board that belong to a move. */
const placesOf = (button) => button.dataset.places.split(" ").filter(Boolean);

/** Returns the buttons of the moves at a place. */
const movesAt = (place) => moveButtons().filter((button) => placesOf(button).includes(place));

/** Lists these moves alone. */
function showOnly(buttons) {
  for (const button of moveButtons()) button.closest("li").hidden = !buttons.includes(button);
  form.querySelector("[data-all]").hidden = buttons.length === moveButtons().length;
}

/** Makes the only move at a place, or lists the moves there. */
function choosePlace(place) {
  const buttons = movesAt(place.id);
  if (buttons.length === 1) return form.requestSubmit(buttons[0]);
  if (!buttons.length) return;
  showOnly(buttons);
  buttons[0].focus();
}

page?.addEventListener("click", (event) => {
  const place = event.target.closest(".target");
  if (place && form) choosePlace(place);
  else if (event.target.closest("[data-all]")) showOnly(moveButtons());
});

// A move and its places light up together.
page?.addEventListener("pointerover", (event) => {
  for (const hot of page.querySelectorAll(".hot")) hot.classList.remove("hot");
  const button = event.target.closest("button[name=move]");
  const place = event.target.closest(".target");
  if (button) for (const id of placesOf(button)) document.getElementById(id)?.classList.add("hot");
  if (place && form) for (const move of movesAt(place.id)) move.classList.add("hot");
});

document.addEventListener("keydown", (event) => {
  if (!page || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) return;
  const isPress = event.key === "Enter" || event.key === " ";
  const place = event.target.closest?.(".target");
  if (place && form && isPress) {
    event.preventDefault();
    return choosePlace(place);
  }
  if (isPress && event.target.matches("button, a, summary")) return;
  const control = page.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!control) return;
  event.preventDefault();
  control.click();
});

if (page) page.dataset.ready = ""; // keys work from now on

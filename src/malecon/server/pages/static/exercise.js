// A position to decide in: places on the board choose among the moves beside it, and keys do, too.
// Without this script the buttons work by themselves.

const page = document.getElementById("exercise");
const form = page?.querySelector(".exercise-moves");
const moves = () => [...(form?.querySelectorAll("button[name=move]") ?? [])];
const at = (place) => moves().filter((button) => button.dataset.places.split(" ").includes(place));

function only(wanted) {
  for (const button of moves()) button.closest("li").hidden = !wanted.includes(button);
  form.querySelector("[data-all]").hidden = wanted.length === moves().length;
}

function choose(place) {
  const found = at(place.id);
  if (found.length === 1) return form.requestSubmit(found[0]);
  if (!found.length) return;
  only(found);
  found[0].focus();
}

page?.addEventListener("click", (event) => {
  const place = event.target.closest(".target");
  if (place && form) choose(place);
  else if (event.target.closest("[data-all]")) only(moves());
});

// What belongs together lights up together.
page?.addEventListener("pointerover", (event) => {
  for (const hot of page.querySelectorAll(".hot")) hot.classList.remove("hot");
  const button = event.target.closest("button[name=move]");
  const place = event.target.closest(".target");
  if (button) for (const id of button.dataset.places.split(" ").filter(Boolean)) document.getElementById(id)?.classList.add("hot");
  if (place && form) for (const one of at(place.id)) one.classList.add("hot");
});

document.addEventListener("keydown", (event) => {
  if (!page || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const place = event.target.closest?.(".target");
  if (place && form && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return choose(place);
  }
  if ((event.key === "Enter" || event.key === " ") && event.target.matches("button, a, summary")) return;
  const wanted = page.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!wanted) return;
  event.preventDefault();
  wanted.click();
});

if (page) page.dataset.ready = ""; // keys work from now on

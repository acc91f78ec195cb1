// Looking around the board with the arrow keys: from thing to thing, each explains itself where it is; Enter says why
// nothing can be done there, or does it.

const table = document.getElementById("table");
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const THINGS = '.board :is([role="img"][id], .target)';

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

// The nearest thing that lies that way; what lies aside counts as further off.
function nearest(from, [dx, dy]) {
  let [found, least] = [null, Infinity];
  const [x, y] = from;
  for (const thing of table.querySelectorAll(THINGS)) {
    const [a, b] = middle(thing);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    const distance = ahead + 2.5 * aside;
    if (ahead > 3 && distance < least) [found, least] = [thing, distance];
  }
  return found;
}

table?.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const board = event.target.closest(".board");
  const way = ARROWS[event.key];
  const here = event.target.closest(THINGS);
  if (!board) return;
  if (way) {
    const box = board.getBoundingClientRect();
    const next = here ? nearest(middle(here), way) : nearest([box.left, box.top], [1, 0]);
    event.preventDefault();
    if (!next) return;
    if (!next.matches(".target")) next.setAttribute("tabindex", "-1");
    next.focus({ focusVisible: true });
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && here && !here.matches(".target")) {
    event.preventDefault();
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});

// Animations: goods, pesos and points fly between the things of the board and the players' panels, dice tumble.
// They are only for the eye: they take no clicks, wait for nothing, and do not run if reduced motion is preferred.

/** @typedef {{ thing: string, count: number, start: string, end: string }} Flight */
/** @typedef {{ x: number, y: number }} Point */

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const DURATION_MS = 600; // of everything together
const MOST_SYMBOLS = 5; // of one flight; the number tells the rest
const SVG = "http://www.w3.org/2000/svg";

/** @type {HTMLElement | null} */
let layer = null; // the element over the page that holds what flies

/** Ends all flights. */
function clear() {
  layer?.remove();
  layer = null;
}

/**
 * Returns the middle of a box on the screen.
 * @param {DOMRect} box
 */
const middleOf = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/**
 * Returns the middle of the first of these ids that can be seen; a panel behind a tab is where its tab is.
 * @param {string} ids
 * @param {string} thing
 * @returns {Point | null}
 */
function middle(ids, thing) {
  for (const id of ids.split(" ")) {
    const place = document.getElementById(id);
    const element = place?.querySelector(`[data-holding="${thing}"]`) ?? place;
    const box = element?.getBoundingClientRect();
    if (box?.width) return middleOf(box);
  }
  const tab = ids.startsWith("seat-") ? document.querySelector('.tabs [data-tab="seats"]') : null;
  const box = tab?.getBoundingClientRect();
  return box?.width ? middleOf(box) : null;
}

/**
 * Returns a drawing of a symbol of the page's sheet.
 * @param {string} thing
 */
function symbol(thing) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("viewBox", "0 0 24 24");
  use.setAttribute("href", `#m-${thing}`);
  svg.append(use);
  return svg;
}

/**
 * Puts something on the layer, at a point of the screen.
 * @param {string} classes
 * @param {string | Element} content
 * @param {Point} point
 */
function place(classes, content, { x, y }) {
  const element = document.createElement("div");
  element.className = classes;
  element.append(content);
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  layer?.append(element);
  return element;
}

/**
 * Animates an element and removes it afterwards.
 * @param {HTMLElement} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
function animate(element, frames, options) {
  const animation = element.animate(frames, { fill: "both", ...options });
  animation.finished.then(
    () => element.remove(),
    () => {},
  );
}

/**
 * Animates a flight of some symbols, and the numbers at the seats that give and get them.
 * @param {Flight} flight
 * @param {number} delayMs
 */
function fly({ thing, count, start, end }, delayMs) {
  const from = middle(start, thing);
  const to = middle(end, thing);
  if (!from || !to) return;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const height = Math.min(90, 24 + Math.hypot(dx, dy) / 6);
  const symbols = Math.min(count, MOST_SYMBOLS);
  const duration = DURATION_MS - delayMs - 30 * (symbols - 1) - 20;
  for (let i = 0; i < symbols; i++) {
    const aside = (i - (symbols - 1) / 2) * 9;
    const element = place("flight", symbol(thing), from);
    element.dataset.thing = thing;
    animate(
      element,
      [
        { transform: `translate(${aside}px, 0) scale(.5)`, opacity: 0 },
        { transform: `translate(${aside}px, -6px) scale(1.15)`, opacity: 1, offset: 0.15 },
        { transform: `translate(${dx / 2 + aside}px, ${dy / 2 - height}px) scale(1.25)`, opacity: 1, offset: 0.55 },
        { transform: `translate(${dx}px, ${dy}px) scale(.8)`, opacity: 0.9 },
      ],
      { duration, delay: delayMs + 30 * i, easing: "cubic-bezier(.35, 0, .3, 1)" },
    );
  }
  if (start.startsWith("seat-")) showChange("change loss", `−${count}`, from);
  if (end.startsWith("seat-")) showChange("change gain", `+${count}`, to);
}

/**
 * Animates a number that says how much a seat has gained or lost.
 * @param {string} classes
 * @param {string} text
 * @param {Point} point
 */
function showChange(classes, text, point) {
  animate(
    place(classes, text, point),
    [
      { transform: "translate(-50%, -40%) scale(.7)", opacity: 0 },
      { transform: "translate(-50%, -90%) scale(1.1)", opacity: 1, offset: 0.5 },
      { transform: "translate(-50%, -150%) scale(1)", opacity: 0 },
    ],
    { duration: DURATION_MS, easing: "ease-out" },
  );
}

/**
 * Lets a die of the board tumble.
 * @param {string} id
 * @param {number} number
 */
function tumble(id, number) {
  const die = document.getElementById(id);
  if (!die) return;
  die.style.transformBox = "fill-box";
  die.style.transformOrigin = "center";
  die.classList.add("tumbles");
  const side = number % 2 ? 1 : -1;
  const animation = die.animate(
    [
      { transform: `translate(${-46 * side}px, -70px) rotate(${-400 * side}deg) scale(1.3)`, opacity: 0 },
      { transform: `translate(${-20 * side}px, -34px) rotate(${-210 * side}deg) scale(1.2)`, opacity: 1, offset: 0.3 },
      { transform: `translate(${5 * side}px, 0) rotate(${14 * side}deg)`, offset: 0.7 },
      { transform: `translate(${-2 * side}px, -5px) rotate(${-6 * side}deg)`, offset: 0.85 },
      { transform: "none" },
    ],
    { duration: DURATION_MS - 40 * number, delay: 40 * number, easing: "ease-out", fill: "backwards" },
  );
  animation.finished.then(
    () => die.classList.remove("tumbles"),
    () => {},
  );
}

/**
 * Animates the flights that the server sent with a move; flights before them end.
 * @param {Flight[] | undefined} flights
 */
export function animateFlights(flights) {
  clear();
  if (!flights?.length || reducedMotion.matches || document.hidden) return;
  layer = document.createElement("div");
  layer.className = "sky";
  layer.setAttribute("aria-hidden", "true");
  document.body.append(layer);
  const dice = flights.filter(({ start, end }) => start === end);
  const goods = flights.filter(({ start, end }) => start !== end);
  for (const [i, die] of dice.entries()) tumble(die.start, i);
  for (const [i, flight] of goods.entries()) fly(flight, Math.min(i, 4) * 40);
  const current = layer;
  setTimeout(() => current === layer && clear(), DURATION_MS + 50);
}

// What moves by itself: goods, pesos and points fly between the things of the board and the players' panels, dice tumble.
// All of it is only for the eye: it takes no clicks, waits for nothing, and does not exist where motion is not wanted.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const LONGEST = 600; // milliseconds, everything together
const MOST = 5; // symbols of one flight; the number says the rest

let sky = null;

function clear() {
  sky?.remove();
  sky = null;
}

// The middle of the first of these ids that can be seen; a panel behind a tab is where its tab is.
function middle(ids, thing) {
  for (const id of ids.split(" ")) {
    const found = document.getElementById(id);
    const element = found?.querySelector(`[data-holding="${thing}"]`) ?? found;
    const box = element?.getBoundingClientRect();
    if (box?.width) return { x: box.left + box.width / 2, y: box.top + box.height / 2, element };
  }
  const tab = ids.startsWith("seat-") ? document.querySelector('.tabs [data-tab="seats"]') : null;
  const box = tab?.getBoundingClientRect();
  return box?.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
}

function symbol(thing) {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  drawn.setAttribute("viewBox", "0 0 24 24");
  use.setAttribute("href", `#m-${thing}`);
  drawn.append(use);
  return drawn;
}

function put(classes, content, at) {
  const element = document.createElement("div");
  element.className = classes;
  element.append(content);
  element.style.left = at.x + "px";
  element.style.top = at.y + "px";
  sky.append(element);
  return element;
}

function animate(element, frames, options) {
  const animation = element.animate(frames, { fill: "both", ...options });
  animation.finished.then(() => element.remove(), () => {});
}

function send({ thing, count, start, end }, wait) {
  const [from, to] = [middle(start, thing), middle(end, thing)];
  if (!from || !to) return;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const high = Math.min(90, 24 + Math.hypot(dx, dy) / 6);
  const symbols = Math.min(count, MOST);
  const flying = LONGEST - wait - 30 * (symbols - 1) - 20;
  for (let i = 0; i < symbols; i++) {
    const aside = (i - (symbols - 1) / 2) * 9;
    const flight = put("flight", symbol(thing), from);
    flight.dataset.thing = thing;
    animate(
      flight,
      [
        { transform: `translate(${aside}px, 0) scale(.5)`, opacity: 0 },
        { transform: `translate(${aside}px, -6px) scale(1.15)`, opacity: 1, offset: 0.15 },
        { transform: `translate(${dx / 2 + aside}px, ${dy / 2 - high}px) scale(1.25)`, opacity: 1, offset: 0.55 },
        { transform: `translate(${dx}px, ${dy}px) scale(.8)`, opacity: 0.9 },
      ],
      { duration: flying, delay: wait + 30 * i, easing: "cubic-bezier(.35, 0, .3, 1)" },
    );
  }
  for (const [ids, at, sign] of [[start, from, "−"], [end, to, "+"]]) {
    if (!ids.startsWith("seat-")) continue;
    const change = put("change " + (sign === "+" ? "gain" : "loss"), sign + count, at);
    animate(
      change,
      [
        { transform: "translate(-50%, -40%) scale(.7)", opacity: 0 },
        { transform: "translate(-50%, -90%) scale(1.1)", opacity: 1, offset: 0.5 },
        { transform: "translate(-50%, -150%) scale(1)", opacity: 0 },
      ],
      { duration: LONGEST, easing: "ease-out" },
    );
  }
}

function tumble(die, number) {
  const lying = document.getElementById(die);
  if (!lying) return;
  lying.style.transformBox = "fill-box";
  lying.style.transformOrigin = "center";
  lying.classList.add("tumbles");
  const way = number % 2 ? 1 : -1;
  const rolling = lying.animate(
    [
      { transform: `translate(${-46 * way}px, -70px) rotate(${-400 * way}deg) scale(1.3)`, opacity: 0 },
      { transform: `translate(${-20 * way}px, -34px) rotate(${-210 * way}deg) scale(1.2)`, opacity: 1, offset: 0.3 },
      { transform: `translate(${5 * way}px, 0) rotate(${14 * way}deg)`, offset: 0.7 },
      { transform: `translate(${-2 * way}px, -5px) rotate(${-6 * way}deg)`, offset: 0.85 },
      { transform: "none" },
    ],
    { duration: LONGEST - 40 * number, delay: 40 * number, easing: "ease-out", fill: "backwards" },
  );
  rolling.finished.then(() => lying.classList.remove("tumbles"), () => {});
}

// Show what the server says is on its way; whatever was still in the air has arrived.
export function fly(flights) {
  clear();
  if (!flights?.length || calm.matches || document.hidden) return;
  sky = document.createElement("div");
  sky.className = "sky";
  sky.setAttribute("aria-hidden", "true");
  document.body.append(sky);
  const [dice, goods] = [flights.filter((one) => one.start === one.end), flights.filter((one) => one.start !== one.end)];
  dice.forEach((die, i) => tumble(die.start, i));
  goods.forEach((flight, i) => send(flight, Math.min(i, 4) * 40));
  const mine = sky;
  setTimeout(() => mine === sky && clear(), LONGEST + 50);
}

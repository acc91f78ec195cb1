// Finding and creating elements, notes to the reader, and lines for screen readers.

const TOAST_MS = 6000;
const MOST_TOASTS = 3;

/**
 * Returns the element with an id, which must be there and of this kind.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`there must be an element #${id} of the kind ${kind.name}`);
}

/**
 * Returns the first element of this kind inside another one that a selector matches, or null.
 * @template {Element} T
 * @param {ParentNode | null | undefined} inside
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | null}
 */
export function find(inside, selector, kind) {
  const element = inside?.querySelector(selector);
  return element instanceof kind ? element : null;
}

/**
 * Returns the elements of this kind inside another one that a selector matches.
 * @template {Element} T
 * @param {ParentNode | null | undefined} inside
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T[]}
 */
export function findAll(inside, selector, kind) {
  const isKind = (/** @type {Element} */ element) => element instanceof kind;
  return /** @type {T[]} */ ([...(inside?.querySelectorAll(selector) ?? [])].filter(isKind));
}

/**
 * Returns the element of this kind that a selector matches and that an event hit, or something inside it; else null.
 * @template {Element} T
 * @param {EventTarget | null | undefined} target
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | null}
 */
export function closest(target, selector, kind) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof kind ? element : null;
}

/** @typedef {HTMLElement | SVGElement} AnyElement */

/**
 * Returns the element, of whatever kind, that a selector matches and that an event hit, or something inside it.
 * @param {EventTarget | null | undefined} target
 * @param {string} selector
 */
export function closestAny(target, selector) {
  return /** @type {AnyElement | null} */ (target instanceof Element ? target.closest(selector) : null);
}

/**
 * Returns whether a key is meant for a field or for the browser.
 * @param {KeyboardEvent} event
 */
export function isKeyTaken({ target, ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey || (target instanceof Element && target.matches("input, select, textarea"));
}

/**
 * Returns whether a key presses what has the focus.
 * @param {KeyboardEvent} event
 */
export const isPress = ({ key }) => key === "Enter" || key === " ";

/**
 * Returns whether a key presses the control that has the focus, which the browser does by itself.
 * @param {KeyboardEvent} event
 */
export const isPressOfControl = (event) =>
  isPress(event) && event.target instanceof Element && event.target.matches("button, a, summary");

/**
 * Gives an element the focus, without scrolling to it.
 * @param {HTMLElement | SVGElement} element
 * @param {boolean} [focusVisible] whether to show it; if not given, the browser decides
 */
export function focus(element, focusVisible) {
  /** @type {FocusOptions & { focusVisible?: boolean }} */
  const options = { preventScroll: true, focusVisible };
  element.focus(options);
}

/**
 * Creates an element with classes, text and attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} classes
 * @param {string} text
 * @param {Record<string, string>} [attributes]
 */
export function createElement(tag, classes, text, attributes = {}) {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/**
 * Handles clicks in the page: the first selector that matches is taken, and gets the element and the event.
 * @param {[string, (element: HTMLElement, event: MouseEvent) => void][]} actions
 */
export function onClicks(actions) {
  document.addEventListener("click", (event) => {
    for (const [selector, act] of actions) {
      const element = closestAny(event.target, selector);
      if (element) return act(/** @type {HTMLElement} */ (element), event);
    }
  });
}

/**
 * Shows a note for some seconds and returns it.
 * @param {string} text
 * @param {string} [kind] a class
 */
export function toast(text, kind = "") {
  const box = document.getElementById("toasts");
  if (!box || !text) return null;
  const note = createElement("p", `toast ${kind}`, text);
  box.append(note);
  while (box.children.length > MOST_TOASTS) box.firstElementChild?.remove();
  setTimeout(() => note.remove(), TOAST_MS);
  return note;
}

/**
 * Has a screen reader read these lines.
 * @param {string[]} lines
 */
export function announce(lines) {
  const box = document.getElementById("announcer");
  if (box && lines.length) box.textContent = lines.join(" ");
}

/**
 * Shows whole addresses where the server wrote paths.
 * @param {ParentNode} inside
 */
export function completeAddresses(inside) {
  for (const field of findAll(inside, "input[data-address]", HTMLInputElement)) {
    field.value = new URL(field.getAttribute("value") ?? "", location.href).href;
  }
}

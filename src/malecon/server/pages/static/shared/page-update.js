// Shows what the server sent, and keeps what the reader has done to the page: focus, open menus, typed text, scrolling.
//
// The server says which items of a page have changed (pages/html_diff.py), and they are replaced. The steps of a replay
// come as whole pages, also without a network: there the parts whose text differs from the last step are replaced.

import { find, findAll, focus } from "./elements.js";

/** @typedef {import("./elements.js").AnyElement} AnyElement */
/** @typedef {Record<number, (string | number)[]>} ChangedParts the items of each changed part, by its number */
/** @typedef {{ html?: string, parts?: ChangedParts }} PageMessage */

const PART_MARK = ""; // the comment before and after each part, as the server writes it: drawing/svg.py
const ITEM_MARK = "/"; // the comment between two items of a part

/**
 * @param {Node} node
 * @param {string} data
 */
const isComment = (node, data) => node instanceof Comment && node.data === data;

/**
 * Returns a fragment with the nodes of some HTML, or SVG if the parent is a drawing.
 * @param {string} html
 * @param {Node | null} parent
 */
function parse(html, parent) {
  const template = document.createElement("template");
  if (!(parent instanceof SVGElement)) {
    template.innerHTML = html;
    return template.content;
  }
  template.innerHTML = `<svg>${html}</svg>`;
  const fragment = document.createDocumentFragment();
  fragment.append(...(template.content.firstChild?.childNodes ?? []));
  return fragment;
}

/**
 * Returns the nodes between two marks.
 * @param {Node} start
 * @param {Node} end
 */
function nodesBetween(start, end) {
  const nodes = [];
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/**
 * Returns the nodes between two marks, item by item.
 * @param {Node} start
 * @param {Node} end
 */
function itemsBetween(start, end) {
  /** @type {ChildNode[][]} */
  const items = [[]];
  for (const node of nodesBetween(start, end)) {
    if (isComment(node, ITEM_MARK)) items.push([]);
    else items.at(-1)?.push(node);
  }
  return items;
}

/**
 * Replaces a part by its items: a number is an item that the part has already, a text the HTML of another one.
 * @param {Comment} start
 * @param {Comment} end
 * @param {(string | number)[]} content
 */
function replacePart(start, end, content) {
  const old = itemsBetween(start, end);
  const kept = new Set(content.flatMap((item) => (typeof item === "number" ? old[item] : [])));
  for (const node of nodesBetween(start, end)) if (!kept.has(node)) node.remove();
  /** @type {ChildNode} */
  let at = start.nextSibling ?? end;
  for (const [index, item] of content.entries()) {
    if (index) at.before(document.createComment(ITEM_MARK));
    if (typeof item === "string") {
      at.before(parse(item, start.parentNode));
      continue;
    }
    for (const node of old[item]) {
      if (node === at) at = at.nextSibling ?? end;
      else at.before(node);
    }
  }
}

/**
 * Returns the marks of all parts inside an element.
 * @param {Element} box
 */
function partMarks(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_COMMENT);
  /** @type {Comment[]} */
  const marks = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Comment && isComment(node, PART_MARK)) marks.push(node);
  }
  return marks;
}

/**
 * Returns the pieces of a whole page, as the browser writes it: every other one, from the second on, is a part.
 * @param {Element} box
 */
const piecesOf = (box) => box.innerHTML.trim().split(`<!--${PART_MARK}-->`);

/**
 * Returns the parts that differ between two pages; null if anything else does, and if the page is not known.
 * @param {string[] | null} before
 * @param {string[]} now
 * @returns {ChangedParts | null}
 */
function changedParts(before, now) {
  if (!before || before.length !== now.length) return null;
  const differs = now.map((piece, number) => piece !== before[number]);
  if (differs.some((different, number) => different && number % 2 === 0)) return null;
  return Object.fromEntries(now.flatMap((piece, number) => (differs[number] ? [[(number - 1) / 2, [piece]]] : [])));
}

/**
 * Returns what shows updates inside an element; nothing may have changed it yet since the page was loaded.
 * @param {Element} box
 * @returns {(message: PageMessage) => void}
 */
export function updater(box) {
  /** @type {string[] | null} */
  let shown = piecesOf(box); // null once only the server knows
  return ({ html, parts: sent }) => {
    let parts = sent ?? {};
    if (html !== undefined) {
      const template = document.createElement("template");
      template.innerHTML = html;
      const pieces = piecesOf(template);
      const changed = changedParts(shown, pieces);
      shown = pieces;
      if (!changed) return box.replaceChildren(template.content);
      parts = changed;
    } else shown = null;
    const marks = partMarks(box);
    for (const [key, content] of Object.entries(parts)) {
      const number = Number(key);
      replacePart(marks[2 * number], marks[2 * number + 1], content);
    }
  };
}

// --- what the reader has done to the page

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * @param {Element} box
 * @param {string} id
 */
const findById = (box, id) => find(box, `#${CSS.escape(id)}`, HTMLElement);

/**
 * @param {Element} element
 * @returns {element is Field}
 */
const isField = (element) => element.matches("input, select, textarea");

/**
 * Returns the value that the server gave a field.
 * @param {Field} field
 */
const defaultOf = (field) =>
  field instanceof HTMLSelectElement ? find(field, "option[selected]", HTMLOptionElement)?.value : field.defaultValue;

/**
 * Gives an element the state of the one it replaces; what the server has filled in differently meanwhile counts.
 * @param {HTMLElement} old
 * @param {{ scrollLeft: number, scrollTop: number }} scrolled
 * @param {HTMLElement} replacement
 */
function copyState(old, { scrollLeft, scrollTop }, replacement) {
  if (old instanceof HTMLDetailsElement && replacement instanceof HTMLDetailsElement) replacement.open = old.open;
  if (isField(old) && isField(replacement)) {
    const isFilledIn = old.value !== defaultOf(old);
    if (isFilledIn && defaultOf(old) === defaultOf(replacement)) replacement.value = old.value;
  }
  if (scrollLeft || scrollTop) replacement.scrollTo(scrollLeft, scrollTop);
}

/**
 * Returns the element that takes the focus of one that was replaced: by its id, its key, or the id around it.
 * @param {Element} box
 * @param {AnyElement} active
 * @param {string | undefined} around
 * @returns {AnyElement | null}
 */
function twinOf(box, active, around) {
  const { key } = active.dataset;
  if (active.id) return box.querySelector(`#${CSS.escape(active.id)}`);
  if (key) return box.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const inside = around ? findById(box, around) : null;
  const alike = findAll(inside, active.localName, HTMLElement);
  const twin = alike.find((element) => element.textContent === active.textContent);
  return twin ?? (inside?.matches("details") ? inside.querySelector("summary") : null);
}

/**
 * @param {Element | null} element
 * @returns {element is HTMLInputElement | HTMLTextAreaElement}
 */
const isTextField = (element) => element?.matches("input:not([type]), textarea") ?? false;

/**
 * Changes what is inside an element and keeps what the reader has done there: an element with `data-keep` hands its
 * state (open, scrolled, filled in) to the one with its id, and the focus stays. Returns what lost the focus, or null.
 * @param {Element} box
 * @param {() => void} change
 */
export function keepState(box, change) {
  const focused = /** @type {AnyElement | null} */ (document.activeElement);
  const active = box.contains(focused) ? focused : null;
  const focusVisible = active?.matches(":focus-visible");
  const around = active?.closest("[id]")?.id;
  const selection = isTextField(active) ? { start: active.selectionStart, end: active.selectionEnd } : null;
  const kept = findAll(box, "[data-keep]", HTMLElement).map((element) => {
    const { scrollLeft, scrollTop } = element; // once it is replaced, these are 0
    return { old: element, scrolled: { scrollLeft, scrollTop } };
  });
  change();
  for (const { old, scrolled } of kept) {
    const replacement = old.isConnected ? null : findById(box, old.id);
    if (replacement) copyState(old, scrolled, replacement);
  }
  if (!active || document.activeElement === active) return null;
  const twin = active.isConnected ? active : twinOf(box, active, around);
  if (!twin) return active;
  focus(twin, focusVisible);
  if (selection && twin !== active && isTextField(twin)) twin.setSelectionRange(selection.start, selection.end);
  return null;
}

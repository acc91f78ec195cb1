// Turns what the page shows into what the server has sent, changing as little as possible.

import { root } from "./page.js";

const ITEM_MARK = "/"; // the comment that ends an item of a part, as the server writes it: drawing/svg.py
const endsItem = (node) => node.nodeType === Node.COMMENT_NODE && node.data === ITEM_MARK;

/** Returns an element's name among its siblings; a line of the log has its number. */
const nameOf = (node) => node.id || node.dataset?.number || "";

/** Makes a node equal to another one; what is equal already needs no layout and keeps its state. */
function morph(old, target) {
  if (old === target || old.isEqualNode(target)) return; // the same: the server said that it has not changed
  if (old.nodeName !== target.nodeName || nameOf(old) !== nameOf(target)) return old.replaceWith(target);
  if (!(old instanceof Element)) return (old.data = target.data);
  for (const { name } of [...old.attributes]) {
    if (!target.hasAttribute(name) && name !== "open") old.removeAttribute(name); // menus stay open
  }
  for (const { name, value } of target.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && "value" in old) old.value = value;
  }
  if (old instanceof HTMLOptionElement) old.selected = target.selected;
  morphSiblings(old, old.firstChild, null, [...target.childNodes]);
}

/** Puts these nodes in place of the siblings from `at` up to `end`. */
function morphSiblings(parent, at, end, nodes) {
  const names = new Set(nodes.map(nameOf));
  const oldByName = new Map();
  for (let node = at; node !== end; ) {
    const next = node.nextSibling;
    const name = nameOf(node);
    if (name && names.has(name)) oldByName.set(name, node);
    else if (name) {
      if (node === at) at = next;
      node.remove();
    }
    node = next;
  }
  for (const node of nodes) {
    const name = nameOf(node);
    const unnamed = at !== end && !nameOf(at) && at.nodeName === node.nodeName ? at : null;
    const old = name ? oldByName.get(name) : unnamed;
    if (!old) {
      parent.insertBefore(node, at);
      continue;
    }
    if (old !== at && at !== end && at.nextSibling === old) {
      parent.insertBefore(at, end); // it went to the end, like the stops before the car
      at = old;
    }
    if (old === at) at = at.nextSibling;
    else parent.insertBefore(old, at);
    morph(old, node);
  }
  while (at !== end) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Returns the nodes of some HTML, or SVG if the parent is a drawing. */
function parse(html, parent) {
  const isDrawing = parent.namespaceURI.endsWith("svg");
  const template = document.createElement("template");
  template.innerHTML = isDrawing ? `<svg>${html}</svg>` : html;
  return [...(isDrawing ? template.content.firstChild : template.content).childNodes];
}

/** Returns the nodes between two marks, item by item. */
function itemsBetween(start, end) {
  const items = [[]];
  for (let node = start.nextSibling; node !== end; node = node.nextSibling) {
    if (endsItem(node)) items.push([]);
    else items.at(-1).push(node);
  }
  return items;
}

/**
 * Shows what the server sent (pages/html_diff.py): everything, or the parts that changed, by their number, each as its
 * items; an item that the page shows already is only its number. Empty comments mark the parts, before and after each.
 */
export function applyUpdate({ html, parts }) {
  if (html !== undefined) return morphSiblings(root, root.firstChild, null, parse(html, root));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const marks = [];
  while (walker.nextNode()) if (!walker.currentNode.data) marks.push(walker.currentNode);
  for (const [number, content] of Object.entries(parts)) {
    const [start, end] = marks.slice(2 * number);
    const oldItems = itemsBetween(start, end);
    const nodes = content.flatMap((item, index) => [
      ...(index ? [document.createComment(ITEM_MARK)] : []),
      ...(typeof item === "number" ? oldItems[item] : parse(item, start.parentNode)),
    ]);
    morphSiblings(start.parentNode, start.nextSibling, end, nodes);
  }
}

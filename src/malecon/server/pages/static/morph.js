// Turns what the page shows into what the server has sent, changing as little as possible.

import { stage } from "./stage.js";

const NEXT = "/"; // the comment that ends an item of a part
const endsItem = (node) => node.nodeType === Node.COMMENT_NODE && node.data === NEXT;

// An element's name among its siblings; a line of the log has its number.
const nameOf = (node) => node.id || node.dataset?.number || "";

// Make a node like another one, changing as little as possible: what is as it was needs no layout and keeps its state.
function become(old, now) {
  if (old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName || nameOf(old) !== nameOf(now)) return old.replaceWith(now);
  if (!(old instanceof Element)) return (old.data = now.data);
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && name !== "open") old.removeAttribute(name); // menus stay open
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && "value" in old) old.value = value;
  }
  if (old instanceof HTMLOptionElement) old.selected = now.selected;
  align(old, old.firstChild, null, [...now.childNodes]);
}

// Put these nodes in place of the siblings from `at` up to `end`.
function align(parent, at, end, nodes) {
  const wanted = new Set(nodes.map(nameOf));
  const known = new Map();
  for (let node = at; node !== end; ) {
    const next = node.nextSibling;
    const name = nameOf(node);
    if (name && wanted.has(name)) known.set(name, node);
    else if (name) {
      if (node === at) at = next;
      node.remove();
    }
    node = next;
  }
  for (const node of nodes) {
    const name = nameOf(node);
    const fits = name ? known.get(name) : at !== end && !nameOf(at) && at.nodeName === node.nodeName ? at : null;
    if (!fits) {
      parent.insertBefore(node, at);
      continue;
    }
    if (fits !== at && at !== end && at.nextSibling === fits) {
      parent.insertBefore(at, end); // what went round, like the stops before the car
      at = fits;
    }
    if (fits === at) at = at.nextSibling;
    else parent.insertBefore(fits, at);
    become(fits, node);
  }
  while (at !== end) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function parsed(html, parent) {
  const isDrawing = parent.namespaceURI.endsWith("svg");
  const box = document.createElement("template");
  box.innerHTML = isDrawing ? `<svg>${html}</svg>` : html;
  return [...(isDrawing ? box.content.firstChild : box.content).childNodes];
}

// The nodes between two marks, item by item.
function itemsBetween(start, end) {
  const items = [[]];
  for (let node = start.nextSibling; node !== end; node = node.nextSibling) {
    if (endsItem(node)) items.push([]);
    else items.at(-1).push(node);
  }
  return items;
}

// What the server sent (see `changes.py`): everything, or the parts that changed, by their number, each as its items: a
// number is an item that stands here already. Empty comments mark the parts, before and after each.
export function show({ html, parts }) {
  if (html !== undefined) return align(stage, stage.firstChild, null, parsed(html, stage));
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_COMMENT);
  const marks = [];
  while (walker.nextNode()) if (!walker.currentNode.data) marks.push(walker.currentNode);
  for (const [number, content] of Object.entries(parts)) {
    const [start, end] = marks.slice(2 * number);
    const shown = itemsBetween(start, end);
    const nodes = content.flatMap((item, place) => [
      ...(place ? [document.createComment(NEXT)] : []),
      ...(typeof item === "number" ? shown[item] : parsed(item, start.parentNode)),
    ]);
    align(start.parentNode, start.nextSibling, end, nodes);
  }
}

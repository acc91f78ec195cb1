// shared/page-update.js: what the server sent is shown, and what the reader has done to the page is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { get, getAll, getDetails, getInput, openPage } from "./page.js";

openPage('<div id="box"></div>');
const { keepState, updater } = await import("#scripts/shared/page-update.js");

const box = get("#box");

/**
 * Returns the HTML of a part with these items, as the server writes it.
 * @param {string[]} items
 */
const part = (...items) => `<!---->${items.join("<!--/-->")}<!---->`;

/**
 * Fills the box and returns what shows updates there.
 * @param {string} html
 */
function fill(html) {
  box.innerHTML = html;
  return updater(box);
}

// --- which nodes are replaced

test("a number keeps the nodes of an item, a text is a new one", () => {
  const update = fill(`<ol>${part("<li>a</li>", "<li>b</li>", "<li>c</li>")}</ol>`);
  const [, b, c] = getAll("#box li");
  update({ parts: { 0: [1, "<li>new</li>", 2] } });
  assert.equal(box.innerHTML, `<ol>${part("<li>b</li>", "<li>new</li>", "<li>c</li>")}</ol>`);
  const items = getAll("#box li");
  assert.equal(items[0], b);
  assert.equal(items[2], c);
});

test("items can change places", () => {
  const update = fill(part("<b>1</b>", "<b>2</b>", "<b>3</b>", "<b>4</b>"));
  const before = getAll("#box b");
  update({ parts: { 0: [3, 1, 0, 2] } });
  assert.deepEqual(getAll("#box b"), [before[3], before[1], before[0], before[2]]);
  assert.equal(box.innerHTML, part("<b>4</b>", "<b>2</b>", "<b>1</b>", "<b>3</b>"));
});

test("numbers mean the items as the last update left them", () => {
  const update = fill(part("a", "b"));
  update({ parts: { 0: [1, "c"] } });
  update({ parts: { 0: [1, 0, "d"] } });
  assert.equal(box.innerHTML, part("c", "b", "d"));
});

test("an item of several nodes stays together", () => {
  const update = fill(part("<i>a</i> text <i>b</i>", "<b>c</b>"));
  update({ parts: { 0: [1, 0] } });
  assert.equal(box.innerHTML, part("<b>c</b>", "<i>a</i> text <i>b</i>"));
});

test("a part can become empty and be filled again", () => {
  const update = fill(`<p>${part("a")}</p>`);
  update({ parts: { 0: [""] } });
  assert.equal(box.innerHTML, `<p>${part("")}</p>`);
  update({ parts: { 0: ["x", "y"] } });
  assert.equal(box.innerHTML, `<p>${part("x", "y")}</p>`);
});

test("several parts change at once, by their numbers, and the others stay", () => {
  const update = fill(`<p>${part("a")}</p><p id="middle">${part("b")}</p><p>${part("c")}</p>`);
  const node = get("#middle").childNodes[1];
  update({ parts: { 0: ["A"], 2: ["C"] } });
  assert.equal(box.textContent, "AbC");
  assert.equal(get("#middle").childNodes[1], node);
});

test("inside a drawing, items are drawings too", () => {
  const update = fill(`<svg><g>${part("<circle></circle>")}</g></svg>`);
  update({ parts: { 0: [0, "<rect></rect><path></path>"] } });
  for (const shape of getAll("#box rect, #box path")) {
    assert.ok(shape instanceof SVGElement);
    assert.equal(shape.namespaceURI, "http://www.w3.org/2000/svg");
  }
  assert.equal(box.innerHTML, `<svg><g>${part("<circle></circle>", "<rect></rect><path></path>")}</g></svg>`);
});

test("of a whole page only the parts that differ are replaced", () => {
  /** @type {(...texts: string[]) => string} */
  const page = (first, second) => `<h1>Cuba</h1><p>${part(first)}</p><p id="second">${part(second)}</p>`;
  const update = fill(page("a", "b"));
  const heading = get("#box h1");
  const second = get("#second").childNodes[1];
  update({ html: page("x", "b") });
  assert.equal(box.innerHTML, page("x", "b"));
  assert.equal(get("#box h1"), heading);
  assert.equal(get("#second").childNodes[1], second);
  update({ html: page("x", "y") }); // compared with the step before, not with the first
  assert.equal(box.innerHTML, page("x", "y"));
  assert.equal(get("#box h1"), heading);
});

test("a whole page that differs between parts replaces everything", () => {
  const update = fill(`<h1>Cuba</h1>${part("a")}`);
  const heading = get("#box h1");
  update({ html: `<h1>Santiago</h1>${part("a")}` });
  assert.equal(box.innerHTML, `<h1>Santiago</h1>${part("a")}`);
  assert.notEqual(get("#box h1"), heading);
});

test("a whole page after single parts replaces everything: what is shown is not known", () => {
  const update = fill(part("a"));
  update({ parts: { 0: ["b"] } });
  update({ html: part("a") });
  assert.equal(box.innerHTML, part("a"));
});

// --- what the reader has done

/**
 * Replaces what the box shows, as a message of the server does.
 * @param {string} before
 * @param {string} after
 * @param {() => void} act what the reader does in between
 */
function replace(before, after, act) {
  const update = fill(part(before));
  act();
  return keepState(box, () => update({ parts: { 0: [after] } }));
}

test("an open menu stays open", () => {
  const menu = '<details id="menu" data-keep><summary>…</summary></details>';
  replace(menu, `${menu}<p>news</p>`, () => {
    getDetails("#menu").open = true;
  });
  assert.equal(getDetails("#menu").open, true);
  assert.equal(get("#box p").textContent, "news");
});

test("a menu without data-keep is as the server sent it", () => {
  const menu = '<details id="menu"><summary>…</summary></details>';
  replace(menu, menu, () => {
    getDetails("#menu").open = true;
  });
  assert.equal(getDetails("#menu").open, false);
});

test("typed text stays, unless the server has filled in something else", () => {
  const field = '<input id="typed" data-keep value="">';
  const typeSomething = () => {
    getInput("#typed").value = "drive 3";
  };
  replace(field, field, typeSomething);
  assert.equal(getInput("#typed").value, "drive 3");
  replace(field, '<input id="typed" data-keep value="sell 2">', typeSomething);
  assert.equal(getInput("#typed").value, "sell 2");
});

test("a choice that was made and not sent stays", () => {
  const select = (/** @type {string} */ chosen) =>
    `<select id="pace" data-keep>${["calm", "fast"]
      .map((pace) => `<option value="${pace}"${pace === chosen ? " selected" : ""}>${pace}</option>`)
      .join("")}</select>`;
  replace(select("calm"), select("calm"), () => {
    getInput("#pace").value = "fast";
  });
  assert.equal(getInput("#pace").value, "fast");
});

test("an element stays scrolled", () => {
  const log = '<ol id="log" data-keep></ol>';
  replace(log, log, () => {
    get("#log").scrollTop = 120;
    get("#log").scrollLeft = 7;
  });
  assert.deepEqual([get("#log").scrollTop, get("#log").scrollLeft], [120, 7]);
});

test("the focus stays on the element with the same id", () => {
  const button = '<button id="go">go</button>';
  const lost = replace(button, `<p></p>${button}`, () => get("#go").focus());
  assert.equal(lost, null);
  assert.equal(document.activeElement, get("#go"));
});

test("the focus stays on the element with the same key", () => {
  replace('<button data-key="u">Undo</button>', '<p></p><button data-key="u">Undo!</button>', () =>
    get("[data-key]").focus(),
  );
  assert.equal(document.activeElement, get("[data-key=u]"));
});

test("without id and key, the focus stays on what says the same in the same place", () => {
  const menu = '<div id="menu"><button>Leave</button><button>Give up</button></div>';
  replace(menu, menu, () => getAll("#menu button")[1].focus());
  assert.equal(document.activeElement, getAll("#menu button")[1]);
});

test("the focus goes to a menu's summary if what had it in the menu is gone", () => {
  replace(
    '<details id="menu" open><summary>…</summary><button>Leave</button></details>',
    '<details id="menu" open><summary>…</summary></details>',
    () => get("#menu button").focus(),
  );
  assert.equal(document.activeElement, get("#menu summary"));
});

test("what lost the focus for good is returned", () => {
  const lost = replace('<button id="go">go</button>', "<p>over</p>", () => get("#go").focus());
  assert.equal(lost?.id, "go");
});

test("a focus outside is left alone", () => {
  const outside = document.createElement("button");
  document.body.append(outside);
  outside.focus();
  const button = '<button id="go">go</button>';
  assert.equal(
    replace(button, button, () => {}),
    null,
  );
  assert.equal(document.activeElement, outside);
  outside.remove();
});

test("the cursor stays where it is in a text", () => {
  const field = '<input id="typed" data-keep value="">';
  replace(field, field, () => {
    const input = getInput("#typed");
    input.value = "drive 3";
    input.focus();
    input.setSelectionRange(2, 5);
  });
  const input = getInput("#typed");
  assert.equal(document.activeElement, input);
  assert.deepEqual([input.selectionStart, input.selectionEnd], [2, 5]);
});

test("an element that is kept as it is keeps the focus without being asked", () => {
  const update = fill(part('<button id="go">go</button>', "a"));
  const button = get("#go");
  button.focus();
  const lost = keepState(box, () => update({ parts: { 0: ["<p>news</p>", 0] } }));
  assert.equal(lost, null);
  assert.equal(get("#go"), button);
  assert.equal(document.activeElement, button);
});

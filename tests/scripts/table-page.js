// The page of a table as table.html writes it, with a small board of three places.

/**
 * Returns the HTML of a move.
 * @param {string} move
 * @param {{ label?: string, places?: string, key?: string, preview?: string, final?: boolean, out?: boolean }} [options]
 */
export function moveItem(move, { label = move, places = "", key = "", preview = "", final = false, out = false } = {}) {
  const id = move.replaceAll(" ", "-");
  return `<li${out ? ' class="out"' : ""}><button name="move" value="${move}" id="move-${id}" data-key="${key}"
    data-places="${places}" ${final ? "data-final" : ""} aria-describedby="preview-${id}"><span>${label}</span></button>
    <span class="preview-text" id="preview-${id}">${preview}</span></li>`;
}

/**
 * Returns the HTML of a group of moves.
 * @param {string} heading
 * @param {string[]} moves
 */
export const moveGroup = (heading, moves) =>
  `<li class="group"><details name="moves"><summary>${heading}</summary><ul>${moves.join("")}</ul></details></li>`;

/**
 * Returns the HTML of the dock with the question and its moves.
 * @param {string[]} moves
 * @param {{ version?: number, amounts?: boolean, prompt?: string }} [options]
 */
export const dock = (moves, { version = 4, amounts = false, prompt = "Your turn" } = {}) =>
  `<section class="dock mine" id="dock" data-keep>
    <h2 id="prompt" tabindex="-1">${prompt}</h2>
    <form class="typed" action="/tables/a1/move" method="post" data-act>
      <input type="hidden" name="version" value="${version}">
      <input id="typed" name="move" data-keep data-filter value=""></form>
    <button type="button" data-hint="/tables/a1/hint" data-key="h">Hint</button>
    ${moves.length ? moveForm(moves, version, amounts) : ""}</section>`;

/** @type {(moves: string[], version: number, amounts: boolean) => string} */
const moveForm = (moves, version, amounts) =>
  `<form class="moves" action="/tables/a1/move" method="post" data-act>
    <input type="hidden" name="version" value="${version}">
    ${amounts ? '<div class="amounts" data-amounts></div>' : ""}
    <ul class="list">${moves.join("")}</ul>
    <button type="button" class="all-moves" data-all hidden>All moves</button></form>`;

/**
 * Returns the HTML of a table.
 * @param {string[]} moves
 * @param {{ attributes?: string, version?: number, amounts?: boolean }} [options]
 */
export const tablePage = (moves, { attributes = "", ...dockOptions } = {}) =>
  `<div id="table" class="table" data-table="a1" data-shown="s0" data-moves="4" data-layout="wide" data-game="cuba"
      data-tab="board" ${attributes}>
    <section class="board" id="board" data-keep tabindex="0"><svg>
      <g id="quay" class="target step" data-help="quay"><circle></circle></g>
      <g id="market" class="target step" data-reach="port"><circle></circle></g>
      <g id="port" class="target step"><circle></circle></g>
      <g id="casa" role="img" data-help="casa"><circle></circle></g>
    </svg></section>
    <button type="button" data-whole hidden>Whole board</button>
    <aside class="side">
      <article class="seat"><header><a class="look" href="/tables/a1/seats/0" data-look data-key="look-0">look</a></header>
        <div class="panel" id="seat-0"><b data-holding="peso">3</b></div></article>
      <section class="log-box"><ol class="log" id="log" data-keep><!----><li>first</li><!----></ol></section>
    </aside>
    <!---->${dock(moves, dockOptions)}<!---->
    <nav class="tabs"><button type="button" data-tab="board">Board</button>
      <button type="button" data-tab="seats">Players</button></nav>
  </div>
  <p id="connection" hidden>Connection lost.</p>`;

// Hints: which moves a strong player would make, why, and why another move is not as good.

import { root } from "../board/root.js";
import { canThink, fromBase64, startEngine } from "../engine/client.js";
import { asNumber } from "../engine/position.js";
import { announce, createElement, find, toast } from "../shared/elements.js";
import { fill, say } from "../shared/page-data.js";
import { getJson, postForm } from "../shared/requests.js";
import { post } from "./live.js";
import { showAll } from "./move-chooser.js";

/** @typedef {{ move: string, label: string, chance: string }} AdvisedMove */
/** @typedef {{ moves: AdvisedMove[], why: string[] }} Hint */
/** @typedef {{ engine: string | null, block: string, labels: Record<string, string> }} HintPosition */

const THINKING_MS = 700;
const OPTIONS = { nodes: 1 << 16, margin: 0 };
const MOST_MOVES = 3;
/** Chances that differ by less are taken for equal: then there is no reason to give. */
const TOO_CLOSE = 0.01;

/** The engine of the page, from the first hint on. @type {import("../engine/client.js").EngineClient | null} */
let engine = null;

/**
 * Gives a hint: marks the advised moves and puts them first, then says why.
 * @param {HTMLElement} button
 */
export async function requestHint(button) {
  if (!(button instanceof HTMLButtonElement)) return;
  button.disabled = true;
  button.classList.add("busy");
  const hint = (await thinkHere(button)) ?? (await askServer(button));
  button.disabled = false;
  button.classList.remove("busy");
  if (!hint || !button.isConnected) return;
  showReasons(hint.why);
  announce([`${say("hint")}:`, ...hint.moves.map(({ label, chance }) => `${label}: ${chance}`), ...hint.why]);
}

/** @returns {Promise<Hint | null>} */
async function askServer(/** @type {HTMLButtonElement} */ button) {
  /** @type {Hint | null} */
  const hint = await post(button.dataset.hint ?? "", new URLSearchParams());
  if (hint && button.isConnected) markMoves(hint.moves);
  return hint;
}

/**
 * Thinks in the page about what the player knows; only the reasons come from the server. Returns null if it cannot.
 * @param {HTMLButtonElement} button
 * @returns {Promise<Hint | null>}
 */
async function thinkHere(button) {
  const path = button.dataset.hint ?? "";
  /** @type {HintPosition | null} */
  const position = canThink() ? await getJson(`${path}/position`).catch(() => null) : null;
  if (!position) return null;
  if (!engine || engine.isClosed) engine = startEngine(position.engine, { options: OPTIONS });
  const advised = (/** @type {import("../engine/client.js").Report} */ { thought }) =>
    thought.moves.slice(0, MOST_MOVES).flatMap(({ name, visits, chance }, rank) => {
      if (rank && !visits) return [];
      const text = fill(say("chanceOfWinning"), { percent: asNumber(chance) });
      return [{ move: name, label: position.labels[name], chance: text }];
    });
  const report = await engine?.ask(fromBase64(position.block), {
    limits: { ms: THINKING_MS },
    onThought: (thought) => button.isConnected && markMoves(advised(thought)),
  });
  if (!report) return null;
  const [best, next] = report.thought.moves;
  const isClear = next?.visits > 0 && best.chance - next.chance >= TOO_CLOSE;
  const body = new URLSearchParams({ better: best.name, other: next?.name ?? "" });
  /** @type {{ why: string[] } | null} */
  const reasons = isClear && button.isConnected ? await postForm(`${path}/reasons`, body).catch(() => null) : null;
  return { moves: advised(report), why: reasons?.why ?? [] };
}

/**
 * Marks the advised moves, with their chances, and puts them first.
 * @param {AdvisedMove[]} moves
 */
function markMoves(moves) {
  for (const old of root.querySelectorAll(".moves .advised")) {
    if (moves.some(({ move }) => old.getAttribute("value") === move)) continue;
    old.classList.remove("advised");
    old.querySelector(".chance")?.remove();
    const item = old.closest("li");
    if (item) item.style.order = "";
  }
  for (const [rank, { move, chance }] of moves.entries()) {
    const advised = root.querySelector(`.moves button[value="${CSS.escape(move)}"]`);
    if (!advised) continue;
    advised.classList.add("advised");
    const text = advised.querySelector(".chance") ?? createElement("span", "chance", "");
    text.textContent = chance;
    advised.append(text);
    const item = advised.closest("li");
    if (item) item.style.order = String(rank - moves.length);
  }
}

/**
 * Lists reasons below the moves, with a button to ask about another move.
 * @param {string[]} sentences
 */
function showReasons(sentences) {
  root.querySelector(".hint-why")?.remove();
  const list = createElement("ul", "reasons hint-why", "");
  const attributes = { type: "button", "data-ask": "", "aria-pressed": "false" };
  const last = createElement("li", "", "");
  last.append(createElement("button", "small", say("ask"), attributes));
  list.append(...sentences.map((sentence) => createElement("li", "", sentence)), last);
  root.querySelector(".moves")?.after(list); // the moves stay in sight
  const dock = root.querySelector("#dock");
  dock?.classList.add("guided"); // as high as with a tip
  showAll();
  dock?.scrollTo(0, 0);
}

/** Returns the pressed button: then the next move that is chosen is not made, but explained. */
export const askButton = () => find(root, "[data-ask][aria-pressed=true]", HTMLButtonElement);

/**
 * Presses or releases the button that asks about a move.
 * @param {HTMLElement} button
 */
export function toggleAsk(button) {
  const isPressed = !askButton();
  button.setAttribute("aria-pressed", String(isPressed));
  if (isPressed) toast(say("which"));
}

/**
 * Shows why a move is not the best one.
 * @param {HTMLButtonElement} move
 * @param {HTMLButtonElement} button the pressed one
 */
export async function explainMove(move, button) {
  button.disabled = true;
  const body = new URLSearchParams({ move: move.value });
  /** @type {{ why: string[] } | null} */
  const explanation = await post(`/tables/${root.dataset.table}/explain`, body);
  if (!button.isConnected) return;
  if (explanation) {
    showReasons(explanation.why);
    announce(explanation.why);
  } else {
    button.disabled = false;
    button.setAttribute("aria-pressed", "false");
  }
}

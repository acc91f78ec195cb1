// What the engine thinks about the position of a page, live: every seat's chance and lead, the best moves, their lines.
//
// Thinking happens in workers (client.js) and costs the server nothing. It only puts the lines into words, and thinks
// itself if this browser cannot and the page says where to ask.

import { createElement, find, findAll } from "../shared/elements.js";
import { fill, say } from "../shared/page-data.js";
import { postForm, postJson } from "../shared/requests.js";
import { fromBase64, startEngine } from "./client.js";
import { asPercent } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./client.js").EngineClient} EngineClient */
/** @typedef {import("./client.js").Report} Report */
/** @typedef {import("./engine.js").Choice} Choice */
/** @typedef {{ seat: number, label: string }} LineMove */
/** @typedef {{ choice: Choice, item: HTMLElement, line: HTMLElement }} Row */

const MOST_MOVES = 5;
const FEWEST_MOVES = 3;
/** Moves after the best ones are shown only if they get at least this share of the simulations. */
const SMALLEST_SHARE = 0.01;
const LONGEST_LINE = 7;
const FIRST_MS = 20_000;
const LONGER_MS = 60_000;
/** Between two requests for words, at first; then twice as long each time. */
const WORDS_PAUSE_MS = 700;
const SETTING = "malecon-engine";

const language = document.documentElement.lang || "en";
const points = new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 0 });
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

/** Returns whether the reader wants the engine to think; the browser remembers it. */
export const isWanted = () => {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    return true; // a browser that keeps nothing
  }
};

function remember(/** @type {boolean} */ isOn) {
  try {
    localStorage.setItem(SETTING, isOn ? "on" : "off");
  } catch {
    // then it is not remembered
  }
}

/**
 * Returns the moves to show: the best ones, and others only if they were really looked at.
 * @param {Choice[]} moves
 */
export function shownMoves(moves) {
  const total = moves.reduce((sum, { visits }) => sum + visits, 0);
  return moves
    .slice(0, MOST_MOVES)
    .filter(
      ({ visits }, rank) => rank === 0 || (visits > 0 && (rank < FEWEST_MOVES || visits >= SMALLEST_SHARE * total)),
    );
}

/** The words of lines: they are asked for now and then, since a line changes while the engine thinks. */
class LineWords {
  /** @param {(lines: Map<string, LineMove[]>) => void} onWords */
  constructor(onWords) {
    this._onWords = onWords;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this._timer = undefined;
    this._address = "";
    this._pauseMs = WORDS_PAUSE_MS;
    /** @type {Map<string, LineMove[]>} */
    this._known = new Map();
    /** @type {string[][]} */
    this._wanted = [];
  }

  /** Begins with another position. */
  reset(/** @type {string} */ address) {
    clearTimeout(this._timer);
    this._timer = undefined;
    this._address = address;
    this._pauseMs = WORDS_PAUSE_MS;
    this._known = new Map();
    this._wanted = [];
  }

  /** Returns the words of a line if they are known. */
  of(/** @type {string[]} */ line) {
    return this._known.get(line.join("|"));
  }

  /** Asks for the words of these lines, if any is not known, as soon as it may. */
  want(/** @type {string[][]} */ lines) {
    this._wanted = lines;
    if (this._timer === undefined && this._address) this._timer = setTimeout(() => this._request(), this._pauseMs);
  }

  async _request() {
    const address = this._address;
    const lines = this._wanted.filter((line) => line.length > 1 && !this.of(line));
    this._timer = undefined;
    if (!lines.length) return;
    this._pauseMs *= 2;
    /** @type {{ lines: LineMove[][] } | null} */
    const answer = await postJson(address, { lines }).catch(() => null); // without a network there are none
    if (!answer || address !== this._address) return;
    for (const [index, line] of lines.entries()) this._known.set(line.join("|"), answer.lines[index]);
    this._onWords(this._known);
  }
}

/** The panel of a page. There is one. */
export class EnginePanel {
  /** @param {HTMLElement} box */
  constructor(box) {
    this._box = box;
    /** @type {EngineClient | null} */
    this._client = null;
    /** Why there is no client: it failed, and the server is asked instead if the page says where. */
    this._isBroken = !box.dataset.engine;
    /** @type {Position | null} */
    this._position = null;
    /** @type {Report | null} */
    this._report = null;
    /** What is known about positions that were thought about before. @type {Map<string, Report>} */
    this._reports = new Map();
    /** @type {Map<number, Row>} */
    this._rows = new Map();
    this._words = new LineWords(() => this._showLines());
    this.isOn = false;
    this._toggle = find(box, "[data-toggle]", HTMLButtonElement);
    this._longer = find(box, "[data-longer]", HTMLButtonElement);
    this._status = find(box, "[data-status]", HTMLElement);
    this._list = find(box, "[data-moves]", HTMLElement);
    this._toggle?.addEventListener("click", () => this._press());
    this._longer?.addEventListener("click", () => this._thinkLonger());
  }

  /** Starts the worker, unless it runs or cannot. */
  _start() {
    if (!this._client && !this._isBroken) {
      this._client = startEngine(this._box.dataset.engine, { onFailure: () => this._fail() });
      if (!this._client) this._isBroken = true;
    }
    return this._client;
  }

  _fail() {
    this._client = null;
    this._isBroken = true;
    if (this.isOn) this._think();
  }

  /** Shows a position, and thinks about it if it is on. */
  show(/** @type {Position | null} */ position) {
    if (position && position.block === this._position?.block) return;
    this._client?.stop();
    this._position = position;
    this._report = null;
    this._rows.clear();
    this._list?.replaceChildren();
    this._words.reset(position?.lines ?? "");
    if (this._toggle) this._toggle.hidden = !position;
    if (!position) this._clear(say("nobodyDecides"));
    else if (this.isOn) this._think();
    else this._clear("");
    this._showControls();
  }

  _clear(/** @type {string} */ status) {
    for (const cell of findAll(this._box, ".engine-seats td", HTMLElement)) cell.textContent = "–";
    for (const part of findAll(this._box, ".chance-bar span", HTMLElement)) part.style.flexGrow = "0";
    this._setText("[data-speed]", "");
    if (this._status) this._status.textContent = status;
  }

  _setText(/** @type {string} */ selector, /** @type {string} */ text) {
    const element = find(this._box, selector, HTMLElement);
    if (element && element.textContent !== text) element.textContent = text;
  }

  /** The reader wants to begin or to stop. */
  _press() {
    const isOn = !this.isOn;
    remember(isOn);
    if (isOn) this._think();
    else this.pause();
  }

  /** Stops thinking. */
  pause() {
    this.isOn = false;
    this._client?.stop();
    this._showControls();
  }

  /** Begins to think, or goes on, unless the reader has stopped it once or this browser cannot. */
  resume() {
    if (!this.isOn && !this._isBroken && isWanted() && this._position) this._think();
  }

  /** The address of its engine. */
  get address() {
    return this._box.dataset.engine ?? "";
  }

  /** Whether the page still has this panel. */
  get isShown() {
    return this._box.isConnected;
  }

  /** Ends the worker. */
  close() {
    this._client?.close();
  }

  _think() {
    this.isOn = true;
    const position = this._position;
    if (!position) return;
    const client = this._start();
    if (!client) return this._askServer(position);
    if (this._status) this._status.textContent = say("thinking");
    const before = this._reports.get(position.block);
    if (before) this._receive(position, { ...before, isDone: false });
    client.think(fromBase64(position.block), {
      limits: { ms: FIRST_MS },
      onThought: (report) => this._receive(position, report),
    });
    this._showControls();
  }

  _thinkLonger() {
    this.isOn = true;
    this._client?.thinkLonger({ ms: LONGER_MS });
    if (this._status) this._status.textContent = say("thinking");
    this._showControls();
  }

  /** Lets the server think, once: this browser cannot. */
  async _askServer(/** @type {Position} */ position) {
    this.isOn = false;
    const path = this._box.dataset.think;
    if (!path) return this._clear(say("noEngine"));
    if (this._status) this._status.textContent = say("thinking");
    if (this._toggle) this._toggle.disabled = true;
    try {
      /** @type {any} */
      const thought = await postForm(path, new URLSearchParams());
      const moves = thought.moves.map((/** @type {object} */ move) => ({ ...move, line: [], names: [] }));
      this._receive(position, { thought: { ...thought, moves, leads: [] }, speed: 0, isDone: true });
    } catch (error) {
      if (this._status) this._status.textContent = error instanceof Error ? error.message : "";
    }
    if (this._toggle) this._toggle.disabled = false;
    this._showControls();
  }

  /** Shows what was found out, unless it is about another position or less than what is known. */
  _receive(/** @type {Position} */ position, /** @type {Report} */ report) {
    const known = this._reports.get(position.block);
    if (!known || report.thought.simulations >= known.thought.simulations) this._reports.set(position.block, report);
    else report = { ...known, isDone: report.isDone };
    if (position !== this._position || !report.thought.moves.length) return;
    const isFirst = !this._report;
    this._report = report;
    this._showSeats();
    this._showMoves();
    this._showLines();
    if (this._status) this._status.textContent = "";
    if (isFirst || report.isDone) this._announce();
    if (report.isDone) this._showControls();
  }

  /** Adds what other workers have found out. */
  learn(/** @type {Position} */ position, /** @type {Report} */ report) {
    const known = this._reports.get(position.block);
    if (!known || known.thought.simulations < report.thought.simulations) this._reports.set(position.block, report);
  }

  _announce() {
    const [best] = this._report?.thought.moves ?? [];
    if (!best) return;
    const gaps = { move: this._labelOf(best), chance: asPercent(best.chance) };
    this._setText("[data-best]", fill(say("bestMove"), gaps));
  }

  _labelOf(/** @type {Choice} */ { name }) {
    return this._position?.labels[name] ?? name;
  }

  _showControls() {
    const isThinking = this._client?.isThinking ?? false;
    if (this._toggle) {
      this._toggle.textContent = say(this.isOn ? "thinkStop" : "thinkStart");
    }
    if (this._longer) this._longer.hidden = !this._client || !this._report || isThinking;
  }

  _showSeats() {
    const { thought, speed } = /** @type {Report} */ (this._report);
    const segments = findAll(this._box, ".chance-bar span", HTMLElement);
    const rows = findAll(this._box, ".engine-seats tbody tr", HTMLElement);
    for (const [seat, chance] of thought.seats.entries()) {
      if (segments[seat]) segments[seat].style.flexGrow = String(Math.round(1000 * chance));
      const lead = thought.leads[seat];
      const texts = {
        "[data-chance]": asPercent(chance),
        "[data-lead]": lead === undefined ? "–" : points.format(lead),
      };
      for (const [selector, text] of Object.entries(texts)) {
        const cell = find(rows[seat], selector, HTMLElement);
        if (cell && cell.textContent !== text) cell.textContent = text;
      }
    }
    const gaps = { count: whole.format(thought.simulations), speed: whole.format(Math.round(speed / 100) * 100) };
    this._setText("[data-speed]", speed ? fill(say("simulations"), gaps) : "");
  }

  // --- the best moves

  /** Updates the list in place: nothing may move away under a finger or a pointer. */
  _showMoves() {
    const list = this._list;
    if (!list) return;
    const moves = shownMoves(this._report?.thought.moves ?? []);
    const isTouched = this._rows.size > 0 && list.matches(":hover, :focus-within");
    if (!isTouched) {
      const codes = new Set(moves.map(({ code }) => code));
      for (const [code, { item }] of this._rows) {
        if (codes.has(code)) continue;
        item.remove();
        this._rows.delete(code);
      }
    }
    for (const [rank, choice] of moves.entries()) {
      let row = this._rows.get(choice.code);
      if (!row) {
        if (isTouched) continue;
        row = this._newRow(choice);
        this._rows.set(choice.code, row);
      }
      row.choice = choice;
      const chance = find(row.item, "strong", HTMLElement);
      const text = asPercent(choice.chance);
      if (chance && chance.textContent !== text) chance.textContent = text;
      if (!isTouched && list.children[rank] !== row.item) list.insertBefore(row.item, list.children[rank] ?? null);
    }
  }

  /** @returns {Row} */
  _newRow(/** @type {Choice} */ choice) {
    const { move: action } = this._box.dataset;
    const content = [createElement("span", "", this._labelOf(choice)), createElement("strong", "", "")];
    const item = createElement("li", "", "");
    if (this._position?.made === choice.name) content[0].append(createElement("small", "kind", ` (${say("made")})`));
    if (action) {
      const form = createElement("form", "", "", { method: "post", action });
      const button = createElement("button", "small", "", { name: "move", value: choice.name });
      button.append(...content);
      form.append(button);
      item.append(form);
    } else {
      const text = createElement("p", "advised-move", "");
      text.append(...content);
      item.append(text);
    }
    const line = createElement("div", "advised-line", "");
    item.append(line);
    return { choice, item, line };
  }

  // --- their lines

  _showLines() {
    const rows = [...this._rows.values()];
    for (const row of rows) this._showLine(row);
    this._words.want(rows.map(({ choice }) => choice.names.slice(0, LONGEST_LINE)));
  }

  /** Shows a line in words; those of an older one stay until the words of the newest are there. */
  _showLine(/** @type {Row} */ { choice, line }) {
    const names = choice.names.slice(0, LONGEST_LINE);
    const words = this._words.of(names);
    const key = (words ? "words|" : "") + names.join("|");
    if (line.dataset.key === key || (!words && line.dataset.key?.startsWith("words|"))) return;
    line.dataset.key = key;
    const moves = words ?? names.map((label) => ({ seat: null, label }));
    const parts = moves.slice(1).map(({ seat, label }) => {
      const part = createElement("span", "line-move", "");
      part.append(...this._seatOf(seat), label);
      return part;
    });
    line.lang = words ? language : "";
    line.replaceChildren(...parts);
    const { add } = this._box.dataset;
    if (words && add && words.length > 1) line.append(this._addForm(add, names.slice(0, words.length)));
  }

  /** Returns who moves: the badge of a seat with its name for screen readers, or chance. */
  _seatOf(/** @type {number | null} */ seat) {
    if (seat === null) return [];
    if (seat < 0) return [createElement("em", "", `${say("chance")}: `)];
    const head = findAll(this._box, ".engine-seats tbody th", HTMLElement)[seat];
    const badge = find(head, ".badge", HTMLElement)?.cloneNode(true);
    const name = find(head, "span:not(.badge)", HTMLElement)?.textContent ?? "";
    return [...(badge ? [badge] : []), createElement("span", "hidden", `${name}: `)];
  }

  _addForm(/** @type {string} */ action, /** @type {string[]} */ names) {
    const form = createElement("form", "", "", { method: "post", action });
    const fields = names.map((value) => createElement("input", "", "", { type: "hidden", name: "move", value }));
    form.append(...fields, createElement("button", "small", say("addLine")));
    return form;
  }
}

/** Returns the panel of the page; null if it has none. */
export function findPanel() {
  const box = find(document, "#engine", HTMLElement);
  return box && new EnginePanel(box);
}

// Answers the requests of `page_requests.py` as a page does: the position in the bot's eyes, and the moves asked for.

/**
 * @param {import("../../../src/malecon/server/pages/static/engine/engine.js").Engine} engine
 * @param {typeof import("../../../src/malecon/server/pages/static/engine/bot.js")} script
 * @param {{request: any, code: number | null}[]} decisions
 */
export function answers(engine, { Bot, botBlock }, decisions) {
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const bot = new Bot(engine);
  return decisions.map(({ request: sent, code: expected }) => {
    const request = { ...sent, setup: bytes(sent.setup), codes: bytes(sent.codes) };
    const block = btoa(String.fromCharCode(...botBlock(engine, request)));
    let code = null;
    if (expected !== null) {
      bot.begin(request);
      while (code === null) code = bot.think(5);
    }
    return { block, code };
  });
}

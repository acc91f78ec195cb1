// Runs the positions of `recorded.py` and returns what differs: [] if the engine thinks exactly as the native search.

/**
 * @param {import("../../../src/malecon/server/pages/static/engine/engine.js").Engine} engine
 * @param {{simulations: number, proof: number, positions: any[]}} table
 */
export function differences(engine, { simulations, proof, positions }) {
  const different = [];
  positions.forEach(({ block, ...expected }, number) => {
    engine.setPosition(Uint8Array.from(atob(block), (character) => character.charCodeAt(0)));
    engine.begin();
    for (let left = simulations; left > 0; left -= 25) engine.think(Math.min(25, left));
    engine.solve(proof);
    const { moves, seats, verdict } = engine.read();
    const result = {
      codes: moves.map(({ code }) => code),
      visits: moves.map(({ visits }) => visits),
      chances: moves.map(({ chance }) => chance),
      seats,
      proofs: moves.map(({ proof }) => proof),
      winner: [verdict?.winner],
      canWin: verdict?.canWin ?? [],
    };
    for (const [name, values] of Object.entries(result)) {
      const same = values.length === expected[name].length && values.every((value, i) => value === expected[name][i]);
      if (!same) different.push({ number, name, values, expected: expected[name] });
    }
  });
  return different;
}

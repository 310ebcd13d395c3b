// What a score means and how it is written: the only place for bars, curves and lists. An expected score,
// in permille, is the engine's own figure; a `cp` score has a unit that only its engine knows.

/// Games whose scores players read in units: pawns, and moves. In all others they read chances.
const UNITS = new Set(['amazons', 'xiangqi']);

/// An expected score as text. Only certainty is written 0% or 100%.
export function percentText(permille) {
  const nearEdge = (permille > 0 && permille < 10) || (permille > 990 && permille < 1000);
  return `${(permille / 10).toFixed(nearEdge ? 1 : 0)}%`;
}

/// A score as text, `62%`, `+0.35` or `#-3`, all from the same side as `expected`.
export function scoreText(game, score, expected) {
  if (typeof score === 'string') return score;
  if (expected != null && !UNITS.has(game)) return percentText(expected);
  return (score > 0 ? '+' : '') + (score / 100).toFixed(2);
}

/// A large count as text: `52k`, `1.2M`.
export function countText(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)}G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)}M`;
  return n >= 1e4 ? `${(n / 1e3).toFixed(0)}k` : String(n);
}

/// Half points as text: `2½`.
export function pointsText(half) {
  return `${half > 1 || half === 0 ? Math.floor(half / 2) : ''}${half % 2 ? '½' : ''}`;
}

/// The values of a game's curves by player as pairs of ply and value, from the first player's side, and
/// their scale: expected scores if every score has one, otherwise the engines' own units.
export function curveValues({ by, score, expected }) {
  const isChance = score.every((value, d) => value == null || expected?.[d] != null);
  const values = [[], []];
  let decision = 0;
  [...by].forEach((who, i) => {
    if (who === 'c') return;
    const d = decision++;
    if (score[d] == null) return;
    const side = Number(who) - 1;
    const sign = side === 0 ? 1 : -1;
    const certain = typeof score[d] === 'string' && (score[d].startsWith('#-') || score[d] === '#0' ? -Infinity : Infinity);
    values[side].push([i + 1, isChance ? expected[d] : sign * (certain || score[d])]);
  });
  return { isChance, values };
}

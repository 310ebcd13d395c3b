// The static report: its list of games opens them in the replay; the address keeps game and ply.

import { addSwitches } from './switches.js';
import { Replay, hashOf, placeInHash } from './replay.js';
import { followLanguage } from './i18n-report.js';

const data = JSON.parse(document.getElementById('replays').textContent);
const games = new Map(data.games.map((game) => [game.number, { board: data.board, ...game }]));
const place = document.getElementById('viewer');
const rows = [...document.querySelectorAll('tr[data-game]')];

function keepAddress(number, ply) {
  try {
    history.replaceState(null, '', hashOf(number, ply));
  } catch {
    // A page without a history, such as a preview: the address stays.
  }
}

// A log without finished games has no replay.
const viewer = place && new Replay(place, { onPly: keepAddress });

function openGame(number, ply) {
  viewer.open(games.get(number), ply);
  for (const row of rows) row.classList.toggle('now', Number(row.dataset.game) === number);
}

/// Opens the game of the page's address; false if it has none.
function followAddress() {
  const asked = placeInHash(location.hash);
  if (!asked || !games.has(asked.number)) return false;
  openGame(asked.number, asked.ply);
  place.scrollIntoView({ block: 'nearest' });
  return true;
}

addSwitches(document.getElementById('switches'), place ? ['notation', 'letters', 'language', 'more'] : ['language']);
followLanguage();
window.addEventListener('hashchange', followAddress);
for (const row of rows) {
  const number = Number(row.dataset.game);
  if (!games.has(number)) continue;
  row.classList.add('open');
  row.addEventListener('click', (event) => {
    if (event.target.tagName === 'A') return;
    openGame(number);
    place.scrollIntoView({ block: 'nearest' });
  });
}
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
});
const listed = placeInHash(location.hash);
const kept = location.hash;
if (!followAddress() && data.games.length) {
  openGame(data.games[0].number);
  // Nobody asked for this game: the address stays as it was.
  if (!listed) history.replaceState(null, '', kept || location.pathname + location.search);
}

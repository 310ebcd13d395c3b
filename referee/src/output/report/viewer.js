'use strict';
(function () {
  var data = JSON.parse(document.getElementById('replays').textContent);
  var games = new Map(data.games.map(function (g) { return [g.game, g]; }));
  var NS = 'http://www.w3.org/2000/svg';
  var byId = function (id) { return document.getElementById(id); };
  var viewer = byId('viewer'), cells = byId('v-cells'), marks = byId('v-marks');
  var list = byId('v-moves'), info = byId('v-info'), heading = byId('v-title');
  var graph = byId('v-graph'), play = byId('v-play'), slider = byId('v-slider');
  var letters = byId('v-letters'), board = byId('v-board');
  var game = null, ply = 0, timer = null, decision = [], scale = 1;

  function svg(name, attributes) {
    var e = document.createElementNS(NS, name);
    for (var key in attributes) e.setAttribute(key, attributes[key]);
    return e;
  }
  function corner(square) {
    return [data.left + (square % data.files) * data.side,
            data.top + Math.floor(square / data.files) * data.side];
  }
  function boardAt(n) {
    var board = Array.from(game.board);
    for (var i = 0; i < n; i++) game.changes[i].forEach(function (c) { board[c[0]] = c[1]; });
    return board;
  }
  function compact(x) {
    return x >= 1e9 ? (x / 1e9).toFixed(2) + 'G' : x >= 1e6 ? (x / 1e6).toFixed(2) + 'M'
      : x >= 1e4 ? (x / 1e3).toFixed(1) + 'k' : String(x);
  }
  function scoreText(s) {
    return typeof s === 'string' ? s : (s > 0 ? '+' : '') + (s / 100).toFixed(2);
  }
  // A score as the first player sees it, within -1..1, for the graph.
  function height(i) {
    var d = decision[i], s = d === null ? null : game.score[d];
    if (s === null || s === undefined) return null;
    var v = typeof s === 'string' ? (s.charAt(1) === '-' ? -1 : 1) : s / scale;
    return game.by.charAt(i) === '2' ? -v : v;
  }
  function show(n) {
    ply = Math.max(0, Math.min(n, game.moves.length));
    board.classList.toggle('letters', letters.checked);
    cells.replaceChildren();
    marks.replaceChildren();
    boardAt(ply).forEach(function (code, square) {
      if (code === 'A') return;
      var at = corner(square);
      cells.appendChild(svg('use', { href: (letters.checked ? '#letter' : '#cell') + code.codePointAt(0), x: at[0], y: at[1], width: data.side, height: data.side }));
    });
    if (ply > 0) game.named[ply - 1].forEach(function (square) {
      var at = corner(square);
      marks.appendChild(svg('rect', { 'class': 'lastmove', x: at[0], y: at[1], width: data.side, height: data.side }));
    });
    Array.from(list.children).forEach(function (e, i) {
      e.classList.toggle('now', i + 1 === ply);
      if (i + 1 === ply) list.scrollTop = e.offsetTop - list.clientHeight / 2;
    });
    slider.value = ply;
    var parts = [];
    if (ply > 0) {
      var mover = game.by.charAt(ply - 1), d = decision[ply - 1];
      parts.push('ply ' + ply + ' of ' + game.moves.length + ': ' + game.moves[ply - 1] + ' (' +
        (mover === 'c' ? 'chance' : data.names[game.players[mover === '1' ? 0 : 1]]) + ')');
      if (d !== null) {
        if (game.depth[d] !== null) parts.push('depth ' + game.depth[d]);
        if (game.nodes[d] !== null) parts.push(compact(game.nodes[d]) + ' nodes');
        parts.push((game.us[d] / 1000).toFixed(game.us[d] < 10000 ? 2 : 0) + ' ms');
        if (game.score[d] !== null) parts.push('value ' + scoreText(game.score[d]));
      }
    } else {
      parts.push(game.moves.length ? 'before the first of ' + game.moves.length + ' plies' : 'last position');
    }
    info.textContent = parts.join(', ');
    drawGraph();
  }
  function drawGraph() {
    graph.replaceChildren();
    var n = game.moves.length, w = 600, h = 90;
    graph.appendChild(svg('path', { 'class': 'grid', d: 'M0 ' + h / 2 + 'H' + w }));
    ['1', '2'].forEach(function (side, k) {
      var d = '';
      for (var i = 0; i < n; i++) {
        if (game.by.charAt(i) !== side) continue;
        var v = height(i);
        if (v === null) continue;
        d += (d ? 'L' : 'M') + ((i + 1) / Math.max(n, 1) * w).toFixed(1) + ' ' + ((1 - v) * (h / 2 - 4) + 4).toFixed(1);
      }
      graph.appendChild(svg('path', { 'class': 'line s' + (game.players[k] % 6), d: d || 'M0 0' }));
    });
    graph.appendChild(svg('path', { 'class': 'axis', d: 'M' + (ply / Math.max(n, 1) * w).toFixed(1) + ' 0V' + h }));
  }
  function open(number, at) {
    game = games.get(number);
    if (!game) return;
    decision = [];
    var d = 0;
    for (var i = 0; i < game.by.length; i++) decision.push(game.by.charAt(i) === 'c' ? null : d++);
    scale = game.score.reduce(function (most, s) {
      return typeof s === 'number' ? Math.max(most, Math.abs(s)) : most;
    }, 1);
    heading.textContent = 'Game ' + number + ': ' + data.names[game.players[0]] + ' - ' + data.names[game.players[1]];
    list.replaceChildren();
    game.moves.forEach(function (text, i) {
      var b = document.createElement('button');
      b.type = 'button';
      b.textContent = (i + 1) + '. ' + text;
      b.className = 'by' + game.by.charAt(i);
      b.addEventListener('click', function () { stop(); show(i + 1); remember(); });
      list.appendChild(b);
    });
    slider.max = game.moves.length;
    byId('v-said').textContent = game.said;
    byId('v-said').hidden = !game.said;
    document.querySelectorAll('tr[data-game]').forEach(function (r) {
      r.classList.toggle('now', Number(r.dataset.game) === number);
    });
    viewer.hidden = false;
    show(at === undefined ? game.moves.length : at);
  }
  // The page's address leads back to what is shown: #game-12-ply-34.
  function follow() {
    var at = /^#game-(\d+)(?:-ply-(\d+))?$/.exec(location.hash);
    if (!at || !games.has(Number(at[1]))) return false;
    stop();
    open(Number(at[1]), at[2] === undefined ? undefined : Number(at[2]));
    viewer.scrollIntoView({ block: 'nearest' });
    return true;
  }
  function remember() {
    try { history.replaceState(null, '', '#game-' + game.game + '-ply-' + ply); } catch (e) { /* no history */ }
  }
  function stop() { clearInterval(timer); timer = null; play.textContent = 'Play'; }
  function step(by) { if (game) { stop(); show(ply + by); remember(); } }
  byId('v-start').addEventListener('click', function () { step(-1e9); });
  byId('v-back').addEventListener('click', function () { step(-1); });
  byId('v-next').addEventListener('click', function () { step(1); });
  byId('v-end').addEventListener('click', function () { step(1e9); });
  slider.addEventListener('input', function () { stop(); show(Number(slider.value)); });
  slider.addEventListener('change', remember);
  letters.addEventListener('change', function () { show(ply); });
  window.addEventListener('hashchange', follow);
  play.addEventListener('click', function () {
    if (timer) return stop();
    if (ply >= game.moves.length) show(0);
    play.textContent = 'Pause';
    timer = setInterval(function () {
      if (ply >= game.moves.length) return stop();
      show(ply + 1);
    }, 700);
  });
  document.addEventListener('keydown', function (e) {
    if (!game || e.ctrlKey || e.metaKey || e.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== 'checkbox') return;
    if (e.key === 'ArrowLeft') { step(-1); e.preventDefault(); }
    if (e.key === 'ArrowRight') { step(1); e.preventDefault(); }
  });
  document.querySelectorAll('tr[data-game]').forEach(function (r) {
    if (!games.has(Number(r.dataset.game))) return;
    r.classList.add('open');
    r.addEventListener('click', function (e) {
      if (e.target.tagName === 'A') return;
      stop();
      open(Number(r.dataset.game));
      remember();
      viewer.scrollIntoView({ block: 'nearest' });
    });
  });
  var filter = byId('filter');
  filter.addEventListener('input', function () {
    var words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    document.querySelectorAll('tr[data-game]').forEach(function (r) {
      var text = r.textContent.toLowerCase();
      r.hidden = !words.every(function (w) { return text.includes(w); });
    });
  });
  if (data.games.length && !follow()) open(data.games[0].game);
})();

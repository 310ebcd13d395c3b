// A game of a log, ply by ply: board, moves, both engines' evaluations. The game comes as data with
// the first position and the changes of each move, so a page without a server can show it.

import { copy, html } from './dom.js';
import { Board } from './board.js';
import { savePicture } from './board-picture.js';
import { Curves } from './replay-curves.js';
import { countText, scoreText } from './score.js';
import { addTexts, onLanguage, t } from './i18n.js';
import { moveButtons, movesFrom, movesIn, numberedText } from './notation.js';
import { stepKeys } from './step-keys.js';

addTexts({
  'replay.title': ['Game {number}: {first} – {second}', '第 {number} 局：{first} – {second}'],
  'replay.start': ['First position', '开局'],
  'replay.back': ['One step back', '上一步'],
  'replay.play': ['Play', '播放'],
  'replay.pause': ['Pause', '暂停'],
  'replay.next': ['One step forward', '下一步'],
  'replay.end': ['Last position', '终局'],
  'replay.flip': ['Flip', '翻转'],
  'replay.position': ['Position', '局面'],
  'replay.moves': ['Moves', '着法'],
  'replay.copy': ['Copy FEN', '复制 FEN'],
  'replay.copied': ['Copied.', '已复制。'],
  'replay.link': ['Copy link', '复制链接'],
  'replay.before': ['Before the first of {moves} moves.', '开局，共 {moves} 着。'],
  'replay.only': ['Only the last position can be shown.', '只能显示最后的局面。'],
  'replay.at': ['Move {number} of {moves}: {move} ({who})', '第 {number}/{moves} 着：{move}（{who}）'],
  'replay.depth': ['depth {depth}', '深度 {depth}'],
  'replay.nodes': ['{nodes} nodes', '{nodes} 节点'],
  'replay.value': ['value {value}', '评估 {value}'],
  'replay.said': ["Engines' last output", '引擎的最后输出'],
  'replay.fen': ['FEN', 'FEN'],
});

function timeText(us) {
  return us < 1e6 ? `${(us / 1000).toFixed(us < 1e4 ? 2 : 0)} ms` : `${(us / 1e6).toFixed(1)} s`;
}

/// The FENs of a game: each is the one before with a part replaced, `[kept, dropped, text]`.
function unpackFens(first, changes) {
  const fens = [first];
  for (const [kept, dropped, text] of changes ?? []) {
    const before = fens.at(-1);
    fens.push(before.slice(0, kept) + text + before.slice(kept + dropped));
  }
  return fens;
}

/// The moves and chance outcomes of a game as a view has them.
function shownPlies({ moves, wxf, chinese, numbers, by }) {
  return moves.map((text, i) => ({
    text, wxf: wxf?.[i], chinese: chinese?.[i], number: numbers[i], by: { 1: 0, 2: 1 }[by[i]] ?? null,
  }));
}

/// What a FEN and the pieces tell besides the squares.
function stateOf(game, fen, pieces) {
  const fields = fen.split(' ');
  if (game === 'einstein') {
    const alive = ['r', 'b'].map((side) => [...pieces.values()].filter((kind) => kind[0] === side).map((kind) => Number(kind[1])).sort());
    return { die: Number(fields[2]) || null, alive };
  }
  if (game !== 'darkchess') return {};
  const count = (field) => {
    const counts = {};
    for (const letter of (field ?? '-').replace('-', '')) counts[letter] = (counts[letter] ?? 0) + 1;
    return counts;
  };
  return { hidden: count(fields[3]), captured: count(fields[4]), red: { r: 0, b: 1 }[fields[2]] ?? null };
}

export class Replay {
  /// `onPly(number, ply)` is called when another ply is shown, to keep the address up to date.
  constructor(element, { onPly } = {}) {
    this.root = element;
    this.onPly = onPly;
    this.game = null;
    this.flip = false;
    this.build();
    onLanguage(() => { if (this.root.isConnected) { this.label(); if (this.game) this.open(this.game, this.ply); } });
    const step = (ply) => () => (this.game && this.root.isConnected ? this.go(ply()) : false);
    stepKeys({ back: step(() => this.ply - 1), next: step(() => this.ply + 1), first: step(() => 0), last: step(() => Infinity) });
  }

  build() {
    const button = (name, text, act) => html('button', { type: 'button', 'data-replay': name, onclick: act }, text);
    this.title = html('h2', { className: 'replay-title' });
    this.boardPlace = html('div', { className: 'replay-board' });
    this.moves = html('div', { className: 'moves' });
    this.slider = html('input', { type: 'range', min: 0, oninput: () => this.go(Number(this.slider.value)) });
    this.playButton = button('play', '', () => this.play());
    this.buttons = {
      start: button('start', '«', () => this.go(0)),
      back: button('back', '‹', () => this.go(this.ply - 1)),
      next: button('next', '›', () => this.go(this.ply + 1)),
      end: button('end', '»', () => this.go(Infinity)),
    };
    const { start, back, next, end } = this.buttons;
    this.flipButton = button('flip', '', () => { this.flip = !this.flip; this.draw(); });
    this.info = html('p', { className: 'replay-info' });
    this.curvePlace = html('div', { className: 'replay-curves' });
    this.curves = new Curves(this.curvePlace, (ply) => this.go(ply));
    this.fen = html('input', { readOnly: true, className: 'mono', spellcheck: false });
    this.copyButton = button('copy', '', () => this.copy(this.fen.value));
    this.linkButton = button('link', '', () => this.copy(location.href));
    this.pictureButton = button('picture', '', () => savePicture(this.board.svg(), `game-${this.game.number}-ply-${this.ply}`));
    this.copied = html('span', { role: 'status', className: 'note' });
    this.said = html('pre', { tabIndex: 0 });
    this.saidBox = html('details', {}, html('summary'), this.said);
    this.root.replaceChildren(html('div', { className: 'replay' }, this.title,
      html('div', { className: 'replay-stage' }, this.boardPlace, this.moves),
      html('div', { className: 'controls row' }, start, back, this.playButton, next, end, this.slider, this.flipButton),
      this.info, this.curvePlace,
      html('div', { className: 'row replay-fen' }, this.fen, this.copyButton, this.linkButton, this.pictureButton, this.copied), this.saidBox));
    this.board = new Board(this.boardPlace, { steps: true });
    this.label();
  }

  label() {
    for (const [name, button] of Object.entries(this.buttons)) {
      button.title = t(`replay.${name}`);
      button.setAttribute('aria-label', t(`replay.${name}`));
    }
    this.playButton.textContent = t(this.timer ? 'replay.pause' : 'replay.play');
    this.flipButton.textContent = t('replay.flip');
    this.copyButton.textContent = t('replay.copy');
    this.linkButton.textContent = t('replay.link');
    this.pictureButton.textContent = t('board.picture');
    this.slider.setAttribute('aria-label', t('replay.position'));
    this.fen.setAttribute('aria-label', t('replay.fen'));
    this.moves.setAttribute('role', 'group');
    this.moves.setAttribute('aria-label', t('replay.moves'));
    this.saidBox.firstChild.textContent = t('replay.said');
    this.said.setAttribute('aria-label', t('replay.said'));
  }

  /// Shows a game at a ply, by default at its end.
  open(game, ply = Infinity) {
    if (this.timer) this.play();
    this.game = game;
    this.fens = unpackFens(game.start, game.fens);
    this.plies = shownPlies(game);
    let decisions = 0;
    this.decision = [...game.by].map((by) => (by === 'c' ? null : decisions++));
    this.title.textContent = t('replay.title', { number: game.number, first: game.players[0], second: game.players[1] });
    this.moves.replaceChildren(...moveButtons(this.plies, null, (ply) => this.go(ply)));
    this.slider.max = game.moves.length;
    this.saidBox.hidden = !game.said;
    this.said.textContent = game.said ?? '';
    this.curves.open(game, this.plies);
    this.ply = null;
    this.go(ply);
  }

  /// Shows a ply; the address follows.
  go(ply) {
    if (!this.game) return;
    const next = Math.max(0, Math.min(ply, this.game.moves.length));
    if (next === this.ply) return;
    this.ply = next;
    this.draw();
    this.onPly?.(this.game.number, next);
  }

  piecesAt(ply) {
    const pieces = new Map(this.game.pieces);
    for (const changes of this.game.changes.slice(0, ply)) {
      for (const [at, kind] of changes) {
        if (kind) pieces.set(at, kind);
        else pieces.delete(at);
      }
    }
    return pieces;
  }

  /// The view of a ply, as the board takes it.
  viewAt(ply) {
    const { game } = this;
    const pieces = this.piecesAt(ply);
    const over = ply === game.moves.length;
    return {
      ...game.board, ply, fen: this.fens[ply] ?? '', last: game.last[ply - 1] ?? [], legal: null,
      pieces: [...pieces].map(([at, kind]) => ({ at, kind, down: kind === 'hidden', side: null })),
      shown: this.plies.slice(0, ply), result: over ? this.result() : null, chance: null,
      turn: over ? null : { 1: 0, 2: 1, c: 'chance' }[game.by[ply]],
      won: over ? game.won : [],
      state: stateOf(game.board.game, this.fens[ply] ?? '', pieces),
    };
  }

  /// Who won and why, as a view has it.
  result() {
    // A record may not say how the game ended.
    if (!this.game.result) return null;
    const { winner, reason, ending } = this.game.result;
    const why = t(`end.${ending ?? reason}`).replace(/^end\./, '');
    const name = this.game.players[winner];
    return { winner, text: winner === null ? t('result.draw', { why }) : t('result.win', { side: name, why }) };
  }

  draw() {
    const { game, ply } = this;
    this.board.show(this.viewAt(ply), { flip: this.flip });
    const buttons = [...this.moves.querySelectorAll('button')];
    buttons.forEach((button, i) => {
      if (i + 1 === ply) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const now = buttons[ply - 1];
    if (now) this.moves.scrollTop = now.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
    this.slider.value = ply;
    this.slider.setAttribute('aria-valuetext', ply ? numberedText(...this.moveAt(ply)) : t('replay.start'));
    this.info.textContent = this.infoText();
    this.fen.value = this.fens[ply] ?? '';
    this.copied.textContent = '';
    this.curves.mark(ply);
    this.root.dataset.ply = ply;
    this.root.dataset.game = game.number;
  }

  /// Number and text of the move to which a ply belongs, as far as it goes.
  moveAt(ply) {
    const [move] = movesFrom(this.plies.slice(0, ply), ply - 1);
    return [move.number, move.text];
  }

  infoText() {
    const { game, ply } = this;
    const moves = movesIn(this.plies.filter(({ by }) => by !== null));
    if (!this.plies.length) return t('replay.only');
    if (ply === 0) return t('replay.before', { moves });
    const d = this.decision[ply - 1];
    const who = d === null ? t('side.chance') : game.players[Number(game.by[ply - 1]) - 1];
    const [number, move] = this.moveAt(ply);
    const parts = [number === null ? `${move} (${who})` : t('replay.at', { number, moves, move, who })];
    if (d !== null) {
      const { depth, nodes, us, score, expected } = game;
      const own = expected[d] != null && game.by[ply - 1] === '2' ? 1000 - expected[d] : expected[d];
      if (depth[d] != null) parts.push(t('replay.depth', { depth: depth[d] }));
      if (nodes[d] != null) parts.push(t('replay.nodes', { nodes: countText(nodes[d]) }));
      if (us[d] != null) parts.push(timeText(us[d]));
      if (score[d] != null) parts.push(t('replay.value', { value: scoreText(game.board.game, score[d], own) }));
    }
    if (ply === this.plies.length && game.result) parts.push(this.result().text);
    return parts.join(', ');
  }

  play() {
    clearInterval(this.timer);
    if (this.timer) this.timer = null;
    else {
      if (this.ply >= this.game.moves.length) this.go(0);
      this.timer = setInterval(() => {
        if (this.ply >= this.game.moves.length) this.play();
        else this.go(this.ply + 1);
      }, 700);
    }
    this.label();
  }

  /// Copies a text; where the clipboard is closed, it is selected for the user to copy.
  async copy(text) {
    if (await copy(text)) {
      this.copied.textContent = t('replay.copied');
    } else {
      this.fen.value = text;
      this.fen.select();
    }
  }
}

/// Game and ply of an address's part after `#`: `game-12-ply-34` or `game-12`; null for others.
export function placeInHash(hash) {
  const found = /^#game-(\d+)(?:-ply-(\d+))?$/.exec(hash);
  return found && { number: Number(found[1]), ply: found[2] === undefined ? undefined : Number(found[2]) };
}

/// The part of an address that leads to a game and a ply.
export function hashOf(number, ply) {
  return `#game-${number}-ply-${ply}`;
}

// The texts of the pages in English and Chinese, side by side. `t` looks a text up by its key and
// fills in `{parameters}`. Pages add their own tables with `addTexts`.

const TEXTS = {
  'game.amazons': ['Amazons', '亚马逊棋'],
  'game.connect6': ['Connect6', '六子棋'],
  'game.darkchess': ['Chinese dark chess', '暗棋'],
  'game.einstein': ['EinStein würfelt nicht', '爱恩斯坦棋'],
  'game.nogo': ['NoGo', '不围棋'],
  'game.xiangqi': ['Xiangqi', '中国象棋'],
  'side.amazons.0': ['White', '白方'],
  'side.amazons.1': ['Black', '黑方'],
  'side.connect6.0': ['Black', '黑方'],
  'side.connect6.1': ['White', '白方'],
  'side.nogo.0': ['Black', '黑方'],
  'side.nogo.1': ['White', '白方'],
  'side.xiangqi.0': ['Red', '红方'],
  'side.xiangqi.1': ['Black', '黑方'],
  'side.einstein.0': ['Red', '红方'],
  'side.einstein.1': ['Blue', '蓝方'],
  'side.darkchess.0': ['the first player', '先手'],
  'side.darkchess.1': ['the second player', '后手'],
  'side.chance': ['chance', '随机'],
  'side.coloured': ['{side} ({colour})', '{side}（{colour}）'],
  'colour.red': ['red', '红方'],
  'colour.black': ['black', '黑方'],
  'board.turn': ['{side} to move.', '轮到{side}。'],
  'board.moved': ['Move {number}: {move}.', '第 {number} 着：{move}。'],
  'board.back': ['Back at move {number}.', '退回到第 {number} 着。'],
  'board.start': ['Back at the start.', '退回到开局。'],
  'board.move': ['move {number}', '第 {number} 着'],
  'board.chance.die': ['The die is rolled.', '掷骰子。'],
  'board.chance.reveal': ['A piece is revealed.', '翻开棋子。'],
  'board.last': ['last move', '上一步'],
  'board.won': ['wins the game', '决定胜负'],
  'board.target': ['legal', '可走'],
  'board.illegal': ['{square} is not legal here. Legal: {legal}.', '{square} 不合规则。可选：{legal}。'],
  'board.chosen': ['Chosen: {squares}. Then: {legal}.', '已选：{squares}。接着可选：{legal}。'],
  'board.undone': ['Choice taken back.', '已取消选择。'],
  'board.many': ['{count} marked squares', '标出的 {count} 个位置'],
  'result.win': ['{side} wins: {why}.', '{side}胜：{why}。'],
  'result.draw': ['Draw: {why}.', '和棋：{why}。'],
  'end.no move': ['no move', '无子可动'],
  'end.checkmate': ['checkmate', '将死'],
  'end.elimination': ['all pieces captured', '吃光棋子'],
  'end.goal': ['goal corner reached', '到达目标角'],
  'end.line': ['six in a row', '六子连线'],
  'end.full board': ['board full', '棋盘已满'],
  'end.quiet moves': ['move limit without a capture', '未吃子步数达到上限'],
  'end.repetition': ['repetition', '重复局面'],
  'end.rules': ['by the rules', '按规则'],
  'end.illegal move': ['illegal move', '不合规则的着法'],
  'end.time': ['time', '超时'],
  'end.crash': ['crash', '崩溃'],
  'end.hang': ['hang', '无响应'],
  'end.flood': ['flood of output', '输出过多'],
  'end.protocol': ['protocol error', '协议错误'],
  'end.resignation': ['resignation', '认输'],
  'end.agreed draw': ['agreement', '议和'],
  'end.move limit': ['move limit', '步数达到上限'],
  'end.territory': ['territory', '领地判定'],
  'end.tablebase': ['tablebase', '残局库判定'],
  'setup.title': ['Set-up', '布局'],
  'setup.how': [
    'Click a number and a square, or type a digit on a square of the board; two clicks on the board exchange two numbers.',
    '先点数字再点格子，或在棋盘格子上键入数字；在棋盘上先后点两个数字可交换位置。',
  ],
  'setup.take': ['number {number}', '数字 {number}'],
  'setup.random': ['Random', '随机'],
  'setup.clear': ['Clear', '清空'],
  'setup.done': ['Done', '完成'],
  'state.die': ['die: {die}', '骰子：{die}'],
  'state.alive': ['{side}, stones left: {stones}', '{side}，剩余棋子：{stones}'],
  'state.hidden': ['face down', '未翻开'],
  'state.captured': ['captured', '被吃'],
  'state.colours': ['colours', '执方'],
  'state.colours.open': ['the first piece that is turned over has the colour of the first player', '先手执首先翻出的棋子的颜色'],
  'switch.language': ['中文', 'English'],
  'switch.theme.auto': ['Light or dark: as the system', '深浅：跟随系统'],
  'switch.theme.light': ['Light', '浅色'],
  'switch.theme.dark': ['Dark', '深色'],
  'switch.letters': ['Letters', '字母'],
  'switch.characters': ['Characters', '汉字'],
  'switch.more': ['Boards and motion', '棋盘与动画'],
  'switch.board.wood': ['Board: wood', '棋盘：木纹'],
  'switch.board.flat': ['Board: flat', '棋盘：平面'],
  'switch.motion.yes': ['Motion: on', '动画：开'],
  'switch.motion.no': ['Motion: off', '动画：关'],
  'switch.group': ['Display', '显示'],
  'piece.hidden': ['face-down piece', '未翻开的棋子'],
  'piece.arrow': ['arrow', '箭'],
  'piece.wQ': ['white amazon', '白方亚马逊'],
  'piece.bQ': ['black amazon', '黑方亚马逊'],
  'piece.wS': ['white stone', '白子'],
  'piece.bS': ['black stone', '黑子'],
  ...xiangqiNames(),
  ...stoneNames(),
};

/// Names of the Xiangqi and dark-chess pieces of both colours.
function xiangqiNames() {
  const names = {
    K: ['king', '帥將'], A: ['advisor', '仕士'], G: ['guard', '仕士'], B: ['elephant', '相象'],
    E: ['elephant', '相象'], M: ['minister', '相象'], R: ['rook', '俥車'], N: ['horse', '傌馬'],
    H: ['horse', '傌馬'], C: ['cannon', '炮砲'], P: ['pawn', '兵卒'],
  };
  return Object.fromEntries(Object.entries(names).flatMap(([letter, [name, [red, black]]]) => [
    [`piece.r${letter}`, [`red ${name}`, `红${red}`]],
    [`piece.b${letter}`, [`black ${name}`, `黑${black}`]],
  ]));
}

/// Names of EinStein's stones.
function stoneNames() {
  return Object.fromEntries([1, 2, 3, 4, 5, 6].flatMap((n) => [
    [`piece.r${n}`, [`red ${n}`, `红 ${n}`]],
    [`piece.b${n}`, [`blue ${n}`, `蓝 ${n}`]],
  ]));
}

const LANGUAGES = ['en', 'zh'];
const listeners = new Set();
let current = firstLanguage();

/// The address's `?lang=`, else the remembered choice, else Chinese if the page or the browser is.
function firstLanguage() {
  const asked = new URLSearchParams(location.search).get('lang');
  if (LANGUAGES.includes(asked)) return asked;
  const kept = remembered('agon-language');
  if (LANGUAGES.includes(kept)) return kept;
  const tags = [document.documentElement.lang, navigator.language];
  return tags.some((tag) => tag?.toLowerCase().startsWith('zh')) ? 'zh' : 'en';
}

/// A choice kept by the browser, or null; `remember` keeps one. Both work where storage is off.
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts as long as the page.
  }
}

/// The language of the page: `en` or `zh`.
export function language() {
  return current;
}

/// The time of day of a moment, as text of the page's language.
export function dayTimeText(at) {
  return new Date(at).toLocaleTimeString(current === 'zh' ? 'zh-CN' : 'en-GB');
}

/// The text of a key; a key that no table has is returned as it is. `{n|game|games}` is the word for the number `n`.
export function t(key, params = {}) {
  const text = TEXTS[key]?.[LANGUAGES.indexOf(current)] ?? key;
  const numbered = text.replace(/\{(\w+)\|([^|}]*)\|([^|}]*)\}/g, (_, name, one, more) => (String(params[name]) === '1' ? one : more));
  return numbered.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/// A text of a program, which marks what it quotes for a terminal, with the marks of a page.
export function quoted(text) {
  return text.replace(/`([^`\n]*)`/g, '“$1”');
}

/// Adds texts: keys with English and Chinese.
export function addTexts(table) {
  Object.assign(TEXTS, table);
}

/// Switches the language of the whole page and remembers it.
export function setLanguage(name) {
  if (!LANGUAGES.includes(name)) return;
  current = name;
  remember('agon-language', name);
  translate(document);
  retell();
}

/// Calls the listeners as after a switch: how texts are written has changed otherwise.
export function retell() {
  for (const listener of [...listeners]) listener(current);
}

/// Calls `listener` after each switch; returns a function that ends this.
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/// Fills the elements that name a text: `data-i18n` with text, `data-i18n-label` with a label.
export function translate(root) {
  document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
  for (const element of root.querySelectorAll('[data-i18n]')) element.textContent = t(element.dataset.i18n);
  for (const element of root.querySelectorAll('[data-i18n-label]')) {
    element.setAttribute('aria-label', t(element.dataset.i18nLabel));
  }
}

// The Chinese texts of a report. The page is written in English, so that it can be read without a
// script; `{name}` stands for a part that varies, a name of one letter for a number.

import { language, onLanguage, t } from './i18n.js';

const CHINESE = {
  // Title, headings, cards.
  '{progress}, in part {k} of {l}': '{progress}，第 {k} 部分，共 {l} 部分',
  'the only game of the schedule': '赛程仅一局',
  'all {n} games of the schedule': '赛程全部 {n} 局',
  '{n} of {m} games of the schedule': '赛程 {m} 局中的 {n} 局',
  '{n} games, at most {m}': '{n} 局，最多 {m} 局',
  'Sequential test': '序贯检验',
  Bracket: '淘汰赛对阵',
  Score: '比分',
  'How games ended': '对局的结束方式',
  'Score by opening': '各开局的比分',
  'Time, depth and nodes': '用时、深度与节点',
  Replay: '回放',
  Games: '对局',
  Conditions: '比赛条件',
  Winner: '冠军',
  'Best score': '最高得分',
  '{n} of {m} points, {k}': '{m} 分中得 {n} 分，{k}',
  Engines: '引擎',
  '{n} drawn': '和 {n} 局',
  'The first player scored': '先手得分率',
  '{n} won, {m} drawn, {k} lost': '胜 {n}，和 {m}，负 {k}',
  '{n} games': '{n} 局',
  'Elo difference': 'Elo 差',
  '95%: {interval}, holds after stopping': '95%：{interval}，停止后仍成立',
  '95%: {interval}': '95%：{interval}',
  'Likelihood of superiority': '占优概率（LOS）',
  'of {name}': '{name} 占优',
  match: '对抗赛', sprt: '序贯检验赛', 'round-robin': '循环赛', gauntlet: '擂台赛', knockout: '淘汰赛', swiss: '瑞士制',
  // What reading the log did not check.
  'not checked: results, moves and chance: they are as the log has them; `referee verify` replays the games':
    '未核对：结果、着法与随机事件，均照日志所载；`referee verify` 会重放各局',
  'not checked: whether games are missing: there is no end line, so the match is still running or its last lines were removed':
    '未核对：是否缺少对局；日志没有结束行，比赛仍在进行，或末尾几行已被删去',
  'not checked: whether lines were changed or removed: the log has format 1, which has no chain':
    '未核对：各行是否被改动或删去；日志为格式 1，没有哈希链',
  // Warnings.
  'The sides were not swapped: scores and Elo contain the advantage of moving first.':
    '双方未交换先后手：比分和 Elo 含先手优势。',
  '{name} lost {n} of {m} games by faults, not on the board: the score measures its reliability as well as its play.':
    '{name} 在 {m} 局中有 {n} 局因故障而非棋局本身判负：比分既反映棋力也反映可靠性。',
  // The test.
  '{test}: {verdict}, {evidence} after {n} {unit}; {m} games waiting for an earlier one of the schedule':
    '{test}：{verdict}，{evidence}，共 {n} {unit}；另有 {m} 局在等待赛程中更早的对局',
  '{test}: {verdict}, {evidence} after {n} {unit}': '{test}：{verdict}，{evidence}，共 {n} {unit}',
  SPRT: 'SPRT', 'test by betting': '赌注检验', 'confidence sequence': '置信序列',
  'accepted (H1)': '接受（H1）', 'rejected (H0)': '拒绝（H0）', reached: '已达到', undecided: '未决',
  'LLR {x} [{y}, {z}]': '对数似然比 {x} [{y}, {z}]',
  'e-values {x} against H0 (H1 at {y}), {z} against H1 (H0 at {w})':
    'e 值：反对 H0 {x}（到 {y} 接受 H1），反对 H1 {z}（到 {w} 接受 H0）',
  'width {x} Elo (to {y})': '宽度 {x} Elo（目标 {y}）',
  pairs: '对', games: '局',
  'Elo {value} [{low}, {high}], 95%: {method}, {n} {unit}': 'Elo {value} [{low}, {high}]，95%：{method}，{n} {unit}',
  'median-unbiased, interval valid after stopping (stagewise ordering)': '中位数无偏估计，区间在停止后成立（逐段排序）',
  'mean, interval valid at all times (confidence sequence)': '均值，区间在任何时刻都成立（置信序列）',
  'mean, interval for a fixed number of games': '均值，区间用于事先固定的局数',
  'The test takes {unit} in the order of the schedule, whichever game ended first. The first that crosses a bound decides.':
    '检验按赛程顺序以{unit}为单位，与哪局先结束无关；首个越过界限的样本即作出判定。',
  'Path of the test': '检验路径',
  'width in Elo': '宽度（Elo）',
  'log-likelihood ratio': '对数似然比',
  'log wealth against H0, or minus that against H1': '反对 H0 的对数财富，或反对 H1 者取负',
  'accept H1: {x}': '接受 H1：{x}', 'accept H0: {x}': '接受 H0：{x}', 'the match ends: {x}': '比赛结束：{x}',
  'the match ends': '比赛结束条件', alpha: 'α', beta: 'β',
  'once the 95% confidence sequence is at most {x} Elo wide': '95% 置信序列的宽度不超过 {x} Elo',
  '{x} normalised Elo for {name}': '{name} 的归一化 Elo 为 {x}', '{x} Elo for {name}': '{name} 的 Elo 为 {x}',
  '{x}: probability of accepting H1 if H0 is true': '{x}：H0 为真而接受 H1 的概率',
  '{x}: probability of accepting H0 if H1 is true': '{x}：H1 为真而接受 H0 的概率',
  // Bracket, ratings, score.
  'Winner: {name}': '冠军：{name}',
  'Points in the games of each encounter, tiebreaks included; (seed): a drawn encounter, in which the better seed advances.':
    '每场对阵各局的得分，含加赛；(seed)：平分，种子序位靠前者晋级。',
  final: '决赛', 'semi-finals': '半决赛', 'quarter-finals': '四分之一决赛', 'round {n}': '第 {n} 轮', winner: '冠军',
  Crosstable: '交叉表',
  "W-D-L and points of the row's engine against the column's; S-B: Sonneborn-Berger score.":
    '行引擎对列引擎的胜-和-负与得分；S-B：索伯小分。',
  Ratings: '等级分', Elo: 'Elo',
  'Maximum-likelihood ratings from all games, mean 0, with 95% intervals computed from pairs.':
    '由全部对局得出的最大似然等级分，均值为 0，95% 区间按成对的对局计算。',
  'Maximum-likelihood ratings from all games, mean 0, with 95% intervals computed from pairs. Every engine is credited with one draw, because some never won or never lost.':
    '由全部对局得出的最大似然等级分，均值为 0，95% 区间按成对的对局计算。因有引擎从未胜或从未负，给每个引擎计入一局和棋。',
  'Every two engines': '每两个引擎之间',
  'Pairs: points of {a} against {b} in both games': '成对的两局：{a} 对 {b} 的得分',
  'Both games of a pair begin with the same opening (and see the same dice), with sides swapped.':
    '一对中的两局开局相同（骰子也相同），双方交换先后手。',
  'The sides were not swapped: one engine of each pairing moves first in all games.':
    '双方未交换先后手：每组对阵中总由同一引擎先行。',
  'Elo, its 95% interval (in this table for a number of games fixed in advance) and LOS are computed from complete pairs where there are any.':
    'Elo、95% 区间（本表用于事先固定的局数）与 LOS 在有完整的成对对局时按对计算。',
  'Score after each pair': '每对之后的得分率',
  'score of {name}': '{name} 的得分率',
  equal: '均势',
  'The band is the 95% confidence sequence: with a probability of 95% it holds after every pair at once, however often one looks.':
    '色带为 95% 置信序列：无论查看多少次，它在每一对之后同时成立的概率为 95%。',
  'Elo 95% at all times [{low}, {high}] after {n} pairs': '{n} 对之后的 Elo：[{low}, {high}]，任何时刻都以 95% 成立',
  engine: '引擎', won: '胜', drawn: '和', lost: '负', points: '得分', score: '得分率', 'wins, 95% Wilson': '胜率，95% Wilson 区间',
  'moving first (w-d-l)': '先手（胜-和-负）', 'moving second': '后手', against: '对手', 'w-d-l': '胜-和-负', 'W-D-L': '胜-和-负',
  'Elo, 95%': 'Elo，95%', 'normalised Elo, 95%': '归一化 Elo，95%', LOS: 'LOS', 'computed from': '计算依据', 'S-B': 'S-B',
  undefined: '无定义',
  '{basis}; all equal, so the interval is the exact one for equal scores': '{basis}；结果全部相同，故采用相同得分的精确区间',
  '{n} complete pairs': '{n} 个完整对', '{n} single games': '{n} 个单局', '{n} games outside pairs left out': '{n} 局不成对，未计入',
  // How games ended.
  end: '结束方式', share: '占比', 'lost by {name}': '{name} 负', 'lost by': '负因', 'by the rules': '按规则', '- {why}': '- {why}',
  'No game has been played.': '尚无对局。',
  '{first}; moving first was worth {elo} Elo (no finite estimate).': '{first}；先手相当于 {elo} Elo（无有限估计）。',
  '{first}; moving first was worth {elo} Elo.': '{first}；先手相当于 {elo} Elo。',
  "The first player won {n} of {m} games, {wilson} by Wilson's interval, and drew {k}":
    '先手在 {m} 局中胜 {n} 局，Wilson 区间 {wilson}，和 {k} 局',
  "The first player won {n} of {m} games, {wilson} by Wilson's interval": '先手在 {m} 局中胜 {n} 局，Wilson 区间 {wilson}',
  'Length of games': '对局长度', 'decisions of both players': '双方着数',
  // Openings.
  opening: '开局', 'first player W-D-L': '先手胜-和-负', 'its score': '先手得分率', '95% Wilson (wins)': '胜率 95% Wilson 区间', 'first game': '首局',
  '{name} W-D-L': '{name} 胜-和-负',
  'The games have too many different openings for a table.': '开局种类太多，不列表。',
  'The {n} openings with the most games of {m}.': '{m} 种开局中对局最多的 {n} 种。',
  // Time, depth, nodes.
  'first game began': '首局开始', 'last game ended': '末局结束', 'between them': '历时', 'thinking time': '思考时间',
  '{total}, mean per game {mean}': '{total}，每局平均 {mean}',
  'The game with the most thinking time:': '思考时间最长的一局：',
  limit: '限制', moves: '着数', 'mean time': '平均用时', longest: '最长用时', 'mean depth': '平均深度', deepest: '最大深度',
  'nodes/move': '节点/着', 'nodes/s': '节点/秒', 'ms/move': '毫秒/着', plies: '步',
  'Time by move number': '各着用时', 'Depth by move number': '各着深度', 'Nodes by move number': '各着节点', 'move number of the engine': '引擎的着序',
  "Means over all games by the engine's own move number, with the 95% interval of the mean. The referee measures the times.":
    '所有对局按引擎自身着序的均值，附均值的 95% 区间。用时由裁判程序测量。',
  "Means over all games by the engine's own move number. The referee measures the times.":
    '所有对局按引擎自身着序的均值。用时由裁判程序测量。',
  // Machines.
  Machines: '机器', worker: '机器', 'lost by faults': '因故障判负', 'pairs compared': '比较的对数', 'games compared': '比较的局数',
  'Elo of the others': '其余机器的 Elo', 'chi-square': '卡方', 'degrees of freedom': '自由度', p: 'p',
  'the log does not say which machine played which game: the machines are not compared': '日志未记载各局由哪台机器进行：不作机器间的比较',
  'all games that name a worker were played by {name}.': '记载了机器的对局全部由 {name} 进行。',
  'worker {name} differs from the others (p = {p}): its machine may be slower, overloaded or broken, its programs other ones, or its games invented.':
    '机器 {name} 与其余机器不同（p = {p}）：它可能较慢、过载或有故障，程序可能并非所称，对局也可能是编造的。',
  'workers {a} and {b} differ from each other (p = {p}); the results do not tell which of them is wrong.':
    '机器 {a} 与 {b} 彼此不同（p = {p}）；仅凭结果无法判断哪一台有误。',
  'the workers differ (p = {p}), but none of them stands out.': '各机器之间有差异（p = {p}），但没有哪一台特别突出。',
  'the other workers differ (p = {p}), but none of them stands out.': '其余各机器之间有差异（p = {p}），但没有哪一台特别突出。',
  'No game was left out and no verdict changed. If the machine is at fault, `referee merge --without NAME` leaves its games out, and the command of the match plays them again; `referee audit` plays games at fixed nodes again.':
    '没有去掉任何对局，判定也未改变。若确是机器有误，`referee merge --without NAME` 会去掉它的对局，再用比赛的命令重下；`referee audit` 会重下固定节点数的对局。',
  'no worker has enough results to be compared.': '各机器的结果都太少，无法比较。',
  'no worker differs from the others.': '没有机器与其余机器不同。',
  'no worker differs from the others: all results are the same.': '没有机器与其余机器不同：所有结果都一样。',
  'all together: chi-square {x}, degrees of freedom {n}, p = {p}.': '全部机器合计：卡方 {x}，自由度 {n}，p = {p}。',
  'the others together: chi-square {x}, degrees of freedom {n}, p = {p}.': '其余机器合计：卡方 {x}，自由度 {n}，p = {p}。',
  'p is the probability that any of as many equal workers differs as much. It is for one look: of equal workers, 5% of the matches name one.':
    'p 是同样多台相同的机器中有任何一台差异如此之大的概率，只适用于查看一次：机器都相同时，5% 的比赛会点名一台。',
  'not compared: {n} games that belong to no pair of one worker.': '未比较：{n} 局不属于由同一台机器进行的一对。',
  'not compared: {n} games without the name of a worker.': '未比较：{n} 局没有记载机器名。',
  // Games.
  'Choose a game in the list below; arrow keys step.': '在下面的列表中选择对局；用方向键逐步查看。',
  'The only game.': '仅此一局。',
  'All {n} games.': '全部 {n} 局。',
  '{n} of {m} games: the first of the schedule, and the first that ended by a fault. The log holds all of them.':
    '{m} 局中的 {n} 局：赛程最前的对局，以及最先因故障结束的对局。日志中有全部对局。',
  'filter: an engine, a result, a reason': '筛选：引擎、结果、原因',
  game: '局', pair: '对', duration: '时长', first: '先手', second: '后手', result: '结果', draw: '和棋', '{name} wins': '{name} 胜',
  // Conditions.
  rules: '规则', chance: '随机源', schedule: '赛程', openings: '开局库', experiment: '实验', referee: '裁判程序', 'hash of the last line': '日志末行的哈希值',
  command: '命令', dialect: '协议', options: '选项', directory: '目录', environment: '环境变量', 'memory limit': '内存限制', defaults: '默认',
  'seed {n} (foreseeable)': '种子 {n}（可预知）', 'a secret with the SHA-256 {hash}': '密钥，其 SHA-256 为 {hash}', unknown: '未知',
  '{file}: {n} positions, {order} order, SHA-256 {hash}': '{file}：{n} 个局面，{order}取用，SHA-256 {hash}',
  sequential: '依次', random: '随机',
  'every game from the start position': '每局都从初始局面开始',
  '{form}, {n} games': '{form}，{n} 局',
  'margin {n} ms': '容差 {n} 毫秒', 'depth {n}': '深度 {n}', '{n} nodes per move': '每着 {n} 节点', '{n} ms per move': '每着 {n} 毫秒',
  'no limit': '不限', '{tc} s': '{tc} 秒',
  // Texts that could be mistaken for others come last.
  '{game}: {a} against {b}': '{game}：{a} 对 {b}',
  '{game}: {form} of {n} engines': '{game}：{n} 个引擎的{form}',
};

/// Parts that are themselves texts of the table.
const WORDS = new Set(['game', 'form', 'progress', 'test', 'verdict', 'evidence', 'unit', 'method', 'basis', 'why', 'first', 'order']);

/// The texts with parts that vary: expression, names of the parts, Chinese.
const PATTERNS = Object.entries(CHINESE).filter(([english]) => english.includes('{')).map(([english, chinese]) => {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
  const source = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, name) => (name.length === 1 && !'ab'.includes(name) ? '([-+]?(?:[\\d.,½]+%?|inf))' : '(.+?)'));
  return { expression: new RegExp(`^${source}$`), names, chinese };
});

/// A name of a game or of a game's end, which the boards know too.
function commonWord(text) {
  for (const key of [`game.${text}`, `end.${text}`]) {
    if (t(key) !== key) return t(key);
  }
  return null;
}

/// The Chinese of a text of the page; null if it has none.
function chineseOf(text) {
  if (Object.hasOwn(CHINESE, text)) return CHINESE[text];
  // The table has the plural only.
  const plural = text.replace(/\b(?<![\d.,])1 (game|pair|point|engine|position)\b/g, '1 $1s');
  if (plural !== text) return chineseOf(plural);
  const common = commonWord(text);
  if (common !== null) return common;
  for (const { expression, names, chinese } of PATTERNS) {
    const found = expression.exec(text);
    if (!found) continue;
    const part = (name) => found[names.indexOf(name) + 1];
    return chinese.replace(/\{(\w+)\}/g, (_, name) => (WORDS.has(name) && chineseOf(part(name))) || part(name));
  }
  const parts = text.split(', ').map((part, _, all) => (all.length > 1 ? chineseOf(part) : null));
  return parts.includes(null) ? null : parts.join('，');
}

const englishTexts = new WeakMap();

/// The text of an element in the language of the page; `key` is its own name for it.
function inLanguage(element, key, english) {
  const kept = englishTexts.get(element) ?? {};
  kept[key] ??= english.replace(/\s+/g, ' ').trim();
  englishTexts.set(element, kept);
  return (language() === 'zh' && chineseOf(kept[key])) || kept[key];
}

/// Puts all texts of the report into the language of the page.
function translateReport() {
  for (const element of document.querySelectorAll('title, [data-i18n-text], svg.agon .title, svg.agon .label')) {
    const text = inLanguage(element, 'text', element.textContent);
    if (element.textContent !== text) element.textContent = text;
  }
  for (const name of ['aria-label', 'placeholder']) {
    for (const element of document.querySelectorAll(`svg.agon[${name}], #filter[${name}]`)) {
      element.setAttribute(name, inLanguage(element, name, element.getAttribute(name)));
    }
  }
}

/// Follows the language of the page from now on.
export function followLanguage() {
  onLanguage(translateReport);
  if (language() !== 'en') translateReport();
}

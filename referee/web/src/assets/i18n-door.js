// The texts of the first page.

import { addTexts } from './i18n.js';

addTexts({
  'nav.door': ['Start', '首页'],
  'door.title': ['What would you like to do?', '想做什么？'],
  'door.play': ['Play', '对弈'],
  'door.play.what': ['A game against one of {n} {n|engine|engines}, or by hand.', '与 {n} 个引擎之一对弈，或双方手动。'],
  'door.play.none': ['No engine was found beside the program: both sides by hand.', '程序所在文件夹里没有找到引擎：双方手动。'],
  'door.analysis': ['Analyse', '分析'],
  'door.analysis.what': ['Any position: engine lines, variations, going back.', '任意局面：引擎变化、分支、悔棋。'],
  'door.files': ['Open a file', '打开棋谱'],
  'door.files.what': ['Games of others as PGN, SGF, WXF or in the national form.', '他人的棋谱：PGN、SGF、WXF 或全国赛格式。'],
  'door.watch': ['Watch', '观看'],
  'door.watch.what': ['Matches that run or have ended in this folder.', '本文件夹里正在进行或已结束的比赛。'],
  'door.watch.none': ['No match log (*.jsonl) is in the folder of the server. “referee match” writes one.', '服务器所在文件夹里没有比赛日志（*.jsonl）。“referee match”会写一个。'],
  'door.log': ['{name}: {game}, {engines}', '{name}：{game}，{engines}'],
  'door.now': ['changed just now', '刚刚更新'],
  'door.minutes': ['changed {n} {n|minute|minutes} ago', '{n} 分钟前更新'],
  'door.hours': ['changed {n} {n|hour|hours} ago', '{n} 小时前更新'],
  'door.days': ['changed {n} {n|day|days} ago', '{n} 天前更新'],
  'door.desk': ['Desk', '比赛操作台'],
  'door.desk.what': ['An engine at a tournament: its moves, the opponent’s, clocks and records.', '带引擎参加现场比赛：双方着法、棋钟和棋谱。'],
  'door.desk.event': ['Event', '赛事'],
  'door.desk.engine': ['Engine', '引擎'],
  'door.desk.hand': ['none: both teams by hand', '无：双方手动录入'],
  'door.desk.team': ['The engine’s team', '引擎所在的队'],
  'door.desk.name': ['Name of team {team}', '{team} 队名称'],
  'door.desk.begin': ['Open the desk', '打开操作台'],
  'door.desk.open': ['Go to the open desk', '进入已打开的操作台'],
});

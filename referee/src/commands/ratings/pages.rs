//! Writes rating lists: the page, the pages of the games behind its numbers beside it, and JSON.

use super::folder::{RefusedLog, SoundLog};
use super::show::{Errors, RatedEngines, facts, json, ranking, table};
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_lists::{
    EnginePage, GameRow, ListRow, ListSection, ListTitle, LogRow, MeetingSection, RatingPage,
};
use agon_matchlog::rating_lists::{Assumed, ListKey, RatedList};
use agon_matchlog::{GameRecord, GameResult, Limit, OneMatch, Setting, line_hash};
use agon_papers::publish::{check_page, write_file, write_page};
use agon_report::report::{MatchReport, ReportOptions, Text};
use agon_stats::{Wdl, Z95};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// All that is shown.
pub struct Shown<'a> {
    /// The lists.
    pub lists: &'a [RatedList],
    /// Their logs.
    pub sound: &'a [SoundLog],
    /// The matches.
    pub matches: &'a [OneMatch],
    /// Logs that do not count.
    pub refused: &'a [RefusedLog],
    /// Whether errors are computed from pairs.
    pub robust: bool,
}

/// The files that are written.
#[derive(Default)]
pub struct OutFiles {
    page: Option<PathBuf>,
    json: Option<PathBuf>,
}

impl OutFiles {
    /// The files of `--out`, by their endings.
    ///
    /// # Errors
    ///
    /// Names the file that cannot be written, or is of no known form.
    pub fn of(paths: &[PathBuf]) -> Result<OutFiles> {
        let mut files = OutFiles::default();
        for path in paths {
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            let place = match ending {
                "html" => &mut files.page,
                "json" => &mut files.json,
                _ => {
                    bail!("--out {}: expected a name that ends with .html or .json", path.display())
                }
            };
            if place.replace(path.clone()).is_some() {
                bail!("--out: two files *.{ending}: give one of each kind");
            }
            check_page(path, None)?;
        }
        if let Some(page) = &files.page {
            let folder = pages_folder(page);
            if folder.exists() && !folder.is_dir() {
                bail!(
                    "{}: the folder of the games' pages is to be there, and this is a file",
                    folder.display()
                );
            }
        }
        Ok(files)
    }

    /// Writes them; returns their paths.
    ///
    /// # Errors
    ///
    /// Fails with the file that cannot be written.
    pub fn write(&self, shown: &Shown<'_>, games: usize) -> Result<Vec<&Path>> {
        if let Some(page) = &self.page {
            shown.write_page(page, games)?;
        }
        if let Some(path) = &self.json {
            let text = serde_json::to_string_pretty(&shown.json(self.page.is_some()))? + "\n";
            write_file(path, &text)?;
        }
        Ok([&self.page, &self.json].into_iter().flatten().map(PathBuf::as_path).collect())
    }
}

/// The folder of the pages of games, beside the page of the lists.
fn pages_folder(page: &Path) -> PathBuf {
    let stem = page.file_stem().unwrap_or_default().to_string_lossy();
    page.with_file_name(format!("{stem}-games"))
}

/// What begins the names of pages that this program writes into that folder; 32 digits follow.
const KINDS: [&str; 2] = ["match-", "engine-"];

/// Removes pages of an earlier list that this one does not have.
fn remove_others(folder: &Path, wanted: &BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let stem = name.strip_suffix(".html").unwrap_or_default();
        let digits = KINDS.iter().find_map(|kind| stem.strip_prefix(kind)).unwrap_or_default();
        let is_ours = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if is_ours && !wanted.contains(&name) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A name in an address.
fn encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    name.bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

fn page_of_log(log: &SoundLog) -> String {
    format!("match-{}.html", log.head)
}

fn page_of_engine(key: &ListKey, program: &str) -> String {
    let ListKey { game, rules, limit, .. } = key;
    format!("engine-{}.html", line_hash(&format!("{game}|{rules:?}|{limit}|{program}")))
}

fn anchor_of(program: &str) -> String {
    format!("against-{}", &line_hash(program)[..16])
}

fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "1\u{2013}0",
        GameResult::Second => "0\u{2013}1",
        GameResult::Draw => "\u{bd}\u{2013}\u{bd}",
    }
}

impl Shown<'_> {
    fn errors<'l>(&self, list: &'l RatedList) -> Errors<'l> {
        Errors {
            robust: self.robust,
            relative_to: list.anchor.map(|i| list.engines[i].label.as_str()),
        }
    }

    /// The games of each log that count, and those of them that its report shows.
    fn write_reports(
        &self,
        folder: &Path,
        games: usize,
    ) -> Result<BTreeMap<usize, BTreeMap<u64, GameRecord>>> {
        let mut shown = BTreeMap::new();
        for (log, counted) in self.matches.iter().flat_map(|one| &one.logs) {
            if counted.iter().next().is_none() {
                continue;
            }
            let SoundLog { checked, name, .. } = &self.sound[*log];
            let options = ReportOptions { games, ..ReportOptions::default() };
            let report = MatchReport::of_log(&checked.path, options)
                .with_context(|| name.clone())?
                .verified();
            write_page(&folder.join(page_of_log(&self.sound[*log])), &report.html())?;
            let sample =
                report.aggregate().sample.iter().filter(|(game, _)| counted.contains(**game));
            shown.insert(*log, sample.map(|(game, record)| (*game, record.clone())).collect());
        }
        Ok(shown)
    }

    /// Writes the pages of the games, then the page that leads to them.
    fn write_page(&self, page: &Path, games: usize) -> Result<()> {
        let folder = pages_folder(page);
        fs::create_dir_all(&folder).with_context(|| format!("the folder {}", folder.display()))?;
        let shown = self.write_reports(&folder, games)?;
        let mut wanted: BTreeSet<String> =
            shown.keys().map(|log| page_of_log(&self.sound[*log])).collect();
        let [file, sub] = [page, folder.as_path()]
            .map(|path| encoded(&path.file_name().unwrap_or_default().to_string_lossy()));
        let mut sections = Vec::new();
        for (list, number) in self.lists.iter().zip(1..) {
            let id = format!("list-{number}");
            for (engine, of_engine) in list.engines.iter().enumerate() {
                let name = page_of_engine(&list.key, &of_engine.program);
                let back = format!("../{file}#{id}");
                write_page(
                    &folder.join(&name),
                    &self.engine_page(list, engine, &shown, back).html(),
                )?;
                wanted.insert(name);
            }
            sections.push(self.section(list, id, &sub));
        }
        let refused = self.refused.iter().map(|log| (log.name.clone(), log.sentence())).collect();
        write_page(page, &RatingPage { lists: sections, refused }.html())?;
        remove_others(&folder, &wanted).with_context(|| format!("the folder {}", folder.display()))
    }

    fn engine_page(
        &self,
        list: &RatedList,
        engine: usize,
        shown: &BTreeMap<usize, BTreeMap<u64, GameRecord>>,
        back: String,
    ) -> EnginePage {
        let label = |i: usize| list.engines[i].label.clone();
        let mut rows: BTreeMap<usize, Vec<GameRow>> = BTreeMap::new();
        for game in list.games.iter().filter(|game| game.players.contains(&engine)) {
            let Some(record) = shown.get(&game.log).and_then(|games| games.get(&game.game)) else {
                continue;
            };
            let other = game.players[usize::from(game.players[0] == engine)];
            let (number, log) = (u64::from(Ordinal::of_index(game.game)), &self.sound[game.log]);
            rows.entry(other).or_default().push(GameRow {
                number,
                page: format!("{}#game-{number}", page_of_log(log)),
                log: log.name.clone(),
                players: game.players.map(label),
                result: result_text(record.result),
                plies: record.by.len(),
            });
        }
        rows.values_mut()
            .for_each(|rows| rows.sort_by(|a, b| (&a.log, a.number).cmp(&(&b.log, b.number))));
        let meetings = order(list).into_iter().filter_map(|other| {
            let games = list.against(engine, other);
            let program = &list.engines[other].program;
            (games.games() > 0).then(|| MeetingSection {
                id: anchor_of(program),
                label: label(other),
                games,
                rows: rows.remove(&other).unwrap_or_default(),
            })
        });
        let meetings = meetings.collect();
        EnginePage { label: label(engine), title: self.title(list), list: back, meetings }
    }

    fn title(&self, list: &RatedList) -> ListTitle {
        let header = list.games.first().map(|game| &self.sound[game.log].checked.header);
        let limit: Option<Limit> = header.and_then(|h| h.engines.first()).map(|e| e.limit.clone());
        let limit = limit.filter(|_| !list.key.limit.is_empty());
        ListTitle { game: list.key.game.clone(), rules: list.key.rules.join(", "), limit }
    }

    fn section(&self, list: &RatedList, id: String, sub: &str) -> ListSection {
        let page =
            |i: usize| format!("{sub}/{}", page_of_engine(&list.key, &list.engines[i].program));
        let order = order(list);
        let row = |(rank, &i): (usize, &usize)| ListRow {
            label: list.engines[i].label.clone(),
            page: page(i),
            elo: list.ratings.as_ref().map(|ratings| {
                let half = Z95 * ratings.error(i, self.robust);
                [ratings.elo[i], ratings.elo[i] - half, ratings.elo[i] + half]
            }),
            games: list.meetings.of(i),
            next: order
                .get(rank + 1)
                .and_then(|&j| Some(list.ratings.as_ref()?.los(i, j, self.robust))),
            against: order
                .iter()
                .map(|&other| {
                    let games = list.against(i, other);
                    let place = format!("{}#{}", page(i), anchor_of(&list.engines[other].program));
                    (games.games() > 0).then_some((games, place))
                })
                .collect(),
            program: program(list, i),
        };
        let rows = order.iter().enumerate().map(row).collect();
        ListSection {
            id,
            title: self.title(list),
            rows,
            notes: self.notes(list),
            logs: self.logs(list, sub),
        }
    }

    /// The logs of a list, also those whose games all count in others.
    fn logs(&self, list: &RatedList, sub: &str) -> Vec<LogRow> {
        let mut counted: BTreeMap<usize, u64> = BTreeMap::new();
        list.games.iter().for_each(|game| *counted.entry(game.log).or_default() += 1);
        let of_list = self
            .matches
            .iter()
            .filter(|one| one.logs.iter().any(|(log, _)| counted.contains_key(log)));
        let mut logs: Vec<usize> =
            of_list.flat_map(|one| one.logs.iter().map(|(log, _)| *log)).collect();
        logs.sort_unstable();
        let row = |log: usize| {
            let SoundLog { name, checked, head } = &self.sound[log];
            let n = counted.get(&log).copied().unwrap_or(0);
            LogRow {
                name: name.clone(),
                page: (n > 0).then(|| format!("{sub}/{}", page_of_log(&self.sound[log]))),
                counted: n,
                games: checked.games.iter().count() as u64,
                head: head.clone(),
            }
        };
        logs.into_iter().map(row).collect()
    }

    fn notes(&self, list: &RatedList) -> Vec<Text> {
        let mut notes: Vec<Text> = Vec::new();
        if let Some(ratings) = &list.ratings {
            let errors = self.errors(list);
            let relative = match errors.relative_to {
                Some(name) => format!("相对于引擎 {name}"),
                None => "相对于全部引擎的均值".into(),
            };
            let basis = if self.robust {
                "按成对的对局计算"
            } else {
                "按模型计算，假定各局独立"
            };
            notes.push((errors.legend(), format!("+-：95%，{relative}，{basis}")).into());
            let rated = RatedEngines { names: &list.labels(), meetings: &list.meetings, ratings };
            notes.extend(facts(rated, self.robust).iter().map(Text::from));
        }
        notes.extend(assumption(list).map(|(english, chinese)| (english, chinese).into()));
        if list.engines.iter().any(|engine| engine.label != engine.name) {
            notes.push(
                (
                    "Different programs have the same name; brackets say how they differ: by the first digits of \
                     their SHA-256, by options or by limits.",
                    "有同名的不同程序；方括号说明其差别：SHA-256 的前几位、选项或限制。",
                )
                    .into(),
            );
        }
        notes
    }

    /// All of it as tables.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for list in self.lists {
            let ListKey { game, rules, limit, .. } = &list.key;
            let rules =
                if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) };
            let limit = if limit.is_empty() { "each engine with its own limits" } else { limit };
            text.push_str(&format!("{game}{rules}, {limit}\n"));
            if let Some(ratings) = &list.ratings {
                let rated =
                    RatedEngines { names: &list.labels(), meetings: &list.meetings, ratings };
                text.push_str(&table(rated, self.errors(list)));
            }
            assumption(list)
                .into_iter()
                .for_each(|(english, _)| text.push_str(&format!("{english}\n")));
            for log in self.logs(list, "") {
                text.push_str(&format!(
                    "{}: {} of {} count\n",
                    log.name,
                    log.counted,
                    counted(log.games, "game")
                ));
            }
            text.push('\n');
        }
        text
    }

    /// All of it as JSON; with `pages`, engines name the pages of their games.
    pub fn json(&self, pages: bool) -> Value {
        let lists: Vec<Value> = self.lists.iter().map(|list| self.list_json(list, pages)).collect();
        let refused: Vec<Value> = self
            .refused
            .iter()
            .map(|log| {
                let verdict = if log.is_wrong { "defect" } else { "cannot be checked" };
                let RefusedLog { name, line, reason, more, .. } = log;
                json!({ "log": name, "verdict": verdict, "line": line, "reason": reason, "more": more })
            })
            .collect();
        json!({ "lists": lists, "not_counted": refused })
    }

    fn list_json(&self, list: &RatedList, pages: bool) -> Value {
        let labels = list.labels();
        let mut value = match &list.ratings {
            Some(ratings) => json(
                RatedEngines { names: &labels, meetings: &list.meetings, ratings },
                self.errors(list),
            ),
            None => json!({ "engines": (0..labels.len()).map(|i| {
                let Wdl { wins, draws, losses } = list.meetings.of(i);
                json!({ "index": i, "name": labels[i], "wins": wins, "draws": draws, "losses": losses })
            }).collect::<Vec<_>>() }),
        };
        for engine in value["engines"].as_array_mut().into_iter().flatten() {
            let Some(i) = engine["index"].as_u64().and_then(|i| usize::try_from(i).ok()) else {
                continue;
            };
            let known = &list.engines[i];
            engine["engine"] = known.name.clone().into();
            engine["program"] = serde_json::from_str(&known.program).unwrap_or_default();
            if pages {
                engine["page"] = page_of_engine(&list.key, &known.program).into();
            }
        }
        let met = list.meetings.ordered().into_iter();
        let meetings: Vec<Value> = met
            .map(|(players, Wdl { wins, draws, losses })| {
                json!({ "first": players[0], "second": players[1], "wins": wins, "draws": draws, "losses": losses })
            })
            .collect();
        let logs: Vec<Value> = self
            .logs(list, "")
            .into_iter()
            .map(|log| json!({ "log": log.name, "counted": log.counted, "games": log.games, "head": log.head }))
            .collect();
        let limit = Some(&list.key.limit).filter(|limit| !limit.is_empty());
        json!({
            "game": list.key.game,
            "rules": list.key.rules,
            "limit": limit,
            "games": list.meetings.games(),
            "assumed": assumption(list).map(|(english, _)| english),
            "ratings": value,
            "meetings": meetings,
            "logs": logs,
        })
    }
}

/// The engines of a list, the best one first; without ratings by score.
fn order(list: &RatedList) -> Vec<usize> {
    if let Some(ratings) = &list.ratings {
        return ranking(ratings);
    }
    let score = |i: usize| list.meetings.of(i).score().unwrap_or(-1.0);
    let mut order: Vec<usize> = (0..list.engines.len()).collect();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    order
}

/// What a program is, as names and values.
fn program(list: &RatedList, engine: usize) -> Vec<(String, String)> {
    let entry = &list.engines[engine].entry;
    let settings = |all: &[Setting]| -> String {
        all.iter().map(|s| format!("{}={}", s.name, s.value)).collect::<Vec<_>>().join(", ")
    };
    let mut rows = vec![("SHA-256".to_string(), entry.sha256.clone())];
    let more = [
        ("arguments", entry.command.join(" ")),
        ("options", settings(&entry.options)),
        ("environment", settings(&entry.env)),
        ("files", settings(&entry.files)),
    ];
    rows.extend(more.into_iter().filter(|(_, text)| !text.is_empty()).map(|(k, v)| (k.into(), v)));
    if list.key.limit.is_empty() {
        rows.push(("limit".into(), entry.limit.to_string()));
    }
    rows
}

/// What the ratings assume, in English and Chinese.
fn assumption(list: &RatedList) -> Option<(String, String)> {
    let drawn = "Every engine is credited with one draw, because some never won or never lost";
    let zh = "因有引擎从未胜或从未负，给每个引擎计入一局和棋";
    match &list.assumed {
        Assumed::Nothing => None,
        Assumed::Draws => Some((format!("{drawn}."), format!("{zh}。"))),
        Assumed::NoAdvantage => Some((
            format!(
                "{drawn}; the games do not determine the advantage of moving first, which is taken as 0."
            ),
            format!("{zh}；对局不足以确定先手优势，取为 0。"),
        )),
        Assumed::All(reason) => {
            Some((format!("There are no ratings: {reason}."), format!("没有等级分：{reason}。")))
        }
    }
}

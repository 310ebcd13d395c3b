//! The page of rating lists, and the pages of the games behind the numbers of one engine.

use agon_matchlog::Limit;
use agon_report::assets::bilingual_script;
use agon_report::crosstable::{points, wdl};
use agon_report::plot::{IntervalRow, interval_plot};
use agon_report::report::{Page, Text, bilingual, facts};
use agon_stats::Wdl;
use maud::{Markup, html};

/// What the games of a list have in common.
#[derive(Clone, Debug, Default)]
pub struct ListTitle {
    /// The game's name.
    pub game: String,
    /// The rules that differ from the default; empty: none.
    pub rules: String,
    /// The limits on thinking; `None`: the engines of a match have their own.
    pub limit: Option<Limit>,
}

/// An engine of a list.
#[derive(Clone, Debug, Default)]
pub struct ListRow {
    /// The name, which is unique in the list.
    pub label: String,
    /// The page of its games.
    pub page: String,
    /// The rating and the ends of its interval; `None`: the games determine none.
    pub elo: Option<[f64; 3]>,
    /// Its games.
    pub games: Wdl,
    /// The likelihood that it is better than the next engine.
    pub next: Option<f64>,
    /// Its games against every engine of the list in the order of rows, and where they are listed; `None`: they never
    /// met.
    pub against: Vec<Option<(Wdl, String)>>,
    /// What the program is.
    pub program: Vec<(String, String)>,
}

/// A log.
#[derive(Clone, Debug, Default)]
pub struct LogRow {
    /// Its path.
    pub name: String,
    /// The page of its report; `None`: it has none, because all of its games count in other logs.
    pub page: Option<String>,
    /// The number of games that count in this list.
    pub counted: u64,
    /// The number of its games.
    pub games: u64,
    /// The hash of its last line.
    pub head: String,
}

/// A list.
#[derive(Clone, Debug, Default)]
pub struct ListSection {
    /// Its anchor on the page.
    pub id: String,
    /// Its title.
    pub title: ListTitle,
    /// Its engines, the best one first.
    pub rows: Vec<ListRow>,
    /// What its numbers mean, and what they assume.
    pub notes: Vec<Text>,
    /// The logs of its games.
    pub logs: Vec<LogRow>,
}

/// The page.
#[derive(Clone, Debug, Default)]
pub struct RatingPage {
    /// The lists.
    pub lists: Vec<ListSection>,
    /// Logs that do not count, and why.
    pub refused: Vec<(String, String)>,
}

/// A game on the page of an engine.
#[derive(Clone, Debug, Default)]
pub struct GameRow {
    /// Its number.
    pub number: u64,
    /// Its replay.
    pub page: String,
    /// Its log.
    pub log: String,
    /// Its engines, the first player first.
    pub players: [String; 2],
    /// `1-0` and so on.
    pub result: &'static str,
    /// The number of decisions.
    pub plies: usize,
}

/// The games of an engine against another one.
#[derive(Clone, Debug, Default)]
pub struct MeetingSection {
    /// Its anchor on the page.
    pub id: String,
    /// The other engine.
    pub label: String,
    /// All games.
    pub games: Wdl,
    /// Those that can be replayed.
    pub rows: Vec<GameRow>,
}

/// The games behind the numbers of an engine.
#[derive(Clone, Debug, Default)]
pub struct EnginePage {
    /// The engine.
    pub label: String,
    /// The list.
    pub title: ListTitle,
    /// The way back to it.
    pub list: String,
    /// Its games by opponent, in the order of the list.
    pub meetings: Vec<MeetingSection>,
}

impl ListTitle {
    fn text(&self) -> Text {
        let chinese_game = match self.game.as_str() {
            "amazons" => "亚马逊棋",
            "connect6" => "六子棋",
            "darkchess" => "暗棋",
            "einstein" => "爱恩斯坦棋",
            "nogo" => "不围棋",
            "xiangqi" => "中国象棋",
            other => other,
        };
        let rules =
            if self.rules.is_empty() { String::new() } else { format!(" ({})", self.rules) };
        let (limit, chinese) = match &self.limit {
            Some(limit) => (limit.to_string(), chinese_limit(limit)),
            None => ("each engine with its own limits".into(), "各引擎限制不同".into()),
        };
        (format!("{}{rules}, {limit}", self.game), format!("{chinese_game}{rules}，{chinese}"))
            .into()
    }
}

/// The limits on thinking in Chinese.
fn chinese_limit(limit: &Limit) -> String {
    let parts: Vec<String> = limit
        .to_string()
        .split(", ")
        .map(|part| {
            let words: Vec<&str> = part.split(' ').collect();
            match words.as_slice() {
                [time, "s"] => format!("{time} 秒"),
                [ms, "ms", ..] => format!("每着 {ms} 毫秒"),
                ["depth", depth] => format!("深度 {depth}"),
                [nodes, "nodes", ..] => format!("每着 {nodes} 节点"),
                _ => "不限".into(),
            }
        })
        .collect();
    parts.join("，")
}

impl RatingPage {
    /// The whole page.
    pub fn html(&self) -> String {
        let games: u64 = self.lists.iter().flat_map(|list| &list.logs).map(|log| log.counted).sum();
        let lists = self.lists.len();
        let subtitle = (
            format!("lists: {lists}, games: {games}"),
            format!("列表 {lists} 个，对局 {games} 局"),
        );
        let mut page = Page::new(("Rating list", "等级分表"), subtitle);
        page.lead(html! {
            p class="note" { (bilingual((
                "Every log was verified: its games were played again by the rules, each line was checked, and each \
                 game counts once, however many files hold it. A number leads to the games behind it.",
                "每份日志都经过核对：各局按规则重放，逐行检查；同一局无论在几个文件中都只计一次。点击数字可查看对应的对局。",
            ))) }
            @if !self.refused.is_empty() {
                p class="warn" { a href="#refused" { (bilingual((
                    format!("Logs that do not count: {}", self.refused.len()),
                    format!("未计入的日志：{} 份", self.refused.len()),
                ))) } }
            }
        });
        for list in &self.lists {
            page.section(&list.id, list.title.text(), list.section());
        }
        if !self.refused.is_empty() {
            page.section("refused", ("Logs that do not count", "未计入的日志"), self.refused());
        }
        page.script(bilingual_script());
        page.html()
    }

    fn refused(&self) -> Markup {
        html! {
            div class="scroll" tabindex="0" { table {
                thead { tr { (head("t", "log", "日志")) (head("t", "reason", "原因")) } }
                tbody {
                    @for (log, reason) in &self.refused {
                        tr { td class="t mono" { (log) } td class="t" { (reason) } }
                    }
                }
            } }
        }
    }
}

fn head(class: &str, english: &str, chinese: &str) -> Markup {
    html! { th class=(class) data-zh=(chinese) { (english) } }
}

fn percent(x: Option<f64>) -> String {
    x.map_or("-".into(), |x| format!("{:.1}%", 100.0 * x))
}

impl ListSection {
    fn section(&self) -> Markup {
        html! {
            @if self.rows.iter().any(|row| row.elo.is_some()) {
                figure class="single" { (self.plot()) }
            }
            (self.table())
            @for note in &self.notes { p class="note" { (bilingual(note.clone())) } }
            h3 { (bilingual(("Every two engines", "每两个引擎之间"))) }
            (self.crosstable())
            details {
                summary { (bilingual(("Programs", "程序"))) }
                @for row in &self.rows { h4 { (row.label) } (facts(&row.program)) }
            }
            details {
                summary { (bilingual(("Logs", "日志"))) }
                (self.logs())
            }
        }
    }

    fn plot(&self) -> Markup {
        let row = |row: &ListRow| {
            let [value, low, high] = row.elo?;
            Some(IntervalRow { name: row.label.clone(), value, interval: (low, high) })
        };
        let rows: Vec<IntervalRow> = self.rows.iter().filter_map(row).collect();
        interval_plot("Ratings", "Elo", &rows)
    }

    fn table(&self) -> Markup {
        html! {
            div class="scroll" tabindex="0" { table {
                thead { tr {
                    (head("n", "rank", "名次")) (head("t", "engine", "引擎")) (head("n", "Elo", "Elo"))
                    (head("n", "95%", "95%")) (head("n", "points", "得分")) (head("n", "games", "对局"))
                    (head("n", "score", "得分率")) (head("n", "draws", "和棋率")) (head("n", "LOS next", "优于下一名"))
                } }
                tbody {
                    @for (rank, row) in self.rows.iter().enumerate() { (row.row(rank + 1)) }
                }
            } }
        }
    }

    fn crosstable(&self) -> Markup {
        html! {
            div class="scroll" tabindex="0" { table {
                thead { tr {
                    (head("n", "rank", "名次")) (head("t", "engine", "引擎"))
                    @for rank in 1..=self.rows.len() { th class="n" { (rank) } }
                } }
                tbody {
                    @for (rank, row) in self.rows.iter().enumerate() {
                        tr {
                            td class="n" { (rank + 1) }
                            td class="t" { (row.label) }
                            @for (other, met) in row.against.iter().enumerate() {
                                td class="n" {
                                    @match met {
                                        Some((games, page)) => { a href=(page) { (wdl(*games)) } }
                                        None if other == rank => "\u{b7}",
                                        None => "-",
                                    }
                                }
                            }
                        }
                    }
                }
            } }
            p class="note" { (bilingual((
                "Wins, draws and losses of the row's engine against the engine of this rank.",
                "行引擎对该名次引擎的胜-和-负。",
            ))) }
        }
    }

    fn logs(&self) -> Markup {
        html! {
            div class="scroll" tabindex="0" { table {
                thead { tr {
                    (head("t", "log", "日志")) (head("n", "games that count", "计入局数")) (head("n", "its games", "总局数"))
                    (head("t", "hash of the last line", "日志末行的哈希值"))
                } }
                tbody {
                    @for log in &self.logs {
                        tr {
                            td class="t" {
                                @if let Some(page) = &log.page { a href=(page) { (log.name) } } @else { (log.name) }
                            }
                            td class="n" { (log.counted) }
                            td class="n" { (log.games) }
                            td class="t mono" { (log.head) }
                        }
                    }
                }
            } }
            p class="note" { (bilingual((
                "A game that several logs hold counts in one of them.",
                "多份日志都有的对局只在其中一份计入。",
            ))) }
        }
    }
}

impl ListRow {
    fn row(&self, rank: usize) -> Markup {
        let link = |text: String| html! { a href=(self.page) { (text) } };
        html! {
            tr {
                td class="n" { (rank) }
                td class="t" { (link(self.label.clone())) }
                @match self.elo {
                    Some([elo, low, high]) => {
                        td class="n" { (link(format!("{elo:.1}"))) }
                        td class="n" { (format!("{low:.1} to {high:.1}")) }
                    }
                    None => { td class="n" { "-" } td class="n" { "-" } }
                }
                td class="n" { (link(points(self.games.half_points()))) }
                td class="n" { (link(self.games.games().to_string())) }
                td class="n" { (percent(self.games.score())) }
                td class="n" { (percent(self.games.draw_rate())) }
                td class="n" { (percent(self.next)) }
            }
        }
    }
}

impl EnginePage {
    /// The whole page.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.label, self.title.text());
        page.lead(html! {
            p { a href=(self.list) { (bilingual(("Back to the list", "返回列表"))) } }
        });
        for meeting in &self.meetings {
            let other = &meeting.label;
            let heading = (format!("against {other}"), format!("对 {other}"));
            page.section(&meeting.id, heading, meeting.section());
        }
        page.script(bilingual_script());
        page.html()
    }
}

impl MeetingSection {
    fn section(&self) -> Markup {
        let (shown, all) = (self.rows.len() as u64, self.games.games());
        let score = format!("{} ({})", wdl(self.games), percent(self.games.score()));
        html! {
            p { (score) }
            @if shown < all {
                p class="note" { (bilingual((
                    format!("{shown} of {all} games: the first of each log, and the first that ended by a fault. \
                             The logs hold all of them."),
                    format!("{all} 局中的 {shown} 局：各日志最前的对局，以及最先因故障结束的对局。日志中有全部对局。"),
                ))) }
            }
            div class="scroll games" tabindex="0" { table {
                thead { tr {
                    (head("n", "game", "局")) (head("t", "log", "日志")) (head("t", "first", "先手"))
                    (head("t", "second", "后手")) (head("t", "result", "结果")) (head("n", "plies", "步数"))
                } }
                tbody {
                    @for row in &self.rows {
                        tr {
                            td class="n" { a href=(row.page) { (row.number) } }
                            td class="t mono" { (row.log) }
                            @for player in &row.players { td class="t" { (player) } }
                            td class="t" { (row.result) }
                            td class="n" { (row.plies) }
                        }
                    }
                }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::TimeControl;
    use agon_report::plot::assert_well_formed;

    const EVIL: &str = "</script><script>alert(1)</script>";

    fn list() -> ListSection {
        let row = |label: &str, elo: f64, against: [Option<(Wdl, String)>; 2]| ListRow {
            label: label.into(),
            page: format!("list-games/{elo}.html"),
            elo: Some([elo, elo - 20.0, elo + 20.0]),
            games: Wdl::new(3, 1, 0),
            next: Some(0.9),
            against: against.into(),
            program: vec![("SHA-256".into(), "ab".into())],
        };
        let met = |page: &str| Some((Wdl::new(3, 1, 0), page.to_string()));
        let clock = TimeControl { time_ms: 10_000, increment_ms: 100, moves: None };
        let limit = Limit { clock: Some(clock), ..Limit::default() };
        ListSection {
            id: "list-1".into(),
            title: ListTitle { game: "nogo".into(), rules: String::new(), limit: Some(limit) },
            rows: vec![
                row("a", 10.0, [None, met("x.html#b")]),
                row(EVIL, -10.0, [met("y.html#a"), None]),
            ],
            notes: vec![("a note", "说明").into()],
            logs: vec![LogRow {
                name: EVIL.into(),
                page: Some("m.html".into()),
                ..LogRow::default()
            }],
        }
    }

    #[test]
    fn every_number_of_a_list_leads_to_its_games_and_no_text_breaks_out() {
        let page = RatingPage {
            lists: vec![list()],
            refused: vec![("bad.jsonl".into(), format!("line 3: {EVIL}"))],
        };
        let html = page.html();
        assert_well_formed(&html);
        assert!(!html.contains("<script>alert"));
        for link in [
            "list-games/10.html\">10.0<",
            "list-games/-10.html\">3½<",
            "x.html#b\">3-1-0<",
            "m.html\">",
        ] {
            assert!(html.contains(link), "{link}");
        }
        assert!(html.contains("nogo, 10+0.1 s") && html.contains("不围棋，10+0.1 秒"));
        assert!(html.contains("Logs that do not count: 1") && html.contains("bad.jsonl"));
    }

    #[test]
    fn the_page_of_an_engine_lists_its_games_by_opponent() {
        let row = GameRow {
            number: 7,
            page: "match-1.html#game-7".into(),
            result: "1-0",
            ..GameRow::default()
        };
        let meeting = |n: u64| MeetingSection {
            id: "against-b".into(),
            label: EVIL.into(),
            games: Wdl::new(n, 0, 0),
            rows: vec![row.clone()],
        };
        let title = list().title;
        let page = |n| {
            EnginePage {
                label: "a".into(),
                title: title.clone(),
                list: "../l.html".into(),
                meetings: vec![meeting(n)],
            }
            .html()
        };
        let html = page(1);
        assert_well_formed(&html);
        assert!(
            html.contains("<a href=\"match-1.html#game-7\">7</a>")
                && !html.contains("<script>alert")
        );
        assert!(!html.contains("of 1 games") && page(3).contains("1 of 3 games"));
    }
}

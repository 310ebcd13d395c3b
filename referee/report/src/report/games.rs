//! The game list and the viewer.

use super::page::Page;
use super::replay;
use super::sections::{date, duration};
use crate::assets::report_script;
use crate::shown::MoveCount;
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_games::text::excerpt;
use agon_matchlog::{GameRecord, MatchHeader, RuleEnding};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Adds the replay and the game list; `all` is the number of games in the log.
pub fn sections(
    page: &mut Page,
    header: &MatchHeader,
    games: &BTreeMap<u64, GameRecord>,
    all: u64,
) {
    let mut replays: Vec<Value> =
        games.values().filter_map(|game| replay::of(header, game)).collect();
    let board = shared_board(&mut replays);
    page.script(report_script());
    if !replays.is_empty() {
        let viewer = html! {
            p class="note" data-i18n-text { "Choose a game in the list below; arrow keys step." }
            div id="viewer" {}
        };
        page.section("replay", "Replay", viewer);
    }
    let shown = games.len() as u64;
    let note = if all == 1 {
        "The only game.".into()
    } else if shown == all {
        format!("All {all}.", all = counted(all, "game"))
    } else {
        format!(
            "{shown} of {all}: the first of the schedule, and the first that ended by a \
             fault. The log holds all of them.",
            all = counted(all, "game")
        )
    };
    let data = json!({ "board": board, "games": replays });
    let hint = "filter: an engine, a result, a reason";
    page.section(
        "games",
        "Games",
        html! {
            p class="note" data-i18n-text { (note) }
            input id="filter" type="search" placeholder=(hint) aria-label=(hint);
            (list(header, games))
            script type="application/json" id="replays" { (PreEscaped(script_safe(&data))) }
        },
    );
}

/// Takes the board of the first game out of all games that have the same.
fn shared_board(replays: &mut [Value]) -> Value {
    let board = replays.first().map_or(Value::Null, |game| game["board"].clone());
    for game in replays {
        if let Some(fields) = game.as_object_mut().filter(|f| f.get("board") == Some(&board)) {
            fields.remove("board");
        }
    }
    board
}

/// JSON that cannot close its script element.
fn script_safe(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

fn list(header: &MatchHeader, games: &BTreeMap<u64, GameRecord>) -> Markup {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    html! {
        div class="scroll games" tabindex="0" {
            table {
                thead {
                    tr {
                        @for head in ["game", "pair"] { th class="n" data-i18n-text { (head) } }
                        @for head in ["first", "second", "result", "end"] {
                            th class="t" data-i18n-text { (head) }
                        }
                        @for head in ["moves", "duration"] { th class="n" data-i18n-text { (head) } }
                        th class="t" data-i18n-text { "opening" }
                    }
                }
                tbody {
                    @for game in games.values() { (row(game, game.players.map(name))) }
                }
            }
        }
    }
}

/// The time from the beginning of a game to its end, if the log has both.
fn time_of(game: &GameRecord) -> String {
    let (Some(start), Some(end)) = (game.start, game.end) else { return String::new() };
    duration(end.duration_since(start).as_secs_f64().max(0.0))
}

fn row(game: &GameRecord, players: [&str; 2]) -> Markup {
    html! {
        tr data-game=(game.number()) {
            td class="n" { a href={ "#game-" (game.number()) } { (game.number()) } }
            td class="n" { (Ordinal::of_index(game.pair)) }
            @for player in players { td class="t" { (player) } }
            td class="t" data-i18n-text {
                @match game.result.winner() {
                    None => "draw",
                    Some(winner) => { (players[winner.index()]) " wins" }
                }
            }
            td class="t" {
                span data-i18n-text { (game.reason.name()) }
                @if let Some(RuleEnding(ending)) = game.ending {
                    ": " span data-i18n-text { (ending.name()) }
                }
                @if let Some(detail) = &game.detail { div class="note" { (excerpt(&detail.to_string())) } }
            }
            td class="n" { (MoveCount::of(&game.by, &game.moves)) }
            @let began = game.start.map(date);
            td class="n" title=[began] { (time_of(game)) }
            td class="t mono" { (excerpt(&game.opening)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script() {
        let text = script_safe(&json!({ "x": "</script><script>alert(1)</script>" }));
        assert!(!text.contains('<'));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["x"], "</script><script>alert(1)</script>");
    }
}

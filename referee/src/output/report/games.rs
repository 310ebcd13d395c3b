//! The game list and the viewer.

use super::page::Page;
use super::replay::{self, Palette};
use crate::matchlog::{GameRecord, Header, RuleEnding};
use crate::output::plot::{Board, PieceStyle, draw_cell, px};
use agon_protocol::text::excerpt;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The page's script.
const VIEWER: &str = include_str!("viewer.js");

/// Adds the viewer and the game list; `all` is the number of games in the log.
pub fn sections(
    page: &mut Page,
    header: &Header,
    games: &BTreeMap<u64, GameRecord>,
    all: u64,
    pieces: PieceStyle,
) {
    let mut palette = Palette::new();
    let grid = games.values().find_map(|g| replay::first_board(header, g));
    let replays: Vec<Value> = match &grid {
        Some(board) => {
            games.values().filter_map(|g| replay::of(header, g, &mut palette, board)).collect()
        }
        None => Vec::new(),
    };
    if let Some(board) = &grid {
        page.section("replay", "Replay", viewer(board, &palette, pieces));
        page.script(VIEWER);
    }
    let shown = games.len() as u64;
    let note = if shown == all {
        format!("All {all} games.")
    } else {
        format!(
            "{shown} of {all} games: the first of the schedule, and the first that ended by a \
             fault. The log holds all of them."
        )
    };
    let [left, top] = grid.as_ref().map_or([0.0; 2], |b| b.corner(0).into());
    let data = json!({
        "files": grid.as_ref().map_or(0, Board::files),
        "left": left,
        "top": top,
        "side": Board::SIDE,
        "names": header.engines.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(),
        "games": replays,
    });
    let hint = "filter: an engine, a result, a reason";
    page.section(
        "games",
        "Games",
        html! {
            p class="note" { (note) }
            input id="filter" type="search" placeholder=(hint) aria-label=(hint);
            (list(header, games))
            script type="application/json" id="replays" { (PreEscaped(script_safe(&data))) }
        },
    );
}

/// JSON that cannot close its script element.
fn script_safe(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

fn list(header: &Header, games: &BTreeMap<u64, GameRecord>) -> Markup {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    html! {
        div class="scroll games" {
            table {
                thead {
                    tr {
                        @for head in ["game", "pair"] { th class="n" { (head) } }
                        @for head in ["first", "second", "result", "end"] { th class="t" { (head) } }
                        th class="n" { "plies" }
                        th class="t" { "opening" }
                    }
                }
                tbody {
                    @for game in games.values() { (row(game, game.players.map(name))) }
                }
            }
        }
    }
}

fn row(game: &GameRecord, players: [&str; 2]) -> Markup {
    html! {
        tr data-game=(game.game) {
            td class="n" { a href={ "#game-" (game.game) } { (game.game) } }
            td class="n" { (game.pair) }
            @for player in players { td class="t" { (player) } }
            td class="t" {
                @match game.result.winner() {
                    None => "draw",
                    Some(winner) => { (players[winner.index()]) " wins" }
                }
            }
            td class="t" {
                (game.reason.name())
                @if let Some(RuleEnding(ending)) = game.ending { ": " (ending.name()) }
                @if let Some(detail) = &game.detail { div class="note" { (excerpt(detail)) } }
            }
            td class="n" { (game.by.len()) }
            td class="t mono" { (excerpt(&game.opening)) }
        }
    }
}

fn viewer(board: &Board, palette: &Palette, pieces: PieceStyle) -> Markup {
    let styles = [("cell", PieceStyle::Characters), ("letter", PieceStyle::Letters)];
    let letters = pieces == PieceStyle::Letters;
    html! {
        p class="note noscript" { "Choose a game in the list below; arrow keys step." }
        div id="viewer" class="viewer" hidden="hidden" {
            h3 id="v-title" {}
            div class="stage" {
                svg id="v-board" class="agon board" viewBox=(board.view_box()) role="img" aria-label="the board" {
                    defs {
                        @for (prefix, style) in styles {
                            @for (code, cell) in palette.cells() {
                                symbol id={ (prefix) (u32::from(code)) }
                                    viewBox={ "0 0 " (px(Board::SIDE)) " " (px(Board::SIDE)) } {
                                    (draw_cell(cell, style, (0.0, 0.0)))
                                }
                            }
                        }
                    }
                    (board.grid())
                    g id="v-marks" {}
                    g id="v-cells" {}
                }
                div id="v-moves" class="moves" {}
            }
            (controls())
            label hidden[!board.has_characters()] {
                input id="v-letters" type="checkbox" checked[letters]; " pieces as letters"
            }
        }
    }
}

fn controls() -> Markup {
    let buttons = [
        ("v-start", "\u{ab}", "first position"),
        ("v-back", "\u{2039}", "one ply back"),
        ("v-play", "Play", "play the game"),
        ("v-next", "\u{203a}", "one ply forward"),
        ("v-end", "\u{bb}", "last position"),
    ];
    html! {
        div class="controls" {
            @for (id, text, label) in buttons {
                button id=(id) type="button" aria-label=(label) { (text) }
            }
            input id="v-slider" type="range" min="0" aria-label="ply";
        }
        p id="v-info" class="info" {}
        figure {
            svg id="v-graph" class="agon" viewBox="0 0 600 90" preserveAspectRatio="none" {}
            figcaption {
                "The engines' values by ply, from the first player's side (up is good for it), over \
                 the greatest value of the game."
            }
        }
        pre id="v-said" hidden="hidden" {}
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

//! The list of games and the viewer.

use super::page::Page;
use super::replay::{self, Palette};
use crate::matchlog::{GameRecord, Header};
use crate::output::plot::{Attr, Board, Markup, draw_cell, px};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The page's script.
const VIEWER: &str = include_str!("viewer.js");

/// Adds the sections of the viewer and the list; `all` is the number of games in the log.
pub fn sections(page: &mut Page, header: &Header, games: &BTreeMap<u64, GameRecord>, all: u64) {
    let mut palette = Palette::new();
    let grid = games.values().find_map(|g| replay::first_board(header, g));
    let replays: Vec<Value> = match &grid {
        Some(board) => {
            games.values().filter_map(|g| replay::of(header, g, &mut palette, board)).collect()
        }
        None => Vec::new(),
    };
    if let Some(board) = &grid {
        page.section("replay", "Replay", |m| viewer(m, board, &palette));
    }
    page.section("games", "Games", |m| {
        let shown = games.len() as u64;
        let text = if shown == all {
            format!("All {all} games.")
        } else {
            format!(
                "{shown} of {all} games: the first of the schedule, and the first that ended by a \
                 fault. The log holds all of them."
            )
        };
        m.leaf("p", &[("class", &"note")], text);
        let hint = "filter: an engine, a result, a reason";
        let attrs: &[Attr<'_>] = &[
            ("id", &"filter"),
            ("type", &"search"),
            ("placeholder", &hint),
            ("aria-label", &hint),
        ];
        m.void("input", attrs);
        list(m, header, games);
        let [left, top] = grid.as_ref().map_or([0.0; 2], |b| b.corner(0).into());
        let data = json!({
            "files": grid.as_ref().map_or(0, Board::files),
            "left": left,
            "top": top,
            "side": Board::SIDE,
            "names": header.engines.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(),
            "games": replays,
        });
        m.within("script", &[("type", &"application/json"), ("id", &"replays")], |m| {
            m.raw(&script_safe(&data));
        });
    });
    if grid.is_some() {
        page.script(VIEWER);
    }
}

/// JSON that cannot end the script element it stands in.
fn script_safe(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

fn list(m: &mut Markup, header: &Header, games: &BTreeMap<u64, GameRecord>) {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    m.within("div", &[("class", &"scroll games")], |m| {
        m.within("table", &[], |m| {
            m.within("thead", &[], |m| {
                m.within("tr", &[], |m| {
                    for (class, head) in [
                        ("n", "game"),
                        ("n", "pair"),
                        ("t", "first"),
                        ("t", "second"),
                        ("t", "result"),
                        ("t", "end"),
                        ("n", "plies"),
                        ("t", "opening"),
                    ] {
                        m.leaf("th", &[("class", &class)], head);
                    }
                });
            });
            m.within("tbody", &[], |m| {
                for game in games.values() {
                    row(m, game, name(game.players[0]), name(game.players[1]));
                }
            });
        });
    });
}

fn row(m: &mut Markup, game: &GameRecord, first: &str, second: &str) {
    let result = match game.result.winner() {
        None => "draw".to_string(),
        Some(winner) => format!("{} wins", [first, second][winner.index()]),
    };
    m.within("tr", &[("data-game", &game.game)], |m| {
        m.leaf("td", &[("class", &"n")], game.game);
        m.leaf("td", &[("class", &"n")], game.pair);
        m.leaf("td", &[("class", &"t")], first);
        m.leaf("td", &[("class", &"t")], second);
        m.leaf("td", &[("class", &"t")], result);
        m.within("td", &[("class", &"t")], |m| {
            m.text(game.reason.name());
            if let Some(detail) = &game.detail {
                m.leaf("div", &[("class", &"note")], agon_protocol::text::excerpt(detail));
            }
        });
        m.leaf("td", &[("class", &"n")], game.by.len());
        m.leaf("td", &[("class", &"t mono")], agon_protocol::text::excerpt(&game.opening));
    });
}

fn viewer(m: &mut Markup, board: &Board, palette: &Palette) {
    m.leaf(
        "p",
        &[("class", &"note noscript")],
        "Choose a game in the list below; arrow keys step.",
    );
    m.within("div", &[("id", &"viewer"), ("class", &"viewer"), ("hidden", &"hidden")], |m| {
        m.leaf("h3", &[("id", &"v-title")], "");
        m.within("div", &[("class", &"stage")], |m| {
            let view = board.view_box();
            let attrs: &[Attr<'_>] = &[
                ("class", &"agon board"),
                ("viewBox", &view),
                ("role", &"img"),
                ("aria-label", &"the board"),
            ];
            m.within("svg", attrs, |m| {
                m.within("defs", &[], |m| symbols(m, palette));
                board.grid(m);
                m.within("g", &[("id", &"v-marks")], |_| {});
                m.within("g", &[("id", &"v-cells")], |_| {});
            });
            m.within("div", &[("id", &"v-moves"), ("class", &"moves")], |_| {});
        });
        controls(m);
    });
}

fn symbols(m: &mut Markup, palette: &Palette) {
    let view = format!("0 0 {0} {0}", px(Board::SIDE));
    for (code, cell) in palette.cells() {
        let id = format!("cell{}", u32::from(code));
        m.within("symbol", &[("id", &id), ("viewBox", &view)], |m| draw_cell(m, cell, 0.0, 0.0));
    }
}

fn controls(m: &mut Markup) {
    m.within("div", &[("class", &"controls")], |m| {
        for (id, text, label) in [
            ("v-start", "\u{ab}", "first position"),
            ("v-back", "\u{2039}", "one ply back"),
            ("v-play", "Play", "play the game"),
            ("v-next", "\u{203a}", "one ply forward"),
            ("v-end", "\u{bb}", "last position"),
        ] {
            let attrs: &[Attr<'_>] = &[("id", &id), ("type", &"button"), ("aria-label", &label)];
            m.leaf("button", attrs, text);
        }
        let attrs: &[Attr<'_>] =
            &[("id", &"v-slider"), ("type", &"range"), ("min", &0), ("aria-label", &"ply")];
        m.void("input", attrs);
    });
    m.leaf("p", &[("id", &"v-info"), ("class", &"info")], "");
    m.within("figure", &[], |m| {
        let attrs: &[Attr<'_>] = &[
            ("id", &"v-graph"),
            ("class", &"agon"),
            ("viewBox", &"0 0 600 90"),
            ("preserveAspectRatio", &"none"),
        ];
        m.within("svg", attrs, |_| {});
        let caption =
            "The engines' values by ply, from the first player's side (up is good for it), over the \
                   greatest value of the game.";
        m.leaf("figcaption", &[], caption);
    });
    m.within("pre", &[("id", &"v-said"), ("hidden", &"hidden")], |_| {});
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

//! The line of a game: what makes it valid, for every command that reads logs.
//!
//! Here a line is compared with itself and with the header. Whether its moves are legal, its clocks were kept and
//! its game has this place in the schedule is for the verification, which plays the game again.

use super::chain::split;
use super::line::from_line;
use super::{GameRecord, GameResult, MatchHeader, Reason};
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_games::text::excerpt;
use std::borrow::Cow;

/// Milliseconds by which a move may seem longer than its game: times are rounded, and the ends of a game are
/// read from another clock than the times of its moves.
const CLOCK_TOLERANCE_MS: u64 = 2000;

/// Reads the games of a match.
#[derive(Clone, Debug, Default)]
pub struct GameReader {
    engines: usize,
    scheduled: u64,
    format: u32,
}

impl GameReader {
    /// For the games of the match with this header and its continuations.
    pub fn new(header: &MatchHeader) -> GameReader {
        let (engines, scheduled) = (header.engines.len(), header.scheduled_games());
        GameReader { engines, scheduled, format: header.agon_match_log }
    }

    /// Reads the line of a game.
    ///
    /// # Errors
    ///
    /// Says what is wrong: no JSON, a field that is missing or unknown, or a contradiction, with the field,
    /// what stands there and what is expected.
    pub fn read(&self, line: &str) -> Result<GameRecord, String> {
        let (link, fields) = split(line);
        let unlinked = match link {
            Some(_) => Cow::Owned(format!("{{{fields}")),
            None => Cow::Borrowed(line),
        };
        let game: GameRecord = from_line(&unlinked).map_err(|error| {
            // Only a second reading knows the field.
            let mut again = serde_json::Deserializer::from_str(&unlinked);
            match serde_path_to_error::deserialize::<_, GameRecord>(&mut again) {
                Err(at) if at.path().iter().next().is_some() => {
                    format!("{}: {error}", excerpt(&at.path().to_string()))
                }
                _ => error.to_string(),
            }
        })?;
        self.check(&game).map_err(|reason| format!("game {}: {reason}", game.number()))?;
        Ok(game)
    }

    fn check(&self, game: &GameRecord) -> Result<(), String> {
        let (players, engines) = (game.players, self.engines);
        if players.iter().any(|&p| p >= engines) || players[0] == players[1] {
            return Err(format!(
                "players {players:?}: expected two of the {engines}",
                engines = counted(engines, "engine")
            ));
        }
        if game.game >= self.scheduled {
            let last = Ordinal::of_index(self.scheduled.saturating_sub(1));
            return Err(format!(
                "the schedule has no such game: expected a number from 1 to {last}"
            ));
        }
        if game.worker.is_some() && self.format < 3 {
            let format = self.format;
            return Err(format!(
                "it has `worker`, and the header says format {format}, which has none: expected format 3"
            ));
        }
        check_end(game)?;
        check_columns(game)?;
        check_times(game)
    }
}

/// Compares the lengths of the columns.
fn check_columns(game: &GameRecord) -> Result<(), String> {
    let (moves, by) = (game.moves.split_whitespace().count(), game.by.len());
    if by != moves {
        return Err(format!(
            "{moves}, but `by` has {by} characters: expected as many",
            moves = counted(moves, "move")
        ));
    }
    if let Some(c) = game.by.chars().find(|c| !matches!(c, '1' | '2' | 'c')) {
        return Err(format!("`by` holds `{}`: expected 1, 2 or c", excerpt(&c.to_string())));
    }
    let wanted = game.decisions();
    let stats = &game.stats;
    // Three columns are empty if nothing stands in them.
    let or_empty = |length: usize| if length == 0 { wanted } else { length };
    let lengths = [
        ("us", stats.us.len()),
        ("depth", stats.depth.len()),
        ("nodes", stats.nodes.len()),
        ("leaves", or_empty(stats.leaves.len())),
        ("stall_ms", or_empty(stats.stall_ms.len())),
        ("score", stats.score.len()),
        ("expected", or_empty(stats.expected.len())),
    ];
    if let Some((name, length)) = lengths.into_iter().find(|&(_, length)| length != wanted) {
        return Err(format!("stats.{name} has {length} entries: expected {wanted}"));
    }
    match stats.expected.iter().flatten().find(|&&permille| permille > 1000) {
        Some(permille) => Err(format!("stats.expected holds {permille}: expected at most 1000")),
        None => Ok(()),
    }
}

/// Compares the result with the reason.
fn check_end(game: &GameRecord) -> Result<(), String> {
    let (result, reason, name) = (game.result, game.reason, game.reason.name());
    let drawn = result == GameResult::Draw;
    if drawn && (reason.is_fault() || reason == Reason::Resignation) {
        return Err(format!("result is draw: expected a loss ({name})"));
    }
    if !drawn && reason == Reason::Length {
        return Err(format!("the game is won: expected a draw ({name})"));
    }
    match game.ending {
        Some(ending) if reason != Reason::Rules => {
            let ending = ending.0.name();
            Err(format!("ending is `{ending}`, reason is {name}: only the rules have an ending"))
        }
        _ => Ok(()),
    }
}

/// Compares the times of the moves with those of the game.
fn check_times(game: &GameRecord) -> Result<(), String> {
    let (Some(start), Some(end)) = (game.start, game.end) else { return Ok(()) };
    let Ok(lasted) = u64::try_from(end.as_millisecond() - start.as_millisecond()) else {
        return Err(format!("end is {end}, start is {start}: expected an end after the start"));
    };
    let most = lasted.saturating_add(CLOCK_TOLERANCE_MS);
    let us = game.stats.us.iter().fold(0u64, |sum, &us| sum.saturating_add(us));
    let stalled = game.stats.stall_ms.iter().fold(0u64, |sum, &ms| sum.saturating_add(ms));
    for (name, ms) in [("us", us / 1000), ("stall_ms", stalled)] {
        if ms > most {
            return Err(format!(
                "stats.{name} sums up to {:.3} s, and the game lasted {:.3} s from start to end",
                ms as f64 / 1000.0,
                lasted as f64 / 1000.0
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r##"{"game":0,"pair":0,"players":[0,1],"opening":"startpos","moves":"a b c","by":"1c2","result":"first","reason":"rules","ending":"no_move","fen":"x","start":"2026-03-01T10:00:00Z","end":"2026-03-01T10:00:05Z","stats":{"us":[10,20],"depth":[3,null],"nodes":[100,200],"score":[1,"#2"]}}"##;

    fn read(changes: &[(&str, &str)]) -> Result<GameRecord, String> {
        let mut line = GAME.to_string();
        for (from, to) in changes {
            assert!(line.contains(from), "{from}");
            line = line.replace(from, to);
        }
        GameReader::new(&MatchHeader::example()).read(&line)
    }

    #[test]
    fn a_link_is_no_unknown_field_and_a_late_move_has_an_entry() {
        let link = format!("{{\"prev\":\"{}\",\"game\"", "0".repeat(32));
        assert_eq!(read(&[("{\"game\"", &link)]), read(&[]));
        let late = [
            (r#""ending":"no_move","#, ""),
            ("rules", "time"),
            ("[10,20]", "[10,20,30]"),
            ("[3,null]", "[3,null,4]"),
            ("[100,200]", "[100,200,300]"),
            (r##"[1,"#2"]"##, r##"[1,"#2",null]"##),
        ];
        let game = read(&late).unwrap();
        assert_eq!(game.movers().collect::<Vec<_>>(), [0, 1, 1]);
        assert_eq!((game.decisions(), game.moves_played()), (3, 2));
        assert!(read(&late[..3]).unwrap_err().contains("stats.depth has 2 entries: expected 3"));
    }

    #[test]
    fn only_the_newest_format_says_who_played_a_game() {
        let line = GAME.replace("05Z\"", "05Z\",\"worker\":\"a\"");
        let read = |format: u32| {
            let header = MatchHeader { agon_match_log: format, ..MatchHeader::example() };
            GameReader::new(&header).read(&line)
        };
        assert_eq!(read(3).unwrap().worker.as_deref(), Some("a"));
        for format in [1, 2] {
            assert!(read(format).unwrap_err().contains("`worker`, and the header says format"));
        }
    }

    #[test]
    fn contradictions_in_a_line_are_named_with_field_and_expectation() {
        for (change, expected) in [
            (("\"pair\"", "\"luck\":1,\"pair\""), "unknown field `luck`"),
            (("\"us\"", "\"luck\":[],\"us\""), "unknown field `luck`"),
            (("[0,1]", "[0,7]"), "game 1: players [0, 7]: expected two of the 2 engines"),
            (("[0,1]", "[1,1]"), "players [1, 1]: expected two"),
            (
                ("\"game\":0", "\"game\":9999"),
                "game 10000: the schedule has no such game: expected a number from 1 to",
            ),
            (("1c2", "1c"), "3 moves, but `by` has 2 characters"),
            (("1c2", "1x2"), "`by` holds `x`: expected 1, 2 or c"),
            (("[10,20]", "[10]"), "stats.us has 1 entries: expected 2"),
            (("[10,20]", "[10,20,30]"), "stats.us has 3 entries: expected 2"),
            (("[3,null]", "[3]"), "stats.depth has 1 entries"),
            (("[100,200]", "[]"), "stats.nodes has 0 entries"),
            (("\"us\"", "\"leaves\":[1],\"us\""), "stats.leaves has 1 entries"),
            (("\"us\"", "\"stall_ms\":[1],\"us\""), "stats.stall_ms has 1 entries"),
            ((r##"[1,"#2"]"##, "[1]"), "stats.score has 1 entries"),
            (("\"us\"", "\"expected\":[1],\"us\""), "stats.expected has 1 entries"),
            (
                ("\"us\"", "\"expected\":[1,1001],\"us\""),
                "stats.expected holds 1001: expected at most 1000",
            ),
            (("\"rules\"", "\"crash\""), "only the rules have an ending"),
            (("05Z\"", "05Z\",\"extra\":0"), "unknown field `extra`"),
            (
                ("05Z\"", "05Z\",\"worker\":3"),
                "worker: invalid type: integer `3`, expected a string",
            ),
            (("10:00:05Z", "09:59:59Z"), "expected an end after the start"),
            (
                ("[10,20]", "[10,7100000]"),
                "stats.us sums up to 7.100 s, and the game lasted 5.000 s",
            ),
            (
                ("\"us\"", "\"stall_ms\":[0,950400000],\"us\""),
                "stats.stall_ms sums up to 950400.000 s",
            ),
            (("[10,20]", "[10,-20]"), "invalid value"),
        ] {
            let error = read(&[change]).unwrap_err();
            assert!(error.contains(expected), "{change:?}: {error}");
        }
        let ending = (r#""ending":"no_move","#, "");
        let draw = ("first", "draw");
        for reason in ["time", "crash", "illegal_move", "resignation"] {
            let error = read(&[ending, draw, ("\"rules\"", &format!("\"{reason}\""))]);
            assert!(error.unwrap_err().contains("expected a loss") || reason == "time");
        }
        let error = read(&[ending, ("\"rules\"", "\"length\"")]).unwrap_err();
        assert!(error.contains("expected a draw (move limit)"), "{error}");
    }
}

//! Games as PGN, which rating programs (Ordo, BayesElo) and `--openings` read for any game: the tags
//! are standard, the moves are in each game's own notation. Each move is followed by a comment with
//! the engine's score (from its own point of view), depth and time as other match runners write them,
//! `{+0.35/12 0.52s}`; moves of the opening by `{book}`, chance outcomes are comments, too.

use super::{ExportError, Occasion, ReplayedPly, names, replayed, result, runner};
use agon_base::ordinal::Ordinal;
use agon_engine::hash::hash_text;
use agon_matches::run_settings::RunnerComments;
use agon_matchlog::{EngineEntry, GameRecord, MatchHeader, PlyScore, Reason};
use agon_wire::message::Score;
use std::fmt::Write;

/// The maximum line length of movetext in the standard.
pub const WIDTH: usize = 80;

/// Identifies a match in its games: the start of the hash of its header.
pub fn match_id(header: &MatchHeader) -> String {
    let line = header.line().unwrap_or_default();
    hash_text(&line).chars().take(16).collect()
}

/// A tag value with quotes and backslashes escaped.
fn quoted(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}

/// One game, followed by an empty line.
pub fn game(
    header: &MatchHeader,
    record: &GameRecord,
    occasion: &Occasion,
) -> Result<String, ExportError> {
    let (start, plies) = replayed(header, record)?;
    let mut tags = tags(header, record, occasion, &plies);
    if !record.opening.starts_with("startpos") {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", start.start_fen()));
    }
    let moves = match &occasion.runner {
        Some(form) => runner_movetext(header, record, &plies, form),
        None => movetext(record, &plies),
    };
    Ok(format!("{}\n{}\n", tag_lines(&tags), wrapped(&moves)))
}

/// The lines of tags.
pub fn tag_lines(tags: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(value));
    }
    text
}

/// The tags except those of the position.
fn tags(
    header: &MatchHeader,
    record: &GameRecord,
    occasion: &Occasion,
    plies: &[ReplayedPly],
) -> Vec<(&'static str, String)> {
    let site = if occasion.place.is_empty() { "?" } else { &occasion.place };
    let [first, second] = names(header, record);
    let date = record.start.map(|start| start.to_string()[..10].replace('-', "."));
    let mut tags = vec![
        ("Event", occasion.event(header)),
        ("Site", site.into()),
        ("Date", date.unwrap_or_else(|| "????.??.??".into())),
        ("Round", format!("{}.{}", Ordinal::of_index(record.pair), record.number())),
        ("White", first.into()),
        ("Black", second.into()),
        ("Result", result(record.result).into()),
        ("Game", header.game.clone()),
        ("Match", match_id(header)),
        ("PlyCount", plies.iter().filter(|p| p.by != 'c').count().to_string()),
        ("Termination", termination(header, record).into()),
    ];
    match occasion.runner {
        // The last two tags tell which games a file holds.
        Some(form) if form.min => {
            tags.retain(|(name, _)| !matches!(*name, "PlyCount" | "Termination"));
            return tags;
        }
        Some(_) => {
            let word = runner::termination(record.reason).map(Into::into);
            tags.last_mut()
                .into_iter()
                .for_each(|(_, own)| *own = word.clone().unwrap_or(own.clone()));
        }
        None => {}
    }
    tags.extend(record.start.map(|at| ("GameStartTime", at.to_string())));
    tags.extend(record.end.map(|at| ("GameEndTime", at.to_string())));
    let controls = record.players.map(|i| header.engines.get(i).map_or("?".into(), time_control));
    let [first, second] = controls;
    if first == second {
        tags.push(("TimeControl", first));
    } else {
        tags.push(("WhiteTimeControl", first));
        tags.push(("BlackTimeControl", second));
    }
    tags
}

/// The time control as in the standard: `40/300+3`, `60+0.5`; `1.5/move` for a time per move and `-`
/// without a clock.
fn time_control(engine: &EngineEntry) -> String {
    let seconds = |ms: u64| ms as f64 / 1000.0;
    match (&engine.limit.clock, engine.limit.move_ms) {
        (Some(clock), _) => {
            let moves = clock.moves.map_or(String::new(), |n| format!("{n}/"));
            let increment = match clock.increment_ms {
                0 => String::new(),
                ms => format!("+{}", seconds(ms)),
            };
            format!("{moves}{}{increment}", seconds(clock.time_ms))
        }
        (None, Some(ms)) => format!("{}/move", seconds(ms)),
        (None, None) => "-".into(),
    }
}

/// One of the standard's values.
fn termination(header: &MatchHeader, record: &GameRecord) -> &'static str {
    match record.reason {
        _ if runner::is_adjudicated(header, record) => "adjudication",
        Reason::Rules | Reason::Resignation | Reason::Agreement => "normal",
        Reason::Length | Reason::Territory | Reason::Tablebase => "adjudication",
        Reason::Time => "time forfeit",
        Reason::Crash | Reason::Hang => "abandoned",
        Reason::IllegalMove | Reason::Flood | Reason::Protocol => "rules infraction",
    }
}

/// Moves, comments and the result.
fn movetext(record: &GameRecord, plies: &[ReplayedPly]) -> Vec<String> {
    let thinking = |decision| thinking(record, decision).map(|text| comment(&text));
    let mut words = commented(record, plies, "{book}", &thinking);
    words.extend(record.detail.as_ref().map(|detail| comment(&detail.to_string())));
    words.push(result(record.result).into());
    words
}

/// The same as the runners for chess write them: the end of the game stands in the last comment.
fn runner_movetext(
    header: &MatchHeader,
    record: &GameRecord,
    plies: &[ReplayedPly],
    form: &RunnerComments,
) -> Vec<String> {
    let ending = runner::ending(header, record);
    let decisions = record.by.chars().filter(|by| *by != 'c').count();
    let thinking = |decision: usize| {
        let mut parts = runner::thinking(record, decision, form);
        parts.extend((decision + 1 == decisions).then(|| ending.clone()));
        (!form.min).then(|| comment(&parts.join(", ")))
    };
    let book = if form.min { "" } else { "{book}" };
    let mut words = commented(record, plies, book, &thinking);
    if decisions == 0 && !form.min {
        words.push(comment(&ending));
    }
    words.push(result(record.result).into());
    words
}

/// Moves with comments: `book` behind those of the opening, `thinking` behind the decisions.
fn commented(
    record: &GameRecord,
    plies: &[ReplayedPly],
    book: &str,
    thinking: &dyn Fn(usize) -> Option<String>,
) -> Vec<String> {
    let mut words = Vec::new();
    let (mut number, mut decisions) = (0, 0..);
    let mut in_opening = plies.len().saturating_sub(record.by.len());
    let mut after_chance = false;
    for ply in plies {
        match ply.by {
            'c' => words.push(comment(&ply.text)),
            '1' => {
                number += 1;
                words.push(format!("{number}. {}", ply.text));
            }
            _ if after_chance || number == 0 => {
                number = number.max(1);
                words.push(format!("{number}... {}", ply.text));
            }
            _ => words.push(ply.text.clone()),
        }
        after_chance = ply.by == 'c';
        let is_book = in_opening > 0;
        in_opening = in_opening.saturating_sub(1);
        if is_book && !after_chance {
            words.push(book.into());
        } else if !after_chance {
            let decision = decisions.next().unwrap_or(0);
            words.extend(thinking(decision));
        }
    }
    words
}

/// Score, depth and time of a decision: `+0.35/12 0.52s`, `-M5/20 1.2s`, or what is known of it.
fn thinking(record: &GameRecord, decision: usize) -> Option<String> {
    let stats = &record.stats;
    let mut text = match stats.score.get(decision).copied().flatten() {
        Some(PlyScore(Score::Cp(cp))) => format!("{:+.2}", f64::from(cp) / 100.0),
        Some(PlyScore(Score::Mate(n))) => {
            format!("{}M{}", if n < 0 { '-' } else { '+' }, n.unsigned_abs())
        }
        None => String::new(),
    };
    if let (Some(depth), false) = (stats.depth.get(decision).copied().flatten(), text.is_empty()) {
        let _ = write!(text, "/{depth}");
    }
    if let Some(us) = stats.us.get(decision) {
        let gap = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{gap}{}s", (*us as f64 / 1000.0).round() / 1000.0);
    }
    (!text.is_empty()).then_some(text)
}

/// A comment in braces.
pub fn comment(text: &str) -> String {
    format!("{{{}}}", text.replace('}', ")"))
}

/// Joins words into lines.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.iter().flat_map(|w| w.split_whitespace()) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;
    use agon_games::phrase::Phrase;

    #[test]
    fn a_game_has_the_tags_that_rating_programs_read() {
        let (header, mut record) = example("amazons", "startpos", "d1d7,d7g7 a7b7,b7b1 d7d6,d6d7");
        record.start = "2026-11-23T23:59:59.5Z".parse().ok();
        record.stats.score[1] = Some(PlyScore(Score::Cp(35)));
        record.stats.score[2] = Some(PlyScore(Score::Mate(-3)));
        let text = game(&header, &record, &Occasion::default()).unwrap();
        for line in [
            "[White \"b\"]",
            "[Black \"A \\\"quoted\\\" name\"]",
            "[Result \"0-1\"]",
            "[Round \"4.7\"]",
            "[Termination \"time forfeit\"]",
            "[TimeControl \"-\"]",
            "[Date \"2026.11.23\"]",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let moves = text.split("\n\n").nth(1).unwrap();
        let moves = moves.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            moves,
            "1. d1-d7/g7 {1.5s} a7-b7/b1 {+0.35/4 1.5s} 2. d7-d6/d7 {-M3/4 1.5s} {b exceeded its time} 0-1"
        );
        assert!(text.ends_with("\n\n") && text.lines().all(|l| l.len() <= WIDTH));
    }

    #[test]
    fn an_opening_is_part_of_the_game_and_a_position_is_named() {
        let (header, record) = example("amazons", "startpos moves d1d7,d7g7", "a7b7,b7b1");
        let text = game(&header, &record, &Occasion::default()).unwrap();
        assert!(text.contains("1. d1-d7/g7 {book} a7-b7/b1") && !text.contains("[FEN"), "{text}");
        let fen = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b";
        let (header, record) = example("amazons", fen, "a7b7,b7b1");
        let text = game(&header, &record, &Occasion::default()).unwrap();
        assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
        assert!(text.contains("1... a7-b7/b1"), "{text}");
    }

    #[test]
    fn time_controls_are_written_as_the_standard_has_them() {
        let (mut header, _) = example("amazons", "startpos", "d1d7,d7g7");
        let mut of = |key: &str, value: &str| {
            header.engines[0].limit = agon_matchlog::Limit::default();
            agon_matchlog::limits::set(&mut header.engines[0].limit, key, value).unwrap();
            time_control(&header.engines[0])
        };
        assert_eq!(of("tc", "40/5:00+3"), "40/300+3");
        assert_eq!(of("tc", "60+0.5"), "60+0.5");
        assert_eq!(of("tc", "90"), "90");
        assert_eq!(of("movetime", "1500"), "1.5/move");
        assert_eq!(of("nodes", "9"), "-");
    }

    #[test]
    fn terminations_are_those_of_the_standard() {
        let (mut header, mut record) = example("amazons", "startpos", "d1d7,d7g7");
        let mut of = |reason, detail: &str| {
            (record.reason, record.detail) = (reason, Some(Phrase::Plain(detail.into())));
            termination(&header, &record)
        };
        assert_eq!(of(Reason::Rules, ""), "normal");
        assert_eq!(of(Reason::Crash, ""), "abandoned");
        assert_eq!(of(Reason::IllegalMove, ""), "rules infraction");
        assert_eq!(of(Reason::Length, ""), "adjudication");
        assert_eq!(of(Reason::Resignation, "resign adjudication: is b's name"), "normal");
        let rule = agon_matchlog::ResignRule { score: 1, moves: 1, one_sided: true };
        header.adjudication.resign = Some(rule);
        assert_eq!(termination(&header, &record), "adjudication");
    }
}

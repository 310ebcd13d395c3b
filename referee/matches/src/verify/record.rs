//! Verification of handed-in records: every move is played by the rules, the result must be that of the
//! board, and the records of both teams must tell the same game.

use agon_games::Turn;
use agon_games::arbiter::{Arbiter, game};
use agon_games::ccgc::{Record, RecordGame, result_word};
use agon_matchlog::{Setting, rule_pairs};

/// What the verification of a record found.
#[derive(Debug, Default)]
pub struct RecordFindings {
    /// What is wrong.
    pub defects: Vec<String>,
    /// What the board cannot tell.
    pub remarks: Vec<String>,
    /// Number of moves; a turn of Connect6 is one.
    pub plies: usize,
    /// The last position.
    pub fen: String,
}

/// Plays a record by the rules.
///
/// # Errors
///
/// The rules are not those of the game.
pub fn check_record(record: &Record, rules: &[Setting]) -> Result<RecordFindings, String> {
    let kind = game(record.game.name()).ok_or("unknown game")?;
    let mut board = kind.open(None, &rule_pairs(rules)).map_err(|e| e.to_string())?;
    let mut findings = RecordFindings { plies: plies(record), ..RecordFindings::default() };
    let skipped = record.set_ups.iter().flatten().count();
    for (i, token) in record.tokens().enumerate() {
        if let Err(error) = board.push(token) {
            let place = match i.checked_sub(skipped) {
                Some(i) => format!("ply {}", ply(record.game, i)),
                None => "set-up".into(),
            };
            findings.defects.push(format!("{place}: {error}"));
            return Ok(findings);
        }
    }
    findings.fen = board.fen();
    result(record, &*board, &mut findings);
    Ok(findings)
}

/// Compares the result with the board.
fn result(record: &Record, board: &dyn Arbiter, findings: &mut RecordFindings) {
    let word = result_word(record.result);
    match (board.turn(), record.result) {
        (Turn::Over(outcome), Some(result)) if outcome == result => {}
        (Turn::Over(outcome), _) => {
            let right = result_word(Some(outcome));
            findings.defects.push(format!("result {word}: the board says {right}"));
        }
        (_, None) => findings.remarks.push("the game is not finished".into()),
        (_, Some(_)) => findings.remarks.push(format!(
            "result {word}: the game is not over on the board, so it was resigned, agreed or lost on time"
        )),
    }
}

/// The number of a record's moves.
fn plies(record: &Record) -> usize {
    record.moves.len().checked_sub(1).map_or(0, |last| ply(record.game, last))
}

/// The number, from 1, of the move to which the token at an index belongs: each move of EinStein has a roll.
fn ply(game: RecordGame, index: usize) -> usize {
    if game == RecordGame::EinStein { index / 2 + 1 } else { index + 1 }
}

/// The first difference of two records that matters; `None` if both tell the same game.
pub fn difference(one: &Record, other: &Record) -> Option<String> {
    if one.game != other.game {
        return Some(format!("games {} and {}", one.game.name(), other.game.name()));
    }
    if one.set_ups != other.set_ups {
        let text = |r: &Record| r.set_ups.as_ref().map_or("none".into(), |s| s.join(" "));
        return Some(format!("set-ups {} and {}", text(one), text(other)));
    }
    for i in 0..one.moves.len().max(other.moves.len()) {
        let [a, b] = [one, other].map(|r| r.moves.get(i));
        if a != b {
            let rolls = one.game == RecordGame::EinStein && i.is_multiple_of(2);
            let text = |m: Option<&String>| m.map_or("nothing".into(), |m| format!("`{m}`"));
            let what = if rolls { "roll" } else { "move" };
            return Some(format!("ply {}: {what} {} and {}", ply(one.game, i), text(a), text(b)));
        }
    }
    (one.result != other.result)
        .then(|| format!("results {} and {}", result_word(one.result), result_word(other.result)))
}

/// The fields of the header that differ.
pub fn other_fields(one: &Record, other: &Record) -> Vec<String> {
    let fields = |r: &Record| {
        [
            ("first", &r.first),
            ("second", &r.second),
            ("date", &r.date),
            ("place", &r.place),
            ("event", &r.event),
        ]
        .map(|(name, value)| (name, value.clone()))
    };
    let pairs = fields(one).into_iter().zip(fields(other));
    pairs
        .filter(|(a, b)| a != b)
        .map(|((name, a), (_, b))| format!("{name}: `{a}` and `{b}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::ccgc::read;

    const WON: &str = "{[C6][a B][b W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(A,1);W(A,3);W(C,3);B(B,1);B(C,1);\
                       W(E,3);W(G,3);B(D,1);B(E,1);W(I,3);W(K,3);B(F,1)}";

    fn checked(text: &str) -> RecordFindings {
        check_record(&read(text).unwrap(), &[]).unwrap()
    }

    #[test]
    fn moves_and_result_must_be_those_of_the_board() {
        let findings = checked(WON);
        assert!(findings.defects.is_empty() && findings.remarks.is_empty(), "{findings:?}");
        assert_eq!(findings.plies, 7);
        for (from, to, expected) in [
            ("先手胜", "后手胜", "result 后手胜: the board says 先手胜"),
            ("先手胜", "未结束", "the board says 先手胜"),
            ("W(G,3)", "W(A,1)", "ply 4: "),
            ("B(F,1)}", "B(F,1);B(F,2);W(S,19)}", "ply 8: "),
        ] {
            let findings = checked(&WON.replace(from, to));
            assert!(findings.defects[0].contains(expected), "{to}: {findings:?}");
        }
        let findings = checked(&WON.replace(";B(F,1)", ""));
        assert!(findings.defects.is_empty(), "{findings:?}");
        assert!(findings.remarks[0].contains("not over on the board"), "{findings:?}");
    }

    #[test]
    fn the_first_difference_of_two_records_is_named_by_its_ply() {
        let one = read(WON).unwrap();
        let swapped = read(&WON.replace("W(A,3);W(C,3)", "W(C,3);W(A,3)")).unwrap();
        assert_eq!(difference(&one, &swapped), None, "the order of the stones of a turn");
        for (from, to, expected) in [
            ("W(G,3)", "W(G,4)", "ply 4: move `e3g3` and `e3g4`"),
            (";B(F,1)", "", "ply 7: move `f1` and nothing"),
            ("先手胜", "后手胜", "results 先手胜 and 后手胜"),
        ] {
            let other = read(&WON.replace(from, to)).unwrap();
            assert_eq!(difference(&one, &other).as_deref(), Some(expected));
        }
        let other = read(&WON.replace("重庆", "南京")).unwrap();
        assert_eq!(difference(&one, &other), None);
        assert_eq!(other_fields(&one, &other), ["place: `重庆` and `南京`"]);
    }
}

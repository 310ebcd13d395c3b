//! The `replay` subcommand: reads games and prints every position's data, for scripts that compare
//! our rules with another implementation.

use super::positions::record_of;
use agon_protocol::game::{Game, Outcome, Player, Turn, chance_outcomes, legal_moves};
use agon_protocol::record::Record;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Answers every line of `input` with one JSON line: `{"positions": [{"fen", "turn", "moves"},
/// ...]}` from the first position to the last, or `{"error": TEXT}` for an invalid game. `turn` is
/// `p1`, `p2`, `chance`, `p1win`, `p2win` or `draw`; at chance nodes `chance` lists the outcomes
/// with their weights. Returns an error at the end if any line failed.
pub(super) fn run<G: Game>(
    rules: &G::Rules,
    input: impl BufRead,
    mut output: impl Write,
    with_moves: bool,
) -> Result<()> {
    let mut bad = 0;
    for line in input.lines() {
        let line = line?;
        let answer = match record_of::<G>(&line, rules) {
            Ok(record) => json!({ "positions": positions(&record, with_moves) }),
            Err(error) => {
                bad += 1;
                json!({ "error": format!("{error:#}") })
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    if bad > 0 {
        bail!("replay: {bad} of the games could not be read");
    }
    Ok(())
}

fn positions<G: Game>(record: &Record<G>, with_moves: bool) -> Vec<Value> {
    let mut walked = Record::new(record.start().clone());
    let mut all = vec![position(&walked, with_moves)];
    for m in record.moves() {
        walked.push(*m);
        all.push(position(&walked, with_moves));
    }
    all
}

fn position<G: Game>(record: &Record<G>, with_moves: bool) -> Value {
    let state = record.current();
    let mut facts = json!({ "fen": state.fen(), "turn": turn_word(record.turn()) });
    if let (Turn::Player(_), true) = (record.turn(), with_moves) {
        let moves: Vec<String> =
            legal_moves(state).into_iter().map(|m| state.move_token(m)).collect();
        facts["moves"] = json!(moves);
    }
    if record.turn() == Turn::Chance {
        let outcomes: Vec<(String, u32)> =
            chance_outcomes(state).into_iter().map(|(m, w)| (state.move_token(m), w)).collect();
        facts["chance"] = json!(outcomes);
    }
    facts
}

fn turn_word(turn: Turn) -> &'static str {
    match turn {
        Turn::Player(Player::First) => "p1",
        Turn::Player(Player::Second) => "p2",
        Turn::Chance => "chance",
        Turn::Over(Outcome::Win(Player::First)) => "p1win",
        Turn::Over(Outcome::Win(Player::Second)) => "p2win",
        Turn::Over(Outcome::Draw) => "draw",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::amazons::Amazons;

    fn answers(text: &str) -> (Result<()>, Vec<Value>) {
        let mut out = Vec::new();
        let result = run::<Amazons>(&Default::default(), text.as_bytes(), &mut out, true);
        let lines = String::from_utf8(out).unwrap();
        (result, lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect())
    }

    #[test]
    fn every_position_of_a_game_is_told() {
        let (result, lines) = answers("startpos moves d1d7,d7g7\nposition fen Q*q1/**2/4/4 w\n");
        assert!(result.is_ok());
        let game = lines[0]["positions"].as_array().unwrap();
        assert_eq!(game.len(), 2);
        assert_eq!(game[0]["moves"].as_array().unwrap().len(), 2176);
        assert_eq!(game[1]["turn"], "p2");
        assert_eq!(lines[1]["positions"][0]["turn"], "p2win");
    }

    #[test]
    fn a_game_that_cannot_be_read_fails_without_hiding_the_others() {
        let (result, lines) = answers("startpos moves d1d1,d1d1\nstartpos\n");
        assert!(lines[0]["error"].as_str().unwrap().contains("move 1 of the list"));
        assert_eq!(lines[1]["positions"][0]["turn"], "p1");
        assert!(result.unwrap_err().to_string().contains("1 of the games"));
    }
}

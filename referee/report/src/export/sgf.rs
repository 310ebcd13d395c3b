//! Games of Connect6, Amazons and NoGo as SGF. Connect6 has one turn per node, as on Little Golem, or
//! one stone per node, as Go programs expect.

use super::{ExportError, Occasion, names, replayed};
use agon_games::connect6::{Connect6, Connect6Rules, sgf};
use agon_games::game::Game;
use agon_games::option::RuleSet;
use agon_games::record::Record;
use agon_games::sgf_boards::{self, SgfGame};
use agon_matchlog::{GameRecord, GameResult, MatchHeader, Reason};

/// One game, followed by a line break.
pub fn game(
    header: &MatchHeader,
    record: &GameRecord,
    form: sgf::Form,
    occasion: &Occasion,
) -> Result<String, ExportError> {
    let event = match occasion.place.as_str() {
        "" => occasion.event(header),
        place => format!("{}, {place}", occasion.event(header)),
    };
    let error = |e: &dyn ToString| ExportError::new(record, e.to_string());
    match (header.game.as_str(), form) {
        (Connect6::NAME, _) => {}
        ("amazons" | "nogo", sgf::Form::LittleGolem) => return go_board(header, record, event),
        ("amazons" | "nogo", _) => return Err(error(&"sgf-stones is for connect6; use sgf")),
        (game, _) => {
            return Err(error(&format!("SGF is for connect6, amazons and nogo, not for {game}")));
        }
    }
    let (start, plies) = replayed(header, record)?;
    let rules = rules(header).map_err(|e| error(&e))?;
    let fen = (!record.opening.starts_with("startpos")).then(|| start.start_fen());
    let tokens: Vec<String> = plies.into_iter().map(|p| p.token).collect();
    let game =
        Record::<Connect6>::from_text(fen.as_deref(), &tokens, &rules).map_err(|e| error(&e))?;
    let [black, white] = names(header, record).map(String::from);
    let text =
        sgf::write(&sgf::SgfHeader { black, white, event }, &game, form).map_err(|e| error(&e))?;
    Ok(text.trim_end().to_string() + "\n")
}

/// A game of Amazons or NoGo.
fn go_board(
    header: &MatchHeader,
    record: &GameRecord,
    event: String,
) -> Result<String, ExportError> {
    let (start, plies) = replayed(header, record)?;
    let [black, white] = names(header, record).map(String::from);
    let game = SgfGame {
        black,
        white,
        event,
        fen: (!record.opening.starts_with("startpos")).then(|| start.start_fen()),
        moves: plies.into_iter().map(|p| p.token).collect(),
    };
    let by = match record.reason {
        Reason::Time => "T",
        Reason::Resignation => "R",
        reason if reason.is_fault() => "F",
        _ => "",
    };
    let result = match record.result {
        GameResult::First => format!("B+{by}"),
        GameResult::Second => format!("W+{by}"),
        GameResult::Draw => "0".into(),
    };
    sgf_boards::write(&header.game, &game, &result).map_err(|e| ExportError::new(record, e))
}

fn rules(header: &MatchHeader) -> Result<Connect6Rules, String> {
    let mut rules = Connect6Rules::default();
    let specs = Connect6Rules::options();
    for setting in &header.rules {
        let spec = agon_games::option::find(&specs, &setting.name).map_err(|e| e.to_string())?;
        let value = spec.parse(&setting.value).map_err(|e| e.to_string())?;
        rules.set(&spec.name, &value);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn a_game_comes_back_from_its_sgf() {
        let (header, record) = example("connect6", "startpos", "j10 k9l8 m7n6");
        for form in [sgf::Form::LittleGolem, sgf::Form::StoneANode] {
            let text = game(&header, &record, form, &Occasion::default()).unwrap();
            let (read, back) = sgf::read(&text).unwrap();
            assert_eq!(read.black, "b");
            assert_eq!(back.tokens().join(" "), record.moves);
        }
    }

    #[test]
    fn another_game_has_no_sgf() {
        let (header, record) = example("xiangqi", "startpos", "h2e2");
        let text =
            |header, record| game(header, record, sgf::Form::LittleGolem, &Occasion::default());
        let error = text(&header, &record).unwrap_err().to_string();
        assert!(error.contains("game 7") && error.contains("xiangqi"), "{error}");
        let (header, record) = example("nogo", "startpos", "e5 a1");
        let text = text(&header, &record).unwrap();
        assert!(text.contains("RE[W+T];B[ee];W[ai])"), "{text}");
    }
}

//! Games in the text form that China's national championship takes.

use super::{ExportError, Occasion, names, replayed};
use agon_games::Outcome;
use agon_games::arbiter::game as find_game;
use agon_games::ccgc::{self, Record, RecordGame};
use agon_matchlog::{GameRecord, MatchHeader};
use jiff::tz::TimeZone;

/// A game of a log as a record; its date is in the time zone of this machine.
///
/// # Errors
///
/// The game has no national form, or did not begin at the start position.
pub fn record(
    header: &MatchHeader,
    game: &GameRecord,
    occasion: &Occasion,
) -> Result<Record, ExportError> {
    let error = |reason: String| ExportError::new(game, reason);
    let kind = RecordGame::by_name(&header.game).ok_or_else(|| {
        let known = RecordGame::ALL.map(RecordGame::name).join(", ");
        let other = if header.game == "xiangqi" { "wxf" } else { "pgn" };
        error(format!(
            "no national text form of {} is known; it is for {known}; use {other}",
            header.game
        ))
    })?;
    let (start, plies) = replayed(header, game)?;
    let usual = find_game(&header.game).and_then(|kind| kind.open(None, &[]).ok());
    if usual.is_none_or(|usual| usual.fen() != start.fen()) {
        return Err(error("the national form is only for games from the start position".into()));
    }
    let tokens: Vec<String> = plies.into_iter().map(|ply| ply.token).collect();
    let mut record = Record::of_tokens(kind, &tokens);
    [record.first, record.second] = names(header, game).map(String::from);
    record.result = Some(game.result.winner().map_or(Outcome::Draw, Outcome::Win));
    if let Some(begin) = game.start {
        let local = begin.to_zoned_datetime(TimeZone::system());
        record.date = local.strftime("%Y.%m.%d %H:%M").to_string();
    }
    record.place = occasion.place.clone();
    record.event = occasion.event.clone();
    record.blue_first = occasion.blue_first && kind == RecordGame::EinStein;
    Ok(record)
}

/// The text of a game's record.
pub fn game(
    header: &MatchHeader,
    game: &GameRecord,
    occasion: &Occasion,
) -> Result<String, ExportError> {
    let record = record(header, game, occasion)?;
    ccgc::write(&record).map_err(|e| ExportError::new(game, e))
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn a_game_of_a_log_is_a_record_with_its_teams_and_result() {
        let (header, mut log) = example("amazons", "startpos", "d1d7,d7g7 a7b7,b7b1 d7d6,d6d7");
        log.start = "2026-11-23T12:00:00Z".parse().ok();
        let occasion =
            Occasion { place: "南京".into(), event: "2026 CCGC".into(), ..Occasion::default() };
        let text = game(&header, &log, &occasion).unwrap();
        let (head, moves) = text.split_once('\n').unwrap();
        assert!(head.starts_with("#[AM][b][A 'quoted' name][后手胜][2026.11.2"), "{head}");
        assert!(head.ends_with(" 南京][2026 CCGC];"), "{head}");
        assert_eq!(moves, "1 D1D7(G7) A7B7(B1)\n2 D7D6(D7)\n");
        let back = ccgc::read(&text).unwrap();
        assert_eq!(back.tokens().collect::<Vec<_>>().join(" "), log.moves);
    }

    #[test]
    fn games_without_a_national_form_are_refused() {
        let occasion = Occasion::default();
        let (header, log) = example("xiangqi", "startpos", "h2e2");
        let error = game(&header, &log, &occasion).unwrap_err().to_string();
        assert!(
            error.contains("no national text form of xiangqi") && error.contains("use wxf"),
            "{error}"
        );
        let (header, log) =
            example("amazons", "3q2q3/10/10/q8q/4*5/10/Q8Q/10/10/3Q2Q3 w", "d1d2,d2d3");
        let error = game(&header, &log, &occasion).unwrap_err().to_string();
        assert!(error.contains("start position"), "{error}");
    }
}

//! Exports the games of a log to other formats.

pub mod ccgc;
pub mod csv;
pub mod pgn;
pub mod runner;
pub mod sgf;
pub mod wxf;

use agon_base::ordinal::Ordinal;
use agon_games::arbiter::{Arbiter, game};
use agon_matches::openings::open_checked;
use agon_matches::run_settings::RunnerComments;
use agon_matchlog::rule_pairs;
use agon_matchlog::{GameRecord, GameResult, MatchHeader};

/// Why a game could not be written.
#[derive(Debug, thiserror::Error)]
#[error("game {game}: {reason}")]
pub struct ExportError {
    /// The number of the game.
    pub game: Ordinal,
    /// The cause.
    pub reason: String,
}

impl ExportError {
    fn new(game: &GameRecord, reason: impl ToString) -> ExportError {
        ExportError { game: game.number(), reason: reason.to_string() }
    }
}

/// What a record says that a log does not know.
#[derive(Clone, Debug, Default)]
pub struct Occasion {
    /// The place.
    pub place: String,
    /// The event, such as `2026 CCGC`.
    pub event: String,
    /// EinStein: the first player is Blue, in the lower right corner.
    pub blue_first: bool,
    /// PGN as the runners for chess write it; `None`: as our exports.
    pub runner: Option<RunnerComments>,
}

impl Occasion {
    /// The event of a game; without one, the kind of its match.
    fn event(&self, header: &MatchHeader) -> String {
        if self.event.is_empty() {
            return format!("{} {}", header.game, header.schedule.form);
        }
        self.event.replace(['\n', '\r'], " ")
    }
}

/// One decision or chance outcome of a replayed game.
struct ReplayedPly {
    /// The move token in the log.
    token: String,
    /// The move in human-readable notation.
    text: String,
    /// The player: `1`, `2` or `c` (chance).
    by: char,
}

/// The board before the first move of a game, and all its moves, including those of the opening.
fn replayed(
    header: &MatchHeader,
    record: &GameRecord,
) -> Result<(Box<dyn Arbiter>, Vec<ReplayedPly>), ExportError> {
    let error = |e: String| ExportError::new(record, e);
    let kind =
        game(&header.game).ok_or_else(|| error(format!("unknown game `{}`", header.game)))?;
    let rules = rule_pairs(&header.rules);
    let opened = open_checked(kind, &record.opening, &rules).map_err(error)?;
    let start_fen = opened.start_fen();
    let fen = (!record.opening.starts_with("startpos")).then_some(start_fen.as_str());
    let start = kind.open(fen, &rules).map_err(|e| error(e.to_string()))?;
    let mut board = start.boxed_clone();
    let opening = opened.tokens();
    let tokens = opening.iter().map(String::as_str).chain(record.moves.split_whitespace());
    let mut plies = Vec::new();
    for token in tokens {
        let by = match board.turn() {
            agon_games::Turn::Player(p) => ['1', '2'][p.index()],
            _ => 'c',
        };
        let text = board.display_move(token).unwrap_or_else(|_| token.to_string());
        board.push(token).map_err(|e| error(e.to_string()))?;
        plies.push(ReplayedPly { token: token.to_string(), text, by });
    }
    Ok((start, plies))
}

/// `1-0`, `0-1` or `1/2-1/2`.
fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "1-0",
        GameResult::Second => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// The names of the two players, first player first.
fn names<'a>(header: &'a MatchHeader, record: &GameRecord) -> [&'a str; 2] {
    record.players.map(|i| header.engines.get(i).map_or("?", |e| e.name.as_str()))
}

#[cfg(test)]
pub(crate) mod tests {
    use agon_games::phrase::Phrase;
    use agon_matchlog::{GameRecord, GameResult, MatchHeader, PlyStats, Reason};

    /// A log header for a game, and a game with these moves.
    pub(crate) fn example(game: &str, opening: &str, moves: &str) -> (MatchHeader, GameRecord) {
        let mut header = MatchHeader::example();
        header.game = game.into();
        header.engines[0].name = "A \"quoted\" name".into();
        let by = "12".repeat(moves.split(' ').count());
        let count = moves.split(' ').count();
        let record = GameRecord {
            game: 6,
            pair: 3,
            players: [1, 0],
            opening: opening.into(),
            moves: moves.into(),
            by: by[..count].into(),
            result: GameResult::Second,
            reason: Reason::Time,
            ending: None,
            detail: Some(Phrase::Plain("b exceeded its time".into())),
            fen: String::new(),
            start: None,
            end: None,
            worker: None,
            stats: PlyStats {
                us: vec![1_500_000; count + 1],
                depth: vec![Some(4); count + 1],
                nodes: vec![Some(100); count + 1],
                leaves: Vec::new(),
                stall_ms: Vec::new(),
                score: vec![None; count + 1],
                expected: Vec::new(),
            },
            stderr: None,
            stdout: None,
        };
        (header, record)
    }
}

//! The branching factor: the legal moves of every position of our games, counted.

use super::claims::ENOUGH_GAMES;
use super::findings::THIRDS;
use super::{NAME, PAPER_GAMES};
use agon_claims::report::{Claim, Finding, PaperTable, Share, Statement, Unit, grouped};
use agon_claims::verdict::GREATEST_FACTOR;
use agon_matches::games::find_game;
use agon_matchlog::{GameRecord, MatchHeader, rule_pairs};
use agon_report::plot::{Align, TextTable};
use anyhow::{Context, Result};
use std::path::Path;

/// The paper's mean number of moves.
const PAPER_BRANCHING: f64 = 17_000.0;
/// The paper's number of moves in the opening: more than this.
const PAPER_OPENING_MOVES: f64 = 1000.0;
/// Games that are counted, from the beginning of the log: their positions tell the mean to a few moves.
const GAMES: usize = 200;

/// The number of positions and of their legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Positions {
    pub count: u64,
    moves: u64,
    pub most: u64,
}

/// The legal moves of the positions of our games, finished ones excluded.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Branching {
    /// Moves in the start position.
    pub start: u64,
    /// Games whose positions were counted.
    pub games: u64,
    /// By third of the game: opening, middle game, endgame.
    pub thirds: [Positions; THIRDS],
}

impl Positions {
    /// Mean number of moves; 0 without positions.
    pub fn mean(self) -> f64 {
        self.moves as f64 / self.count.max(1) as f64
    }

    fn add(&mut self, moves: u64) {
        self.count += 1;
        self.moves += moves;
        self.most = self.most.max(moves);
    }
}

impl Branching {
    /// Counts in the games of the log at `path`.
    ///
    /// # Errors
    ///
    /// The log cannot be read, or the rules refuse one of its games.
    pub fn of_log(path: &Path) -> Result<Branching> {
        let start = find_game(NAME)?.open(None, &[])?.count_moves();
        let mut branching = Branching { start, ..Branching::default() };
        let (header, games) = agon_matchlog::open(path)?;
        for game in games.take(GAMES) {
            let game = game?;
            let number = game.number();
            let moves = legal_moves(&header, &game).with_context(|| format!("game {number}"))?;
            branching.take(&moves);
        }
        Ok(branching)
    }

    /// Takes the numbers of moves in the positions of a game.
    fn take(&mut self, moves: &[u64]) {
        self.games += 1;
        for (i, &n) in moves.iter().enumerate() {
            self.thirds[i * THIRDS / moves.len()].add(n);
        }
    }

    /// All positions.
    pub fn all(&self) -> Positions {
        self.thirds.iter().fold(Positions::default(), |sum, part| Positions {
            count: sum.count + part.count,
            moves: sum.moves + part.moves,
            most: sum.most.max(part.most),
        })
    }

    /// The counts by third.
    pub fn table(&self) -> PaperTable {
        let mut table = TextTable::new(&[
            (Align::Left, &["positions"]),
            (Align::Right, &["how many", "mean moves", "most"]),
        ]);
        let start = Positions { count: 1, moves: self.start, most: self.start };
        let parts = ["opening", "middle game", "endgame"].into_iter().zip(self.thirds);
        let rows = [("the start", start)].into_iter().chain(parts).chain([("all", self.all())]);
        for (name, part) in rows {
            let mean = format!("{:.0}", part.mean());
            table.row([name.to_string(), grouped(part.count), mean, grouped(part.most)]);
        }
        PaperTable {
            caption: "The branching factor: legal moves in the positions of our games".into(),
            table,
            notes: vec![format!(
                "Counted in {} games, from the start position on. Each game is divided into three parts of as many moves.",
                self.games
            )],
        }
    }
}

/// The number of legal moves in each position of a game, from the start position on, without the last one, in which the
/// game is over.
fn legal_moves(header: &MatchHeader, game: &GameRecord) -> Result<Vec<u64>> {
    let (place, opening) = game.opening.split_once(" moves ").unwrap_or((&game.opening, ""));
    let mut board = find_game(NAME)?.open_text(place, &rule_pairs(&header.rules))?;
    let mut counts = Vec::new();
    for token in opening.split_whitespace().chain(game.moves.split_whitespace()) {
        counts.push(board.count_moves());
        board.push(token).with_context(|| format!("move {}", counts.len()))?;
    }
    Ok(counts)
}

/// The claims about the number of moves, which are the same in all readings.
pub(super) fn claims(branching: &Branching) -> [Claim; 2] {
    let all = branching.all();
    let whole = PAPER_GAMES.iter().sum();
    let share = Share::of_sample(branching.games, whole, ENOUGH_GAMES, Unit::Games);
    let factor = Statement::paper(
        "introduction",
        "The mean branching factor of Amazons is about 17,000.",
        "亚马逊棋的平均分支因子达到 17000 左右。",
    )
    .judged(
        share,
        Finding::exact((all.mean() / PAPER_BRANCHING).ln().abs() <= GREATEST_FACTOR.ln()),
        format!(
            "{:.0} moves in the mean of all {} positions of {} games, {} at most, {} in the start position",
            all.mean(),
            grouped(all.count),
            branching.games,
            grouped(all.most.max(branching.start)),
            grouped(branching.start)
        ),
    )
    .published("about 17,000");
    let [opening, ..] = branching.thirds;
    let many = opening.mean() * GREATEST_FACTOR >= PAPER_OPENING_MOVES;
    let opening = Statement::paper(
        "2.2",
        "In the opening there are more than 1,000 moves.",
        "开局阶段会有 1000 多种走法。",
    )
    .judged(
        share,
        Finding::exact(many),
        format!(
            "{} in the start position, {:.0} in the mean of the first third of the games",
            grouped(branching.start),
            opening.mean()
        ),
    )
    .published("more than 1,000");
    [factor, opening]
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::claim::assert_bilingual;
    use agon_claims::report::ClaimVerdict;

    fn of_games(games: u64, moves: &[u64]) -> Branching {
        let mut branching = Branching { start: 2176, ..Branching::default() };
        (0..games).for_each(|_| branching.take(moves));
        branching
    }

    #[test]
    fn the_mean_is_over_all_positions_and_a_game_has_three_parts() {
        let branching = of_games(20, &[2000, 1000, 400, 200, 60, 40]);
        assert_eq!(branching.thirds.map(Positions::mean), [1500.0, 300.0, 50.0]);
        let claims = claims(&branching);
        assert_bilingual(&claims);
        assert_eq!(
            claims.each_ref().map(Claim::verdict),
            [ClaimVerdict::No, ClaimVerdict::Reproduced]
        );
        assert!(
            claims[0]
                .evidence()
                .starts_with("617 moves in the mean of all 120 positions of 20 games")
        );
        assert!(branching.table().table.to_string().contains("1500"));
    }

    #[test]
    fn the_paper_would_be_right_where_the_counts_are_near() {
        let mean = |moves: u64| claims(&of_games(20, &[moves; 3]))[0].verdict();
        assert_eq!(mean(17_500), ClaimVerdict::Reproduced);
        assert_eq!(mean(20_000), ClaimVerdict::No);
        let opening = |moves: u64| claims(&of_games(20, &[moves, 1, 1]))[1].verdict();
        assert_eq!((opening(950), opening(700)), (ClaimVerdict::Reproduced, ClaimVerdict::No));
        let few = &claims(&of_games(3, &[17_000; 3]))[0];
        assert_eq!(
            (few.verdict(), few.share_text().contains("3 of 1,108 games")),
            (ClaimVerdict::Open, true)
        );
    }

    #[test]
    fn the_moves_of_a_game_are_counted_from_the_start_position_on() {
        let header = MatchHeader { game: NAME.into(), ..MatchHeader::example() };
        let mut game = GameRecord::bare([0, 1], agon_matchlog::GameResult::First);
        game.opening = "startpos moves d1d7d3".into();
        game.moves = "a7b6b2".into();
        let counts = legal_moves(&header, &game).unwrap();
        assert_eq!((counts.len(), counts[0]), (2, 2176));
        game.moves = "a7a7a7".into();
        assert!(legal_moves(&header, &game).is_err());
    }
}

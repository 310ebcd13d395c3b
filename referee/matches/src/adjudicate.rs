//! Adjudication ends games early: by the engines' scores (resign and draw adjudication), by a move
//! limit, or in a position whose result is certain (territory adjudication).

use agon_base::counted;
use agon_games::Player;
use agon_games::arbiter::Arbiter;
use agon_matchlog::{Adjudication, GameResult, PlyScore, Reason};
use agon_wire::message::Score;

/// The adjudicator of one game.
pub struct Adjudicator<'a> {
    terms: &'a Adjudication,
    decisions: u64,
    /// For each side: consecutive moves with a winning, a losing and a drawn score.
    streaks: [[u32; 3]; 2],
}

const WINNING: usize = 0;
const LOSING: usize = 1;
const DRAWN: usize = 2;

/// The result of an adjudicated game, the reason, and a sentence that explains it.
pub type Ruling = (GameResult, Reason, String);

impl<'a> Adjudicator<'a> {
    /// The state at the start of a game.
    pub fn new(terms: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { terms, decisions: 0, streaks: [[0; 3]; 2] }
    }

    /// Counts a move of `mover` with its engine's `score`. Returns `Some` if the game ends here.
    pub fn after(
        &mut self,
        mover: Player,
        score: Option<PlyScore>,
        board: &dyn Arbiter,
    ) -> Option<Ruling> {
        self.decisions += 1;
        self.count_score(mover, score);
        self.resign().or_else(|| self.draw()).or_else(|| self.territory(board)).or_else(|| {
            let limit = self.terms.max_plies.filter(|&limit| self.decisions >= limit)?;
            let detail = format!("draw by move limit ({limit})", limit = counted(limit, "ply"));
            Some((GameResult::Draw, Reason::Length, detail))
        })
    }

    fn count_score(&mut self, mover: Player, score: Option<PlyScore>) {
        let value = match score.map(|s| s.0) {
            None => None,
            Some(Score::Cp(x)) => Some(i64::from(x)),
            Some(Score::Mate(n)) if n > 0 => Some(i64::MAX),
            Some(Score::Mate(_)) => Some(i64::MIN),
        };
        let least = self.terms.resign.as_ref().map(|r| i64::from(r.score));
        let width = self.terms.draw.as_ref().map(|d| i64::from(d.score));
        let holds = |f: &dyn Fn(i64, i64) -> bool, bound: Option<i64>| {
            value.zip(bound).is_some_and(|(v, b)| f(v, b))
        };
        let within = [
            holds(&|v, b| v >= b, least),
            holds(&|v, b| v <= -b, least),
            holds(&|v, b| (-b..=b).contains(&v), width),
        ];
        for (streak, within) in self.streaks[mover.index()].iter_mut().zip(within) {
            *streak = if within { *streak + 1 } else { 0 };
        }
    }

    fn resign(&self) -> Option<Ruling> {
        let terms = self.terms.resign.as_ref()?;
        let winner = Player::BOTH.into_iter().find(|p| {
            (terms.one_sided || self.streaks[p.index()][WINNING] >= terms.moves)
                && self.streaks[p.opponent().index()][LOSING] >= terms.moves
        })?;
        let (score, moves) = (f64::from(terms.score) / 100.0, moves(terms.moves));
        let name = |p| if p == Player::First { "first" } else { "second" };
        let detail = if terms.one_sided {
            let loser = name(winner.opponent());
            format!("resign adjudication: -{score:.2} or less for {moves} by the {loser} player")
        } else {
            let winner = name(winner);
            format!("resign adjudication: {score:.2} or more for {moves} for the {winner} player")
        };
        Some((GameResult::won_by(winner), Reason::Resignation, detail))
    }

    fn draw(&self) -> Option<Ruling> {
        let terms = self.terms.draw.as_ref().filter(|t| self.decisions >= t.after)?;
        let drawn = self.streaks.iter().all(|s| s[DRAWN] >= terms.moves);
        drawn.then(|| {
            let width = f64::from(terms.score) / 100.0;
            let detail = format!("draw adjudication: within {width:.2} for {}", moves(terms.moves));
            (GameResult::Draw, Reason::Agreement, detail)
        })
    }

    fn territory(&self, board: &dyn Arbiter) -> Option<Ruling> {
        let outcome = self.terms.territory.then(|| board.certain_outcome()).flatten()?;
        Some((
            outcome.into(),
            Reason::Territory,
            "territory adjudication: remaining moves counted".into(),
        ))
    }
}

/// Formats `1 move`, `8 moves`.
fn moves(n: u32) -> String {
    format!("{n} move{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Player::{First, Second};
    use agon_games::arbiter::game;
    use agon_matchlog::{DrawRule, ResignRule};

    fn terms() -> Adjudication {
        Adjudication {
            resign: Some(ResignRule { score: 500, moves: 2, one_sided: false }),
            draw: Some(DrawRule { score: 10, moves: 2, after: 6 }),
            max_plies: Some(12),
            territory: false,
            tables: None,
        }
    }

    /// Returns the ply, counted from 1, at which a game with these scores ends, and why.
    fn end(terms: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, GameResult, Reason)> {
        let board = game("amazons").unwrap().open(None, &[]).unwrap();
        let mut adjudicator = Adjudicator::new(terms);
        scores.iter().enumerate().find_map(|(i, score)| {
            let mover = if i % 2 == 0 { First } else { Second };
            let ruling = adjudicator.after(mover, score.map(PlyScore), &*board)?;
            Some((i + 1, ruling.0, ruling.1))
        })
    }

    fn centi(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&x| Some(Score::Cp(x))).collect()
    }

    #[test]
    fn a_game_is_resigned_when_both_scores_say_so_for_long_enough() {
        let scores = centi(&[600, -100, 600, -600, 700, -700, 0]);
        let expected = Some((6, GameResult::First, Reason::Resignation));
        assert_eq!(end(&terms(), &scores), expected);
        let alone = centi(&[600, 0, 600, 20, 600, 30, 600, 20]);
        assert_eq!(end(&terms(), &alone), None, "the score of one engine is not enough");
        let broken = centi(&[600, -600, 0, -600, 600, -600]);
        assert_eq!(end(&terms(), &broken), None);
    }

    #[test]
    fn a_side_may_resign_alone() {
        let resign = Some(ResignRule { score: 500, moves: 2, one_sided: true });
        let alone = Adjudication { resign, ..Adjudication::default() };
        let scores = centi(&[0, -600, 0, -500, 0]);
        assert_eq!(end(&alone, &scores), Some((4, GameResult::First, Reason::Resignation)));
        let winning = centi(&[600, 0, 600, -20, 600, 30]);
        assert_eq!(end(&alone, &winning), None, "nobody wins by its own score alone");
    }

    #[test]
    fn a_mate_score_exceeds_any_other_and_a_missing_score_counts_for_nothing() {
        let mate = |n| Some(Score::Mate(n));
        let scores = [mate(-4), mate(3), mate(-2), mate(1)];
        assert_eq!(end(&terms(), &scores), Some((4, GameResult::Second, Reason::Resignation)));
        assert_eq!(end(&terms(), &[mate(-4), None, mate(-2), mate(1)]), None);
    }

    #[test]
    fn a_draw_is_adjudicated_only_after_enough_plies_and_at_the_move_limit() {
        let scores = centi(&[0; 20]);
        assert_eq!(end(&terms(), &scores), Some((6, GameResult::Draw, Reason::Agreement)));
        let uneven = centi(&[40; 20]);
        assert_eq!(end(&terms(), &uneven), Some((12, GameResult::Draw, Reason::Length)));
        assert_eq!(end(&Adjudication::default(), &scores), None);
    }
}

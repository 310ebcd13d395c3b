//! Ending games before the rules do, where the match's terms say so and both engines, the length or
//! the position leave no doubt.

use crate::matchlog::{Adjudication, GameResult, PlyScore, Reason};
use agon_protocol::Player;
use agon_protocol::arbiter::Arbiter;
use agon_protocol::message::Score;

/// What the engines of one game have said lately.
pub struct Adjudicator<'a> {
    terms: &'a Adjudication,
    decisions: u64,
    /// For so many own moves in a row each side has said: winning, losing, level.
    streaks: [[u32; 3]; 2],
}

const WINNING: usize = 0;
const LOSING: usize = 1;
const LEVEL: usize = 2;

/// A game's end that is not the rules'.
pub type Ruling = (GameResult, Reason, String);

impl<'a> Adjudicator<'a> {
    /// At the start of a game.
    pub fn new(terms: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { terms, decisions: 0, streaks: [[0; 3]; 2] }
    }

    /// After a decision of `mover` whose engine said `score`. `Some` if the game ends here.
    pub fn after(
        &mut self,
        mover: Player,
        score: Option<PlyScore>,
        board: &dyn Arbiter,
    ) -> Option<Ruling> {
        self.decisions += 1;
        self.listen(mover, score);
        self.resigned().or_else(|| self.agreed_draw()).or_else(|| self.settled(board)).or_else(
            || {
                let longest = self.terms.max_plies.filter(|&most| self.decisions >= most)?;
                Some((GameResult::Draw, Reason::Length, format!("{longest} plies are the most")))
            },
        )
    }

    fn listen(&mut self, mover: Player, score: Option<PlyScore>) {
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
        let says = [
            holds(&|v, b| v >= b, least),
            holds(&|v, b| v <= -b, least),
            holds(&|v, b| (-b..=b).contains(&v), width),
        ];
        for (streak, said) in self.streaks[mover.index()].iter_mut().zip(says) {
            *streak = if said { *streak + 1 } else { 0 };
        }
    }

    fn resigned(&self) -> Option<Ruling> {
        let terms = self.terms.resign.as_ref()?;
        let winner = Player::BOTH.into_iter().find(|p| {
            self.streaks[p.index()][WINNING] >= terms.moves
                && self.streaks[p.opponent().index()][LOSING] >= terms.moves
        })?;
        let detail = format!(
            "both engines have said for {} moves that the {} player is ahead by {} or more",
            terms.moves,
            if winner == Player::First { "first" } else { "second" },
            f64::from(terms.score) / 100.0
        );
        Some((GameResult::won_by(winner), Reason::Resignation, detail))
    }

    fn agreed_draw(&self) -> Option<Ruling> {
        let terms = self.terms.draw.as_ref().filter(|t| self.decisions >= t.after)?;
        let level = self.streaks.iter().all(|s| s[LEVEL] >= terms.moves);
        level.then(|| {
            let width = f64::from(terms.score) / 100.0;
            let detail =
                format!("both engines have said for {} moves: within {width}", terms.moves);
            (GameResult::Draw, Reason::Agreement, detail)
        })
    }

    fn settled(&self, board: &dyn Arbiter) -> Option<Ruling> {
        let outcome = self.terms.territory.then(|| board.certain_outcome()).flatten()?;
        Some((outcome.into(), Reason::Territory, "the rest of the game is counted".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchlog::{DrawRule, ResignRule};
    use agon_protocol::Player::{First, Second};
    use agon_protocol::arbiter::game;

    fn terms() -> Adjudication {
        Adjudication {
            resign: Some(ResignRule { score: 500, moves: 2 }),
            draw: Some(DrawRule { score: 10, moves: 2, after: 6 }),
            max_plies: Some(12),
            territory: false,
            tables: None,
        }
    }

    /// The ply, counted from 1, at which a game with these scores ends, and why.
    fn end(terms: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, GameResult, Reason)> {
        let board = game("amazons").unwrap().open(None, &[]).unwrap();
        let mut judge = Adjudicator::new(terms);
        scores.iter().enumerate().find_map(|(i, score)| {
            let mover = if i % 2 == 0 { First } else { Second };
            let ruling = judge.after(mover, score.map(PlyScore), &*board)?;
            Some((i + 1, ruling.0, ruling.1))
        })
    }

    fn centi(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&x| Some(Score::Cp(x))).collect()
    }

    #[test]
    fn a_game_is_resigned_when_both_have_said_so_long_enough() {
        let scores = centi(&[600, -100, 600, -600, 700, -700, 0]);
        let expected = Some((6, GameResult::First, Reason::Resignation));
        assert_eq!(end(&terms(), &scores), expected);
        let alone = centi(&[600, 0, 600, 20, 600, 30, 600, 20]);
        assert_eq!(end(&terms(), &alone), None, "one engine's opinion is not enough");
        let broken = centi(&[600, -600, 0, -600, 600, -600]);
        assert_eq!(end(&terms(), &broken), None);
    }

    #[test]
    fn a_forced_win_counts_as_more_than_any_number_and_silence_as_nothing() {
        let mate = |n| Some(Score::Mate(n));
        let scores = [mate(-4), mate(3), mate(-2), mate(1)];
        assert_eq!(end(&terms(), &scores), Some((4, GameResult::Second, Reason::Resignation)));
        assert_eq!(end(&terms(), &[mate(-4), None, mate(-2), mate(1)]), None);
    }

    #[test]
    fn a_draw_is_agreed_only_late_enough_and_a_game_ends_at_its_length() {
        let scores = centi(&[0; 20]);
        assert_eq!(end(&terms(), &scores), Some((6, GameResult::Draw, Reason::Agreement)));
        let uneven = centi(&[40; 20]);
        assert_eq!(end(&terms(), &uneven), Some((12, GameResult::Draw, Reason::Length)));
        assert_eq!(end(&Adjudication::default(), &scores), None);
    }
}

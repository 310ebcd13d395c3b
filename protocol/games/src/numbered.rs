//! Games in progress that are played by the numbers of [`crate::actions`], for programs that learn them.

use crate::actions::{ActionError, ActionSet, Chosen, Planes, Staged};
use crate::amazons::Amazons;
use crate::connect6::Connect6;
use crate::darkchess::DarkChess;
use crate::einstein::EinStein;
use crate::game::{MoveError, Player, Turn};
use crate::hash::mix;
use crate::nogo::NoGo;
use crate::phrase::phrase;
use crate::record::Record;
use crate::xiangqi::Xiangqi;
use std::ops::ControlFlow;

/// A game in progress, perhaps within a turn.
#[derive(Clone, Debug)]
pub struct Numbered<G: Staged> {
    record: Record<G>,
    chosen: Chosen,
    legal: ActionSet,
    turn: Turn,
}

impl<G: Staged> PartialEq for Numbered<G> {
    /// Whether the position, the way to it and what is chosen are equal.
    fn eq(&self, other: &Numbered<G>) -> bool {
        self.record.current() == other.record.current()
            && self.record.hashes() == other.record.hashes()
            && (&self.chosen, &self.legal, self.turn) == (&other.chosen, &other.legal, other.turn)
    }
}

/// What [`Numbered::take_back`] needs: the choices before, and how to undo a turn if one was completed.
#[derive(Clone, Debug)]
pub struct Back<U> {
    chosen: Chosen,
    turn: Option<U>,
}

/// The first few of many numbers.
fn listed(numbers: impl Iterator<Item = usize> + Clone) -> String {
    const SHOWN: usize = 8;
    let count = numbers.clone().count();
    let first: Vec<String> = numbers.take(SHOWN).map(|n| n.to_string()).collect();
    let rest = if count > SHOWN { format!(", ... ({count} in all)") } else { String::new() };
    first.join(", ") + &rest
}

impl<G: Staged> Numbered<G> {
    /// A game without moves.
    pub fn new(start: G) -> Numbered<G> {
        let legal = ActionSet::new(start.action_count());
        let record = Record::new(start);
        let turn = record.turn();
        let mut game = Numbered { record, chosen: Chosen::new(), legal, turn };
        game.renew();
        game
    }

    /// The moves and the position at the beginning of the turn.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The choices so far in this turn.
    pub fn chosen(&self) -> &[u16] {
        &self.chosen
    }

    /// The legal actions; none at chance's turn and after the end.
    #[inline]
    pub fn legal(&self) -> &ActionSet {
        &self.legal
    }

    /// Whose turn it is, including the rules that need the path.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The hash of the position and of the choices so far.
    pub fn hash(&self) -> u64 {
        let position = self.record.current().hash();
        self.chosen.iter().fold(position, |hash, &action| mix(hash ^ (u64::from(action) + 1)))
    }

    fn renew(&mut self) {
        self.legal.clear();
        if let Turn::Player(_) = self.turn {
            self.record.current().legal_actions(&self.chosen, &mut self.legal);
        }
    }

    /// Plays an action or, at chance's turn, an outcome.
    ///
    /// # Errors
    /// It is illegal; the game is as it was.
    #[inline]
    pub fn play(&mut self, action: i64) -> Result<Back<G::Undo>, ActionError> {
        let Some(number) = usize::try_from(action).ok().filter(|n| self.is_legal(*n)) else {
            return Err(self.refusal(action));
        };
        let number = number as u16;
        let state = self.record.current();
        let complete = match self.turn {
            Turn::Chance => state.outcome(number),
            _ => state.complete(&self.chosen, number),
        };
        let chosen = self.chosen.clone();
        let turn = match complete {
            Some(m) => {
                self.chosen.clear();
                Some(self.play_turn(m, number))
            }
            None => {
                let _ = self.chosen.try_push(number);
                if G::PLACES {
                    self.legal.remove(usize::from(number));
                } else {
                    self.renew();
                }
                None
            }
        };
        Ok(Back { chosen, turn })
    }

    /// Plays a whole turn, whose last choice this is.
    #[inline]
    fn play_turn(&mut self, m: G::Move, action: u16) -> G::Undo {
        let undo = if G::PLACES {
            self.legal.remove(usize::from(action));
            self.record.play(m)
        } else {
            self.legal.clear();
            let legal = &mut self.legal;
            self.record.play_by(m, |state| state.turn_and_actions(legal))
        };
        self.turn = self.record.turn();
        // The path may end a game whose position does not.
        if !matches!(self.turn, Turn::Player(_)) {
            self.legal.clear();
        }
        undo
    }

    #[inline]
    fn is_legal(&self, number: usize) -> bool {
        match self.turn {
            Turn::Player(_) => self.legal.contains(number),
            Turn::Over(_) => false,
            Turn::Chance => {
                let outcome =
                    u16::try_from(number).ok().and_then(|n| self.record.current().outcome(n));
                outcome.is_some_and(|m| self.record.current().is_legal(m))
            }
        }
    }

    #[cold]
    fn refusal(&self, action: i64) -> ActionError {
        let state = self.record.current();
        let fen = state.fen();
        let last = self.legal.size() - 1;
        match self.turn {
            Turn::Over(_) => ActionError::Over { action },
            Turn::Chance => {
                let outcomes = self.outcomes();
                let legal = listed(outcomes.iter().map(|o| usize::from(o.0)));
                ActionError::Outcome { action, fen, legal }
            }
            Turn::Player(_) if action < 0 || action > last as i64 => {
                ActionError::Range { action, game: G::NAME, last }
            }
            Turn::Player(_) => ActionError::Illegal {
                action,
                text: state.action_text(&self.chosen, action as u16),
                stage: state.stage(&self.chosen).into(),
                fen,
                legal: listed(self.legal.iter()),
            },
        }
    }

    /// Reads a whole turn or a chance outcome and plays it.
    ///
    /// # Errors
    /// It is no legal turn, or a turn is under way; the game is as it was.
    pub fn play_text(&mut self, text: &str) -> Result<Back<G::Undo>, MoveError> {
        let refused = |reason| Err(MoveError::illegal(text, reason));
        if let Turn::Over(_) = self.turn {
            return refused(phrase!("the game is over"));
        }
        if !self.chosen.is_empty() {
            return refused(phrase!(
                "a turn has begun by an action: finish it by actions, or take it back"
            ));
        }
        let m = self.record.current().parse_move(text)?;
        let undo = self.record.play(m);
        self.turn = self.record.turn();
        self.renew();
        Ok(Back { chosen: Chosen::new(), turn: Some(undo) })
    }

    /// Takes back the last [`Numbered::play`] or [`Numbered::play_text`], given its return value.
    pub fn take_back(&mut self, back: Back<G::Undo>) {
        self.chosen = back.chosen;
        if let Some(undo) = back.turn {
            self.record.take_back(undo);
            self.turn = self.record.turn();
        }
        self.renew();
    }

    /// Goes back to the start, and keeps the memory for the next game.
    pub fn restart(&mut self) {
        self.record.restart();
        self.chosen.clear();
        self.turn = self.record.turn();
        self.renew();
    }

    /// The chance outcomes with their weights.
    pub fn outcomes(&self) -> Vec<(u16, u32)> {
        let mut outcomes = Vec::new();
        if self.turn == Turn::Chance {
            let state = self.record.current();
            let _ = state.visit_chance::<()>(&mut |m, weight| {
                outcomes.push((state.outcome_number(m), weight));
                ControlFlow::Continue(())
            });
        }
        outcomes
    }

    /// A legal action or a chance outcome, chosen by a number from 0 to less than 1: each action is equally likely,
    /// each outcome as likely as the rules say. `None` after the end.
    #[inline]
    pub fn pick(&self, unit: f64) -> Option<u16> {
        match self.turn {
            Turn::Over(_) => None,
            Turn::Player(_) => {
                let count = self.legal.count();
                let rank = ((unit * count as f64) as usize).min(count.saturating_sub(1));
                self.legal.nth(rank).map(|action| action as u16)
            }
            Turn::Chance => self.pick_outcome(unit),
        }
    }

    fn pick_outcome(&self, unit: f64) -> Option<u16> {
        let state = self.record.current();
        let mut total = 0u64;
        let _ = state.visit_chance::<()>(&mut |_, weight| {
            total += u64::from(weight);
            ControlFlow::Continue(())
        });
        let mut left = ((unit * total as f64) as u64).min(total.saturating_sub(1));
        let found = state.visit_chance(&mut |m, weight| {
            if left < u64::from(weight) {
                return ControlFlow::Break(state.outcome_number(m));
            }
            left -= u64::from(weight);
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// The number of planes of [`Numbered::write_planes`]: those of the game and two of every game.
    pub fn plane_count() -> usize {
        G::PLANES.len() + COMMON_PLANES.len()
    }

    /// Draws the game as `player` sees it; `out` has one byte for each square of each plane.
    pub fn write_planes(&self, player: Player, out: &mut [u8]) {
        let state = self.record.current();
        let mut planes = Planes::new(out, state.frame().squares());
        state.write_planes(&self.chosen, player, &mut planes);
        planes.number(usize::from(self.turn == Turn::Player(player)));
        let hashes = self.record.hashes();
        let same = hashes.iter().filter(|h| hashes.last() == Some(h)).count();
        planes.number(same.saturating_sub(1));
    }
}

/// The last planes of every game.
pub const COMMON_PLANES: [&str; 2] =
    ["the player is to move", "earlier occurrences of the position"];

/// Something to do with a game that is known by its name.
pub trait ForGame {
    /// What it gives.
    type Output;
    /// Does it.
    fn call<G: Staged>(self) -> Self::Output;
}

/// Does something with the game of this name; `None` if there is none.
pub fn for_game<F: ForGame>(name: &str, f: F) -> Option<F::Output> {
    Some(match name.to_ascii_lowercase().as_str() {
        "amazons" => f.call::<Amazons>(),
        "connect6" => f.call::<Connect6>(),
        "darkchess" => f.call::<DarkChess>(),
        "einstein" => f.call::<EinStein>(),
        "nogo" => f.call::<NoGo>(),
        "xiangqi" => f.call::<Xiangqi>(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::{GAMES, start};
    use crate::conformance::check_actions;
    use crate::game::Game;

    struct Check<'a>(Option<&'a str>, &'a [(&'a str, &'a str)], u64);

    impl ForGame for Check<'_> {
        type Output = u64;
        fn call<G: Staged>(self) -> u64 {
            let rules: Vec<_> =
                self.1.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
            let start: G = start(self.0, &rules).unwrap();
            check_actions(&start, self.2, 400, 3000).unwrap()
        }
    }

    #[test]
    fn choices_make_exactly_the_legal_turns_of_every_game() {
        for game in GAMES {
            let checked = for_game(game.name, Check(None, &[], 8)).expect(game.name);
            assert!(checked > 100, "{}: {checked}", game.name);
        }
    }

    #[test]
    fn choices_make_the_turns_on_other_boards_and_in_rare_stages() {
        let small = "q3/4/4/3Q w";
        let wide = "3q2q3/10/10/q8q/10/Q8Q/10/3Q2Q3 w";
        for (name, fen, rules) in [
            ("amazons", Some(small), &[][..]),
            ("amazons", Some(wide), &[]),
            ("connect6", None, &[("BoardSize", "6")]),
            ("connect6", None, &[("BoardSize", "7")]),
            // Either stone of a turn makes six, or both do.
            ("connect6", Some("8/8/8/8/8/8/8/1XXXXX2 x"), &[]),
            ("darkchess", None, &[("Board", "2x4"), ("RepetitionCount", "2")]),
            ("darkchess", None, &[("Board", "4x4"), ("DrawPlies", "9")]),
            ("einstein", Some("5/5/5/5/5 l setup"), &[]),
            ("einstein", None, &[("MissingDie", "nearest")]),
            ("xiangqi", Some("3k5/9/R8/9/9/9/9/9/9/4K4 w"), &[("Repetition", "check")]),
            // Pawns in all corners, of which those beside an own piece cannot move.
            ("xiangqi", Some("PN1k3NP/9/9/9/9/9/9/9/9/pn2K2np w"), &[]),
        ] {
            let checked = for_game(name, Check(fen, rules, 20)).expect(name);
            assert!(checked > 100, "{name} {fen:?}: {checked}");
        }
    }

    #[test]
    fn a_game_that_starts_anew_and_one_that_is_read_again_have_the_same_actions() {
        let mut rng = crate::rng::stream(3, 0, "restart");
        let fresh = Numbered::<Connect6>::new(start(None, &[]).unwrap());
        let mut game = fresh.clone();
        for _ in 0..101 {
            game.play(game.pick(crate::rng::unit(&mut rng)).unwrap().into()).unwrap();
            if game.chosen().is_empty() {
                let fen = game.record().current().fen();
                let read = Numbered::<Connect6>::new(start(Some(&fen), &[]).unwrap());
                assert_eq!((game.legal(), game.turn()), (read.legal(), read.turn()), "{fen}");
            }
        }
        game.restart();
        assert_eq!(game, fresh);
    }

    #[test]
    fn a_stone_that_makes_six_comes_last() {
        let fen = "8/8/8/8/8/8/8/1XXXXX2 x";
        let mut game = Numbered::<Connect6>::new(start(Some(fen), &[]).unwrap());
        for text in ["a1h8", "h8g1", "g1a8"] {
            let m = game.record().current().parse_move(text).unwrap();
            let actions = game.record().current().actions_of(m);
            let backs: Vec<_> = actions.iter().map(|&a| game.play(a.into()).unwrap()).collect();
            assert_eq!(backs.len(), 2, "{text}");
            assert_eq!(game.record().tokens().len(), 1, "{text}");
            assert!(matches!(game.turn(), Turn::Over(_)), "{text}");
            backs.into_iter().rev().for_each(|back| game.take_back(back));
        }
    }

    fn amazons() -> Numbered<Amazons> {
        Numbered::new(start(None, &[]).unwrap())
    }

    #[test]
    fn a_refused_action_says_what_where_and_what_would_be_right() {
        let mut game = amazons();
        assert_eq!(game.legal().iter().collect::<Vec<_>>(), [60, 69, 93, 96]);
        let error = game.play(0).unwrap_err().to_string();
        assert!(error.contains("action 0 (a10) is illegal as `from` in `3q2q3/"), "{error}");
        assert!(error.ends_with("legal are 60, 69, 93, 96"), "{error}");
        for action in [-1, 100, i64::MAX] {
            let error = game.play(action).unwrap_err().to_string();
            assert!(error.ends_with("amazons has the actions 0 to 99 on this board"), "{error}");
        }
        let back = game.play(93).unwrap();
        let text = game.play_text("d1d7,d7g7").unwrap_err().to_string();
        assert!(text.contains("a turn has begun"), "{text}");
        game.take_back(back);
        assert_eq!(game, amazons());
        game.play_text("d1-d7/g7").unwrap();
        assert_eq!(game.record().tokens(), ["d1d7,d7g7"]);
    }

    #[test]
    fn a_number_picks_actions_evenly_and_outcomes_by_their_weights() {
        let mut game = Numbered::<DarkChess>::new(start(None, &[]).unwrap());
        let flips: Vec<_> = (0..32).map(|i| game.pick((f64::from(i) + 0.5) / 32.0)).collect();
        assert_eq!(flips, (0..32).map(|i| Some(33 * i)).collect::<Vec<_>>());
        game.play(0).unwrap();
        let mut counts = [0; 14];
        for i in 0..32 {
            counts[usize::from(game.pick((f64::from(i) + 0.5) / 32.0).unwrap())] += 1;
        }
        assert_eq!(counts, [1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5]);
        let error = game.play(14).unwrap_err().to_string();
        assert!(error.contains("outcome 14 cannot occur"), "{error}");
    }

    #[test]
    fn the_second_player_does_not_see_the_first_set_up_before_its_own() {
        let mut game = Numbered::<EinStein>::new(start(None, &[]).unwrap());
        let planes = |game: &Numbered<EinStein>, player| {
            let mut out = vec![7; 25 * Numbered::<EinStein>::plane_count()];
            game.write_planes(player, &mut out);
            out
        };
        let empty = planes(&game, Player::Second);
        for action in [18, 19, 20] {
            game.play(action).unwrap();
        }
        assert_eq!(planes(&game, Player::Second), empty);
        assert_eq!(
            planes(&game, Player::First)[..75].iter().map(|&b| u32::from(b)).sum::<u32>(),
            3
        );
        for action in [21, 22, 23] {
            game.play(action).unwrap();
        }
        let seen = planes(&game, Player::Second);
        assert_eq!(seen[..300].iter().max(), Some(&0), "stones are seen");
        for action in 18..24 {
            game.play(action).unwrap();
        }
        assert_eq!(
            planes(&game, Player::Second)[..300].iter().map(|&b| u32::from(b)).sum::<u32>(),
            12
        );
    }
}

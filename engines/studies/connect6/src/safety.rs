//! Turns of `best` that lose by force although another turn did not: in self-play, the position after
//! each turn is solved with more time than the player had.

use agon_connect6::best::Best;
use agon_connect6::play::SearchPosition;
use agon_connect6::solver::{SolverLimits, SolverSettings, ThreatSearch, Verdict, solve};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Move};
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use std::time::{Duration, Instant};

/// Games without a winner stop after this many turns.
const MAX_TURNS: usize = 80;

/// The conditions of the measurement.
#[derive(Clone, Debug)]
pub struct SafetySettings {
    /// The limits of the player.
    pub player: Limits,
    /// The time of the solver for the position after a turn.
    pub solver: Duration,
}

/// A turn in a position that the side to move has not won by force.
#[derive(Clone, Debug)]
pub struct Played {
    /// The turns up to the position.
    pub moves: String,
    /// The turn played.
    pub turn: Connect6Move,
    /// What the solver says of it.
    pub safety: Safety,
}

/// What the solver says of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// It finds no win of the opponent.
    Safe,
    /// It finds one, and none after this other turn.
    Unsafe(Connect6Move),
    /// It finds one after every turn tried.
    Lost,
}

impl SafetySettings {
    /// Whether the solver finds a win of the side to move.
    fn is_won(&self, game: &Connect6) -> bool {
        let start = Instant::now();
        let stop = || start.elapsed() >= self.solver;
        let limits =
            SolverLimits { iteration: u64::MAX, total: u64::MAX, ..SolverLimits::default() };
        let settings = SolverSettings { limits, ..SolverSettings::default() };
        matches!(solve(game, settings, &stop).verdict, Verdict::Win { .. })
    }

    /// Whether the opponent wins after a turn.
    fn loses(&self, game: &Connect6, m: Connect6Move) -> bool {
        let mut next = game.clone();
        next.play(m);
        next.turn().player().is_some() && self.is_won(&next)
    }

    /// The safety of a turn.
    fn safety(&self, position: &SearchPosition, m: Connect6Move) -> Safety {
        let game = position.game();
        if !self.loses(game, m) {
            return Safety::Safe;
        }
        let them = 1 - position.side();
        let mut others = position.candidates();
        let opponent = ThreatSearch::new(position.board(), them, SolverSettings::default());
        if !position.board().has_four(them)
            && let Some(win) = opponent.win(&|| false)
        {
            others.extend(position.candidates_in_zone(&opponent.zone(&win, 2)));
        }
        let other = others.into_iter().find(|o| *o != m && !self.loses(game, *o));
        other.map_or(Safety::Lost, Safety::Unsafe)
    }

    /// Plays a game from `opening` and calls `visit` with every turn; the game ends when the solver
    /// finds a win.
    pub fn play(
        &self,
        opening: &Record<Connect6>,
        best: &mut Best,
        visit: &mut dyn FnMut(Played) -> bool,
    ) {
        let mut record = opening.clone();
        best.new_game();
        while record.turn().player().is_some() && record.moves().len() < MAX_TURNS {
            if self.is_won(record.current()) {
                return;
            }
            let root = Record::new(SearchPosition::from(record.current()));
            let clock = Clock::unmanaged(&self.player);
            let turn = best.run(&Root::new(&root), &clock, &mut |_| {}).best();
            let safety = self.safety(root.current(), turn);
            let moves = record.tokens().join(" ");
            if !visit(Played { moves, turn, safety }) || safety != Safety::Safe {
                return;
            }
            record.push(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::connect6::Connect6Rules;

    fn position(moves: &str) -> SearchPosition {
        let tokens: Vec<&str> = moves.split_whitespace().collect();
        let record = Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default());
        SearchPosition::from(record.unwrap().current())
    }

    #[test]
    fn a_turn_is_unsafe_only_if_it_loses_and_another_does_not() {
        let player = Limits::with_nodes(1);
        let settings = SafetySettings { player, solver: Duration::from_secs(60) };
        let open = position("m13 g13l13 i8k10 k14m12");
        let turn = |text: &str| open.game().parse_move(text).unwrap();
        let Safety::Unsafe(other) = settings.safety(&open, turn("i10n11")) else {
            panic!("i10n11 loses by single threats");
        };
        assert_eq!(settings.safety(&open, other), Safety::Safe);
        let lost =
            position("j10 i9l8 k9j8 i7j6 k7i6 h8g9 k5f10 g7f8 k6k8 k4k10 j7h5 l9g4 l5i8 h9m4 l6m5");
        assert_eq!(settings.safety(&lost, lost.candidates()[0]), Safety::Lost);
    }
}

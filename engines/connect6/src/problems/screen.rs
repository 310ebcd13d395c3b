//! The first look at every position of a game: which are candidates for the problem set, and what
//! they cost the plain search.

use super::Source;
use super::set::{Class, Problem};
use crate::solver::{Limits, Settings, Verdict, solve};
use agon_protocol::Record;
use agon_protocol::connect6::Connect6;
use agon_protocol::game::Game;

/// No position before this turn is looked at.
const FIRST_TURN: usize = 5;
/// Stones that the search for double threats may place at first, and where that was not enough.
const LOOKS: [u64; 2] = [400_000, 12_000_000];
/// Stones that the search for single threats may place.
const SINGLE: u64 = 1_500_000;
/// A candidate costs the plain search so many moves at least.
const LEAST: u64 = 400;
/// Positions of a player before its first win by double threats at which it is asked for one by
/// single threats.
const BEFORE: usize = 4;

/// The plain search for double threats.
fn plain(total: u64) -> Settings {
    let limits = Limits { depth: 20, iteration: u64::MAX, total };
    Settings { limits, dependency: None, single_threats: 0, ..Settings::default() }
}

/// What is known of a position after the first look.
struct Seen {
    game: Connect6,
    turn: usize,
    verdict: Verdict,
    moves: u64,
    /// The search ended without a limit.
    ended: bool,
}

/// The candidates of a game: of each class at most one a player, the hardest.
pub fn candidates(record: &Record<Connect6>, source: &Source) -> Vec<Problem> {
    let all = look(record);
    let problem =
        |s: &Seen, class: Class, moves: u64| Problem::new(record, s.turn, class, moves, source);
    let mut found = Vec::new();
    for player in 0..2 {
        let own: Vec<&Seen> = all.iter().filter(|s| s.turn % 2 == player).collect();
        let double = own
            .iter()
            .filter(|s| s.verdict.proof().is_some() && s.moves >= LEAST)
            .max_by_key(|s| s.moves);
        found.extend(double.map(|s| problem(s, Class::Double, s.moves)));
        let first = own.iter().position(|s| s.verdict.proof().is_some()).unwrap_or(own.len());
        let before = &own[first.saturating_sub(BEFORE)..first];
        let mut open: Option<(&Seen, u64)> = None;
        let mut single: Option<(&Seen, u64)> = None;
        for s in before.iter().copied().filter(|s| s.ended) {
            let settings = Settings {
                limits: Limits { total: SINGLE, ..Limits::default() },
                dependency: None,
                ..Settings::default()
            };
            let solution = solve(&s.game, settings, &|| false);
            let moves = solution.counters.moves;
            match solution.verdict {
                Verdict::Win { .. } if single.is_none_or(|(_, least)| least < moves) => {
                    single = Some((s, moves));
                }
                Verdict::Unknown if open.is_none_or(|(_, least)| least < moves) => {
                    open = Some((s, moves));
                }
                _ => {}
            }
        }
        for (class, best) in [(Class::Single, single), (Class::Open, open)] {
            let best = best.filter(|(_, moves)| *moves >= LEAST);
            found.extend(best.map(|(s, moves)| problem(s, class, moves)));
        }
    }
    found
}

fn look(record: &Record<Connect6>) -> Vec<Seen> {
    let mut game = record.start().clone();
    let mut all = Vec::new();
    for (turn, m) in record.moves().iter().enumerate() {
        if turn >= FIRST_TURN {
            let mut seen = None;
            for total in LOOKS {
                let solution = solve(&game, plain(total), &|| false);
                let ended = solution.counters.stones < total;
                seen = Some((solution.verdict, solution.counters.moves, ended));
                if ended {
                    break;
                }
            }
            if let Some((verdict, moves, ended)) = seen {
                all.push(Seen { game: game.clone(), turn, verdict, moves, ended });
            }
        }
        game.play(*m);
    }
    all
}

//! Screening: finds the positions of a game that are candidates for the problem set, and their cost
//! for the plain search.

use super::problem::{Class, Problem};
use super::source::Source;
use agon_connect6::solver::{SolverLimits, SolverSettings, Verdict, solve};
use agon_games::Record;
use agon_games::connect6::Connect6;
use agon_games::game::Game;

/// The first turn whose position is screened.
const FIRST_TURN: usize = 5;
/// Stone limits of the search for double threats: of the first attempt, and of the second if the
/// first was not enough.
const DOUBLE_THREAT_STONES: [u64; 2] = [400_000, 12_000_000];
/// Stone limit of the search for single threats.
const SINGLE_THREAT_STONES: u64 = 1_500_000;
/// The minimum number of moves of the plain search for a candidate.
const MIN_MOVES: u64 = 400;
/// The number of a player's positions before its first win by double threats that are searched for
/// single threats.
const POSITIONS_BEFORE: usize = 4;

/// A position after its search for double threats.
struct Screened {
    game: Connect6,
    turn: usize,
    verdict: Verdict,
    moves: u64,
    /// No limit ended the search.
    completed: bool,
}

/// The candidates of a game: for each class the hardest position of each player, if any.
pub fn candidates(record: &Record<Connect6>, source: &Source) -> Vec<Problem> {
    let all = screen(record);
    let problem =
        |s: &Screened, class: Class, moves: u64| Problem::new(record, s.turn, class, moves, source);
    let mut found = Vec::new();
    for player in 0..2 {
        let own: Vec<&Screened> = all.iter().filter(|s| s.turn % 2 == player).collect();
        let double = own
            .iter()
            .filter(|s| s.verdict.proof().is_some() && s.moves >= MIN_MOVES)
            .max_by_key(|s| s.moves);
        found.extend(double.map(|s| problem(s, Class::Double, s.moves)));
        let first = own.iter().position(|s| s.verdict.proof().is_some()).unwrap_or(own.len());
        let before = &own[first.saturating_sub(POSITIONS_BEFORE)..first];
        for (class, hardest) in [Class::Single, Class::Open].into_iter().zip(hardest(before)) {
            let hardest = hardest.filter(|(_, moves)| *moves >= MIN_MOVES);
            found.extend(hardest.map(|(s, moves)| problem(s, class, moves)));
        }
    }
    found
}

/// Of the positions without a win by double threats, the hardest for the plain search with and
/// without a win by single threats, each with its moves.
fn hardest<'s>(positions: &[&'s Screened]) -> [Option<(&'s Screened, u64)>; 2] {
    let [mut single, mut open] = [None::<(&Screened, u64)>; 2];
    for s in positions.iter().copied().filter(|s| s.completed) {
        let limits = SolverLimits { total: SINGLE_THREAT_STONES, ..SolverLimits::default() };
        let settings =
            SolverSettings { limits, line_pairs: false, ..SolverSettings::default() }.plain();
        let solution = solve(&s.game, settings, &|| false);
        let moves = solution.counters.moves;
        let hardest = match solution.verdict {
            Verdict::Win { .. } => &mut single,
            Verdict::Unknown | Verdict::NoWin => &mut open,
            _ => continue,
        };
        if hardest.is_none_or(|(_, most)| most < moves) {
            *hardest = Some((s, moves));
        }
    }
    [single, open]
}

fn screen(record: &Record<Connect6>) -> Vec<Screened> {
    let mut game = record.start().clone();
    let mut all = Vec::new();
    for (turn, m) in record.moves().iter().enumerate() {
        if turn >= FIRST_TURN {
            let mut screened = None;
            for total in DOUBLE_THREAT_STONES {
                let limits = SolverLimits { depth: 20, iteration: u64::MAX, total };
                let settings = SolverSettings::double_threats(limits).plain();
                let solution = solve(&game, settings, &|| false);
                let completed = solution.counters.stones < total;
                screened = Some((solution.verdict, solution.counters.moves, completed));
                if completed {
                    break;
                }
            }
            if let Some((verdict, moves, completed)) = screened {
                all.push(Screened { game: game.clone(), turn, verdict, moves, completed });
            }
        }
        game.play(*m);
    }
    all
}

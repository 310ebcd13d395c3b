//! The pairings and their numbers of games.

use super::loss::LossSize;
use crate::conduct::Plan;
use agon_engine::EngineSpec;
use agon_games::rng;
use agon_matchlog::{Limit, Pairing, Setting};
use std::path::Path;

/// The size of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunSize {
    /// Games per cell of figures 16 and 17.
    pub games: u64,
    /// Figure 16's iterations.
    pub iterations: &'static [u32],
    /// Figure 16's playouts per new node.
    pub simulations: &'static [u32],
    /// Figure 17's iterations and playouts.
    pub budget: (u32, u32),
    /// Figure 17's values of c.
    pub factors: &'static [&'static str],
    /// Games per head-to-head pairing.
    pub duels: u64,
    /// Iterations and playouts in head-to-head games.
    pub duel_budget: (u32, u32),
    /// Games of random self-play that train the n-tuple network.
    pub training: u64,
    /// Games per number of threads.
    pub timed: u64,
    /// The numbers of threads.
    pub threads: &'static [u32],
    /// How much of the exact loss is measured.
    pub loss: LossSize,
}

/// Number of rounds in which the games of all cells are played.
const ROUNDS: u64 = 10;

const FACTORS: &[&str] = &["0", "0.5", "1", "1.4142", "2", "4"];

impl RunSize {
    /// A run of at most five minutes on two cores.
    pub const QUICK: RunSize = RunSize {
        games: 200,
        iterations: &[1, 5, 20, 100],
        simulations: &[1, 10],
        budget: (50, 10),
        factors: FACTORS,
        duels: 120,
        duel_budget: (10, 5),
        training: 100_000,
        timed: 2,
        threads: &[1, 2, 4, 8],
        loss: LossSize::QUICK,
    };
    /// The paper's 2,000 games per cell. Its largest budget has a plan of its own: [`budget_plan`].
    pub const FULL: RunSize = RunSize {
        games: 2000,
        iterations: &[1, 5, 20, 100, 500],
        simulations: &[1, 10, 50],
        budget: (500, 10),
        factors: FACTORS,
        duels: 2000,
        duel_budget: (100, 10),
        training: 1_000_000,
        timed: 20,
        threads: &[1, 2, 4, 8, 16],
        loss: LossSize::FULL,
    };
}

/// Iterations and playouts of each new node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetStudy {
    /// The paper's i.
    pub iterations: u32,
    /// The paper's k.
    pub playouts: u32,
}

impl std::fmt::Display for BudgetStudy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "i={} k={}", self.iterations, self.playouts)
    }
}

impl std::str::FromStr for BudgetStudy {
    type Err = String;

    /// Parses `I,K`.
    fn from_str(text: &str) -> Result<BudgetStudy, String> {
        let number = |t: &str| t.trim().parse().ok().filter(|n| (1..=1_000_000).contains(n));
        let parts = text.split_once(',').and_then(|(i, k)| Some((number(i)?, number(k)?)));
        let (iterations, playouts) =
            parts.ok_or("expected iterations and playouts from 1, such as 5000,5000")?;
        Ok(BudgetStudy { iterations, playouts })
    }
}

/// The common part of every engine's command line.
struct Maker<'a> {
    program: &'a Path,
}

impl Maker<'_> {
    fn engine(&self, name: &str, options: &[(&str, &str)]) -> EngineSpec {
        let setting = |&(name, value): &(&str, &str)| Setting {
            name: name.to_string(),
            value: value.to_string(),
        };
        EngineSpec {
            name: Some(name.into()),
            command: vec![self.program.display().to_string()],
            options: options.iter().map(setting).collect(),
            // The options bound the search; this limit only has to exceed them.
            limit: Some(Limit { nodes: Some(1 << 50), margin_ms: 10_000, ..Limit::default() }),
            ..EngineSpec::default()
        }
    }

    fn paper(&self, name: &str, budget: (u32, u32), more: &[(&str, &str)]) -> EngineSpec {
        let (i, k) = (budget.0.to_string(), budget.1.to_string());
        let mut options =
            vec![("Algorithm", "mcts-paper"), ("Iterations", &i), ("Simulations", &k)];
        options.extend_from_slice(more);
        self.engine(name, &options)
    }
}

/// Figures 16 and 17, stronger programs for the ceiling, and the head-to-head table. `net` is the
/// file of a trained network. The games of all cells are mixed, so that an unfinished run has games
/// of each.
pub fn main_plan(program: &Path, net: &Path, size: &RunSize) -> Plan {
    let make = Maker { program };
    let mut plan = Plan::default();
    let mut against_random = Vec::new();
    for &i in size.iterations {
        for &k in size.simulations {
            against_random.push(plan.add(make.paper(&format!("i={i} k={k}"), (i, k), &[])));
        }
    }
    for c in size.factors {
        let more = [("Exploration", *c)];
        against_random.push(plan.add(make.paper(&format!("c={c}"), size.budget, &more)));
    }
    against_random.extend(reference_engines(&make).into_iter().map(|spec| plan.add(spec)));
    let duels = duel_engines(&make, net, size).map(|spec| plan.add(spec));
    let plain = plan.add(make.paper("plain", size.duel_budget, &[]));
    let random = plan.add(make.engine("random", &[("Algorithm", "random")]));
    for engine in against_random {
        plan.meet([engine, random], size.games);
    }
    for engine in duels {
        plan.meet([engine, plain], size.duels);
    }
    plan.in_rounds(ROUNDS)
}

/// Programs that take the dice into account, for the ceiling.
fn reference_engines(make: &Maker) -> Vec<EngineSpec> {
    let chance = |iterations: u32| {
        let i = iterations.to_string();
        let options = [("Algorithm", "mcts"), ("Iterations", i.as_str()), ("Simulations", "1")];
        make.engine(&format!("chance nodes, i={i}"), &options)
    };
    vec![
        // The small budgets show the origin of 75%.
        chance(1),
        chance(3),
        chance(10),
        chance(30),
        chance(1000),
        make.engine("race, 1 ply", &[("Algorithm", "greedy")]),
        make.engine("race, 3 plies", &[("Algorithm", "expectimax"), ("Depth", "3")]),
        EngineSpec {
            limit: Some(Limit { depth: Some(4), margin_ms: 10_000, ..Limit::default() }),
            ..make.engine("best, depth 4", &[("Algorithm", "best")])
        },
    ]
}

/// The paper's improvements, each added to the same plain search.
fn duel_engines(make: &Maker, net: &Path, size: &RunSize) -> [EngineSpec; 7] {
    let net = net.display().to_string();
    let budget = size.duel_budget;
    let with = |name: &str, on: &[&str], net: Option<&str>| {
        let mut more: Vec<(&str, &str)> = on.iter().map(|o| (*o, "true")).collect();
        more.extend(net.map(|path| ("NTuple", path)));
        make.paper(name, budget, &more)
    };
    [
        with("progressive bias", &["ProgressiveBias"], Some(&net)),
        with("prior knowledge", &["PriorKnowledge"], Some(&net)),
        with("epsilon-greedy", &["EpsilonGreedy"], Some(&net)),
        with("all three", &["ProgressiveBias", "PriorKnowledge", "EpsilonGreedy"], Some(&net)),
        // The same use of V(b) without n-tuples isolates the gain of the n-tuples.
        with("prior knowledge, V(b) of the race", &["PriorKnowledge"], None),
        with("epsilon-greedy, V(b) of the race", &["EpsilonGreedy"], None),
        make.paper("W to the letter", budget, &[("WinsOf", "engine")]),
    ]
}

/// The seed of [`budget_plan`]'s order.
pub(super) const ORDER_SEED: u64 = 1;

/// Figure 17 at the budget of the paper: `games` against random for each value of c. A run plays a part of it, so every
/// first part has to be a sample over all c: one pair of each c in a random order, then the next pair of each in
/// another. Every pair takes the next of the `layouts`, so that no two pairs of a sample share one.
pub fn budget_plan(program: &Path, budget: BudgetStudy, games: u64, layouts: u64) -> Plan {
    let make = Maker { program };
    let mut plan = Plan::default();
    let budget = (budget.iterations, budget.playouts);
    let factor = |c: &&str| make.paper(&format!("c={c}"), budget, &[("Exploration", *c)]);
    let engines: Vec<usize> = FACTORS.iter().map(|c| plan.add(factor(c))).collect();
    let random = plan.add(make.engine("random", &[("Algorithm", "random")]));
    for round in 0..games.div_ceil(2) {
        let mut order = engines.clone();
        rng::shuffle(&mut rng::stream(ORDER_SEED, round, "order of c"), &mut order);
        // The last game of an odd number has no partner.
        let games = [1, (games - 2 * round - 1).min(1)];
        plan.pairings.extend((round * order.len() as u64..).zip(order).map(|(pair, engine)| {
            Pairing {
                engines: [engine, random],
                games,
                opening: pair % layouts.max(1),
                ..Pairing::default()
            }
        }));
    }
    plan
}

/// Figure 10: the same search on increasing numbers of threads, against random.
pub fn thread_plan(program: &Path, size: &RunSize) -> Plan {
    let make = Maker { program };
    let mut plan = Plan::default();
    let timed: Vec<usize> = size
        .threads
        .iter()
        .map(|threads| {
            let threads = threads.to_string();
            let more = [("Threads", threads.as_str())];
            plan.add(make.paper(&format!("threads={threads}"), (20, 100), &more))
        })
        .collect();
    let random = plan.add(make.engine("random", &[("Algorithm", "random")]));
    for engine in timed {
        plan.meet([engine, random], size.timed);
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_engine_has_a_name_of_its_own_and_plays() {
        for size in [RunSize::QUICK, RunSize::FULL] {
            let paths = (Path::new("einstein"), Path::new("net"));
            let budget = BudgetStudy { iterations: 5, playouts: 5 };
            let plans = [
                main_plan(paths.0, paths.1, &size),
                thread_plan(paths.0, &size),
                budget_plan(paths.0, budget, 2000, 2000),
            ];
            for plan in plans {
                let names: BTreeSet<_> = plan.engines.iter().map(|e| e.name.clone()).collect();
                assert_eq!(names.len(), plan.engines.len());
                let playing: BTreeSet<usize> =
                    plan.pairings.iter().flat_map(|p| p.engines).collect();
                assert_eq!(playing.len(), plan.engines.len());
                // The log counts a meeting from the point of view of its first engine.
                assert!(plan.pairings.iter().all(|p| p.engines[0] < p.engines[1]));
            }
        }
    }

    #[test]
    fn every_first_part_of_the_papers_budget_is_a_sample_over_all_c() {
        let budget = BudgetStudy { iterations: 5, playouts: 5 };
        let plan = |games| budget_plan(Path::new("einstein"), budget, games, 2000).pairings;
        for games in [1, 2, 5, 2000] {
            let pairings = plan(games);
            let mut played = [0; FACTORS.len()];
            for (n, pairing) in (1..).zip(&pairings) {
                played[pairing.engines[0]] += pairing.games[0] + pairing.games[1];
                let (least, most) = (played.iter().min(), played.iter().max());
                assert!(
                    most.zip(least).is_some_and(|(m, l)| m - l <= 2),
                    "after {n} pairs: {played:?}"
                );
            }
            assert!(played.iter().all(|&n| n == games), "{played:?}");
        }
        let pairings = plan(2000);
        let layouts: BTreeSet<u64> = pairings[..2000].iter().map(|p| p.opening).collect();
        assert_eq!(layouts.len(), 2000, "no layout twice before all were used");
        let orders: BTreeSet<Vec<usize>> =
            pairings.chunks(6).map(|round| round.iter().map(|p| p.engines[0]).collect()).collect();
        assert!(orders.len() > 500, "a random order in each round: {}", orders.len());
        let firsts = pairings.iter().step_by(6).filter(|p| p.engines[0] == 0).count();
        assert!((120..=220).contains(&firsts), "each c is first about as often: {firsts}");
        // The order does not depend on the number of games.
        assert_eq!(plan(4)[..12], pairings[..12]);
    }

    #[test]
    fn a_budget_is_two_numbers() {
        assert_eq!("5000,50".parse(), Ok(BudgetStudy { iterations: 5000, playouts: 50 }));
        for text in ["", "5", "0,5", "5,x", "5,5,5", "5,2000000"] {
            assert!(text.parse::<BudgetStudy>().is_err(), "{text}");
        }
    }
}

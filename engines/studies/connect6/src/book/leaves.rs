//! The order in which a book grows: drop-out expansion (Lincke, Strategies for the Automatic
//! Construction of Opening Books, 2000).

use agon_connect6::book::{Book, DECIDED};
use agon_games::hash::{FastMap, mix};

/// What decides which positions are expanded first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preference {
    /// A turn deeper in the book costs as much as a turn that is worse by this many centipoints.
    pub ply_cost: u64,
    /// Decides among positions of equal cost.
    pub seed: u64,
}

/// A position that is not in the book, after a turn of one that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The entry and the number of its turn.
    pub parent: (usize, usize),
    /// By how much the turns to the position are worse than the best ones, and the cost of the plies,
    /// in centipoints.
    pub cost: u64,
}

/// The positions that the book may be expanded by, the cheapest first, each once. None follows a
/// decided position.
pub fn leaves(book: &Book, preference: Preference) -> Vec<Leaf> {
    let mut costs = vec![u64::MAX; book.entries().len()];
    if let Some(start) = costs.first_mut() {
        *start = 0;
    }
    let mut found: FastMap<u64, Leaf> = FastMap::default();
    for at in book.in_order() {
        let entry = &book.entries()[at];
        if entry.value.abs() >= DECIDED || costs[at] == u64::MAX {
            continue;
        }
        for number in 0..entry.turns.len() {
            let value = book.turn_value(entry, number);
            let Some(after) = entry.after(number).filter(|_| value.abs() < DECIDED) else {
                continue;
            };
            let worse = u64::from(entry.value.abs_diff(value));
            let cost = costs[at] + worse + preference.ply_cost;
            match book.child(entry, number) {
                Some(child) => costs[child] = costs[child].min(cost),
                None => {
                    let leaf = found.entry(after).or_insert(Leaf { parent: (at, number), cost });
                    if cost < leaf.cost {
                        *leaf = Leaf { parent: (at, number), cost };
                    }
                }
            }
        }
    }
    let salt = mix(preference.seed);
    let mut found: Vec<(u64, Leaf)> = found.into_iter().collect();
    found.sort_by_key(|(after, leaf)| (leaf.cost, mix(after ^ salt)));
    found.into_iter().map(|(_, leaf)| leaf).collect()
}

//! The pseudo-code of the paper's section 1, as it is printed and with each correction, on random trees beside plain
//! minimax. The engine's search `pvs` has the corrections.

use agon_claims::report::{Claim, Finding, PaperTable, Share, Statement, Unit};
use agon_games::rng;
use agon_report::plot::{Align, TextTable};

/// Number of random trees.
pub(super) const TREES: u64 = 1000;
/// Children of each node, and plies.
const WIDTH: usize = 4;
const DEPTH: u32 = 5;
/// Leaves have values below this.
const VALUES: u64 = 100;
/// Beyond every value.
const INFINITE: i32 = 1_000_000;

/// Which of the printed lines are corrected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Corrections {
    /// The min branch returns beta, the bound that it has lowered; printed: alpha.
    returns_beta: bool,
    /// The second search is for children whose null-window search failed; printed, at the level of the choice between
    /// first child and others, it is for the first child, too.
    first_child_once: bool,
    /// A null window has a width of 1, as in the pseudo-code; in the prose of section 1 alpha is beta.
    width_one: bool,
}

/// A version of the search, and what it did on the trees.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Version {
    pub name: &'static str,
    /// Trees whose minimax value it returns.
    pub right: u64,
    /// Mean number of nodes that it visits in a tree.
    pub nodes: f64,
}

/// A uniform tree.
struct Tree {
    leaves: Vec<i32>,
}

impl Tree {
    fn random(number: u64) -> Tree {
        let mut random = rng::stream(1, number, "tree");
        let count = WIDTH.pow(DEPTH);
        Tree { leaves: (0..count).map(|_| rng::below(&mut random, VALUES) as i32).collect() }
    }

    fn minimax(&self, node: usize, depth: u32, max: bool) -> i32 {
        if depth == 0 {
            return self.leaves[node];
        }
        let values = children(node).map(|child| self.minimax(child, depth - 1, !max));
        if max { values.max().unwrap_or(-INFINITE) } else { values.min().unwrap_or(INFINITE) }
    }
}

/// The children of a node have successive numbers in the next ply.
fn children(node: usize) -> std::ops::Range<usize> {
    node * WIDTH..(node + 1) * WIDTH
}

struct Search<'t> {
    tree: &'t Tree,
    corrections: Corrections,
    nodes: u64,
}

impl Search<'_> {
    /// The function `PVS` of section 1.
    fn pvs(&mut self, node: usize, depth: u32, [mut alpha, mut beta]: [i32; 2], max: bool) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.tree.leaves[node];
        }
        let width = i32::from(self.corrections.width_one);
        for (i, child) in children(node).enumerate() {
            let window = match (i, max) {
                (0, _) => [alpha, beta],
                (_, true) => [alpha, alpha + width],
                (_, false) => [beta - width, beta],
            };
            let mut value = self.pvs(child, depth - 1, window, !max);
            let again = i > 0 || !self.corrections.first_child_once;
            if again && alpha < value && value < beta {
                let window = if max { [value, beta] } else { [alpha, value] };
                value = self.pvs(child, depth - 1, window, !max);
            }
            if max {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        if max || !self.corrections.returns_beta { alpha } else { beta }
    }
}

/// The versions, from the printed one to the corrected one, and the prose's null window.
pub(super) fn versions() -> [Version; 4] {
    let with = |returns_beta, first_child_once, width_one| Corrections {
        returns_beta,
        first_child_once,
        width_one,
    };
    let trees: Vec<Tree> = (0..TREES).map(Tree::random).collect();
    let version = |(name, corrections)| {
        let (mut right, mut nodes) = (0, 0);
        for tree in &trees {
            let mut search = Search { tree, corrections, nodes: 0 };
            let value = search.pvs(0, DEPTH, [-INFINITE, INFINITE], true);
            right += u64::from(value == tree.minimax(0, DEPTH, true));
            nodes += search.nodes;
        }
        Version { name, right, nodes: nodes as f64 / TREES as f64 }
    };
    [
        ("as printed", with(false, false, true)),
        ("the min branch returns beta, not alpha", with(true, false, true)),
        ("and the first child is searched once (ours)", with(true, true, true)),
        ("ours with the null window of the prose, alpha = beta", with(true, true, false)),
    ]
    .map(version)
}

/// The versions as a table.
pub(super) fn table(versions: &[Version]) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["pseudo-code"]),
        (Align::Right, &["minimax value in", "nodes in a tree"]),
    ]);
    for v in versions {
        let right = format!("{} of {TREES}", v.right);
        table.row([v.name.to_string(), right, format!("{:.0}", v.nodes)]);
    }
    PaperTable {
        caption: "The pseudo-code of section 1, as printed and corrected".into(),
        table,
        notes: vec![format!(
            "On {TREES} random trees of {DEPTH} plies and {WIDTH} children a node. The printed code has three errors: the min \
             branch ends with `return alpha` instead of beta; the second search (`if alpha < value < beta`) stands behind \
             the choice between first child and others, so that the first child is searched twice; and the prose takes a \
             window with alpha = beta for a null window, where the code has (alpha, alpha + 1) and (beta - 1, beta). The \
             engine's `pvs` has the corrections."
        )],
    }
}

/// The pseudo-code of section 1, as printed and, as our finding, with its corrections.
pub(super) fn claims(versions: &[Version; 4]) -> Vec<Claim> {
    let words = |v: &Version| {
        let (right, nodes) = (v.right, v.nodes);
        format!("{}: right in {right} of {TREES} random trees, {nodes:.0} nodes in a tree", v.name)
    };
    let [printed, _, ours, _] = versions;
    let statement = Statement::paper(
        "section 1",
        "The pseudo-code returns the minimax value.",
        "伪代码返回极小极大值。",
    );
    let judged = |v: &Version| {
        let share = Share::of_set(TREES, TREES, Unit::Trees);
        statement.clone().judged(share, Finding::exact(v.right == TREES), words(v))
    };
    let all: Vec<String> = versions.iter().map(words).collect();
    let corrected = Statement::ours(
        "section 1",
        "With three corrections the pseudo-code returns the minimax value.",
        "改正三处之后，伪代码返回极小极大值。",
    )
    .judged(
        Share::of_set(TREES, TREES, Unit::Trees),
        Finding::exact(ours.right == TREES),
        all.join("; "),
    );
    vec![judged(printed), corrected]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_corrected_search_is_right_without_waste() {
        let [printed, beta, ours, prose] = versions();
        assert!(printed.right < TREES / 2, "{printed:?}");
        assert_eq!((beta.right, ours.right), (TREES, TREES));
        assert!(ours.nodes < 0.9 * beta.nodes, "{ours:?} {beta:?}");
        assert!(prose.right < TREES || prose.nodes > ours.nodes, "{prose:?}");
        let claims = claims(&[printed, beta, ours.clone(), prose]);
        agon_claims::claim::assert_bilingual(&claims);
        let verdicts: Vec<&str> = claims.iter().map(Claim::verdict_name).collect();
        assert_eq!(verdicts, ["not reproduced", "holds"]);
        let all: f64 = (0..=DEPTH).map(|ply| WIDTH.pow(ply) as f64).sum();
        assert!(ours.nodes < 0.6 * all, "it prunes: {}", ours.nodes);
    }
}

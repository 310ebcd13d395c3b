//! The parameters of the paper's search.

/// Whose wins selection maximises in the opponent's nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WinsOf {
    /// The wins of the player to move in the node.
    #[default]
    Mover,
    /// The engine's wins, in every node.
    Engine,
}

/// The parameters of the paper's search, with the paper's symbols.
#[derive(Clone, Copy, Debug)]
pub struct PaperMctsSettings {
    /// `i`: rounds in the tree of each root move.
    pub iterations: u32,
    /// `k`: playouts of each new node.
    pub simulations: u32,
    /// `c`: the factor of UCB1's exploration term (formula 1).
    pub exploration: f64,
    /// `Cp`: the factor of progressive bias (formula 2); `None` without it.
    pub bias: Option<f64>,
    /// `N0`: the initial visits of a new node by prior knowledge (formula 3); `None` without it.
    pub prior: Option<f64>,
    /// Whose wins count in selection.
    pub wins_of: WinsOf,
    /// The seed of all random streams.
    pub seed: u64,
}

#[cfg(test)]
impl PaperMctsSettings {
    /// Plain UCB1.
    pub(crate) fn for_tests() -> PaperMctsSettings {
        PaperMctsSettings {
            iterations: 1,
            simulations: 10,
            exploration: std::f64::consts::SQRT_2,
            bias: None,
            prior: None,
            wins_of: WinsOf::Mover,
            seed: 1,
        }
    }
}

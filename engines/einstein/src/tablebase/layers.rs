//! The order of solving, and the values solved so far.
//!
//! A move brings its stone one or two steps (rows plus columns) nearer to its goal and may capture a
//! stone. The positions with `few` stones of one side and `many` of the other are a component: they
//! lead to each other and, by captures, to components with one stone less. The layers of a component
//! are its blocks by the sum of all distances. A layer leads to the two layers before it, and by
//! captures to any layer of the smaller components.

use super::index::{Block, EinSteinIndexer, Squares, members};
use super::value::MAX_SIDE;
use agon_games::einstein::{CELLS, SIDE, goal, transpose};
use agon_games::game::Player;
use agon_tablebase::{Indexer, ScratchValues};

/// The values of a layer, block after block.
#[derive(Debug)]
pub enum LayerValues {
    /// In memory.
    Memory(Vec<u32>),
    /// In a scratch file.
    File(ScratchValues),
}

impl LayerValues {
    fn as_slice(&self) -> &[u32] {
        match self {
            LayerValues::Memory(values) => values,
            LayerValues::File(values) => values.as_slice(),
        }
    }
}

/// All positions with these numbers of stones, of either side to move.
#[derive(Debug)]
pub struct Component {
    few: usize,
    /// The number of entries of a block.
    pub block_len: usize,
    /// The first entry of the positions whose mover has `few` stones, and of the others.
    first: [usize; 2],
    /// The number of blocks whose mover has `few` stones.
    blocks: usize,
    /// The place of each block in its layer, by its number in the component.
    places: Vec<u32>,
    /// The unsolved blocks by distance.
    pub layers: Vec<Vec<Block>>,
    /// The solved layers that are kept, by distance.
    pub values: Vec<Option<LayerValues>>,
}

impl Component {
    /// The component, with nothing solved.
    pub fn new(index: &EinSteinIndexer, few: usize, many: usize) -> Component {
        let mut blocks = index.blocks(few, many);
        let (first, few_blocks) = (blocks[0].first, blocks.len());
        let mut firsts = [first; 2];
        if few != many {
            let others = index.blocks(many, few);
            firsts[1] = others[0].first;
            blocks.extend(others);
        }
        let mut layers: Vec<Vec<Block>> = Vec::new();
        let place = |block: &Block| {
            let distance = distance(block.mover, block.opponent);
            if layers.len() <= distance {
                layers.resize_with(distance + 1, Vec::new);
            }
            layers[distance].push(*block);
            layers[distance].len() as u32 - 1
        };
        let places = blocks.iter().map(place).collect();
        let values = layers.iter().map(|_| None).collect();
        let block_len = index.block_len(few, many);
        Component { few, block_len, first: firsts, blocks: few_blocks, places, layers, values }
    }

    /// The values of a solved block.
    fn entries(&self, mover: Squares, opponent: Squares, first: usize) -> &[u32] {
        let turned = usize::from(mover.count_ones() as usize != self.few);
        let number = turned * self.blocks + (first - self.first[turned]) / self.block_len;
        let start = self.places[number] as usize * self.block_len;
        let layer = self.values[distance(mover, opponent)].as_ref();
        &layer.map_or(&[][..], LayerValues::as_slice)[start..start + self.block_len]
    }
}

/// The components that are solved or being solved.
#[derive(Debug, Default)]
pub struct SolvedComponents {
    /// Indexed by the smaller and the larger number of stones of a side.
    components: [[Option<Component>; MAX_SIDE + 1]; MAX_SIDE + 1],
}

impl SolvedComponents {
    /// The component with these numbers of stones.
    pub fn component(&mut self, few: usize, many: usize) -> &mut Option<Component> {
        &mut self.components[few][many]
    }

    /// Drops the components with this number of stones.
    pub fn forget(&mut self, stones: usize) {
        for few in 1..=stones / 2 {
            if stones - few <= MAX_SIDE {
                self.components[few][stones - few] = None;
            }
        }
    }

    /// The values of the solved block that begins at entry `first`.
    ///
    /// # Panics
    ///
    /// The block is not solved, or its layer was dropped.
    pub fn entries(&self, mover: Squares, opponent: Squares, first: usize) -> &[u32] {
        let counts = [mover, opponent].map(|set| set.count_ones() as usize);
        let (few, many) = (counts[0].min(counts[1]), counts[0].max(counts[1]));
        match &self.components[few][many] {
            Some(component) => component.entries(mover, opponent, first),
            None => &[],
        }
    }
}

/// The steps along rows and columns from all stones to their goals.
fn distance(mover: Squares, opponent: Squares) -> usize {
    let movers: usize = members(mover).map(|s| steps(s)[0]).sum();
    movers + members(opponent).map(|s| steps(s)[1]).sum::<usize>()
}

/// The steps from a square to the mover's goal and to the opponent's.
fn steps(square: u8) -> [usize; 2] {
    let from_top_left = usize::from(square) / SIDE + usize::from(square) % SIDE;
    [2 * (SIDE - 1) - from_top_left, from_top_left]
}

/// The memory and disk space of a build, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// For the values, without scratch files.
    pub memory: u64,
    /// For the tablebase and its scratch files.
    pub disk: u64,
}

impl Needs {
    /// The needs of a tablebase.
    pub fn of(index: &EinSteinIndexer) -> Needs {
        let largest = index.stones();
        let component = |few, many| {
            let len = 4 * index.block_len(few, many) as u64;
            layer_blocks(few, many).into_iter().map(move |blocks| blocks * len).collect::<Vec<_>>()
        };
        let total = |stones: usize| -> u64 {
            (1..=stones / 2).flat_map(|few| component(few, stones - few)).sum()
        };
        let window = |few| {
            let layers = component(few, largest - few);
            layers.windows(3).map(|w| w.iter().sum()).max().unwrap_or(0)
        };
        // Of the largest number of stones, three layers of one component are kept.
        let windows: u64 = (1..=largest / 2).map(window).max().unwrap_or(0);
        let whole = (3..largest).map(|stones| total(stones - 1) + total(stones)).max();
        let memory = whole.unwrap_or(0).max(total(largest - 1) + windows);
        let smaller: u64 = (2..largest).map(total).sum();
        // Checksums and the last layers of each component are less than a thousandth.
        let output = 2 * index.len() * 501 / 500;
        Needs { memory, disk: output + smaller + windows + (1 << 20) }
    }
}

/// The number of blocks in each layer of a component: half of all pairs of sets, and half of those
/// that reflection leaves as they are.
fn layer_blocks(few: usize, many: usize) -> Vec<u64> {
    let squares = || 0..CELLS as u8;
    let each = squares().map(|s| vec![s]);
    let pairs = squares().filter(|&s| s <= transpose(s));
    let pairs = pairs.map(|s| if s == transpose(s) { vec![s] } else { vec![s, transpose(s)] });
    let all = placements(each, few, many);
    let symmetric = placements(pairs, few, many);
    let blocks = all.iter().zip(symmetric).map(|(all, symmetric)| (all + symmetric) / 2);
    let materials = if few == many { 1 } else { 2 };
    blocks.map(|blocks| materials * blocks).collect()
}

/// The number of ways to give whole groups of squares to a mover of `movers` stones and an opponent
/// of `opponents`, by the sum of distances.
fn placements(groups: impl Iterator<Item = Vec<u8>>, movers: usize, opponents: usize) -> Vec<u64> {
    let most = 2 * (SIDE - 1) * (movers + opponents);
    let mut ways = vec![vec![vec![0; most + 1]; opponents + 1]; movers + 1];
    ways[0][0][0] = 1;
    for group in groups {
        let mut next = ways.clone();
        for (side, player) in Player::BOTH.into_iter().enumerate() {
            if group.contains(&goal(player)) {
                continue;
            }
            let far: usize = group.iter().map(|&s| steps(s)[side]).sum();
            let size = [group.len() * (1 - side), group.len() * side];
            for m in size[0]..=movers {
                for o in size[1]..=opponents {
                    for d in far..=most {
                        next[m][o][d] += ways[m - size[0]][o - size[1]][d - far];
                    }
                }
            }
        }
        ways = next;
    }
    std::mem::take(&mut ways[movers][opponents])
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::einstein::MissingDie;

    #[test]
    fn the_layers_have_the_sizes_that_the_needs_are_computed_from() {
        let index = EinSteinIndexer::new(5, MissingDie::Next).unwrap();
        for (few, many) in [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4), (2, 3)] {
            let component = Component::new(&index, few, many);
            let found: Vec<u64> = component.layers.iter().map(|l| l.len() as u64).collect();
            let expected = layer_blocks(few, many);
            assert_eq!(found, expected[..found.len()], "{few} and {many}");
            assert!(expected[found.len()..].iter().all(|&blocks| blocks == 0));
        }
        let six = EinSteinIndexer::new(6, MissingDie::Next).unwrap();
        let values = |few, many| {
            layer_blocks(few, many).iter().sum::<u64>() * six.block_len(few, many) as u64
        };
        assert_eq!(six.len(), index.len() + values(1, 5) + values(2, 4) + values(3, 3));
    }
}

//! Networks of convolutions for games on a square board, where a move is a point or a few of them in turn.
//!
//! A position is a few sets of points, the planes. A first layer of 3x3 convolutions makes [`CHANNELS`] numbers for each
//! point of them, and residual blocks of two more layers each change these (He et al. 2016, without normalisation).
//! A point's policy is a weighted sum of its numbers; the value comes from the mean of each channel over the board, by
//! one hidden layer. All activations lie between 0 and [`MOST`].
//!
//! - [`network`]: inference in 16-bit integers; its layers are in `layer`
//! - [`positions`]: training positions, with the symmetries of the board
//! - [`model`]: the network in floating point, and the gradient of its loss
//!
//! The vectors are those of the crate `wide`, which uses what the program is compiled for; the results are the same
//! everywhere.

mod kernels;
mod layer;
pub mod model;
pub mod network;
pub mod positions;
#[cfg(test)]
mod tests;

/// The numbers that each layer has for each point.
pub const CHANNELS: usize = 32;
/// The planes of a position; a game that has fewer leaves the last ones empty.
pub const PLANES: usize = 8;
/// The largest activation.
pub const MOST: f32 = 8.0;
/// The points of a 3x3 convolution.
const TAPS: usize = 9;
/// Points that are computed together.
const POINTS_TOGETHER: usize = 5;

/// The shape of a game's networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShape {
    /// The game and the version of its planes, such as `nogo-2`.
    pub game: &'static str,
    /// Points in a row and in a column, at most 10.
    pub side: usize,
    /// Residual blocks.
    pub blocks: usize,
}

impl BoardShape {
    /// Where the tensors of the weights lie in one list: the layers in their order, each with its biases, then the heads.
    fn layout(&self) -> Layout {
        Layout { blocks: self.blocks }
    }

    fn grid(&self) -> Grid {
        Grid { side: self.side }
    }
}

/// The numbering of points: those of a row follow each other, and behind each row one place is empty. So a set of points
/// fits in 128 bits, and a neighbour's number differs by the same amount everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    side: usize,
}

impl Grid {
    /// From one row to the next.
    fn stride(self) -> usize {
        self.side + 1
    }

    /// The places of all rows, rounded up to whole tiles.
    fn area(self) -> usize {
        (self.side * self.stride()).next_multiple_of(POINTS_TOGETHER)
    }

    /// The length of a buffer with an empty margin before and behind; point 0 is at [`Grid::margin`].
    fn length(self) -> usize {
        let rows = 2 * self.tiles() + 2;
        (self.area() + 2 * self.margin()).max(rows * self.stride() + 2)
    }

    fn margin(self) -> usize {
        self.stride() + 1
    }

    /// Tiles of 2x2 points in a row and in a column of them; the last ones overlap the edge of an odd board.
    fn tiles(self) -> usize {
        self.side.div_ceil(2)
    }

    /// The place in a buffer of the point before and above a square.
    fn first(self, tile: usize) -> usize {
        2 * (tile / self.tiles() * self.stride() + tile % self.tiles())
    }

    /// The points of a tile on the board: their numbers in the tile and their places in a buffer.
    fn corners(self, tile: usize) -> impl Iterator<Item = (usize, usize)> {
        let (row, column) = (tile / self.tiles() * 2, tile % self.tiles() * 2);
        let on_board =
            move |corner: &usize| row + corner / 2 < self.side && column + corner % 2 < self.side;
        let place = move |corner: usize| {
            (row + corner / 2) * self.stride() + column + corner % 2 + self.margin()
        };
        (0..4).filter(on_board).map(move |corner| (corner, place(corner)))
    }

    /// The distance of a point of a convolution from the first one, for 0 to 8.
    fn tap(self, tap: usize) -> usize {
        tap / 3 * self.stride() + tap % 3
    }

    /// The numbers of the board's points.
    fn points(self) -> impl Iterator<Item = usize> {
        (0..self.side)
            .flat_map(move |row| (0..self.side).map(move |column| row * self.stride() + column))
    }

    /// What a point becomes in a symmetry, 0 to 7: bit 0 mirrors the columns, bit 1 the rows, bit 2 exchanges them.
    fn image(self, point: usize, symmetry: usize) -> usize {
        let (column, row) = (point % self.stride(), point / self.stride());
        let last = self.side - 1;
        let column = if symmetry & 1 == 0 { column } else { last - column };
        let row = if symmetry & 2 == 0 { row } else { last - row };
        let [column, row] = if symmetry & 4 == 0 { [column, row] } else { [row, column] };
        row * self.stride() + column
    }
}

/// Ranges of the weights.
#[derive(Clone, Copy, Debug)]
struct Layout {
    blocks: usize,
}

/// What a weight is, which decides its unit and its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Of a convolution.
    Layer,
    /// Of the policy or the value.
    Head,
    Bias,
}

impl Layout {
    /// Weights of the first layer: by tap, by plane, by channel.
    const STEM: usize = TAPS * PLANES * CHANNELS;
    /// Weights of another layer: by tap, by channel before, by channel.
    const INNER: usize = TAPS * CHANNELS * CHANNELS;
    /// Weights of the hidden layer of the value.
    const HIDDEN: usize = CHANNELS * CHANNELS;

    /// The first weight of a layer, and the number of its weights; its biases follow. Layer 0 is the first.
    fn layer(self, layer: usize) -> (usize, usize) {
        match layer.checked_sub(1) {
            None => (0, Layout::STEM),
            Some(inner) => {
                (Layout::STEM + CHANNELS + inner * (Layout::INNER + CHANNELS), Layout::INNER)
            }
        }
    }

    /// Layers of convolutions.
    fn layers(self) -> usize {
        1 + 2 * self.blocks
    }

    /// The first weight of the policy; its bias follows.
    fn policy(self) -> usize {
        self.layer(self.layers()).0
    }

    /// The first weight of the hidden layer of the value; its biases, the weights of the value and its bias follow.
    fn hidden(self) -> usize {
        self.policy() + CHANNELS + 1
    }

    /// The first weight of the value.
    fn value(self) -> usize {
        self.hidden() + Layout::HIDDEN + CHANNELS
    }

    /// The number of weights.
    fn count(self) -> usize {
        self.value() + CHANNELS + 1
    }

    /// All tensors in their order.
    fn tensors(self) -> Vec<(Kind, usize)> {
        let layers = (0..self.layers())
            .flat_map(|layer| [(Kind::Layer, self.layer(layer).1), (Kind::Bias, CHANNELS)]);
        let policy = [(Kind::Head, CHANNELS), (Kind::Bias, 1)];
        let value = [
            (Kind::Head, Layout::HIDDEN),
            (Kind::Bias, CHANNELS),
            (Kind::Head, CHANNELS),
            (Kind::Bias, 1),
        ];
        layers.chain(policy).chain(value).collect()
    }
}

impl Kind {
    /// What stands for 1 in the integer weights.
    fn one(self) -> f32 {
        match self {
            Kind::Layer => 1024.0,
            Kind::Head => 512.0,
            Kind::Bias => 2048.0,
        }
    }

    /// The largest absolute integer weight.
    fn limit(self) -> i16 {
        match self {
            Kind::Layer => 1023,
            Kind::Head => 2047,
            Kind::Bias => 16_383,
        }
    }
}

//! Layouts up to symmetry: relabelling one side's numbers by `n -> 7 - n`, and reflecting the board
//! in the diagonal.
//!
//! Relabelling one side alone keeps every value. Reflecting one side alone does not, but a player
//! may reflect its layout at random: then only the class counts. No layout is its own image, so the
//! 720 layouts form 180 classes of four.

use agon_games::Player;
use agon_games::einstein::{Layout, home, transpose};

/// Numbers on the home squares as the first player sees its own, in reading order; the second
/// player's board is rotated by 180 degrees.
pub type Numbers = [u8; 6];

/// The number of classes.
pub const CLASSES: usize = 180;

/// The layout of a player with these numbers.
pub fn layout(player: Player, mut numbers: Numbers) -> Option<Layout> {
    if player == Player::Second {
        numbers.reverse();
    }
    Layout::from_numbers(numbers)
}

/// The four images of a layout: itself, reflected, relabelled, both.
pub fn images(numbers: Numbers) -> [Numbers; 4] {
    let reflected = reflect(numbers);
    let relabelled = |numbers: Numbers| numbers.map(|n| 7 - n);
    [numbers, reflected, relabelled(numbers), relabelled(reflected)]
}

/// The layout reflected in the diagonal.
pub fn reflect(numbers: Numbers) -> Numbers {
    let squares = home(Player::First);
    let at = |square| squares.iter().position(|&s| s == square).unwrap_or(0);
    std::array::from_fn(|i| numbers[at(transpose(squares[i]))])
}

/// The smallest image of each class, in ascending order.
pub fn representatives() -> Vec<Numbers> {
    let all = (0..Layout::COUNT).filter_map(Layout::from_rank).map(Layout::numbers);
    all.filter(|&numbers| images(numbers).into_iter().all(|image| numbers <= image)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_720_layouts_form_180_classes_of_four() {
        let classes = representatives();
        assert_eq!(classes.len(), CLASSES);
        let all: BTreeSet<Numbers> = classes.into_iter().flat_map(images).collect();
        assert_eq!(all.len(), 720);
        assert_eq!(reflect([1, 2, 3, 4, 5, 6]), [1, 4, 6, 2, 5, 3]);
    }

    #[test]
    fn both_players_see_their_own_corner_first() {
        let corner = |player| layout(player, [1, 2, 3, 4, 5, 6]).map(Layout::numbers);
        assert_eq!(corner(Player::First), Some([1, 2, 3, 4, 5, 6]));
        assert_eq!(corner(Player::Second), Some([6, 5, 4, 3, 2, 1]));
    }
}

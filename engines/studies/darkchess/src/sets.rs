//! Enumerates all material combinations of a given number of pieces, with or without hidden pieces.

use crate::material::{Counts, KINDS, LIMITS, Material};

/// Open and hidden pieces of one side.
type Side = [Counts; 2];

/// Calls `visit` with all combinations of `pieces` pieces with both sides present, with no hidden
/// piece or with at least one.
///
/// There are 8,497,176 combinations of more than two pieces without hidden pieces, and
/// 239,980,775,397 with them; of 8 pieces, 80,551 and 11,741,485.
pub fn visit_sets(pieces: usize, hidden: bool, mut visit: impl FnMut(&Material)) {
    for red in 1..pieces {
        let blacks = sides(pieces - red, hidden);
        for [red_open, red_hidden] in sides(red, hidden) {
            for &[open, face_down] in &blacks {
                let set = Material::within_limits([red_open, open], [red_hidden, face_down]);
                if !hidden || !set.is_revealed() {
                    visit(&set);
                }
            }
        }
    }
}

/// All ways to choose `pieces` pieces of one side, open only or open and hidden.
fn sides(pieces: usize, hidden: bool) -> Vec<Side> {
    let mut found = Vec::new();
    extend(&mut Side::default(), 0, pieces, hidden, &mut found);
    found
}

fn extend(side: &mut Side, kind: usize, left: usize, hidden: bool, found: &mut Vec<Side>) {
    if kind == KINDS {
        if left == 0 {
            found.push(*side);
        }
        return;
    }
    let room = usize::from(LIMITS[kind]).min(left);
    for open in 0..=room {
        for face_down in 0..=if hidden { room - open } else { 0 } {
            side[0][kind] = open as u8;
            side[1][kind] = face_down as u8;
            extend(side, kind + 1, left - open - face_down, hidden, found);
        }
    }
    side[0][kind] = 0;
    side[1][kind] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_count::count_classes;
    use std::collections::BTreeSet;

    #[test]
    fn sets_of_each_size_are_as_many_as_are_counted_and_none_comes_twice() {
        let counted = count_classes((1, 1));
        for pieces in 2..=5 {
            for (hidden, counts) in [(false, counted.revealed), (true, counted.hidden)] {
                let mut all: Vec<Material> = Vec::new();
                visit_sets(pieces, hidden, |m| all.push(*m));
                assert_eq!(all.len() as u64, counts.sets[pieces]);
                assert!(all.iter().all(|m| m.len() == pieces && m.is_revealed() != hidden));
                assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            }
        }
    }
}

//! Permutations of a sorted list that only reorder ties.

use std::ops::Range;

/// The maximal runs of adjacent elements with equal keys.
pub fn runs<T, K: PartialEq>(items: &[T], key: impl Fn(&T) -> K) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 1..=items.len() {
        if end == items.len() || key(&items[end]) != key(&items[start]) {
            runs.push(start..end);
            start = end;
        }
    }
    runs
}

/// Calls `visit` with every permutation of `items` that keeps each element within its run, the
/// given order first. Runs of one element add no cost.
pub fn rearrange<T>(items: &mut [T], runs: &[Range<usize>], visit: &mut impl FnMut(&[T])) {
    from(items, runs, runs.first().map_or(0, |r| r.start), visit);
}

fn from<T>(items: &mut [T], runs: &[Range<usize>], at: usize, visit: &mut impl FnMut(&[T])) {
    let Some((run, rest)) = runs.split_first() else {
        return visit(items);
    };
    if at + 1 >= run.end {
        return from(items, rest, run.end, visit);
    }
    for i in at..run.end {
        items.swap(at, i);
        from(items, runs, at + 1, visit);
        items.swap(at, i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rearrangement_within_ties_is_visited_once() {
        let mut items = [(0, 'a'), (1, 'b'), (1, 'c'), (1, 'd'), (2, 'e'), (3, 'f'), (3, 'g')];
        let given = items;
        let runs = runs(&items, |i| i.0);
        assert_eq!(runs, [0..1, 1..4, 4..5, 5..7]);
        let mut seen = Vec::new();
        rearrange(&mut items, &runs, &mut |order| seen.push(order.to_vec()));
        assert_eq!(seen[0], given);
        assert!(seen.iter().all(|order| order.is_sorted_by_key(|i| i.0)));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 12);
        assert_eq!(items, given);
    }
}

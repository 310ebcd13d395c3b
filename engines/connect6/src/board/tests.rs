//! Tests the incremental board against scans of all 924 windows.

use super::geometry::LINE_BITS;
use super::pattern::containing;
use super::*;
use agon_games::Game;
use agon_games::connect6::{Connect6, Connect6Rules, POINTS};
use agon_games::rng;

/// Every window of a board of this size, as points.
fn windows(size: usize) -> Vec<[u16; 6]> {
    let mut all = Vec::new();
    for column in 0..size as isize {
        for row in 0..size as isize {
            for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |k: isize| {
                    let (c, r) = (column + k * dc, row + k * dr);
                    let inside = (0..size as isize).contains(&c) && (0..size as isize).contains(&r);
                    inside.then(|| (c * 19 + r) as u16)
                };
                let points: Vec<u16> = (0..6).filter_map(at).collect();
                all.extend(<[u16; 6]>::try_from(points));
            }
        }
    }
    all
}

/// The stones of a window, if it is open to the colour.
fn count(board: &WindowBoard, window: &[u16; 6], colour: usize) -> Option<usize> {
    let stones = window.map(|p| board.colour(p));
    let own = stones.iter().filter(|s| **s == Some(colour)).count();
    stones.iter().all(|s| s.is_none_or(|c| c == colour)).then_some(own)
}

/// The windows with two, three and four or more stones that have an open neighbour on either side.
fn free_by_scan(board: &WindowBoard, colour: usize) -> [usize; 3] {
    let all = windows(board.size());
    let open: Vec<&[u16; 6]> = all.iter().filter(|w| count(board, w, colour).is_some()).collect();
    let next = |a: &[u16; 6], b: &[u16; 6]| a[1..] == b[..5];
    let mut free = [0; 3];
    for w in &open {
        let stones = count(board, w, colour).unwrap_or(0);
        let both = open.iter().any(|o| next(o, w)) && open.iter().any(|o| next(w, o));
        if stones >= 2 && both {
            free[stones.min(4) - 2] += 1;
        }
    }
    free
}

/// The minimum number of points that hit every window with four or more stones, by trying all sets.
fn number_by_trying(board: &WindowBoard, colour: usize) -> usize {
    let all = windows(board.size());
    let fours = all.iter().filter(|w| count(board, w, colour).is_some_and(|n| n >= 4));
    let edges: Vec<Vec<u16>> =
        fours.map(|w| w.iter().copied().filter(|p| board.is_empty(*p)).collect()).collect();
    let points: Vec<u16> = edges.iter().flatten().copied().collect();
    let hit = |set: &[u16]| edges.iter().all(|e| e.iter().any(|p| set.contains(p)));
    if hit(&[]) {
        0
    } else if points.iter().any(|a| hit(&[*a])) {
        1
    } else if points.iter().any(|a| points.iter().any(|b| hit(&[*a, *b]))) {
        2
    } else {
        3
    }
}

/// A random board with many lines, without six in a row.
fn random_board(index: u64, size: usize) -> WindowBoard {
    let mut stream = rng::stream(index, 0, "random board");
    let mut board = WindowBoard::new(size);
    let points: Vec<u16> = board.empties().collect();
    let stones = rng::below(&mut stream, points.len() as u64 / 2);
    for _ in 0..stones {
        let colour = rng::below(&mut stream, 2) as usize;
        let near = |b: &WindowBoard, p: u16| b.delta(colour, p);
        let draw = |s: &mut _| points[rng::below(s, points.len() as u64) as usize];
        let some: Vec<u16> = (0..4).map(|_| draw(&mut stream)).collect();
        let best = some.into_iter().filter(|p| board.is_empty(*p)).max_by_key(|p| near(&board, *p));
        if let Some(point) = best {
            board.place(colour, point);
            if board.threats(colour).is_six() {
                board.remove();
            }
        }
    }
    board
}

#[test]
fn windows_and_threats_are_those_of_a_full_scan() {
    let mut seen = [0; 4];
    for index in 0..400 {
        let size = [19, 13, 9][index as usize % 3];
        let board = random_board(index, size);
        for colour in 0..2 {
            let mut by_count = [0; 7];
            for window in &windows(size) {
                if let Some(n) = count(&board, window, colour) {
                    by_count[n] += 1;
                }
            }
            let score: i32 = (1..=6).map(|n| by_count[n] * WINDOW_VALUES[n.min(4) - 1]).sum();
            assert_eq!(board.score(colour), score);
            let (window_counts, all) = (board.window_counts(colour), by_count);
            assert_eq!(window_counts.windows(), [all[1], all[2], all[3], all[4..].iter().sum()]);
            let edge_distance: usize = (0..19 * 19)
                .filter(|p| board.colour(*p) == Some(colour))
                .map(|p| (usize::from(p) / 19, usize::from(p) % 19))
                .map(|(c, r)| c.min(r).min(size - 1 - c).min(size - 1 - r))
                .sum();
            assert_eq!(window_counts.edge_distance(), edge_distance as i32);
            assert_eq!(
                board.free_windows(colour).map(|n| n as usize),
                free_by_scan(&board, colour)
            );
            let number = number_by_trying(&board, colour);
            seen[number] += 1;
            assert_eq!(board.threats(colour).count(), number);
            let defences = board.threats(colour).defences();
            assert_eq!(defences.threats, number);
            check_defences(&board, colour, &defences);
        }
    }
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
}

/// A pair of empty points stops all threats if and only if it is one of the defences.
fn check_defences(board: &WindowBoard, colour: usize, defences: &Defences) {
    if defences.threats == 0 || defences.threats == 3 {
        return assert!(defences.single.is_empty() && defences.pairs.is_empty());
    }
    let threats = board.threats(colour);
    let points: Vec<u16> = threats.windows().iter().flat_map(|t| [t.a, t.b]).collect();
    for &a in &points {
        let alone = threats.windows().iter().all(|t| t.has(a));
        assert_eq!(defences.single.contains(&a), alone);
        for &b in points.iter().filter(|b| **b > a) {
            let both = threats.windows().iter().all(|t| t.has(a) || t.has(b));
            let listed = defences.pairs.contains(&[a, b])
                || defences.single.contains(&a)
                || defences.single.contains(&b);
            assert_eq!(listed, both);
        }
    }
}

#[test]
fn the_delta_of_a_stone_is_what_the_score_rises_by() {
    for index in 0..60 {
        let mut board = random_board(index, 19);
        for colour in 0..2 {
            for point in board.empties().collect::<Vec<_>>() {
                let before = board.score(colour);
                let delta = board.delta(colour, point);
                board.place(colour, point);
                // Windows that grow beyond four stones keep their value.
                assert_eq!(board.score(colour) - before, delta);
                board.remove();
            }
        }
    }
}

#[test]
fn the_deltas_of_all_points_are_those_of_each() {
    let (steps, factors) = ([12, 56, 189, 297], [80, 64]);
    for index in 0..90 {
        let size = [19, 13, 6][index as usize % 3];
        let board = random_board(index, size);
        let values = board.deltas_by(&steps, factors);
        for p in board.empties() {
            let [black, white] = [0, 1].map(|colour| board.delta_by(&steps, colour, p));
            assert_eq!(values[usize::from(p)], factors[0] * black + factors[1] * white);
        }
    }
}

#[test]
fn removing_stones_restores_the_board() {
    for index in 0..100 {
        let mut stream = rng::stream(index, 1, "undo");
        let mut board = random_board(index, 19);
        let before = board.clone();
        let depth = board.placed();
        for _ in 0..20 {
            let empties: Vec<u16> = board.empties().collect();
            let point = empties[rng::below(&mut stream, empties.len() as u64) as usize];
            board.place(rng::below(&mut stream, 2) as usize, point);
        }
        board.rewind(depth);
        assert_eq!(board.lines, before.lines);
        assert_eq!((board.totals, board.hash), (before.totals, before.hash));
        assert_eq!(board.cells, before.cells);
    }
}

#[test]
fn points_in_threes_are_those_where_a_stone_makes_a_four() {
    for index in 0..60 {
        let mut board = random_board(index, 19);
        let mut points = std::collections::BTreeSet::new();
        board.visit_three_points(0, |p| {
            points.insert(p);
        });
        for point in board.empties().collect::<Vec<_>>() {
            let fours = |b: &WindowBoard| {
                let open = |w: &&[u16; 6]| count(b, w, 0).is_some_and(|n| n == 4);
                windows(19).iter().filter(open).filter(|w| w.contains(&point)).count()
            };
            board.place(0, point);
            let makes = fours(&board) > 0;
            board.remove();
            assert_eq!(points.contains(&point), makes);
        }
    }
}

#[test]
fn pairs_that_make_threats_on_a_line_are_those_that_do_once_placed() {
    let mut found = [0; 2];
    for index in 0..60 {
        let mut board = random_board(index, [9, 13, 19][index as usize % 3]);
        let all = windows(board.size());
        for colour in 0..2 {
            if number_by_trying(&board, colour) > 0 {
                continue;
            }
            // Stones that make no threat alone make one together only on the line that they share.
            let threes: Vec<u16> = all
                .iter()
                .filter(|w| count(&board, w, colour) == Some(3))
                .flatten()
                .copied()
                .collect();
            let points: Vec<u16> = board.empties().filter(|p| !threes.contains(p)).collect();
            let mut pairs = [Vec::new(), Vec::new()];
            let [doubles, fours] = &mut pairs;
            let note = |pairs: &mut Vec<[u16; 2]>, p: u16, q: u16| {
                if !threes.contains(&p) && !threes.contains(&q) {
                    pairs.push([p.min(q), p.max(q)]);
                }
            };
            board.visit_line_doubles(colour, |p, q| note(doubles, p, q));
            board.visit_line_fours(colour, |p, q| note(fours, p, q));
            pairs.iter_mut().for_each(|pairs| pairs.sort_unstable());
            let mut made = [Vec::new(), Vec::new()];
            for (i, &p) in points.iter().enumerate() {
                for &q in &points[i + 1..] {
                    board.place(colour, p);
                    board.place(colour, q);
                    match board.threats(colour).count() {
                        0 => {}
                        1 => made[1].push([p, q]),
                        _ => made.iter_mut().for_each(|made| made.push([p, q])),
                    }
                    board.remove();
                    board.remove();
                }
            }
            assert_eq!(pairs, made, "{index}");
            (0..2).for_each(|i| found[i] += made[i].len());
        }
    }
    assert!(found[0] > 50 && found[1] > 2 * found[0], "{found:?}");
}

#[test]
fn the_figure_with_one_two_and_three_threats() {
    // Figure 10: a four with one end closed, an open four, and one of each.
    for (fen, number) in [
        ("9/9/9/9/OXXXX4/9/9/9/9 o", 1),
        ("9/9/9/9/2XXXX3/9/9/9/9 o", 2),
        ("XXXX5/9/9/9/2XXXX3/9/9/9/9 o", 3),
        ("9/9/9/OXXX1X3/9/9/9/9/9 o", 1),
    ] {
        let game = Connect6::parse_fen(fen, &Connect6Rules::default()).unwrap();
        assert_eq!(WindowBoard::from_game(&game).threats(0).count(), number, "{fen}");
    }
}

/// Places a stone near the centre or removes up to ten, as a search does; returns another point
/// near the centre.
pub(crate) fn random_step(board: &mut WindowBoard, stream: &mut rng::Stream) -> u16 {
    let mut point = || (19 * (6 + rng::below(stream, 7)) + 6 + rng::below(stream, 7)) as u16;
    let (p, q) = (point(), point());
    if board.placed() < 30 && board.is_empty(p) {
        board.place(rng::below(stream, 2) as usize, p);
    } else {
        let left = rng::below(stream, 10) as usize;
        board.rewind(board.placed().saturating_sub(left));
    }
    q
}

/// The windows with four or more stones, each once.
fn edges(threats: &Threats) -> Vec<FourWindow> {
    let mut edges = threats.windows().to_vec();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether a window with four or more stones of a colour contains both points.
fn four_of_both(board: &WindowBoard, colour: usize, a: u16, b: u16) -> bool {
    LINE_BITS[usize::from(a)].iter().zip(&LINE_BITS[usize::from(b)]).any(|(x, y)| {
        let four = board.lines[usize::from(x.line)].patterns[colour].four();
        let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
        x.line == y.line && four & both != 0
    })
}

/// Calls `check` with random boards, a colour without a window with four, and two empty points, the
/// second chosen to combine well with the first.
fn with_random_turns(mut check: impl FnMut(&mut WindowBoard, usize, [u16; 2])) {
    let mut stream = rng::stream(1, 0, "previews");
    for index in 0..3000 {
        let mut board = random_board(index, [9, 13, 19][index as usize % 3]);
        let points: Vec<u16> = board.empties().collect();
        for colour in 0..2 {
            if board.has_four(colour) || points.len() < 2 {
                continue;
            }
            for _ in 0..40 {
                let draw = |s: &mut _| points[rng::below(s, points.len() as u64) as usize];
                let p = draw(&mut stream);
                let some: Vec<u16> =
                    (0..6).map(|_| draw(&mut stream)).filter(|q| *q != p).collect();
                let both = |q: u16| board.delta(colour, q) + board.joint_delta(colour, [p, q]);
                if let Some(q) = some.into_iter().max_by_key(|q| both(*q)) {
                    check(&mut board, colour, [p, q]);
                }
            }
        }
    }
}

fn place_both(board: &mut WindowBoard, colour: usize, turn: [u16; 2]) {
    turn.into_iter().for_each(|p| board.place(colour, p));
}

#[test]
fn the_threats_of_a_previewed_turn_are_those_on_the_board_after_it() {
    let mut doubles = 0;
    with_random_turns(|board, colour, [p, q]| {
        let from = board.placed();
        let (alone, preview) = (board.preview_stone(colour, p), board.preview(colour, [p, q]));
        board.place(colour, p);
        let mut made = Threats::default();
        alone.threats(&mut made);
        assert_eq!(edges(&made), edges(&board.threats(colour)));
        board.place(colour, q);
        let threats = board.threats(colour);
        if let Some(preview) = preview {
            let mut made = Threats::default();
            preview.threats(&mut made);
            assert_eq!(edges(&made), edges(&threats));
            doubles += usize::from(made.count() == 2);
            check_uses(board, colour, [p, q], &preview);
        } else {
            assert!(threats.count() < 2);
        }
        board.rewind(from);
    });
    assert!(doubles > 500, "{doubles}");
}

/// The turn is on the board; the windows tell which of its stones the threats use.
fn check_uses(board: &WindowBoard, colour: usize, turn: [u16; 2], preview: &ThreatPreview) {
    for (i, stone) in turn.into_iter().enumerate() {
        let on_lines = LINE_BITS[usize::from(stone)];
        let without = board.totals[colour].lines.four.lines().any(|l| {
            let here = on_lines.iter().find(|x| usize::from(x.line) == l);
            let around = here.map_or(0, |x| containing(u32::from(x.bit)));
            board.lines[l].patterns[colour].four() & !around != 0
        });
        assert_eq!(preview.has_without(i), without);
        let threat_stones = board.threat_stones(colour, stone);
        let points: Vec<u16> = threat_stones.iter().flat_map(ThreatStones::points).collect();
        for r in (0..POINTS as u16).filter(|r| board.colour(*r) == Some(colour)) {
            let uses = four_of_both(board, colour, stone, r);
            assert_eq!(preview.uses([i == 0, i == 1], r), uses);
            assert_eq!(threat_stones.iter().any(|line| line.has(r)), uses);
            assert_eq!(points.contains(&r), uses);
        }
    }
    assert_eq!(preview.has_both(), four_of_both(board, colour, turn[0], turn[1]));
}

#[test]
fn what_two_stones_add_and_the_attack_lines_they_make_are_known_before() {
    with_random_turns(|board, colour, [p, q]| {
        let (from, score) = (board.placed(), board.score(colour));
        let delta = board.delta(colour, p) + board.delta(colour, q);
        let delta = delta + board.joint_delta(colour, [p, q]);
        let lines = [(p, q), (q, p)].map(|(a, b)| board.creates_attack_line(colour, a, b));
        place_both(board, colour, [p, q]);
        assert_eq!(delta, board.score(colour) - score);
        let made = [p, q].map(|stone| {
            LINE_BITS[usize::from(stone)].iter().any(|x| {
                let w = &board.lines[usize::from(x.line)].patterns[colour];
                let around = containing(u32::from(x.bit));
                w.four() & around == 0
                    && (w.three() & around != 0 || (w.two() & around).count_ones() >= 3)
            })
        });
        assert_eq!(lines, made);
        board.rewind(from);
    });
}

#[test]
fn the_windows_with_three_that_a_stone_makes_are_known_before() {
    with_random_turns(|board, colour, [p, q]| {
        let mut new = Vec::new();
        board.visit_new_three_points(colour, p, |x| new.push(x));
        let share = board.would_share_window(colour, p, q);
        board.place(colour, p);
        let mut seen = Vec::new();
        board.visit_three_points_with(colour, p, |x| seen.push(x));
        assert_eq!(new, seen);
        let lines = LINE_BITS[usize::from(p)].iter().zip(&LINE_BITS[usize::from(q)]);
        let shared = lines.filter(|(x, y)| x.line == y.line).any(|(x, y)| {
            let w = &board.lines[usize::from(x.line)].patterns[colour];
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            (w.three() | w.four()) & both != 0
        });
        assert_eq!(share, shared);
        board.remove();
    });
}

//! Playouts: both sides play random points that both may play on, until there is none. Then each has only its own
//! points left, and counting mostly decides.

use crate::board::{Board, SITES, site, sites};
use crate::ending::decided;
use agon_games::nogo::{BOARD, Points};
use agon_games::rng::Stream;
use rand_core::Rng;

/// The number of points.
const POINTS: usize = BOARD.count_ones() as usize;

/// Sites from which playouts choose: a superset of those that both sides may play on.
#[derive(Clone, Debug)]
pub struct Candidates {
    sites: [u8; POINTS],
    count: usize,
}

impl Candidates {
    /// The points that both sides may play on.
    pub fn new(board: &Board) -> Candidates {
        let [first, second] = board.legal();
        let mut candidates = Candidates { sites: [0; POINTS], count: 0 };
        for site in sites(first & second) {
            candidates.sites[candidates.count] = site;
            candidates.count += 1;
        }
        candidates
    }

    /// Takes a random site out.
    #[inline]
    fn draw(&mut self, stream: &mut Stream) -> Option<u8> {
        if self.count == 0 {
            return None;
        }
        let index = below(stream, self.count);
        let site = self.sites[index];
        self.count -= 1;
        self.sites[index] = self.sites[self.count];
        Some(site)
    }
}

/// A random number below `n`, at most 90; uniform up to 2^-25.
#[inline]
pub fn below(stream: &mut Stream, n: usize) -> usize {
    (((stream.next_u64() >> 32) * n as u64) >> 32) as usize
}

/// The sites that each side played on, as numbers 0 or 1.
pub type Played = [[u8; SITES]; 2];

/// Plays from a position, with `mover` to move, to the end; returns the winner. Notes who played where as long as
/// both sides could.
pub fn play_out(
    board: &mut Board,
    mut mover: usize,
    mut candidates: Candidates,
    stream: &mut Stream,
    played: &mut Played,
) -> usize {
    while let Some(site) = candidates.draw(stream) {
        // What only one side can play on is its reserve.
        if board.is_shared(site) {
            board.place(mover, site);
            played[mover][usize::from(site)] = 1;
            mover ^= 1;
        }
    }
    finish(board, mover, stream)
}

/// The winner of a position where no point is open to both sides.
fn finish(board: &mut Board, mut mover: usize, stream: &mut Stream) -> usize {
    loop {
        let legal = board.legal();
        if let Some(wins) = decided([board.stones(0), board.stones(1)], legal, mover) {
            return if wins { mover } else { mover ^ 1 };
        }
        let count = legal[mover].count_ones() as usize;
        if let Some(point) = Points(legal[mover]).nth(below(stream, count)) {
            board.place(mover, site(point));
        }
        mover ^= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::point;
    use crate::examples::late_position;
    use agon_games::nogo::NoGo;
    use agon_games::option::NoRules;
    use agon_games::{Game, Player, rng};

    #[test]
    fn playouts_play_only_points_that_both_sides_may_play_and_end_with_a_winner() {
        let mut wins = [0; 2];
        for index in 0..300 {
            let game = late_position(index, index as usize % 60);
            let start = Board::new(&game);
            let (mut board, mut played) = (start.clone(), [[0; SITES]; 2]);
            let stream = &mut rng::stream(5, index, "test");
            let mover = game.side_to_move().index();
            let candidates = Candidates::new(&start);
            wins[play_out(&mut board, mover, candidates, stream, &mut played)] += 1;
            // The noted moves are stones of their side, as many of each as turns allow.
            let noted = played.map(|of| of.iter().map(|&n| u32::from(n)).sum::<u32>());
            assert!(noted[mover] == noted[mover ^ 1] || noted[mover] == noted[mover ^ 1] + 1);
            for (side, played) in played.iter().enumerate() {
                for site in sites(BOARD).filter(|&site| played[usize::from(site)] == 1) {
                    assert_ne!(board.stones(side) & !start.stones(side) & point(site).bit(), 0);
                }
            }
            // Every group of the end has a liberty.
            let stones = [board.stones(0), board.stones(1)];
            assert!(NoGo::new(stones, Player::First).is_some(), "{stones:?}");
        }
        assert!(wins[0] > 50 && wins[1] > 50, "{wins:?}");
    }

    #[test]
    fn every_move_of_a_playout_is_legal_by_the_rules() {
        for index in 0..100 {
            let mut game = NoGo::start(&NoRules);
            let stream = &mut rng::stream(6, index, "test");
            // Draw as a playout does, and let the rules judge each move.
            let mut board = Board::new(&game);
            let mut candidates = Candidates::new(&board);
            while let Some(site) = candidates.draw(stream) {
                let m = point(site);
                let is_shared = board.is_shared(site);
                let legal = Player::BOTH.map(|player| game.legal_for(player) & m.bit() != 0);
                assert_eq!(is_shared, legal == [true; 2], "{} {m}", game.fen());
                if is_shared {
                    board.place(game.side_to_move().index(), site);
                    game.play(m);
                }
            }
            let legal = Player::BOTH.map(|player| game.legal_for(player));
            assert_eq!(legal[0] & legal[1], 0, "{}", game.fen());
        }
    }
}

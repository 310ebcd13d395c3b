//! Training an n-tuple network from random self-play (section 3.6 of the paper): each move records
//! the board's 24 patterns for its mover. At the end of the game the winner's patterns get a visit
//! and a win, the loser's a visit.

use agon_einstein::ntuple::{Counts, indices};
use agon_einstein::playout_board::PlayoutBoard;
use agon_games::Player;
use agon_games::rng;

/// Adds random games to the counts. The same seed and number of games give the same counts, whether
/// resumed from a file or not.
#[derive(Debug)]
pub struct Trainer {
    counts: Counts,
    visited: [Vec<u32>; 2],
}

impl Trainer {
    /// Continues from these counts.
    pub fn new(counts: Counts) -> Trainer {
        Trainer { counts, visited: [Vec::new(), Vec::new()] }
    }

    /// The current counts.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Plays the next game; returns its number of moves.
    pub fn play(&mut self) -> u32 {
        let mut stream = rng::stream(self.counts.seed, self.counts.games, "n-tuple training");
        let mut fast = PlayoutBoard::random_start(self.counts.rule, &mut stream);
        self.visited.iter_mut().for_each(Vec::clear);
        let mut moves = 0;
        let winner = loop {
            let (die, bits) = PlayoutBoard::roll(&mut stream);
            let (stone, to) = fast.random_move(die, bits);
            let mover = Player::BOTH[fast.side];
            let ended = fast.step(stone, to);
            self.visited[mover.index()].extend(indices(&fast.cells, mover));
            moves += 1;
            if let Some(winner) = ended {
                break winner;
            }
        };
        self.counts.add_game(&self.visited, winner);
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_einstein::ntuple::{FileError, load, load_counts, save};
    use agon_games::einstein::MissingDie;

    fn trained(games: u64) -> Trainer {
        let mut trainer = Trainer::new(Counts::new(MissingDie::Next, 7));
        (0..games).for_each(|_| {
            trainer.play();
        });
        trainer
    }

    #[test]
    fn every_move_is_one_visit_of_each_tuple_and_the_winners_moves_are_wins() {
        let mut trainer = Trainer::new(Counts::new(MissingDie::Next, 7));
        let moves: u64 = (0..50).map(|_| u64::from(trainer.play())).sum();
        let visits: u64 = trainer.counts.table().iter().map(|e| u64::from(e[1])).sum();
        let wins: u64 = trainer.counts.table().iter().map(|e| u64::from(e[0])).sum();
        assert_eq!(visits, 24 * moves);
        // The winner has made as many moves as the loser, or one more.
        assert!(wins >= visits / 2 && wins <= visits / 2 + 50 * 24, "{wins} of {visits}");
    }

    #[test]
    fn a_file_gives_the_counts_back_and_training_resumes_where_it_ended() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("net");
        save(trained(30).counts(), &path).unwrap();
        let mut resumed = Trainer::new(load_counts(&path).unwrap());
        (0..10).for_each(|_| {
            resumed.play();
        });
        assert!(resumed.counts.table() == trained(40).counts.table());
        assert_eq!(resumed.counts.games, 40);
        let net = load(&path).unwrap();
        let counts = load_counts(&path).unwrap();
        for (index, [wins, visits]) in counts.table().iter().enumerate().filter(|e| e.1[1] > 0) {
            let rate = f64::from(*wins) / f64::from(*visits);
            assert!((net.rate(index) - rate).abs() < 1e-4);
        }
    }

    #[test]
    fn a_foreign_cut_or_damaged_file_is_refused_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("net");
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            load(&path).unwrap_err().to_string()
        };
        assert!(refused(b"GIF89a").contains("not an n-tuple network"));
        assert!(refused(b"AGONEWN1").contains("cut short"));
        save(trained(3).counts(), &path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert!(refused(&whole[..whole.len() - 1]).contains("header says"));
        for at in [9, 20, 60, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            assert!(refused(&damaged).contains("damaged"), "byte {at}");
        }
        let missing = load(&dir.path().join("none"));
        assert!(matches!(missing, Err(FileError::Io { .. })));
    }
}

//! The counts that training collects.

use super::patterns::ENTRIES;
use agon_games::Player;
use agon_games::einstein::MissingDie;

/// The win and visit tables, and the games they contain.
pub struct Counts {
    table: Vec<[u32; 2]>,
    /// The number of games: indices from 0 up to this.
    pub games: u64,
    /// The seed of the games' random streams.
    pub seed: u64,
    /// The rule about missing numbers.
    pub rule: MissingDie,
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counts").field("games", &self.games).field("seed", &self.seed).finish()
    }
}

impl Counts {
    /// Counts without games.
    pub fn new(rule: MissingDie, seed: u64) -> Counts {
        Counts { table: vec![[0; 2]; ENTRIES], games: 0, seed, rule }
    }

    /// Wins and visits, by table index.
    pub fn table(&self) -> &[[u32; 2]] {
        &self.table
    }

    /// Wins and visits, mutable.
    pub fn table_mut(&mut self) -> &mut [[u32; 2]] {
        &mut self.table
    }

    /// Adds a finished game: the table indices after each player's moves, and the winner.
    pub fn add_game(&mut self, visited: &[Vec<u32>; 2], winner: Player) {
        for player in Player::BOTH {
            let won = u32::from(player == winner);
            for &index in &visited[player.index()] {
                let entry = &mut self.table[index as usize];
                // Beyond four billion visits a rate no longer changes.
                if entry[1] < u32::MAX {
                    entry[0] += won;
                    entry[1] += 1;
                }
            }
        }
        self.games += 1;
    }
}

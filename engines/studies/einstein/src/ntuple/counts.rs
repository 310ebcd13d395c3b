//! What training counts.

use super::patterns::ENTRIES;
use agon_protocol::Player;
use agon_protocol::einstein::MissingDie;

/// The win and visit tables, and which games are in them.
pub struct Counts {
    table: Vec<[u32; 2]>,
    /// Games so far: those of index 0 up to it.
    pub games: u64,
    /// Names the games' random streams.
    pub seed: u64,
    /// The reading of the rules.
    pub rule: MissingDie,
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counts").field("games", &self.games).field("seed", &self.seed).finish()
    }
}

impl Counts {
    /// No games yet.
    pub fn new(rule: MissingDie, seed: u64) -> Counts {
        Counts { table: vec![[0; 2]; ENTRIES], games: 0, seed, rule }
    }

    /// Wins and visits by table index.
    pub fn table(&self) -> &[[u32; 2]] {
        &self.table
    }

    /// The same, to be changed.
    pub fn table_mut(&mut self) -> &mut [[u32; 2]] {
        &mut self.table
    }

    /// Adds a finished game: the table indices that each player's moves led to, and the winner.
    pub fn add_game(&mut self, visited: &[Vec<u32>; 2], winner: Player) {
        for player in Player::BOTH {
            let won = u32::from(player == winner);
            for &index in &visited[player.index()] {
                let entry = &mut self.table[index as usize];
                // Beyond four thousand million visits a rate no longer changes.
                if entry[1] < u32::MAX {
                    entry[0] += won;
                    entry[1] += 1;
                }
            }
        }
        self.games += 1;
    }
}

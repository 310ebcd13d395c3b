//! Looking values up in a folder of tables, from any number of threads.

use super::Value;
use super::error::TableError;
use super::file::TableFile;
use super::format::{BLOCK, EXTENSION};
use super::layout::{Attackers, Layout, Shared};
use super::set::{ATTACKERS, EndgameSet};
use agon_protocol::Player;
use agon_protocol::game::{Game, legal_moves};
use agon_protocol::hash::{FastMap, mix};
use agon_protocol::xiangqi::{Board, Kind, Xiangqi, XiangqiMove};
use agon_xiangqi_studies::numbering::home::rotated;
use agon_xiangqi_studies::numbering::material::SideMaterial;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Blocks that stay unpacked: 8 MiB of them.
const CACHED_BLOCKS: usize = 1024;

/// A folder's tables. Opening it maps the files; blocks are unpacked when they are asked for, and
/// the last ones stay.
#[derive(Debug)]
pub struct Tables {
    tables: FastMap<EndgameSet, Table>,
    shared: Shared,
    cache: Vec<Mutex<Cached>>,
    most_pieces: u32,
}

#[derive(Debug)]
struct Table {
    /// Names its blocks in the cache.
    id: u64,
    file: TableFile,
    /// Made when first needed.
    layout: OnceLock<Layout>,
}

/// An unpacked block.
#[derive(Debug, Default)]
struct Cached {
    /// Which one, plus 1; 0 for none.
    key: u64,
    codes: Vec<u8>,
}

/// A position as the tables see it: the attacker plays Red.
struct Seen {
    set: EndgameSet,
    strong: usize,
    weak: usize,
    attackers: Attackers,
    /// 0 if the attacker is to move, 1 if the defender is.
    side: usize,
}

impl Tables {
    /// Opens all tables of a folder: its files `*.xqt`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or one of these files is no good table.
    pub fn open(dir: &Path) -> Result<Tables, TableError> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(dir).map_err(TableError::io("opening", dir))? {
            let path = entry.map_err(TableError::io("reading", dir))?.path();
            if path.extension().is_some_and(|e| e == EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort();
        Tables::open_files(&paths)
    }

    fn open_files(paths: &[PathBuf]) -> Result<Tables, TableError> {
        let shared = Shared::default();
        let mut tables = FastMap::default();
        let mut most_pieces = 0;
        for (id, path) in paths.iter().enumerate() {
            let file = TableFile::open(path)?;
            let set = file.header().set;
            let pieces = set.counts().iter().map(|&n| u32::from(n)).sum::<u32>() + 2;
            most_pieces = most_pieces.max(pieces);
            tables.insert(set, Table { id: id as u64, file, layout: OnceLock::new() });
        }
        let cache = (0..CACHED_BLOCKS).map(|_| Mutex::default()).collect();
        Ok(Tables { tables, shared, cache, most_pieces })
    }

    /// How many tables there are.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The most pieces, kings included, of a position that there is a table for: a search need not
    /// ask about positions with more.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The files' headers, in no particular order.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.tables.values().map(|t| &t.file)
    }

    /// The value of a position, for its side to move. `None` if both sides have attacking pieces,
    /// or there is no table, or its block is damaged (which is logged). The game's history and
    /// its counters are not looked at: see the module's documentation.
    pub fn probe(&self, game: &Xiangqi) -> Option<Value> {
        self.probe_board(game.board(), game.side_to_move())
    }

    /// The same for a placement in which the side that is not to move is not in check.
    pub fn probe_board(&self, board: &Board, to_move: Player) -> Option<Value> {
        self.probe_sets(&|side, kind| board.pieces(side, kind), to_move)
    }

    /// The same for a placement given by the set of each kind and side.
    pub fn probe_sets(
        &self,
        sets: &impl Fn(Player, Kind) -> u128,
        to_move: Player,
    ) -> Option<Value> {
        let attacks = |side| ATTACKERS.iter().any(|&kind| sets(side, kind) != 0);
        match Player::BOTH.map(attacks) {
            [false, false] => Some(Value::Draw),
            [true, true] => None,
            [red_attacks, _] => {
                let attacker = if red_attacks { Player::First } else { Player::Second };
                self.look_up(&self.see(sets, attacker, to_move)?)
            }
        }
    }

    /// The value of each legal move, for the side that makes it, best first. `None` if the value
    /// of any is unknown.
    pub fn root(&self, game: &Xiangqi) -> Option<Vec<(XiangqiMove, Value)>> {
        let mut moves = Vec::new();
        for m in legal_moves(game) {
            let mut after = game.clone();
            after.play(m);
            moves.push((m, self.probe(&after)?.before()));
        }
        moves.sort_by_key(|m| std::cmp::Reverse(m.1));
        Some(moves)
    }

    fn see(
        &self,
        sets: &impl Fn(Player, Kind) -> u128,
        attacker: Player,
        to_move: Player,
    ) -> Option<Seen> {
        let own = |side, kind| {
            let set = sets(side, kind);
            if attacker == Player::First { set } else { rotated(set) }
        };
        let material = |side| SideMaterial::of(&|kind| sets(side, kind).count_ones() as usize);
        let place = |seat: Player, side: Player| {
            let [king, advisors, elephants] =
                [Kind::King, Kind::Advisor, Kind::Elephant].map(|kind| own(side, kind));
            self.shared.place(seat, king, advisors, elephants)
        };
        let defender = attacker.opponent();
        Some(Seen {
            set: EndgameSet::new(material(attacker), material(defender))?,
            strong: place(Player::First, attacker),
            weak: place(Player::Second, defender),
            attackers: ATTACKERS.map(|kind| own(attacker, kind)),
            side: usize::from(to_move != attacker),
        })
    }

    fn look_up(&self, seen: &Seen) -> Option<Value> {
        let table = self.tables.get(&seen.set)?;
        let layout = table.layout.get_or_init(|| Layout::new(&self.shared, seen.set));
        let number = layout.rank(seen.strong, seen.weak, seen.attackers);
        let (block, place) = (number / BLOCK as u64, number % BLOCK as u64);
        let key = (table.id << 32 | block) << 1 | seen.side as u64;
        let slot = &self.cache[mix(key) as usize % CACHED_BLOCKS];
        // A thread that panicked while it held the lock left a block that is whole or unnamed.
        let mut cached = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.key != key + 1 {
            cached.key = 0;
            if block >= table.file.header().blocks() as u64 {
                return None;
            }
            let block = block as usize;
            cached.codes.resize(table.file.header().block_len(block), 0);
            if let Err(e) = table.file.read_block(seen.side, block, &mut cached.codes) {
                log::error!("{e}");
                return None;
            }
            cached.key = key + 1;
        }
        cached.codes.get(place as usize).map(|&code| Value::from_code(code))
    }
}

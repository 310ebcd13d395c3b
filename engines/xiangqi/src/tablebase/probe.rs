//! Thread-safe probes of a folder of slices, also within the search: exact outcomes of positions that
//! captures lead to.

use super::layout::configuration;
use super::material::{ATTACKERS, MaterialKey};
use super::numbering::palace::rotated;
use super::slice::{SlicePosition, XiangqiSlice};
use crate::position::Position;
use crate::position::attacks::player;
use crate::search::SearchTablebase;
use agon_games::Player;
use agon_games::game::{Game, legal_moves};
use agon_games::xiangqi::{Board, Kind, Xiangqi, XiangqiMove};
use agon_tablebase::{Dtm, Folder, Slice, TablebaseError};
use std::path::Path;

/// The tablebase of a folder. Opening it maps the files; blocks are decompressed on the first probe
/// and the most recent ones are cached.
#[derive(Debug)]
pub struct XiangqiTablebase {
    folder: Folder<XiangqiSlice>,
    most_pieces: u32,
}

impl XiangqiTablebase {
    /// Opens all files of a folder, `*.xqt`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or one of these files is not a complete tablebase file.
    pub fn open(dir: &Path) -> Result<XiangqiTablebase, TablebaseError> {
        let folder = Folder::<XiangqiSlice>::open(dir)?;
        let pieces = |key: MaterialKey| key.counts().iter().map(|&n| u32::from(n)).sum::<u32>() + 2;
        let most_pieces = folder.slices().map(|s| pieces(s.indexer.key())).max().unwrap_or(0);
        Ok(XiangqiTablebase { folder, most_pieces })
    }

    /// The open files.
    pub fn folder(&self) -> &Folder<XiangqiSlice> {
        &self.folder
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.folder.is_empty()
    }

    /// The maximum number of pieces, kings included, in any file: a search need not probe positions
    /// with more.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The value of a position for its side to move. `None` if both sides have attacking pieces, no
    /// file covers the position, or a block is damaged (which is logged). Ignores the game's
    /// history and counters: see the module's documentation.
    pub fn probe(&self, game: &Xiangqi) -> Option<Dtm> {
        self.probe_board(game.board(), game.side_to_move())
    }

    /// Probes a placement in which the side that is not to move is not in check.
    pub fn probe_board(&self, board: &Board, to_move: Player) -> Option<Dtm> {
        self.probe_sets(&|side, kind| board.pieces(side, kind), to_move)
    }

    /// Probes a placement given by the set of each kind and side.
    pub fn probe_sets(&self, sets: &impl Fn(Player, Kind) -> u128, to_move: Player) -> Option<Dtm> {
        let attacks = |side| ATTACKERS.iter().any(|&kind| sets(side, kind) != 0);
        match Player::BOTH.map(attacks) {
            [false, false] => Some(Dtm::DRAW),
            [true, true] => None,
            [red_attacks, _] => {
                let attacker = if red_attacks { Player::First } else { Player::Second };
                let (key, position) = locate(sets, attacker, to_move)?;
                self.folder.probe(&key, &position)
            }
        }
    }

    /// The value of each legal move for the side that makes it, best first. `None` if any value is
    /// unknown.
    pub fn root(&self, game: &Xiangqi) -> Option<Vec<(XiangqiMove, Dtm)>> {
        let mut moves = Vec::new();
        for m in legal_moves(game) {
            let mut after = game.clone();
            after.play(m);
            moves.push((m, self.probe(&after)?.before()));
        }
        moves.sort_by_key(|m| std::cmp::Reverse(m.1));
        Some(moves)
    }
}

/// The slice of a position and the position's index in it, given the attacking player.
fn locate(
    sets: &impl Fn(Player, Kind) -> u128,
    attacker: Player,
    to_move: Player,
) -> Option<(MaterialKey, SlicePosition)> {
    let own = |side, kind| {
        let set = sets(side, kind);
        if attacker == Player::First { set } else { rotated(set) }
    };
    let palace = |owner: Player, side: Player| {
        let [king, advisors, elephants] =
            [Kind::King, Kind::Advisor, Kind::Elephant].map(|kind| own(side, kind));
        configuration(owner, king, advisors, elephants)
    };
    let defender = attacker.opponent();
    let position = SlicePosition {
        strong: palace(Player::First, attacker),
        weak: palace(Player::Second, defender),
        attackers: ATTACKERS.map(|kind| own(attacker, kind)),
        side: usize::from(to_move != attacker),
    };
    let sides = [attacker, defender];
    let count = |side: usize, kind| sets(sides[side], kind).count_ones();
    Some((MaterialKey::of_pieces(count)?, position))
}

impl SearchTablebase for XiangqiTablebase {
    fn max_pieces(&self) -> u32 {
        XiangqiTablebase::most_pieces(self)
    }

    /// Returns no value for a mate that the limit of plies without a capture might prevent: the
    /// search must find the capture in between, if there is one.
    fn probe(&self, position: &Position) -> Option<Dtm> {
        let sets = |side: Player, kind| position.pieces(side.index(), kind);
        let value = self.probe_sets(&sets, player(position.side()))?;
        value.certain_within(position.quiet_plies(), position.draw_plies()).then_some(value)
    }
}

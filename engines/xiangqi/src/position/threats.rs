//! The squares on which quiet moves gain or lose something at once: squares that give check, and
//! squares attacked by less valuable enemy pieces.

use super::attacks::{for_each_of_few, player};
use super::board::Position;
use super::check_squares::direct_check_squares;
use agon_protocol::xiangqi::{Kind, tables};

/// The threats in a position, by kind of the own piece in the order of [`Kind::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// The squares from which a piece of the kind gives check directly.
    pub checks: [u128; 8],
    /// The squares where a piece of the kind is attacked by a less valuable piece.
    pub attacked: [u128; 8],
}

impl Threats {
    /// The threats for the side to move.
    pub fn of(position: &Position) -> Threats {
        let (them, occupied) = (position.side ^ 1, position.occupied());
        let theirs = |kind| position.pieces(them, kind);
        let mut attacked = tables::pawns(player(them), theirs(Kind::Pawn));
        for_each_of_few(theirs(Kind::Advisor), |s| attacked |= tables::advisor(s));
        for_each_of_few(theirs(Kind::Elephant), |s| attacked |= tables::elephant(s, occupied));
        let mut threats = Threats { checks: direct_check_squares(position), attacked: [0; 8] };
        threats.attacked[Kind::Cannon.index()] = attacked;
        threats.attacked[Kind::Horse.index()] = attacked;
        for_each_of_few(theirs(Kind::Horse), |s| attacked |= tables::horse(s, occupied));
        for_each_of_few(theirs(Kind::Cannon), |s| attacked |= position.lines.cannon(s).0);
        threats.attacked[Kind::Rook.index()] = attacked;
        threats
    }
}

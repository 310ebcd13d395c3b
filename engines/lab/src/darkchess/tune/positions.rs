//! The training positions of a game.

use agon_darkchess::evaluation::features::{bucket, face_down, face_up, hidden_piece};
use agon_darkchess::evaluation::{STATIC_LIMIT, UNIT};
use agon_darkchess::evaluator::unpack;
use agon_games::Player;
use agon_games::darkchess::{Colour, DarkChess, DarkMove, DarkRules, Piece, Squares};
use agon_games::game::{Game, Turn, chance_outcomes};
use agon_network::train::Positions;
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::Target;
use anyhow::{Context, Result, ensure};

/// Search values are stored in this unit.
pub const STORED_UNIT: i32 = UNIT / 25_000;

/// Adds the quiet positions of a game.
pub fn add(
    positions: &mut Positions,
    log: &GameLog,
    target: Target,
    rules: &DarkRules,
) -> Result<()> {
    let mut game = DarkChess::start(rules);
    for (ply, &(code, value)) in (1..).zip(&log.plies) {
        let m = unpack(code.into()).with_context(|| format!("ply {ply}: {code} is no move"))?;
        let legal = match game.turn() {
            Turn::Player(_) => game.is_legal(m),
            Turn::Chance => chance_outcomes(&game).iter().any(|outcome| outcome.0 == m),
            Turn::Over(_) => false,
        };
        ensure!(legal, "ply {ply}: illegal move {}", game.move_token(m));
        if let Some(own) = game.colour_to_move()
            && value != UNKNOWN
            && is_quiet(&game, m)
        {
            let first = f64::from(log.result) / 2.0;
            let result = if game.mover() == Player::First { first } else { 1.0 - first };
            let value = f64::from(i32::from(value) * STORED_UNIT) / f64::from(STATIC_LIMIT);
            let target_value = target.mix(result, (1.0 + value.clamp(-1.0, 1.0)) / 2.0);
            let bucket = bucket(&game) as u8;
            positions.push(features(&game, own), bucket, target_value, target.held_out);
        }
        game.play(m);
    }
    Ok(())
}

/// Whether the static evaluation can be right: no capture in hand.
fn is_quiet(game: &DarkChess, played: DarkMove) -> bool {
    !matches!(played, DarkMove::Step { to, .. } if game.piece_at(to).is_some())
}

/// The features of a position for the side to move and for the opponent.
pub fn features(game: &DarkChess, own: Colour) -> Vec<[u16; 2]> {
    let views = [own, own.other()];
    let mut features = Vec::with_capacity(64);
    for piece in Piece::all() {
        let pair = |square| views.map(|view| face_up(view, piece, square) as u16);
        features.extend(Squares(game.pieces(piece)).map(pair));
        for number in 0..game.pool()[piece.index()] {
            let pair = views.map(|view| hidden_piece(view, piece, number));
            if let [Some(own), Some(other)] = pair {
                features.push([own as u16, other as u16]);
            }
        }
    }
    features.extend(Squares(game.hidden()).map(|square| [face_down(square) as u16; 2]));
    features
}

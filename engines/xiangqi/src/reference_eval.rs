//! The evaluation of the reference searches `pvs`, `alphabeta` and `greedy`: material, piece-square
//! values, and quiescence over captures, on the protocol's board. It shares no code with
//! [`crate::evaluation`], so a bug in one shows up in a comparison with the other.

use agon_games::Player;
use agon_games::xiangqi::{Board, Kind, SQUARES, Square, Squares, Xiangqi, XiangqiMove, movegen};
use agon_search::evaluator::{Evaluator, MoveEncoding};
use agon_search::score::INFINITE;

/// The maximum number of quiescence plies; exchanges end long before.
const MAX_QUIESCENCE_PLIES: u32 = 10;

/// The maximum gain of a piece-square value by one move: a pawn crossing the river in the centre.
const MAX_PSQT_GAIN: i32 = 120;

/// Centipawns in the order of [`Kind::ALL`]. The king's value is irrelevant, because it is never
/// captured.
const VALUES: [i32; 7] = [0, 200, 200, 100, 900, 400, 450];

/// The value of a red piece on each square; mirrored for Black.
static PSQT: [[i32; SQUARES]; 7] = {
    let mut table = [[0; SQUARES]; 7];
    let mut i = 0;
    while i < 7 * SQUARES {
        let (kind, square) = (i / SQUARES, i % SQUARES);
        table[kind][square] = VALUES[kind] + bonus(Kind::ALL[kind], square % 9, square / 9);
        i += 1;
    }
    table
};

/// The bonus of a square for a red piece.
const fn bonus(kind: Kind, file: usize, rank: usize) -> i32 {
    // 0 on the edge files, 4 on the middle one.
    let centre = if file < 4 { file as i32 } else { 8 - file as i32 };
    match kind {
        Kind::King => -10 * rank as i32,
        Kind::Advisor | Kind::Elephant => 0,
        Kind::Pawn => match rank {
            0..=4 => 5 * rank as i32 - 15,
            9 => 20,
            _ => 60 + 10 * centre,
        },
        Kind::Rook => 3 * centre + if rank == 0 { 0 } else { 15 },
        Kind::Horse => 8 * centre + if rank == 0 { -20 } else { 4 * rank as i32 },
        Kind::Cannon => 4 * centre,
    }
}

/// The value of a red piece on a square.
pub fn piece_square(kind: Kind, square: usize) -> i32 {
    PSQT[kind.index()][square]
}

/// Material and piece-square values of the board for Red.
pub fn material(board: &Board) -> i32 {
    let mut sum = 0;
    for kind in Kind::ALL {
        let values = &PSQT[kind.index()];
        for square in Squares(board.pieces(Player::First, kind)) {
            sum += values[square.index()];
        }
        for square in Squares(board.pieces(Player::Second, kind)) {
            sum -= values[SQUARES - 1 - square.index()];
        }
    }
    sum
}

/// The evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub struct XiangqiEvaluator;

impl Evaluator<Xiangqi> for XiangqiEvaluator {
    fn evaluate(&mut self, game: &Xiangqi) -> i32 {
        let mut board = game.board().clone();
        let side = game.side_to_move();
        let value = for_side(material(&board), side);
        quiescence(&mut board, side, value, (-INFINITE, INFINITE), MAX_QUIESCENCE_PLIES)
    }
}

fn for_side(value: i32, side: Player) -> i32 {
    if side == Player::First { value } else { -value }
}

/// Quiescence: the value after the best captures, where the side to move may stand pat at any time.
/// `value` is the static evaluation.
fn quiescence(
    board: &mut Board,
    side: Player,
    value: i32,
    (mut alpha, beta): (i32, i32),
    plies: u32,
) -> i32 {
    alpha = alpha.max(value);
    if alpha >= beta || plies == 0 {
        return alpha;
    }
    let them = side.opponent();
    for victims in
        [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Pawn]
    {
        for to in Squares(board.pieces(them, victims)) {
            let gain = piece_value(board, to);
            // Delta pruning: this capture gains at most the victim and a better square.
            if value + gain + MAX_PSQT_GAIN <= alpha {
                continue;
            }
            for from in attackers(board, side, to) {
                let m = XiangqiMove { from, to };
                if !movegen::leaves_king_safe(board, side, m) {
                    continue;
                }
                let before = piece_value(board, from);
                let captured = board.make_move(m);
                let after = value + gain + piece_value(board, to) - before;
                let reply = quiescence(board, them, -after, (-beta, -alpha), plies - 1);
                board.unmake_move(m, captured);
                alpha = alpha.max(-reply);
                if alpha >= beta {
                    return alpha;
                }
            }
        }
    }
    alpha
}

/// The value of the piece on a square to its owner; 0 for none.
fn piece_value(board: &Board, square: Square) -> i32 {
    board.piece_at(square).split().map_or(0, |(side, kind)| {
        let index = match side {
            Player::First => square.index(),
            Player::Second => SQUARES - 1 - square.index(),
        };
        PSQT[kind.index()][index]
    })
}

/// The squares from which `side` could capture on `to`, the cheapest pieces first.
fn attackers(board: &Board, side: Player, to: Square) -> impl Iterator<Item = Square> + use<> {
    let kinds = [
        Kind::Pawn,
        Kind::Advisor,
        Kind::Elephant,
        Kind::Horse,
        Kind::Cannon,
        Kind::Rook,
        Kind::King,
    ];
    let sets = kinds.map(|kind| {
        let reaching = |s: &Square| board.destinations(side, kind, s.index()) & to.bit() != 0;
        let own = Squares(board.pieces(side, kind));
        own.filter(reaching).fold(0u128, |set, s| set | s.bit())
    });
    sets.into_iter().flat_map(Squares)
}

impl MoveEncoding<Xiangqi> for XiangqiEvaluator {
    const HISTORY_KEYS: [usize; 2] = [128 * 128, 1];

    fn history_keys(m: XiangqiMove) -> [usize; 2] {
        [m.from.index() << 7 | m.to.index(), 0]
    }

    fn pack(m: XiangqiMove) -> u32 {
        (m.from.index() << 8 | m.to.index()) as u32
    }

    fn unpack(bits: u32) -> Option<XiangqiMove> {
        let square = |shift: u32| {
            let index = (bits >> shift & 255) as usize;
            (index < SQUARES).then(|| Square::from_index(index))
        };
        (bits < 1 << 16).then_some(XiangqiMove { from: square(8)?, to: square(0)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Game;
    use agon_games::game::legal_moves;
    use agon_games::rng;
    use agon_games::xiangqi::XiangqiRules;

    fn game(fen: &str) -> Xiangqi {
        Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap()
    }

    #[test]
    fn the_start_is_even_and_a_rook_more_is_worth_a_rook() {
        let start = Xiangqi::start(&XiangqiRules::default());
        assert_eq!(XiangqiEvaluator.evaluate(&start), 0);
        let up = game("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(XiangqiEvaluator.evaluate(&up) > 850);
        assert_eq!(material(up.board()), 900);
    }

    #[test]
    fn a_hanging_piece_counts_as_taken_and_a_guarded_one_does_not() {
        let hanging = game("3k5/9/9/9/r8/9/9/9/9/R3K4 w");
        assert!(XiangqiEvaluator.evaluate(&hanging) > 800);
        // The cannon guarded by a rook is not worth a rook.
        let guarded = game("3k5/9/9/9/c7r/9/9/9/9/R3K4 w");
        assert!(XiangqiEvaluator.evaluate(&guarded) < 0);
    }

    #[test]
    fn a_position_turned_round_with_colours_exchanged_has_the_same_value() {
        let mut rng = rng::stream(1, 0, "turned");
        let mut state = Xiangqi::start(&XiangqiRules::default());
        for _ in 0..120 {
            let fen = state.fen();
            let (board, rest) = fen.split_once(' ').unwrap();
            let turned: String =
                board
                    .chars()
                    .rev()
                    .map(|c| {
                        if c.is_uppercase() {
                            c.to_ascii_lowercase()
                        } else {
                            c.to_ascii_uppercase()
                        }
                    })
                    .collect();
            let side = if rest.starts_with('w') { "b" } else { "w" };
            assert_eq!(
                XiangqiEvaluator.evaluate(&state),
                XiangqiEvaluator.evaluate(&game(&format!("{turned} {side}"))),
                "{fen}"
            );
            let moves = legal_moves(&state);
            if moves.is_empty() {
                break;
            }
            state.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }

    #[test]
    fn moves_go_through_their_bits_and_back() {
        for from in 0..SQUARES {
            for to in 0..SQUARES {
                let m = XiangqiMove { from: Square::from_index(from), to: Square::from_index(to) };
                assert_eq!(
                    <XiangqiEvaluator as MoveEncoding<Xiangqi>>::unpack(XiangqiEvaluator::pack(m)),
                    Some(m)
                );
            }
        }
        assert_eq!(<XiangqiEvaluator as MoveEncoding<Xiangqi>>::unpack(0xff_ffff), None);
        assert_eq!(<XiangqiEvaluator as MoveEncoding<Xiangqi>>::unpack(90), None);
    }
}

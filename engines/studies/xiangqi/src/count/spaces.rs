//! Descriptions of games for counting square by square.

use super::by_squares::{Confined, Free, Space};
use agon_games::Player;
use agon_games::xiangqi::{FILE_A, FILES, Kind, Piece, SQUARES, home_half};

/// All descriptions.
pub fn all() -> Vec<Space> {
    vec![xiangqi(), amazons(), einstein(), dark_chess()]
}

/// Xiangqi as this module counts it.
pub fn xiangqi() -> Space {
    let mut confined = Vec::new();
    let mut free = Vec::new();
    for side in Player::BOTH {
        for kind in Kind::ALL {
            let name = Piece::new(side, kind).letter().to_string();
            let most = kind.initial_count() as usize;
            let least = if kind == Kind::King { most } else { 0 };
            let domain = kind.domain(side);
            if domain.count_ones() as usize == SQUARES {
                free.push(Free { name, least, most, face_down: false });
                continue;
            }
            let at_most_one = if kind == Kind::Pawn {
                let home = |file| FILE_A << file & home_half(side) & domain;
                (0..FILES).step_by(2).map(home).collect()
            } else {
                Vec::new()
            };
            confined.push(Confined { name, domain, least, most, at_most_one });
        }
    }
    Space {
        name: "Xiangqi, placements",
        note: "kings may face each other; the side to move is not counted",
        squares: SQUARES,
        confined,
        free,
        factor: 1,
    }
}

/// Xiangqi as if every piece could stand anywhere: an upper bound in the literature.
pub fn xiangqi_anywhere() -> Space {
    let mut free = Vec::new();
    for side in Player::BOTH {
        for kind in Kind::ALL {
            let name = Piece::new(side, kind).letter().to_string();
            let most = kind.initial_count() as usize;
            let least = if kind == Kind::King { most } else { 0 };
            free.push(Free { name, least, most, face_down: false });
        }
    }
    Space {
        name: "Xiangqi, every piece anywhere",
        note: "an upper bound",
        squares: SQUARES,
        confined: Vec::new(),
        free,
        factor: 1,
    }
}

fn free(name: &str, least: usize, most: usize, face_down: bool) -> Free {
    Free { name: name.into(), least, most, face_down }
}

/// Amazons on the 10x10 board.
pub fn amazons() -> Space {
    Space {
        name: "Amazons, positions",
        note: "the number of arrows tells the side to move; not all of them can be reached",
        squares: 100,
        confined: Vec::new(),
        free: vec![free("Q", 4, 4, false), free("q", 4, 4, false), free("*", 0, 92, false)],
        factor: 1,
    }
}

/// EinStein wuerfelt nicht after the roll.
pub fn einstein() -> Space {
    let stones = "ABCDEFabcdef".chars();
    Space {
        name: "EinStein wuerfelt nicht, placements x 2 sides to move x 6 rolls",
        note: "finished games are included",
        squares: 25,
        confined: Vec::new(),
        free: stones.map(|c| free(&c.to_string(), 0, 1, false)).collect(),
        factor: 12,
    }
}

/// Chinese dark chess: the visible board, and the identities of the face-down pieces.
pub fn dark_chess() -> Space {
    let kinds = [("K", 1), ("G", 2), ("M", 2), ("R", 2), ("N", 2), ("C", 2), ("P", 5)];
    let both = kinds.iter().flat_map(|&(k, n)| [(k.to_string(), n), (k.to_lowercase(), n)]);
    Space {
        name: "Chinese dark chess, positions x 2 sides to move",
        note: "which kinds lie face down is counted, not where each of them lies",
        squares: 32,
        confined: Vec::new(),
        free: both.map(|(k, n)| free(&k, 0, n, true)).collect(),
        factor: 2,
    }
}

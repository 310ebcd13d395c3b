//! The contents of a square: its text on a terminal, and what pages know of it to draw it.

use agon_games::Player;

/// The contents of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SquareContent {
    /// Empty.
    Empty,
    /// An amazon of a player.
    Amazon(Player),
    /// A square blocked by an arrow.
    Arrow,
    /// A Go stone: the first player's are black.
    GoStone(Player),
    /// A round stone of a player with a character on it; the first player's are light.
    Stone(Player, char),
    /// A piece of Xiangqi with its capital letter in the FEN; the first player is Red.
    Piece(Player, char),
    /// A face-down piece.
    Hidden,
}

/// How the pieces of Xiangqi and dark chess are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceStyle {
    /// Chinese characters; those of the two sides differ for every kind of piece.
    #[default]
    Characters,
    /// The letters of the FEN.
    Letters,
}

impl PieceStyle {
    /// The style that a flag `--letters` selects.
    pub fn from_flag(letters: bool) -> PieceStyle {
        if letters { PieceStyle::Letters } else { PieceStyle::Characters }
    }
}

/// Letters of the FEN with the characters of Red and of Black. Games differ in some letters.
const CHARACTERS: [(&str, [char; 2]); 7] = [
    ("K", ['帥', '將']),
    ("AG", ['仕', '士']),
    ("BEM", ['相', '象']),
    ("R", ['俥', '車']),
    ("NH", ['傌', '馬']),
    ("C", ['炮', '砲']),
    ("P", ['兵', '卒']),
];

impl SquareContent {
    /// The text of a piece on a terminal: one or two columns wide; `None` for an empty square.
    pub fn text(self, style: PieceStyle) -> Option<String> {
        let sided = |player: Player, c: char| match player {
            Player::First => c.to_ascii_uppercase(),
            Player::Second => c.to_ascii_lowercase(),
        };
        Some(match self {
            SquareContent::Empty => return None,
            SquareContent::Amazon(player) => sided(player, 'Q').into(),
            SquareContent::Arrow => "*".into(),
            SquareContent::GoStone(player) => ["X", "O"][player.index()].into(),
            SquareContent::Stone(player, n) if n.is_ascii_digit() => {
                format!("{}{n}", ["A", "b"][player.index()])
            }
            SquareContent::Stone(player, letter) => sided(player, letter).into(),
            SquareContent::Piece(player, letter) => match (style, character(player, letter)) {
                (PieceStyle::Characters, Some(character)) => character.into(),
                _ => sided(player, letter).into(),
            },
            SquareContent::Hidden => "?".into(),
        })
    }
}

/// What a page in the browser knows of a piece.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PieceText {
    /// A stable name of the drawing, such as `r6`, `rK` or `arrow`.
    pub kind: String,
    /// 0 for the first player's colour (Red in Xiangqi and dark chess), 1 for the other; `None` for
    /// what has no colour.
    pub side: Option<usize>,
    /// A letter or number on the piece; empty if there is none.
    pub text: String,
    /// The piece in words.
    pub name: String,
    /// Whether it lies face down.
    pub down: bool,
}

/// Words for the pieces of Xiangqi and dark chess, in the order of [`CHARACTERS`].
const WORDS: [&str; 7] = ["king", "guard", "elephant", "rook", "horse", "cannon", "pawn"];

impl SquareContent {
    /// What a page shows of the piece; `None` for an empty square.
    pub fn describe(self) -> Option<PieceText> {
        let make = |kind: String, player: Option<Player>, text: String, name: String| PieceText {
            kind,
            side: player.map(Player::index),
            text,
            name,
            down: false,
        };
        let colour = |names: [&'static str; 2], player: Player| names[player.index()];
        Some(match self {
            SquareContent::Empty => return None,
            SquareContent::Amazon(player) => {
                let name = colour(["white", "black"], player);
                make(
                    format!("{}Q", &name[..1]),
                    Some(player),
                    String::new(),
                    format!("{name} amazon"),
                )
            }
            SquareContent::Arrow => make("arrow".into(), None, String::new(), "arrow".into()),
            SquareContent::GoStone(player) => {
                let name = colour(["black", "white"], player);
                make(
                    format!("{}S", &name[..1]),
                    Some(player),
                    String::new(),
                    format!("{name} stone"),
                )
            }
            SquareContent::Stone(player, text) => {
                let name = colour(["red", "blue"], player);
                make(
                    format!("{}{text}", &name[..1]),
                    Some(player),
                    text.into(),
                    format!("{name} {text}"),
                )
            }
            SquareContent::Piece(player, letter) => {
                let at = CHARACTERS.iter().position(|(letters, _)| letters.contains(letter));
                let name = colour(["red", "black"], player);
                let word = at.map_or_else(|| letter.to_string(), |at| WORDS[at].into());
                // One kind of piece has several letters, of which the first names the drawing.
                let key = at.and_then(|at| CHARACTERS[at].0.chars().next()).unwrap_or(letter);
                let kind = format!("{}{key}", &name[..1]);
                make(kind, Some(player), letter.into(), format!("{name} {word}"))
            }
            SquareContent::Hidden => PieceText {
                down: true,
                ..make("hidden".into(), None, String::new(), "face-down piece".into())
            },
        })
    }
}

fn character(player: Player, letter: char) -> Option<char> {
    let found = CHARACTERS.iter().find(|(letters, _)| letters.contains(letter));
    found.map(|(_, characters)| characters[player.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_pieces_have_the_same_character() {
        let all: BTreeSet<String> = Player::BOTH
            .into_iter()
            .flat_map(|p| "KABRNCP".chars().map(move |c| SquareContent::Piece(p, c)))
            .filter_map(|cell| cell.text(PieceStyle::Characters))
            .collect();
        assert_eq!(all.len(), 14);
        assert!(all.iter().all(|c| !c.is_ascii()));
    }

    #[test]
    fn letters_tell_the_sides_apart_by_case() {
        let text = |cell: SquareContent| cell.text(PieceStyle::Letters).unwrap();
        assert_eq!(text(SquareContent::Piece(Player::First, 'R')), "R");
        assert_eq!(text(SquareContent::Piece(Player::Second, 'R')), "r");
        assert_eq!(text(SquareContent::Stone(Player::Second, '4')), "b4");
    }
}

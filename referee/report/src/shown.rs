//! The moves of a game as pages show them: their texts in the notations of the game, whose they are, and their
//! numbers. `notation.js` makes the labels of them.

use agon_games::arbiter::Arbiter;
use agon_games::game::MoveTexts;
use agon_games::{Player, Turn};
use serde::Serialize;

/// A move or chance outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPly {
    /// The texts.
    #[serde(flatten)]
    pub texts: MoveTexts,
    /// The player, 0 or 1; `None`: chance.
    pub by: Option<usize>,
    /// The number of the move that it is or belongs to, counted from 1; see [`MoveCount`].
    pub number: Option<usize>,
}

/// Counts the moves of a game. A die belongs to the move that is made with it, a revealed piece to the move that
/// turned it over. A set-up has no number, as in records.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCount {
    /// The number of moves so far.
    pub moves: usize,
}

impl MoveCount {
    /// Counts a move of a player, or a chance outcome, and returns its number.
    pub fn next(&mut self, is_chance: bool, token: &str) -> Option<usize> {
        let is_set_up =
            token == HIDDEN || token.len() == 6 && token.bytes().all(|b| b.is_ascii_digit());
        match is_chance {
            _ if is_set_up => None,
            true if token.starts_with('=') => Some(self.moves).filter(|&n| n > 0),
            true => Some(self.moves + 1),
            false => {
                self.moves += 1;
                Some(self.moves)
            }
        }
    }

    /// The number of moves of a game of a log: `by` has a character for each token, `c` for chance.
    pub fn of(by: &str, tokens: &str) -> usize {
        let mut count = MoveCount::default();
        for (by, token) in by.chars().zip(tokens.split_whitespace()) {
            count.next(by == 'c', token);
        }
        count.moves
    }
}

/// The token of a set-up that is hidden from the viewer.
pub const HIDDEN: &str = "?";

/// The texts of a token; of one that is not legal here the token itself.
pub fn texts(position: &dyn Arbiter, token: &str) -> MoveTexts {
    position.move_texts(token).unwrap_or_else(|_| MoveTexts::new(token.into(), token.into()))
}

/// The tokens from a position on, up to the first that is not legal. A hidden one is shown as it is.
pub fn line(position: &dyn Arbiter, tokens: &[String]) -> Vec<ShownPly> {
    let mut position = position.boxed_clone();
    let mut count = MoveCount::default();
    let mut shown = Vec::new();
    for token in tokens {
        let by = match position.turn() {
            Turn::Player(player) => Some(Player::index(player)),
            Turn::Chance => None,
            Turn::Over(_) => break,
        };
        let texts = texts(&*position, token);
        if position.push(token).is_err() && token != HIDDEN {
            break;
        }
        let number = count.next(by.is_none(), &texts.token);
        shown.push(ShownPly { texts, by, number });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter;

    /// Number and text of each ply of a game.
    fn numbered(game: &str, tokens: &str) -> Vec<(Option<usize>, String)> {
        let start = arbiter::game(game).unwrap().open(None, &[]).unwrap();
        let tokens: Vec<String> = tokens.split_whitespace().map(String::from).collect();
        let shown = line(&*start, &tokens);
        assert_eq!(shown.len(), tokens.len(), "{shown:?}");
        let by = shown.iter().map(|ply| ply.by.map_or('c', |player| ['1', '2'][player]));
        let last = shown.iter().rev().find(|ply| ply.by.is_some()).unwrap();
        let moves = MoveCount::of(&by.collect::<String>(), &tokens.join(" "));
        assert_eq!(moves, last.number.unwrap_or(0), "{shown:?}");
        shown.into_iter().map(|ply| (ply.number, ply.texts.text)).collect()
    }

    #[test]
    fn a_die_belongs_to_the_move_after_it_and_a_set_up_has_no_number() {
        let shown = numbered("einstein", "123456 654321 4 a4b3 2 d1c2");
        let numbers: Vec<Option<usize>> = shown.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [None, None, Some(1), Some(1), Some(2), Some(2)]);
        assert_eq!(shown[3].1, "a4-b3");
        let rolled = numbered("einstein", "123456 654321 4 a4b3 2");
        assert_eq!(rolled[4], (Some(2), "2".into()), "the move after the die is still to come");
    }

    #[test]
    fn a_revealed_piece_belongs_to_the_move_before_it() {
        let shown = numbered("darkchess", "b3 =C a1 =p c5");
        let numbers: Vec<Option<usize>> = shown.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [Some(1), Some(1), Some(2), Some(2), Some(3)]);
    }

    #[test]
    fn moves_of_all_other_games_are_counted_from_1() {
        for (game, tokens, texts) in [
            ("amazons", "d1d7,d7g7 a7b7,b7c7", ["d1-d7/g7", "a7-b7/c7"]),
            ("connect6", "j10 k9l8", ["j10", "k9l8"]),
            ("nogo", "e5 J1", ["e5", "j1"]),
            ("xiangqi", "h2e2 h9g7", ["h2-e2", "h9-g7"]),
        ] {
            let expected: Vec<_> = (1..).map(Some).zip(texts.map(String::from)).collect();
            assert_eq!(numbered(game, tokens), expected, "{game}");
        }
    }

    #[test]
    fn a_line_ends_before_the_first_token_that_is_not_legal() {
        let start = arbiter::game("xiangqi").unwrap().open(None, &[]).unwrap();
        let tokens = ["h2e2", "z9z9", "h9g7"].map(String::from);
        let shown = line(&*start, &tokens);
        assert_eq!(shown.len(), 1);
        let json = serde_json::to_value(&shown[0]).unwrap();
        let expected = serde_json::json!({
            "token": "h2e2", "text": "h2-e2", "wxf": "C2.5", "chinese": "炮二平五", "by": 0, "number": 1,
        });
        assert_eq!(json, expected);
    }
}

//! Games as data for the page's replay: the first position, the changes of each move, and the
//! reports of the engines. The pages of the server show the same data.
//!
//! The rules are applied here; a page only draws given pieces on given squares.

use crate::plot::BoardPicture;
use crate::shown::{MoveCount, texts};
use crate::view::winning_squares;
use agon_games::arbiter::{self, Arbiter};
use agon_games::game::MoveTexts;
use agon_games::{Player, Turn};
use agon_matchlog::rule_pairs;
use agon_matchlog::{GameRecord, MatchHeader, PlyScore, RuleEnding};
use agon_wire::message::Score;
use serde_json::{Value, json};

/// A game that can be shown move by move.
struct Frames {
    first: BoardPicture,
    /// The FENs: one more than there are moves.
    fens: Vec<String>,
    moves: Vec<ReplayMove>,
    /// The squares that show why the game is won.
    won: Vec<String>,
}

/// A move of a replay.
struct ReplayMove {
    /// The move in the notations of the game.
    texts: MoveTexts,
    /// Its number, or that of the move to which it belongs.
    number: Option<usize>,
    /// The squares of the last move: a chance outcome that names none leaves them marked.
    last: Vec<String>,
    /// The squares that the move changes, with the kind of the new piece of each.
    changes: Vec<Value>,
}

/// The data of a game for `replay.js`; `None` if no board can be drawn of it.
///
/// Squares are named, pieces are the kinds of views, and a FEN is the one before it with a part
/// replaced: `[kept bytes, dropped bytes, text]`.
pub fn of(header: &MatchHeader, game: &GameRecord) -> Option<Value> {
    let frames = replay(header, game).or_else(|| last_position(header, game))?;
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    let fens: Vec<Value> = frames.fens.windows(2).map(|f| fen_change(&f[0], &f[1])).collect();
    let moves = &frames.moves;
    let column = |text: fn(&MoveTexts) -> Option<&String>| -> Option<Vec<&String>> {
        moves.iter().map(|step| text(&step.texts)).collect()
    };
    let score = |s: &Option<PlyScore>| match s {
        None => Value::Null,
        Some(PlyScore(Score::Cp(x))) => json!(x),
        Some(PlyScore(Score::Mate(n))) => json!(format!("#{n}")),
    };
    let movers = game.by.chars().filter(|&c| c != 'c');
    let expected = movers.enumerate().map(|(d, by)| {
        let own = game.stats.expected.get(d).copied().flatten();
        let score = game.stats.score.get(d).copied().flatten().map(|PlyScore(score)| score);
        expected_score(own, score, if by == '1' { Player::First } else { Player::Second })
    });
    let first = &frames.first;
    let pieces = first
        .cells()
        .iter()
        .enumerate()
        .filter_map(|(square, cell)| Some((first.name(square), cell.describe()?.kind)));
    Some(json!({
        "number": game.number(),
        "players": game.players.map(name),
        "engines": game.players,
        "board": board(&header.game, first),
        "pieces": pieces.collect::<Vec<_>>(),
        "start": frames.fens[0],
        "fens": fens,
        "moves": column(|texts| Some(&texts.text)),
        "wxf": column(|texts| texts.wxf.as_ref()),
        "chinese": column(|texts| texts.chinese.as_ref()),
        "numbers": moves.iter().map(|step| step.number).collect::<Vec<_>>(),
        "last": moves.iter().map(|step| &step.last).collect::<Vec<_>>(),
        "changes": moves.iter().map(|step| &step.changes).collect::<Vec<_>>(),
        "won": frames.won,
        "by": game.by,
        "us": game.stats.us,
        "depth": game.stats.depth,
        "nodes": game.stats.nodes,
        "score": game.stats.score.iter().map(score).collect::<Vec<_>>(),
        "expected": expected.collect::<Vec<_>>(),
        "result": {
            "winner": game.result.winner().map(|p| p.index()),
            "reason": game.reason.name(),
            "ending": game.ending.map(|RuleEnding(ending)| ending.name()),
        },
        "said": game.output_tail().to_string().trim_start(),
    }))
}

/// The first player's expected score in permille, for bars and curves: what the engine reported, or
/// certainty for a forced result. A score alone has a unit that only its engine knows, and tells none.
pub fn expected_score(own: Option<u32>, score: Option<Score>, mover: Player) -> Option<u32> {
    let certain = match score {
        Some(Score::Mate(plies)) => Some(if plies > 0 { 1000 } else { 0 }),
        _ => None,
    };
    let own = own.or(certain)?.min(1000);
    Some(if mover == Player::First { own } else { 1000 - own })
}

/// The fields of a view that stay the same in the whole game.
fn board(game: &str, first: &BoardPicture) -> Value {
    json!({
        "game": game,
        "files": first.files(),
        "ranks": first.ranks(),
        "grid": first.grid_name(),
        "squares": (0..first.cells().len()).map(|s| first.name(s)).collect::<Vec<_>>(),
    })
}

/// The squares whose contents differ, each with the kind of its new piece, if it has one.
fn changes_between(before: &BoardPicture, after: &BoardPicture) -> Vec<Value> {
    let cells = before.cells().iter().zip(after.cells()).enumerate();
    cells
        .filter(|(_, (old, new))| old != new)
        .map(|(square, (_, new))| match new.describe() {
            Some(piece) => json!([after.name(square), piece.kind]),
            None => json!([after.name(square)]),
        })
        .collect()
}

/// What replaces the part in which two FENs differ. FENs are ASCII.
fn fen_change(before: &str, after: &str) -> Value {
    let same = |pair: &(u8, u8)| pair.0 == pair.1;
    let kept = before.bytes().zip(after.bytes()).take_while(same).count();
    let most = before.len().min(after.len()) - kept;
    let end = before.bytes().rev().zip(after.bytes().rev()).take_while(same).count().min(most);
    let text = after.get(kept..after.len() - end).unwrap_or(after);
    json!([kept, before.len() - end - kept, text])
}

fn open(header: &MatchHeader, game: &GameRecord) -> Option<Box<dyn Arbiter>> {
    arbiter::game(&header.game)?.open_text(&game.opening, &rule_pairs(&header.rules)).ok()
}

/// Replays the game; `None` if the rules do not accept it.
fn replay(header: &MatchHeader, game: &GameRecord) -> Option<Frames> {
    let mut position = open(header, game)?;
    let mut fens = vec![position.fen()];
    let mut tokens = position.tokens();
    let first = BoardPicture::parse(&header.game, &fens[0]).ok()?;
    let mut board = first.clone();
    let (mut moves, mut count) = (Vec::new(), MoveCount::default());
    for token in game.moves.split_whitespace() {
        let texts = texts(&*position, token);
        let number = count.next(position.turn() == Turn::Chance, &texts.token);
        position.push(token).ok()?;
        let fen = position.fen();
        let next = BoardPicture::parse(&header.game, &fen).ok()?;
        let changes = changes_between(&board, &next);
        tokens.push(token.to_string());
        board = next.with_last_move(&tokens);
        let last = board.marked().iter().map(|&square| board.name(square)).collect();
        fens.push(fen);
        moves.push(ReplayMove { texts, number, last, changes });
    }
    let won = winning_squares(&board, &*position);
    Some(Frames { first, fens, moves, won })
}

/// The last position only, for a game that this program cannot replay.
fn last_position(header: &MatchHeader, game: &GameRecord) -> Option<Frames> {
    let first = BoardPicture::parse(&header.game, &game.fen).ok()?;
    Some(Frames { first, fens: vec![game.fen.clone()], moves: Vec::new(), won: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_score_is_the_engines_own_or_that_of_a_forced_result() {
        for (own, score, first, second) in [
            (Some(1000), Some(Score::Cp(100)), Some(1000), Some(0)),
            (Some(640), None, Some(640), Some(360)),
            (None, Some(Score::Cp(100)), None, None),
            (None, Some(Score::Mate(3)), Some(1000), Some(0)),
            (None, Some(Score::Mate(0)), Some(0), Some(1000)),
            (None, None, None, None),
        ] {
            assert_eq!(expected_score(own, score, Player::First), first, "{own:?} {score:?}");
            assert_eq!(expected_score(own, score, Player::Second), second, "{own:?} {score:?}");
        }
    }

    #[test]
    fn a_fen_is_rebuilt_from_its_change() {
        for (before, after) in
            [("abc", "abc"), ("abc", "aXc"), ("aa", "aaa"), ("aaa", "aa"), ("", "x")]
        {
            let change = fen_change(before, after);
            let [kept, dropped] = [0, 1].map(|i| change[i].as_u64().unwrap() as usize);
            let text = change[2].as_str().unwrap();
            let rebuilt = format!("{}{text}{}", &before[..kept], &before[kept + dropped..]);
            assert_eq!(rebuilt, after, "{before} to {after}");
        }
    }
}

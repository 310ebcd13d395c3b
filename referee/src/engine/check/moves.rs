//! Whether its moves are legal, wherever it is asked, and whether it answers questions truly.

use super::places::{Place, odd_places};
use super::talk::{Best, Talk, text};
use super::{Outcome, Subject, good, remark, skipped};
use agon_protocol::dialect::PositionSupport;
use agon_protocol::message::{Command, Limits, Query};
use agon_protocol::{Outcome as Result_, Player, Turn, rng};
use std::time::{Duration, Instant};

/// For an answer that ought to come at once, from an engine that may not be able to hurry.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Whole games end here: an engine without clocks may take long over each move.
const GAMES: Duration = Duration::from_secs(60);
/// Random games from which positions are taken.
const RANDOM_GAMES: u64 = 4;

/// Its move is legal in this position.
pub(super) fn judge(place: &Place, best: &Best) -> Result<(), String> {
    let fen = place.board.fen();
    let Some(token) = &best.token else {
        let n = place.board.count_moves();
        return Err(format!("it says `{}`, but there are {n} legal moves in {fen}", best.line));
    };
    match place.board.boxed_clone().push(token) {
        Ok(_) => Ok(()),
        Err(e) => Err(format!("{e}, in {fen}; its line was `{}`", best.line)),
    }
}

/// It finds a legal move in the start position, says it in the right words, and nothing after it.
pub(super) fn first_move(subject: &Subject) -> Outcome {
    let mut talk = Talk::open(subject)?;
    let mut place = Place::start(subject)?;
    place.settle(&mut rng::stream(1, 0, "first move of a check"))?;
    let limits = Limits::with_move_time(Duration::from_millis(200));
    let best = talk.go(&place, &limits, PATIENCE)?;
    judge(&place, &best)?;
    let words = best.line.split_whitespace().count();
    if subject.entry.dialect == "ugi" && words != 2 {
        return Err(format!("`{}` has {words} words; managers of UGI count two", best.line));
    }
    if subject.has_words_for(&Command::Stop)
        && let Some(line) = talk.unasked(Duration::from_millis(100))
    {
        return Err(format!("after its move it goes on with `{line}`"));
    }
    let report = match (best.info.depth, best.info.nodes) {
        (Some(depth), Some(nodes)) => format!(", depth {depth}, {nodes} nodes"),
        (Some(depth), None) => format!(", depth {depth}"),
        (None, Some(nodes)) => format!(", {nodes} nodes"),
        (None, None) => String::new(),
    };
    good(format!("{} after {}{report}", best.token.unwrap_or_default(), text(best.time)))
}

/// Its moves are legal in positions from random games, the last ones included.
pub(super) fn odd_positions(subject: &Subject) -> Outcome {
    if subject.dialect()?.position_support() == PositionSupport::OwnGames {
        return skipped(format!("the dialect {} cannot tell positions", subject.entry.dialect));
    }
    let mut talk = Talk::open(subject)?;
    let places = odd_places(subject, RANDOM_GAMES)?;
    let begin = Instant::now();
    let mut asked = 0;
    for place in &places {
        let limits = Limits::with_move_time(Duration::from_millis(50));
        let moves = place.board.count_moves();
        let best = talk
            .go(place, &limits, PATIENCE)
            .map_err(|e| format!("in {} with {moves} legal moves: {e}", place.board.fen()))?;
        judge(place, &best)?;
        asked += 1;
        if begin.elapsed() > GAMES {
            return remark(format!("{asked} of {} positions, all legal; it is slow", places.len()));
        }
        // A dialect that tells moves one by one needs a game for every position.
        talk.begin_game()?;
    }
    let fewest = places.iter().map(|p| p.board.count_moves()).min().unwrap_or(0);
    good(format!("{asked} positions of random games, with {fewest} legal moves and more"))
}

/// It plays whole games against a random player, with either side.
pub(super) fn whole_games(subject: &Subject) -> Outcome {
    let begin = Instant::now();
    let mut talk = Talk::open(subject)?;
    let mut said = Vec::new();
    for (i, side) in Player::BOTH.into_iter().enumerate() {
        if i > 0 {
            talk.begin_game()?;
        }
        let (plies, turn) = play(subject, &mut talk, side, begin)?;
        let how = match turn {
            Turn::Over(Result_::Win(winner)) if winner == side => "won",
            Turn::Over(Result_::Win(_)) => "lost",
            Turn::Over(Result_::Draw) => "drawn",
            _ => "broken off",
        };
        said.push(format!("{how} after {plies} plies"));
    }
    good(format!("against random moves: {}", said.join(", ")))
}

/// One game; gives the number of decisions and how it ended, if it did in time.
fn play(
    subject: &Subject,
    talk: &mut Talk<'_>,
    side: Player,
    begin: Instant,
) -> Result<(usize, Turn), String> {
    let mut stream = rng::stream(2, side.index() as u64, "games of a check");
    let mut place = Place::start(subject)?;
    place.settle(&mut stream)?;
    let limits = Limits::with_move_time(Duration::from_millis(30));
    let mut plies = 0;
    // Slow engines play at least some moves of the second game too.
    let share = GAMES / 2 * (side.index() as u32 + 1);
    while let Turn::Player(mover) = place.board.turn() {
        if plies >= 300 || begin.elapsed() > share {
            break;
        }
        plies += 1;
        if mover != side {
            place.push_random(&mut stream)?;
            continue;
        }
        let best = talk.go(&place, &limits, PATIENCE)?;
        judge(&place, &best)?;
        place.push(&best.token.unwrap_or_default())?;
        place.settle(&mut stream)?;
    }
    Ok((plies, place.board.turn()))
}

/// A search of so many nodes or plies repeats itself in a new game.
pub(super) fn repetition(subject: &Subject) -> Outcome {
    if !subject.has_words_for(&Command::Stop) {
        return skipped(format!("the dialect {} bounds no searches", subject.entry.dialect));
    }
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut talk = Talk::open(subject)?;
        let mut place = Place::start(subject)?;
        place.settle(&mut rng::stream(1, 0, "first move of a check"))?;
        let best = talk.go(&place, &Limits::with_nodes(5000), PATIENCE)?;
        judge(&place, &best)?;
        answers.push((best.token, best.info.nodes));
    }
    if answers[0] == answers[1] {
        return good("two searches of 5000 nodes are the same");
    }
    let show = |(token, nodes): &(Option<String>, Option<u64>)| {
        let nodes = nodes.map_or(String::new(), |n| format!(" ({n} nodes)"));
        format!("{}{nodes}", token.as_deref().unwrap_or("none"))
    };
    let (a, b) = (show(&answers[0]), show(&answers[1]));
    remark(format!("two searches of 5000 nodes differ, {a} and {b}: its games cannot be repeated"))
}

/// The questions of UGI are answered as the rules do.
pub(super) fn questions(subject: &Subject) -> Outcome {
    if !subject.has_words_for(&Command::Query(Query::P1Turn)) {
        return skipped(format!("the dialect {} asks none", subject.entry.dialect));
    }
    let mut talk = Talk::open(subject)?;
    let mut stream = rng::stream(3, 0, "games of a check");
    let mut place = Place::start(subject)?;
    place.settle(&mut stream)?;
    let mut asked = 0;
    loop {
        let over = place.board.turn().player().is_none();
        // Near the start and at the end something can be wrong; in between it is the same.
        if asked < 5 || over {
            ask(&mut talk, &place)?;
            asked += 1;
        }
        if over || asked > 300 {
            break;
        }
        place.push_random(&mut stream)?;
    }
    good(format!("p1turn, gameover and result are right in {asked} positions"))
}

fn ask(talk: &mut Talk<'_>, place: &Place) -> Result<(), String> {
    let turn = place.board.turn();
    let first = turn == Turn::Player(Player::First);
    let result = match turn {
        Turn::Over(Result_::Draw) => "draw",
        Turn::Over(Result_::Win(Player::First)) => "p1win",
        Turn::Over(Result_::Win(Player::Second)) => "p2win",
        _ => "none",
    };
    let over = matches!(turn, Turn::Over(_));
    talk.say(&place.command())?;
    for (query, name, expected) in [
        (Query::P1Turn, "query p1turn", if first { "true" } else { "false" }),
        (Query::GameOver, "query gameover", if over { "true" } else { "false" }),
        (Query::Result, "query result", result),
    ] {
        talk.say(&Command::Query(query))?;
        let answer = talk.response(name)?;
        if answer != expected {
            let fen = place.board.fen();
            return Err(format!("`{name}`: it says `{answer}`, it is `{expected}` in {fen}"));
        }
    }
    Ok(())
}

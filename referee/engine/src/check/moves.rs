//! Checks of moves and queries: legality in many positions, repeatability, answers to queries.

use super::conversation::{Conversation, SearchAnswer, text};
use super::positions::{TestPosition, random_game_positions};
use super::{CheckResult, EngineUnderTest, passed, remark, skipped};
use agon_base::counted;
use agon_games::{Outcome, Player, Turn, rng};
use agon_wire::dialect::PositionSupport;
use agon_wire::message::{Command, Limits, Query};
use std::time::{Duration, Instant};

/// Timeout for an answer, sufficient for an engine that ignores its limits.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit for checks of many moves: an engine without clocks may take long for each move.
const GAMES_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of random games from which positions are taken.
const RANDOM_GAMES: u64 = 4;

/// Checks that the move is legal in this position. Who resigns breaks no rule.
pub(super) fn check_legal(position: &TestPosition, best: &SearchAnswer) -> Result<(), String> {
    let fen = position.board.fen();
    if best.resigns {
        return Ok(());
    }
    let Some(token) = &best.token else {
        let n = position.board.count_moves();
        return Err(format!("it answers `{}`, but there are {n} legal moves in {fen}", best.line));
    };
    match position.board.boxed_clone().push(token) {
        Ok(_) => Ok(()),
        Err(e) => Err(format!("{e}, in {fen}; its line was `{}`", best.line)),
    }
}

/// The engine returns a legal move in the start position, in the correct format, and sends nothing
/// after it.
pub(super) fn first_move(subject: &EngineUnderTest) -> CheckResult {
    let mut engine = Conversation::open(subject)?;
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
    let limits = subject.usual_limits(200);
    let best = engine.go(&position, &limits, ANSWER_TIMEOUT)?;
    check_legal(&position, &best)?;
    let words = best.line.split_whitespace().count();
    if subject.entry.dialect == "ugi" && words != 2 {
        return Err(format!("`{}` has {words} words; managers of UGI count two", best.line));
    }
    if subject.supports(&Command::Stop)
        && let Some(line) = engine.unasked(Duration::from_millis(100))
    {
        return Err(format!("it sends `{line}` after its move"));
    }
    if best.resigns {
        return remark(format!("it resigns in the start position, with `{}`", best.line));
    }
    let report = match (best.info.depth, best.info.nodes) {
        (Some(depth), Some(nodes)) => {
            format!(", depth {depth}, {nodes}", nodes = counted(nodes, "node"))
        }
        (Some(depth), None) => format!(", depth {depth}"),
        (None, Some(nodes)) => format!(", {nodes}", nodes = counted(nodes, "node")),
        (None, None) => String::new(),
    };
    passed(format!("{} after {}{report}", best.token.unwrap_or_default(), text(best.time)))
}

/// The engine's moves are legal in positions from random games, including the final positions.
pub(super) fn odd_positions(subject: &EngineUnderTest) -> CheckResult {
    if subject.dialect()?.position_support() == PositionSupport::OwnGames {
        return skipped(format!("the dialect {} cannot express positions", subject.entry.dialect));
    }
    let mut engine = Conversation::open(subject)?;
    let positions = random_game_positions(subject, RANDOM_GAMES)?;
    let begin = Instant::now();
    let mut asked = 0;
    for position in &positions {
        let limits = subject.usual_limits(50);
        let moves = position.board.count_moves();
        let best = engine
            .go(position, &limits, ANSWER_TIMEOUT)
            .map_err(|e| format!("in {} with {moves} legal moves: {e}", position.board.fen()))?;
        check_legal(position, &best)?;
        asked += 1;
        if begin.elapsed() > GAMES_TIMEOUT {
            return remark(format!(
                "{asked} of {}, all legal; it is slow",
                counted(positions.len(), "position")
            ));
        }
        // A dialect that transmits moves one by one needs a new game for each position.
        engine.begin_game()?;
    }
    let fewest = positions.iter().map(|p| p.board.count_moves()).min().unwrap_or(0);
    passed(format!(
        "{asked} of random games, with {fewest} legal moves and more",
        asked = counted(asked, "position")
    ))
}

/// The engine plays whole games against a random player, once with each side.
pub(super) fn whole_games(subject: &EngineUnderTest) -> CheckResult {
    let begin = Instant::now();
    let mut engine = Conversation::open(subject)?;
    let mut said = Vec::new();
    for (i, side) in Player::BOTH.into_iter().enumerate() {
        if i > 0 {
            engine.begin_game()?;
        }
        let (plies, end) = play(subject, &mut engine, side, begin)?;
        let how = match end {
            None => "resigned",
            Some(Turn::Over(Outcome::Win(winner))) if winner == side => "won",
            Some(Turn::Over(Outcome::Win(_))) => "lost",
            Some(Turn::Over(Outcome::Draw)) => "drawn",
            _ => "broken off",
        };
        said.push(format!("{how} after {plies}", plies = counted(plies, "ply")));
    }
    passed(format!("against random moves: {}", said.join(", ")))
}

/// Plays one game; returns the number of decisions, and the result if the game finished in time;
/// `None` if the engine resigned.
fn play(
    subject: &EngineUnderTest,
    engine: &mut Conversation<'_>,
    side: Player,
    begin: Instant,
) -> Result<(usize, Option<Turn>), String> {
    let mut stream = rng::stream(2, side.index() as u64, "games of a check");
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut stream)?;
    let limits = subject.usual_limits(30);
    let mut plies = 0;
    // Reserve time so that slow engines also play some moves of the second game.
    let share = GAMES_TIMEOUT / 2 * (side.index() as u32 + 1);
    while let Turn::Player(mover) = position.board.turn() {
        if plies >= 300 || begin.elapsed() > share {
            break;
        }
        plies += 1;
        if mover != side {
            position.push_random(&mut stream)?;
            continue;
        }
        let best = engine.go(&position, &limits, ANSWER_TIMEOUT)?;
        check_legal(&position, &best)?;
        if best.resigns {
            return Ok((plies, None));
        }
        position.push(&best.token.unwrap_or_default())?;
        position.play_chance(&mut stream)?;
    }
    Ok((plies, Some(position.board.turn())))
}

/// A search with a node limit repeats its result in a new game.
pub(super) fn repetition(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::Stop) {
        return skipped(format!("the dialect {} bounds no searches", subject.entry.dialect));
    }
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut engine = Conversation::open(subject)?;
        let mut position = TestPosition::start(subject)?;
        position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
        let best = engine.go(&position, &Limits::with_nodes(5000), ANSWER_TIMEOUT)?;
        check_legal(&position, &best)?;
        answers.push((best.token, best.info.nodes));
    }
    if answers[0] == answers[1] {
        return passed("two searches of 5000 nodes are the same");
    }
    let show = |(token, nodes): &(Option<String>, Option<u64>)| {
        let nodes = nodes.map_or(String::new(), |n| format!(" ({n})", n = counted(n, "node")));
        format!("{}{nodes}", token.as_deref().unwrap_or("none"))
    };
    let (a, b) = (show(&answers[0]), show(&answers[1]));
    remark(format!(
        "two searches of 5000 nodes differ, {a} and {b}: its games are not reproducible"
    ))
}

/// The engine's answers to UGI queries agree with the rules.
pub(super) fn questions(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::Query(Query::P1Turn)) {
        return skipped(format!("the dialect {} has no queries", subject.entry.dialect));
    }
    let mut engine = Conversation::open(subject)?;
    let mut stream = rng::stream(3, 0, "games of a check");
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut stream)?;
    let mut asked = 0;
    loop {
        let over = position.board.turn().player().is_none();
        // Testing the positions near the start and at the end is enough.
        if asked < 5 || over {
            ask(&mut engine, &position)?;
            asked += 1;
        }
        if over || asked > 300 {
            break;
        }
        position.push_random(&mut stream)?;
    }
    passed(format!(
        "p1turn, gameover and result are right in {asked}",
        asked = counted(asked, "position")
    ))
}

fn ask(engine: &mut Conversation<'_>, position: &TestPosition) -> Result<(), String> {
    let turn = position.board.turn();
    let first = turn == Turn::Player(Player::First);
    let result = match turn {
        Turn::Over(Outcome::Draw) => "draw",
        Turn::Over(Outcome::Win(Player::First)) => "p1win",
        Turn::Over(Outcome::Win(Player::Second)) => "p2win",
        _ => "none",
    };
    let over = matches!(turn, Turn::Over(_));
    engine.send(&position.command())?;
    for (query, name, expected) in [
        (Query::P1Turn, "query p1turn", if first { "true" } else { "false" }),
        (Query::GameOver, "query gameover", if over { "true" } else { "false" }),
        (Query::Result, "query result", result),
    ] {
        let answer = engine.query(query, name)?;
        if answer != expected {
            let fen = position.board.fen();
            return Err(format!("`{name}`: it answers `{answer}`, expected `{expected}` in {fen}"));
        }
    }
    Ok(())
}

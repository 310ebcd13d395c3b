//! The words of the runners for chess (fastchess, cutechess-cli) about a game: how it ended, and the comments behind its
//! moves. OpenBench and other frameworks look for `disconnect`, `stalls`, `on time` and `illegal` in them.

use agon_games::game::Player;
use agon_matches::run_settings::RunnerComments;
use agon_matchlog::{GameRecord, MatchHeader, PlyScore, Reason};
use agon_wire::message::Score;

/// Whether the match's terms, and neither the rules nor an engine, ended the game.
pub fn is_adjudicated(header: &MatchHeader, record: &GameRecord) -> bool {
    let ruled =
        |prefix: &str| record.detail.as_ref().is_some_and(|d| d.to_string().starts_with(prefix));
    let terms = &header.adjudication;
    match record.reason {
        Reason::Resignation => terms.resign.is_some() && ruled("resign adjudication"),
        Reason::Agreement => terms.draw.is_some() && ruled("draw adjudication"),
        Reason::Length | Reason::Territory | Reason::Tablebase => true,
        _ => false,
    }
}

/// The value of the tag `Termination` where it is not the standard's.
pub fn termination(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::IllegalMove | Reason::Protocol => Some("illegal move"),
        Reason::Flood => Some("abandoned"),
        _ => None,
    }
}

/// How a game ended, in one sentence. The players are White and Black in every game.
pub fn ending(header: &MatchHeader, record: &GameRecord) -> String {
    let winner = record.result.winner();
    let name = |player: Player| ["White", "Black"][player.index()];
    let (winner, loser) = match winner {
        Some(player) => (name(player), name(player.opponent())),
        None => ("", ""),
    };
    let by = |what: &str| match winner {
        "" => format!("Draw by {what}"),
        winner => format!("{winner} wins by {what}"),
    };
    match record.reason {
        Reason::Rules => {
            let rule = record.ending.map_or("the rules", |rule| rule.0.name());
            if winner.is_empty() || rule != "checkmate" {
                by(rule)
            } else {
                format!("{winner} mates")
            }
        }
        Reason::Time => format!("{loser} loses on time"),
        Reason::Hang => format!("{loser}'s connection stalls"),
        Reason::Crash | Reason::Flood => format!("{loser} disconnects"),
        Reason::IllegalMove => format!("{loser} makes an illegal move"),
        Reason::Protocol => format!("{loser} sends an illegal answer"),
        Reason::Resignation if !is_adjudicated(header, record) => format!("{loser} resigns"),
        Reason::Agreement if !is_adjudicated(header, record) => by("agreement"),
        Reason::Resignation | Reason::Agreement | Reason::Length => by("adjudication"),
        Reason::Territory => by("adjudication: territory"),
        Reason::Tablebase => by("adjudication: tablebase"),
    }
}

/// The parts of the comment behind a decision: `+0.31/12 0.125s`, `n=48213`, `sd=0`. As in these programs, 0
/// stands for what the engine did not say.
pub fn thinking(record: &GameRecord, decision: usize, form: &RunnerComments) -> Vec<String> {
    let stats = &record.stats;
    let score = match stats.score.get(decision).copied().flatten() {
        Some(PlyScore(Score::Cp(cp))) => format!("{:+.2}", f64::from(cp) / 100.0),
        Some(PlyScore(Score::Mate(n))) => {
            format!("{}M{}", if n < 0 { '-' } else { '+' }, n.unsigned_abs())
        }
        None => String::new(),
    };
    let depth = stats.depth.get(decision).copied().flatten().unwrap_or(0);
    let us = stats.us.get(decision).copied().unwrap_or(0);
    let nodes = stats.nodes.get(decision).copied().flatten().unwrap_or(0);
    let mut parts = vec![format!("{score}/{depth} {:.3}s", us as f64 / 1e6)];
    parts.extend(form.nodes.then(|| format!("n={nodes}")));
    parts.extend(form.seldepth.then(|| "sd=0".to_string()));
    parts.extend(form.nps.then(|| format!("nps={}", nodes * 1_000_000 / us.max(1))));
    parts
}

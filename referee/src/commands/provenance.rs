//! What a log tells of how it came about, what it cannot tell, and what logs of older formats cannot.

use agon_matches::verify::Defect;
use agon_matchlog::{LogError, LogGames, caveats, head};
use std::path::PathBuf;
use std::slice;

/// How many resumptions and parts are listed.
const LISTED: usize = 10;

/// What reading these logs does not check: a line for each sentence, which names its logs.
pub fn unchecked(logs: &[PathBuf]) -> Result<Vec<String>, LogError> {
    let mut said: Vec<(&str, Vec<String>)> = Vec::new();
    for log in logs {
        for what in caveats(log)? {
            let name = log.display().to_string();
            match said.iter_mut().find(|(known, _)| *known == what) {
                Some((_, names)) => names.push(name),
                None => said.push((what, vec![name])),
            }
        }
    }
    let line =
        |(what, names): (&str, Vec<String>)| format!("{}: not checked: {what}", names.join(", "));
    Ok(said.into_iter().map(line).collect())
}

/// Prints them before the results.
pub fn print_unchecked(logs: &[PathBuf]) -> Result<(), LogError> {
    unchecked(logs)?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// What an export says beside the games, on standard error: what is not checked, and the hash of the last line.
pub fn print_beside(log: &PathBuf) -> Result<(), LogError> {
    unchecked(slice::from_ref(log))?.iter().for_each(|line| eprintln!("{line}"));
    eprintln!("{}: hash of the last line: {}", log.display(), head(log)?);
    Ok(())
}

/// Prints the hash of the last line of each log.
pub fn print_heads(logs: &[PathBuf]) -> Result<(), LogError> {
    for log in logs {
        println!("{}: hash of the last line: {}", log.display(), head(log)?);
    }
    Ok(())
}

/// The hashes of the last lines of logs.
pub fn heads(logs: &[PathBuf]) -> Result<Vec<String>, LogError> {
    logs.iter().map(|log| head(log)).collect()
}

/// What logs of this format do not show, though those of the newest format do.
pub fn limits(format: u32) -> Vec<String> {
    let old = |what: &str| format!("the log has format {format}: {what}");
    let mut all = Vec::new();
    if format == 1 {
        all.push(old(
            "no chain shows lines that were changed or removed, no end line that the last ones are \
             missing, and chance follows from a seed that was known beforehand",
        ));
    }
    if format < 3 {
        all.push(old(
            "a referee that was stopped and resumed left no line, so games may have been removed before \
             it went on",
        ));
    }
    all
}

/// What the log says of its resumptions and of the logs that it was merged from.
pub fn remarks(games: &LogGames) -> Vec<String> {
    let mut all = Vec::new();
    let resumptions = games.resumptions();
    for (line, found) in resumptions.iter().take(LISTED) {
        let when = found.origin.as_ref().map_or(String::new(), |o| format!(", {}", o.started));
        let torn = found.discarded.as_ref().map_or(String::new(), |torn| {
            format!("; an incomplete line of {} bytes was discarded", torn.bytes)
        });
        all.push(format!("resumed after {} games (line {line}{when}){torn}", found.games));
    }
    if let more @ 1.. = resumptions.len().saturating_sub(LISTED) {
        all.push(format!("resumed {more} times more"));
    }
    for part in games.parts().iter().take(LISTED) {
        let shard = part.shard.map_or("a log".into(), |s| format!("part {}/{}", s.part, s.of));
        let (games, resumed, head) = (part.games, part.resumed, &part.head);
        all.push(format!(
            "merged from {shard} of {games} games, resumed {resumed} times, hash of its last line {head}"
        ));
    }
    if let more @ 1.. = games.parts().len().saturating_sub(LISTED) {
        all.push(format!("merged from {more} logs more"));
    }
    all
}

/// Says where a hash was found.
pub fn found(hash: &str, line: u64, games: u64) -> String {
    format!(
        "line {line} has the hash {hash}: it and all lines before it, with {games} games, are those that \
         the log had when the hash was written down"
    )
}

/// The defect of a log without a line that has this hash.
pub fn missing(hash: &str, games: &LogGames, format: u32) -> Defect {
    let reason = if format == 1 {
        "--head: the log has format 1, whose lines have no hashes".into()
    } else if games.parts().iter().any(|part| part.head == hash) {
        format!(
            "no line has the hash {hash}; it was that of the last line of a log that was merged into \
             this one: give that log to verify"
        )
    } else {
        format!(
            "no line has the hash {hash}: the log is not the one from which it was taken, or lines were \
             changed or removed since"
        )
    };
    Defect { line: games.line(), reason }
}

/// What no check of the file could find.
pub fn unknown(games: &LogGames, format: u32) -> Vec<String> {
    let sure = games.looked_for().iter().filter_map(|(_, found)| *found).max();
    let rewritten = match sure {
        Some((line, _)) if line == games.line() => None,
        Some((line, _)) => Some(format!("whether lines after line {line} were made anew, or removed")),
        None if format == 1 => Some("whether lines were changed or removed".into()),
        None => Some(
            "whether all lines were made anew with a chain of their own, or the last ones removed before \
             others were added (--head HASH, a hash that somebody wrote down meanwhile, shows both)"
                .into(),
        ),
    };
    let never = "games that were played and never logged, among them whole matches with another log; and \
                 whether times, scores and faults, which nobody can play again, are those of the games";
    rewritten.into_iter().chain([never.to_string()]).collect()
}

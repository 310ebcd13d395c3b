//! Logs of the same match, such as a copy, a part and the merged log, or an earlier state of the log: each game counts
//! once.

use super::chain::line_hash;
use super::read::open;
use super::{GameRecord, GameSet, LogError, MatchHeader};
use agon_games::hash::FastMap;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A log whose games may count.
#[derive(Clone, Debug)]
pub struct CheckedLog {
    /// The file.
    pub path: PathBuf,
    /// Its header.
    pub header: MatchHeader,
    /// The numbers of the games that may count.
    pub games: GameSet,
}

/// A match of which there are logs.
#[derive(Clone, Debug, Default)]
pub struct OneMatch {
    /// Its logs by their index, the longest first, each with the games that count: no game is in two of the sets.
    pub logs: Vec<(usize, GameSet)>,
    /// Two logs that tell the same game differently, by their index, and the game. Nobody can say which one is true.
    pub contradiction: Option<([usize; 2], u64)>,
}

/// A hash that all logs of a match have in common, those of its parts and continuations too, and no log of another match:
/// of the game, the engines, the seed or the hash of the secret, and all else that a header fixes. The number of games of
/// two engines is left out: a match can be continued.
pub fn match_key(header: &MatchHeader) -> String {
    let mut whole = MatchHeader { shard: None, ..header.identity() };
    if let ([pairing], None) = (whole.schedule.pairings.as_mut_slice(), &whole.schedule.rounds) {
        pairing.games = [0; 2];
    }
    line_hash(&serde_json::to_string(&whole).unwrap_or_default())
}

/// Finds the logs of the same match, which have the same [`match_key`].
///
/// # Errors
///
/// Fails if a log cannot be read any more.
pub fn count_once(logs: &[CheckedLog]) -> Result<Vec<OneMatch>, LogError> {
    let mut matches: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, log) in logs.iter().enumerate() {
        matches.entry(match_key(&log.header)).or_default().push(index);
    }
    let mut all: Vec<Vec<usize>> = matches.into_values().collect();
    all.sort_unstable();
    all.into_iter().map(|of_match| unite(logs, of_match)).collect()
}

/// Divides the games of a match among its logs.
fn unite(logs: &[CheckedLog], mut of_match: Vec<usize>) -> Result<OneMatch, LogError> {
    if let [only] = of_match.as_slice() {
        let games = logs[*only].games.clone();
        return Ok(OneMatch { logs: vec![(*only, games)], contradiction: None });
    }
    // The longest one has the others' games, mostly all of them.
    of_match.sort_by_key(|&index| (std::cmp::Reverse(logs[index].games.iter().count()), index));
    let mut known: FastMap<u64, (usize, String)> = FastMap::default();
    let mut found = OneMatch::default();
    for index in of_match {
        let mut counted = GameSet::default();
        for game in open(&logs[index].path)?.1 {
            let game = game?;
            if !logs[index].games.contains(game.game) {
                continue;
            }
            let played = line_hash(&told(&game));
            match known.get(&game.game) {
                Some((_, other)) if *other == played => {}
                Some((other, _)) => {
                    found.contradiction.get_or_insert(([*other, index], game.game));
                }
                None => {
                    known.insert(game.game, (index, played));
                    counted.insert(game.game);
                }
            }
        }
        found.logs.push((index, counted));
    }
    Ok(found)
}

/// What a log tells of a game, without its times: a match that is played again in the same way is the same evidence.
fn told(game: &GameRecord) -> String {
    let GameRecord { players, opening, moves, by, result, reason, .. } = game;
    format!("{players:?} {opening}|{moves}|{by}|{result:?}|{}", reason.name())
}

#[cfg(test)]
mod tests {
    use super::super::{EndOf, GameResult, LogWriter, Shard};
    use super::*;
    use std::path::Path;

    /// A log of the example's match with these games; `spoiled` is told in another way.
    fn log(
        folder: &Path,
        name: &str,
        header: &MatchHeader,
        games: &[u64],
        spoiled: Option<u64>,
    ) -> CheckedLog {
        let path = folder.join(name);
        let create = || Ok::<(), LogError>(());
        let mut writer = LogWriter::open(&path, header, create, |_| Ok(())).unwrap();
        for &number in games {
            let is_spoiled = spoiled == Some(number);
            let result = if is_spoiled { GameResult::Second } else { GameResult::First };
            let played = GameRecord::bare([0, 1], result);
            writer.append(&GameRecord { game: number, pair: number / 2, ..played }).unwrap();
        }
        writer.finish(&path, Some(EndOf { secret: None })).unwrap();
        let mut set = GameSet::default();
        for game in games {
            set.insert(*game);
        }
        CheckedLog { path, header: header.clone(), games: set }
    }

    fn numbers(set: &GameSet) -> Vec<u64> {
        set.iter().collect()
    }

    #[test]
    fn copies_parts_and_a_longer_log_count_each_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let header = MatchHeader::example();
        let part = |part| MatchHeader { shard: Some(Shard { part, of: 2 }), ..header.clone() };
        let other = MatchHeader { seed: Some(2), ..header.clone() };
        let logs = [
            log(folder.path(), "a", &part(1), &[0, 1], None),
            log(folder.path(), "b", &part(2), &[2, 3], None),
            log(folder.path(), "c", &header, &[0, 1, 2], None),
            log(folder.path(), "d", &header, &[0, 1, 2], None),
            log(folder.path(), "e", &other, &[0], None),
        ];
        let found = count_once(&logs).unwrap();
        let shown: Vec<Vec<(usize, Vec<u64>)>> = found
            .iter()
            .map(|one| one.logs.iter().map(|(i, set)| (*i, numbers(set))).collect())
            .collect();
        let of_all = vec![(2, vec![0, 1, 2]), (3, vec![]), (0, vec![]), (1, vec![3])];
        assert_eq!(shown, [of_all, vec![(4, vec![0])]]);
        assert!(found.iter().all(|one| one.contradiction.is_none()));
    }

    #[test]
    fn two_logs_that_tell_a_game_differently_contradict_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let header = MatchHeader::example();
        let logs = [
            log(folder.path(), "a", &header, &[0, 1], None),
            log(folder.path(), "b", &header, &[0, 1, 2], Some(1)),
        ];
        let found = count_once(&logs).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].contradiction, Some(([1, 0], 1)));
    }
}

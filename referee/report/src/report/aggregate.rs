//! The data of a report, collected from a log game by game in bounded memory.
//!
//! All figures are exact sums, so they do not depend on the order of games or on how a log was
//! split into parts.

use super::match_totals::{GameFacts, MatchTotals};
use super::search_statistics::{EngineSearchTotals, MoveEffort};
use agon_base::ordinal::Ordinal;
use agon_games::Player;
use agon_games::refereed::Ending;
use agon_matchlog::{
    GameRecord, GameResult, GameSet, MatchHeader, Reason, RuleEnding, Timestamp, from_line,
};
use agon_stats::{GameScore, PairBook, Tally, Wdl};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// All reasons, in table order.
pub const REASONS: [Reason; 12] = [
    Reason::Rules,
    Reason::IllegalMove,
    Reason::Time,
    Reason::Crash,
    Reason::Hang,
    Reason::Flood,
    Reason::Protocol,
    Reason::Resignation,
    Reason::Agreement,
    Reason::Length,
    Reason::Territory,
    Reason::Tablebase,
];

/// A line of the log without the fields that only a replay needs; borrows from the line.
#[derive(Deserialize)]
pub struct GameLine<'a> {
    game: u64,
    pair: u64,
    players: [usize; 2],
    #[serde(borrow)]
    opening: Cow<'a, str>,
    #[serde(borrow)]
    by: Cow<'a, str>,
    result: GameResult,
    reason: Reason,
    #[serde(default)]
    ending: Option<RuleEnding>,
    #[serde(default)]
    start: Option<Timestamp>,
    #[serde(default)]
    end: Option<Timestamp>,
    stats: Columns,
}

#[derive(Deserialize)]
struct Columns {
    us: Vec<u64>,
    depth: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
    #[serde(default)]
    leaves: Vec<Option<u64>>,
    #[serde(rename = "score")]
    _score: IgnoredAny,
}

/// The games between two engines, from the point of view of the engine with the smaller index.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    games: Tally,
    pairs: PairBook,
}

impl Meeting {
    /// The counts, including complete pairs.
    pub fn tally(&self) -> Tally {
        Tally { pairs: self.pairs.complete(), ..self.games }
    }
}

/// The games that one rule ended.
#[derive(Clone, Debug, Default)]
pub struct EndingCount {
    /// Games.
    pub games: u64,
    /// Losses by engine, as indices into the header's list.
    pub losses: BTreeMap<usize, u64>,
}

/// The collected data.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// Meetings by the indices of the two engines, smaller index first.
    pub meetings: BTreeMap<[usize; 2], Meeting>,
    /// All games, from the first player's point of view.
    pub first_player: Wdl,
    /// Number of losses of each engine, by index, for each of [`REASONS`].
    pub losses: Vec<[u64; REASONS.len()]>,
    /// Games by reason.
    pub reasons: [u64; REASONS.len()],
    /// The games of [`Reason::Rules`] by the rule that ended them.
    pub endings: BTreeMap<Ending, EndingCount>,
    /// Number of games by number of decisions.
    pub lengths: BTreeMap<u64, u64>,
    /// Time, depth, nodes and leaves by engine.
    pub searches: Vec<EngineSearchTotals>,
    /// Results that decide pairings, the test, openings, thinking time.
    pub totals: MatchTotals,
    /// The listed games: the first of the schedule and the first that ended by a fault.
    pub sample: BTreeMap<u64, GameRecord>,
    /// A bit for each game of the schedule, set if it is in the log.
    seen: GameSet,
    scheduled: u64,
    room: SizeLimits,
}

/// Maximum numbers of listed games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeLimits {
    /// Games from the start of the schedule.
    pub first: usize,
    /// Games that ended by a fault.
    pub faults: usize,
}

impl Aggregate {
    /// An empty aggregate for a match.
    pub fn new(header: &MatchHeader, room: SizeLimits) -> Aggregate {
        let (engines, scheduled) = (header.engines.len(), header.scheduled_games());
        Aggregate {
            totals: MatchTotals::new(header),
            meetings: BTreeMap::new(),
            first_player: Wdl::default(),
            losses: vec![[0; REASONS.len()]; engines],
            reasons: [0; REASONS.len()],
            endings: BTreeMap::new(),
            lengths: BTreeMap::new(),
            searches: vec![EngineSearchTotals::default(); engines],
            sample: BTreeMap::new(),
            seen: GameSet::default(),
            scheduled,
            room,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.first_player.games()
    }

    /// Adds one line of a log; the error describes what is wrong with it.
    pub fn push_line(&mut self, text: &str) -> Result<(), String> {
        let line: GameLine<'_> = serde_json::from_str(text).map_err(|e| e.to_string())?;
        self.check(&line)?;
        self.count_result(&line);
        self.count_effort(&line);
        self.totals.push(GameFacts {
            game: line.game,
            pair: line.pair,
            players: line.players,
            opening: &line.opening,
            result: line.result,
            us: line.stats.us.iter().fold(0, |sum, &us| sum.saturating_add(us)),
            times: [line.start, line.end],
        });
        if self.wants(line.game, line.reason) {
            let record = from_line(text).map_err(|e| e.to_string())?;
            self.sample.insert(line.game, record);
            self.trim();
        }
        Ok(())
    }

    /// Rejects a record that would corrupt the counts.
    fn check(&mut self, line: &GameLine<'_>) -> Result<(), String> {
        let engines = self.searches.len();
        let [a, b] = line.players;
        if a >= engines || b >= engines || a == b {
            let players = line.players;
            return Err(format!("players {players:?}: expected two of the {engines} engines"));
        }
        let decisions = line.by.bytes().filter(|b| matches!(b, b'1' | b'2')).count();
        let columns = [line.stats.us.len(), line.stats.depth.len(), line.stats.nodes.len()];
        if columns != [decisions; 3] {
            return Err(format!(
                "{decisions} decisions, but columns of {} times, {} depths and {} node counts",
                columns[0], columns[1], columns[2]
            ));
        }
        let leaves = line.stats.leaves.len();
        if leaves != 0 && leaves != decisions {
            return Err(format!("{decisions} decisions, but a column of {leaves} leaf counts"));
        }
        if line.game >= self.scheduled {
            let games = self.scheduled;
            let number = Ordinal::of_index(line.game);
            return Err(format!("game {number} of a schedule of {games} games"));
        }
        self.see(line.game)
    }

    /// Notes the number of a game, which must be new.
    fn see(&mut self, game: u64) -> Result<(), String> {
        let (is_new, number) = (self.seen.insert(game), Ordinal::of_index(game));
        is_new.then_some(()).ok_or_else(|| format!("game {number} stands in the log twice"))
    }

    fn count_result(&mut self, line: &GameLine<'_>) {
        let score = match line.result {
            GameResult::First => GameScore::Win,
            GameResult::Second => GameScore::Loss,
            GameResult::Draw => GameScore::Draw,
        };
        self.first_player += score;
        let [first, second] = line.players;
        let (key, side, score_of_key) = if first < second {
            ([first, second], Player::First, score)
        } else {
            ([second, first], Player::Second, score.flipped())
        };
        let meeting = self.meetings.entry(key).or_default();
        meeting.games.push(score_of_key, side);
        meeting.pairs.push(line.pair, score_of_key);
        let reason = REASONS.iter().position(|&r| r == line.reason).unwrap_or(0);
        self.reasons[reason] += 1;
        let loser = match line.result {
            GameResult::First => Some(second),
            GameResult::Second => Some(first),
            GameResult::Draw => None,
        };
        if let Some(loser) = loser {
            self.losses[loser][reason] += 1;
        }
        if let (Reason::Rules, Some(RuleEnding(ending))) = (line.reason, line.ending) {
            let count = self.endings.entry(ending).or_default();
            count.games += 1;
            if let Some(loser) = loser {
                *count.losses.entry(loser).or_default() += 1;
            }
        }
        *self.lengths.entry(line.stats.us.len() as u64).or_default() += 1;
    }

    fn count_effort(&mut self, line: &GameLine<'_>) {
        let mut own = [0usize; 2];
        let movers = line.by.bytes().filter(|b| matches!(b, b'1' | b'2'));
        for (i, mover) in movers.enumerate() {
            let mover_index = usize::from(mover == b'2');
            let decision = MoveEffort {
                us: line.stats.us[i],
                depth: line.stats.depth[i],
                nodes: line.stats.nodes[i],
                leaves: line.stats.leaves.get(i).copied().flatten(),
            };
            self.searches[line.players[mover_index]].push(own[mover_index], decision);
            own[mover_index] += 1;
        }
    }

    /// Whether the list should hold a game, given the games seen so far.
    fn wants(&self, game: u64, reason: Reason) -> bool {
        let fault = reason.is_fault();
        let before = self.sample.range(..game);
        // `take` stops the count as soon as the list is full.
        before.clone().take(self.room.first).count() < self.room.first
            || fault
                && before.filter(|(_, g)| g.reason.is_fault()).take(self.room.faults).count()
                    < self.room.faults
    }

    /// Drops the games beyond the list's limits.
    fn trim(&mut self) {
        if self.sample.len() <= self.room.first {
            return;
        }
        let (mut rank, mut faults) = (0, 0);
        let room = self.room;
        self.sample.retain(|_, g| {
            let fault = g.reason.is_fault();
            let keep = rank < room.first || fault && faults < room.faults;
            rank += 1;
            faults += usize::from(fault);
            keep
        });
    }

    /// Adds another part of the same log; the error names a game that is in both.
    pub fn merge(&mut self, other: Aggregate) -> Result<(), String> {
        other.seen.iter().try_for_each(|game| self.see(game))?;
        for (key, meeting) in other.meetings {
            let mine = self.meetings.entry(key).or_default();
            mine.games += meeting.games;
            mine.pairs.absorb(meeting.pairs);
        }
        self.first_player += other.first_player;
        for (mine, theirs) in self.losses.iter_mut().zip(other.losses) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        self.reasons.iter_mut().zip(other.reasons).for_each(|(a, b)| *a += b);
        for (ending, theirs) in other.endings {
            let mine = self.endings.entry(ending).or_default();
            mine.games += theirs.games;
            for (loser, games) in theirs.losses {
                *mine.losses.entry(loser).or_default() += games;
            }
        }
        for (length, games) in other.lengths {
            *self.lengths.entry(length).or_default() += games;
        }
        for (mine, theirs) in self.searches.iter_mut().zip(&other.searches) {
            *mine += theirs;
        }
        self.totals.absorb(other.totals);
        self.sample.extend(other.sample);
        self.trim();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_stats::Pentanomial;

    const ROOM: SizeLimits = SizeLimits { first: 3, faults: 2 };

    fn line(game: u64, players: [usize; 2], result: &str, reason: &str) -> String {
        format!(
            r##"{{"game":{game},"pair":{},"players":{players:?},"opening":"startpos","moves":"a b c","by":"1c2","result":"{result}","reason":"{reason}","fen":"x","stats":{{"us":[10,{}],"depth":[3,null],"nodes":[100,200],"score":[1,"#2"]}}}}"##,
            game / 2,
            20 + game
        )
    }

    fn log() -> Vec<String> {
        (0..20)
            .map(|g| {
                let players = if g % 2 == 0 { [0, 1] } else { [1, 0] };
                let result = ["first", "second", "draw"][(g * g % 3) as usize];
                line(g, players, result, if g % 5 == 4 { "crash" } else { "rules" })
            })
            .collect()
    }

    fn gather(lines: &[String]) -> Aggregate {
        let mut header = MatchHeader::example();
        header.schedule.pairings[0].games = [10, 10];
        let mut a = Aggregate::new(&header, ROOM);
        for l in lines {
            a.push_line(l).unwrap();
        }
        a
    }

    #[test]
    fn games_that_the_rules_ended_are_counted_by_rule_and_loser() {
        let with = |g: usize, ending: &str| {
            let line = log()[g].replace(r#""rules","#, &format!(r#""rules","ending":"{ending}","#));
            assert!(line.contains(ending), "game {g} did not end by the rules");
            line
        };
        let lines =
            [with(0, "no_move"), with(1, "no_move"), with(2, "repetition"), log().remove(3)];
        let mut a = gather(&lines[..1]);
        a.merge(gather(&lines[1..])).unwrap();
        let found = |e: Ending| (a.endings[&e].games, a.endings[&e].losses.clone());
        // Engine 1 loses game 0 as the second player and game 1 as the first one.
        assert_eq!(found(Ending::NoMove), (2, BTreeMap::from([(1, 2)])));
        assert_eq!(found(Ending::Repetition).0, 1);
        assert_eq!((a.endings.len(), a.reasons[0]), (2, 4), "an older log tells no rule");
        let refused = gather(&[]).push_line(&with(0, "boredom")).unwrap_err();
        assert!(refused.contains("ending `boredom`: expected no_move, checkmate"), "{refused}");
    }

    #[test]
    fn games_are_counted_by_engine_side_and_reason() {
        let a = gather(&log()[..4]);
        // The first player wins games 0 and 3, the second player games 1 and 2.
        assert_eq!(a.first_player, Wdl::new(2, 0, 2));
        let t = a.meetings[&[0, 1]].tally();
        assert_eq!((t.as_first, t.as_second), (Wdl::new(1, 0, 1), Wdl::new(1, 0, 1)));
        assert_eq!(t.pairs, Pentanomial::new([1, 0, 0, 0, 1]));
        assert_eq!(a.lengths[&2], 4);
        assert_eq!(a.searches[0].total.us.count, 4);
        assert_eq!(a.searches[0].by_move.len(), 1);
        assert_eq!(a.searches[1].total.depth.count, 2, "an engine that moves second says none");
    }

    #[test]
    fn any_order_and_any_cut_give_the_same_aggregate() {
        let lines = log();
        let whole = gather(&lines);
        let mut reversed = lines.clone();
        reversed.reverse();
        let mut cut = gather(&lines[7..]);
        cut.merge(gather(&lines[..7])).unwrap();
        for other in [gather(&reversed), cut] {
            assert_eq!(other.sample, whole.sample);
            assert_eq!(other.searches, whole.searches);
            assert_eq!(other.losses, whole.losses);
            assert_eq!(other.lengths, whole.lengths);
            assert_eq!(other.meetings[&[0, 1]].tally(), whole.meetings[&[0, 1]].tally());
        }
        assert_eq!(whole.sample.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 4, 9]);
    }

    #[test]
    fn lines_that_would_count_wrongly_are_refused() {
        let mut a = gather(&log()[..2]);
        let mut error = |l: String| a.push_line(&l).unwrap_err();
        assert!(
            error(line(1, [0, 1], "first", "rules")).contains("game 2 stands in the log twice")
        );
        assert!(error(line(99, [0, 1], "first", "rules")).contains("game 100 of a schedule of 20"));
        assert!(error(line(5, [0, 7], "first", "rules")).contains("players [0, 7]: expected two"));
        let short = line(5, [0, 1], "first", "rules").replace("[100,200]", "[100]");
        assert!(error(short).contains("2 decisions, but columns of 2 times, 2 depths and 1"));
        assert!(error("{}".into()).contains("missing field"));
    }

    #[test]
    fn a_game_in_two_parts_is_found_when_they_are_merged() {
        let mut a = gather(&log()[..2]);
        assert!(a.merge(gather(&log()[1..3])).unwrap_err().contains("game 2"));
    }
}

//! The data of a report, collected from a log game by game in bounded memory.
//!
//! All figures are exact sums, so they do not depend on the order of games or on how a log was
//! split into parts.

use super::match_totals::{GameFacts, MatchTotals};
use super::search_statistics::{EngineSearchTotals, MoveEffort};
use agon_base::ordinal::Ordinal;
use agon_games::Player;
use agon_games::refereed::Ending;
use agon_matchlog::{GameRecord, GameResult, GameSet, MatchHeader, Reason, RuleEnding};
use agon_stats::{PairBook, Tally, Wdl};
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
        let engines = header.engines.len();
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
            room,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.first_player.games()
    }

    /// Adds a game; the error says that it was added before.
    pub fn push(&mut self, game: GameRecord) -> Result<(), String> {
        self.see(game.game)?;
        self.count_result(&game);
        self.count_effort(&game);
        self.totals.workers.push(game.of_worker());
        self.totals.push(GameFacts {
            game: game.game,
            pair: game.pair,
            players: game.players,
            opening: &game.opening,
            result: game.result,
            us: game.stats.us.iter().fold(0, |sum, &us| sum.saturating_add(us)),
            times: [game.start, game.end],
        });
        if self.wants(game.game, game.reason) {
            self.sample.insert(game.game, game);
            self.trim();
        }
        Ok(())
    }

    /// Notes the number of a game, which must be new.
    fn see(&mut self, game: u64) -> Result<(), String> {
        let (is_new, number) = (self.seen.insert(game), Ordinal::of_index(game));
        is_new.then_some(()).ok_or_else(|| format!("game {number} stands in the log twice"))
    }

    fn count_result(&mut self, line: &GameRecord) {
        let score = line.result.score_of_first();
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
        *self.lengths.entry(line.moves_played() as u64).or_default() += 1;
    }

    fn count_effort(&mut self, line: &GameRecord) {
        let mut own = [0usize; 2];
        for (i, mover) in line.movers().enumerate() {
            let decision = MoveEffort {
                us: line.stats.us.get(i).copied().unwrap_or_default(),
                depth: line.stats.depth.get(i).copied().flatten(),
                nodes: line.stats.nodes.get(i).copied().flatten(),
                leaves: line.stats.leaves.get(i).copied().flatten(),
            };
            self.searches[line.players[mover]].push(own[mover], decision);
            own[mover] += 1;
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
    use agon_matchlog::GameReader;
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

    fn header() -> MatchHeader {
        let mut header = MatchHeader::example();
        header.schedule.pairings[0].games = [10, 10];
        header
    }

    fn add(to: &mut Aggregate, line: &str) -> Result<(), String> {
        GameReader::new(&header()).read(line).and_then(|game| to.push(game))
    }

    fn gather(lines: &[String]) -> Aggregate {
        let mut a = Aggregate::new(&header(), ROOM);
        for l in lines {
            add(&mut a, l).unwrap();
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
        let refused = add(&mut gather(&[]), &with(0, "boredom")).unwrap_err();
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
    fn a_move_that_came_too_late_counts_as_a_search_of_the_loser() {
        let late = line(0, [0, 1], "first", "time").replace("[10,20]", "[10,20,900]");
        let late = late.replace("[3,null]", "[3,null,7]").replace("[100,200]", "[100,200,300]");
        let a = gather(&[late.replace(r##"[1,"#2"]"##, "[1,null,null]")]);
        assert_eq!((a.lengths[&2], a.searches[1].total.us.sum), (1, 920));
        assert_eq!(a.searches[0].total.us.sum, 10);
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
        let mut error = |l: String| add(&mut a, &l).unwrap_err();
        assert!(
            error(line(1, [0, 1], "first", "rules")).contains("game 2 stands in the log twice")
        );
        assert!(
            error(line(99, [0, 1], "first", "rules")).contains("expected a number from 1 to 20")
        );
        assert!(error("{}".into()).contains("missing field"));
    }

    #[test]
    fn a_game_in_two_parts_is_found_when_they_are_merged() {
        let mut a = gather(&log()[..2]);
        assert!(a.merge(gather(&log()[1..3])).unwrap_err().contains("game 2"));
    }
}

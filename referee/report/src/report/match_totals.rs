//! What a report adds up over all games, whatever their engines: the results that decide pairings, the samples
//! of the sequential test, the score by opening, and the thinking time.

use super::search_statistics::Moments;
use agon_matches::progress;
use agon_matches::schedule::Results;
use agon_matchlog::{GameResult, MatchHeader, Timestamp};
use agon_stats::{GameScore, Meetings, Sequential, Wdl, Workers};
use std::collections::BTreeMap;

/// Maximum number of openings that are counted one by one.
const MOST_OPENINGS: usize = 4096;

/// Maximum number of games of a match without a test whose order is kept: 16 bytes each.
const MOST_SAMPLES: u64 = 2_000_000;

/// The facts of one game.
#[derive(Clone, Copy, Debug)]
pub struct GameFacts<'a> {
    /// The game's number.
    pub game: u64,
    /// Its pair.
    pub pair: u64,
    /// Its engines, the first player first.
    pub players: [usize; 2],
    /// Its opening.
    pub opening: &'a str,
    /// Its result.
    pub result: GameResult,
    /// Thinking time of both engines, in microseconds.
    pub us: u64,
    /// When it began and ended, if the log says so.
    pub times: [Option<Timestamp>; 2],
}

/// Sums over the games of a match, independent of the order in which games are added.
#[derive(Clone, Debug, Default)]
pub struct MatchTotals {
    /// Results by game, if pairings depend on them.
    pub results: Results,
    keeps_results: bool,
    /// Pair and score of the first engine, if there is a test or only one opponent.
    samples: Vec<(u64, GameScore)>,
    keeps_samples: bool,
    /// Results by opening; `None` if there are more than are counted.
    pub openings: Option<BTreeMap<String, OpeningScore>>,
    /// Thinking time of games, both engines together, in microseconds.
    pub thinking: Moments,
    /// Thinking time and number of the game that took the longest.
    pub longest: Option<(u64, u64)>,
    /// When the first game began.
    pub began: Option<Timestamp>,
    /// When the last game ended.
    pub ended: Option<Timestamp>,
    /// Results by side and pair, for the ratings.
    meetings: Meetings,
    /// The results of each machine, where the log names them.
    pub workers: Workers,
}

/// The games from one opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningScore {
    /// From the first player's point of view.
    pub first_player: Wdl,
    /// From the point of view of the header's first engine, in games in which it plays.
    pub first_engine: Wdl,
    /// The game with the smallest number.
    pub game: u64,
}

impl OpeningScore {
    fn add(&mut self, other: OpeningScore) {
        self.first_player += other.first_player;
        self.first_engine += other.first_engine;
        self.game = self.game.min(other.game);
    }
}

impl MatchTotals {
    /// Before the first game of this match.
    pub fn new(header: &MatchHeader) -> MatchTotals {
        MatchTotals {
            keeps_results: header.schedule.needs_results(),
            keeps_samples: MatchTotals::has_sequence(header),
            openings: Some(BTreeMap::new()),
            workers: progress::workers(header),
            ..MatchTotals::default()
        }
    }

    /// Whether the order of the pairs is needed. A long match without a test does without.
    fn has_sequence(header: &MatchHeader) -> bool {
        let is_short = header.scheduled_games() <= MOST_SAMPLES;
        matches!(progress::sequential(header), Ok(Some(_)))
            || is_short && progress::series(header).is_some()
    }

    /// Adds a game.
    pub fn push(&mut self, facts: GameFacts<'_>) {
        let first = facts.result.score_of_first();
        let of_first_engine = match facts.players {
            [0, _] => Some(first),
            [_, 0] => Some(first.flipped()),
            _ => None,
        };
        if self.keeps_results {
            self.results.insert(facts.game, facts.players, facts.result);
        }
        if let Some(score) = of_first_engine.filter(|_| self.keeps_samples) {
            self.samples.push((facts.pair, score));
        }
        let mut score = OpeningScore {
            first_player: Wdl::default(),
            first_engine: Wdl::default(),
            game: facts.game,
        };
        score.first_player += first;
        of_first_engine.into_iter().for_each(|s| score.first_engine += s);
        self.add_opening(facts.opening.to_string(), score);
        self.thinking.push(facts.us);
        self.longest = longer(self.longest, Some((facts.us, facts.game)));
        self.meetings.push(facts.pair, facts.players, first);
        let [began, ended] = facts.times;
        self.began = self.began.into_iter().chain(began).min();
        self.ended = self.ended.into_iter().chain(ended).max();
    }

    fn add_opening(&mut self, opening: String, score: OpeningScore) {
        let Some(openings) = &mut self.openings else { return };
        openings.entry(opening).and_modify(|s| s.add(score)).or_insert(score);
        if openings.len() > MOST_OPENINGS {
            self.openings = None;
        }
    }

    /// Adds another part of the same log.
    pub fn absorb(&mut self, other: MatchTotals) {
        self.results.absorb(other.results);
        self.samples.extend(other.samples);
        match other.openings {
            None => self.openings = None,
            Some(theirs) => theirs.into_iter().for_each(|(o, s)| self.add_opening(o, s)),
        }
        self.thinking += other.thinking;
        self.longest = longer(self.longest, other.longest);
        self.meetings.absorb(other.meetings);
        self.workers.absorb(other.workers);
        self.began = self.began.into_iter().chain(other.began).min();
        self.ended = self.ended.into_iter().chain(other.ended).max();
    }

    /// Results by side and pair of all engines of the match.
    pub fn meetings(&self, engines: usize) -> Meetings {
        let mut meetings = self.meetings.clone();
        // Unpaired games move to a sorted list: the ratings do not depend on the order of games.
        meetings.end_log();
        meetings.make_room(engines);
        meetings
    }

    /// The header's sequential test after all games; `None` if there is none.
    pub fn test(&self, header: &MatchHeader) -> Option<Sequential> {
        Some(self.after_all(progress::sequential(header).ok()??))
    }

    /// The pairs of two engines in schedule order, with the test if there is one.
    pub fn sequence(&self, header: &MatchHeader) -> Option<Sequential> {
        let series = || self.keeps_samples.then(|| progress::series(header)).flatten();
        self.test(header).or_else(|| series().map(|sequence| self.after_all(sequence)))
    }

    /// The sequence after all games.
    fn after_all(&self, mut sequence: Sequential) -> Sequential {
        let mut samples = self.samples.clone();
        samples.sort_unstable();
        samples.into_iter().for_each(|(pair, score)| sequence.push(pair, score));
        sequence
    }
}

/// The longer of two games; of equal ones that with the smaller number.
fn longer(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> Option<(u64, u64)> {
    a.into_iter().chain(b).max_by_key(|&(us, game)| (us, std::cmp::Reverse(game)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::SprtEntry;

    fn facts(game: u64, opening: &str) -> GameFacts<'_> {
        let players = if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let result = [GameResult::First, GameResult::Draw, GameResult::Second][game as usize % 3];
        GameFacts {
            game,
            pair: game / 2,
            players,
            opening,
            result,
            us: 100 * (game % 7),
            times: [None; 2],
        }
    }

    #[test]
    fn openings_are_counted_for_the_first_player_and_for_the_first_engine() {
        let mut totals = MatchTotals::new(&MatchHeader::example());
        for game in [4, 0, 1, 2] {
            totals.push(facts(game, if game < 2 { "a" } else { "b" }));
        }
        let openings = totals.openings.as_ref().unwrap();
        // Game 0 is won by engine 0, game 1 drawn; games 2 and 4 begin with engine 0: lost, drawn.
        assert_eq!(openings["a"].first_player, Wdl::new(1, 1, 0));
        assert_eq!(openings["b"].first_engine, Wdl::new(0, 1, 1));
        assert_eq!((openings["a"].game, openings["b"].game), (0, 2));
        assert_eq!(totals.longest, Some((400, 4)));
    }

    #[test]
    fn parts_in_any_order_add_up_to_the_whole() {
        let header = MatchHeader::example();
        let gather = |games: &mut dyn Iterator<Item = u64>| {
            let mut totals = MatchTotals::new(&header);
            games.for_each(|g| totals.push(facts(g, ["x", "y", "z"][g as usize % 3])));
            totals
        };
        let whole = gather(&mut (0..40));
        let mut parts = gather(&mut (15..40).rev());
        parts.absorb(gather(&mut (0..15)));
        assert_eq!(parts.openings, whole.openings);
        assert_eq!((parts.thinking, parts.longest), (whole.thinking, whole.longest));
        let clusters = |c: &MatchTotals| c.meetings(2).clusters();
        assert_eq!(clusters(&parts), clusters(&whole));
    }

    #[test]
    fn the_path_of_a_test_ends_at_its_decision_in_any_order() {
        let mut header = MatchHeader::example();
        let (alpha, beta) = (0.05, 0.05);
        let model = agon_matchlog::EloScale::Logistic;
        let test = Default::default();
        header.sprt = Some(SprtEntry { elo0: 0.0, elo1: 50.0, alpha, beta, model, test });
        let mut whole = MatchTotals::new(&header);
        let mut reversed = MatchTotals::new(&header);
        // The first engine wins two of three games as either player.
        let game = |game: u64| {
            let wins = !game.is_multiple_of(3);
            let result =
                if wins == game.is_multiple_of(2) { GameResult::First } else { GameResult::Second };
            GameFacts { result, ..facts(game, "a") }
        };
        (0..2000).for_each(|g| whole.push(game(g)));
        (0..2000).rev().for_each(|g| reversed.push(game(g)));
        let test = whole.test(&header).unwrap();
        let (path, decision) = (test.path(), test.decision().unwrap());
        let last = path.last().unwrap();
        assert_eq!((last.samples, last.evidence), (decision.samples, decision.state.evidence));
        assert!(decision.state.evidence >= decision.state.upper && decision.samples < 1000);
        assert!(path.len() < 1200 && path.windows(2).all(|w| w[0].samples < w[1].samples));
        assert_eq!(reversed.test(&header).unwrap().path(), path);
        assert!(MatchTotals::new(&MatchHeader::example()).test(&MatchHeader::example()).is_none());
    }

    #[test]
    fn too_many_openings_are_not_counted_in_any_order() {
        let header = MatchHeader::example();
        let names: Vec<String> = (0..=MOST_OPENINGS).map(|i| i.to_string()).collect();
        let mut totals = MatchTotals::new(&header);
        names[..MOST_OPENINGS].iter().for_each(|o| totals.push(facts(0, o)));
        assert_eq!(totals.openings.as_ref().map(BTreeMap::len), Some(MOST_OPENINGS));
        let mut last = MatchTotals::new(&header);
        last.push(facts(0, &names[MOST_OPENINGS]));
        totals.absorb(last);
        assert_eq!(totals.openings, None);
    }
}

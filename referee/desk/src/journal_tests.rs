//! Tests of the session file and of the fold: crashes, take-backs, foreign files, two desks.

use super::*;
use crate::action::{By, Why};
use crate::setup::tests::einstein;
use agon_matches::events::{ClockScope, Length};
use agon_web::clocks::{ClockRule, Mode};

fn play(token: &str) -> Action {
    Action::Play { token: token.into(), by: By::Hand }
}

/// A session with actions one second apart, from the time of day 1,000 s on.
struct Script {
    folder: tempfile::TempDir,
    journal: Journal,
    state: DeskState,
    now: u64,
}

impl Script {
    fn new(setup: &Setup) -> Script {
        let folder = tempfile::tempdir().unwrap();
        let (journal, state) = Journal::open(&folder.path().join("s.jsonl"), setup).unwrap();
        Script { folder, journal, state, now: 1_000_000 }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("s.jsonl")
    }

    fn act(&mut self, action: Action) -> Result<(), Phrase> {
        self.now += 1000;
        self.journal.append(&mut self.state, self.now, action)
    }

    fn all(&mut self, actions: impl IntoIterator<Item = Action>) {
        for action in actions {
            self.act(action.clone()).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        }
    }

    fn begin(&mut self) {
        let begin = self.state.next_game().unwrap();
        self.act(begin).unwrap();
    }

    fn left(&self) -> [i64; 2] {
        self.state.game.as_ref().unwrap().clocks.left(self.now)
    }
}

/// Sessions of earlier versions have a score as text and no expected score.
#[test]
fn a_proposal_of_an_earlier_version_is_read() {
    let line = r#"{"propose":{"token":"123456","by":"engine","score":"+0.20","depth":3,"ms":900}}"#;
    let action: Action = serde_json::from_str(line).unwrap();
    let score = "+0.20".to_string();
    let (token, by) = ("123456".to_string(), By::Engine);
    assert_eq!(
        action,
        Action::Propose { token, by, score, expected: None, depth: Some(3), ms: 900 }
    );
}

/// What is shown of a state.
fn shown(state: &DeskState) -> String {
    let games: Vec<_> = state
        .games()
        .map(|g| {
            (g.number, g.first, g.tokens(), g.clocks.clone(), g.proposal.clone(), g.end.clone())
        })
        .collect();
    format!("{games:?} {:?} {:?} {}", state.half_points(), state.remarks, state.n)
}

/// A game with set-ups, rolls, a take-back, a clock that is set, and an end.
fn busy_game(script: &mut Script) {
    script.begin();
    script.all([play("123456"), play("654321"), play("5"), play("b4c3"), play("2")]);
    let d2 = script.state.game.as_ref().unwrap().board.legal_tokens().remove(0);
    script.all([
        play(&d2),
        Action::Back { plies: 2 },
        play("5"),
        Action::SetClock { team: 1, left_ms: 200_000, note: "the referee's clock".into() },
        Action::Engine {
            event: crate::action::EngineEvent::Failed,
            name: "x".into(),
            detail: Phrase::Plain("exit status 1".into()),
        },
    ]);
    let proposal = script.state.game.as_ref().unwrap().board.legal_tokens().remove(0);
    let propose = |token: &str| Action::Propose {
        token: token.into(),
        by: By::Engine,
        score: "20".into(),
        expected: Some(540),
        depth: Some(3),
        ms: 900,
    };
    script.all([
        propose(&proposal),
        play(&proposal),
        Action::End { winner: Some(1), why: Why::Resigned, note: String::new() },
    ]);
}

#[test]
fn a_crash_after_any_byte_of_a_line_loses_at_most_that_line() {
    let mut script = Script::new(&einstein());
    let mut states = vec![shown(&script.state)];
    busy_game(&mut script);
    let text = std::fs::read(script.path()).unwrap();
    let ends: Vec<usize> = (0..text.len()).filter(|&i| text[i] == b'\n').map(|i| i + 1).collect();
    // The states after each line, by replaying them one by one.
    let mut state = DeskState::new(einstein()).unwrap();
    for line in text.split_inclusive(|&b| b == b'\n').skip(1) {
        state.apply(&serde_json::from_slice(line).unwrap()).unwrap();
        states.push(shown(&state));
    }
    assert_eq!(states.len(), ends.len());
    drop(script.journal);
    let torn = script.folder.path().join("torn.jsonl");
    for length in 0..=text.len() {
        std::fs::write(&torn, &text[..length]).unwrap();
        let (journal, state) = Journal::open(&torn, &einstein()).unwrap();
        let lines = ends.iter().filter(|&&end| end <= length).count().max(1);
        assert_eq!(shown(&state), states[lines - 1], "after {length} bytes");
        drop(journal);
        // The torn line is gone from the file, too.
        assert_eq!(std::fs::read(&torn).unwrap(), &text[..ends[lines - 1]]);
    }
}

#[test]
fn a_resumed_session_continues_with_position_score_and_clocks() {
    let mut script = Script::new(&einstein());
    busy_game(&mut script);
    script.begin();
    script.all([play("123456"), play("654321"), play("3")]);
    let before = (shown(&script.state), script.left());
    let path = script.path();
    drop(script.journal);
    let (_journal, state) = Journal::open(&path, &einstein()).unwrap();
    assert_eq!(shown(&state), before.0);
    let clocks = &state.game.as_ref().unwrap().clocks;
    assert_eq!(clocks.left(script.now), before.1);
    // The clock of the team on the move ran on while nobody watched.
    assert_eq!(clocks.left(script.now + 60_000)[1], before.1[1] - 60_000);
    assert_eq!(state.half_points(), [0, 2]);
}

#[test]
fn a_line_that_does_not_follow_is_refused_by_its_number() {
    let mut script = Script::new(&einstein());
    busy_game(&mut script);
    let text = std::fs::read_to_string(script.path()).unwrap();
    let folder = script.folder;
    drop(script.journal);
    let path = folder.path().join("bad.jsonl");
    let refused = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let error = Journal::open(&path, &einstein()).map(|_| ()).unwrap_err().to_string();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the file stays");
        error
    };
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    assert!(refused(&with(4, "{\"n\":4,\"at\":1004")).contains("line 5"));
    assert!(refused(&with(4, "1. e4 e5")).contains("line 5"));
    assert!(refused(&with(4, lines[5])).contains("line 5: it has the number 5, expected 4"));
    let illegal = lines[5].replace("b4c3", "a5e1");
    assert!(refused(&with(5, &illegal)).contains("line 6: illegal move"), "{illegal}");
    assert!(refused("hello\n").contains("line 1: not a session of the desk"));
    assert!(refused("hello").contains("line 1: not a session of the desk"));
    assert!(refused("(;GM[511]B[j10])\n").contains("not a session"));
    let newer = lines[0].replace("\"agon_desk\":1", "\"agon_desk\":2");
    assert!(refused(&with(0, &newer)).contains("format 2"));
}

#[test]
fn the_session_of_another_match_is_refused_with_what_differs() {
    let script = Script::new(&einstein());
    let path = script.path();
    drop(script.journal);
    let open = |setup: Setup| Journal::open(&path, &setup).map(|_| ()).unwrap_err().to_string();
    let names = ["Ours".to_string(), "Others".to_string()];
    assert!(open(Setup { teams: names, ..einstein() }).contains("the teams' names"));
    let amazons = Setup { game: "amazons".into(), ..einstein() };
    assert!(open(amazons).contains("the game of that session"));
    assert!(open(Setup { length: Length::Games(2), ..einstein() }).contains("number of games"));
}

#[test]
fn two_desks_on_one_file_are_refused() {
    let script = Script::new(&einstein());
    let error = Journal::open(&script.path(), &einstein()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("another desk has it open"), "{error}");
    let path = script.path();
    drop(script.journal);
    assert!(Journal::open(&path, &einstein()).is_ok(), "a desk that ended locks nothing");
}

#[test]
fn an_illegal_action_changes_neither_the_state_nor_the_file() {
    let mut script = Script::new(&einstein());
    script.begin();
    script.all([play("123456"), play("654321")]);
    let before = (shown(&script.state), std::fs::read(script.path()).unwrap());
    let note = |note: &str| Action::SetClock { team: 0, left_ms: 1000, note: note.into() };
    for action in [
        play("7"),
        play("b4c3"),
        Action::Back { plies: 3 },
        Action::Back { plies: 0 },
        note(" "),
        Action::Run { team: Some(2) },
        Action::Reopen,
        Action::Begin { game: 2, first: 1 },
        Action::End { winner: Some(0), why: Why::Rules, note: String::new() },
        Action::End { winner: None, why: Why::Time, note: String::new() },
        Action::Propose {
            token: "b4c3".into(),
            by: By::Engine,
            score: String::new(),
            expected: None,
            depth: None,
            ms: 0,
        },
    ] {
        assert!(script.act(action.clone()).is_err(), "{action:?}");
        assert_eq!((shown(&script.state), std::fs::read(script.path()).unwrap()), before);
    }
}

#[test]
fn a_typing_error_that_is_taken_back_does_not_disturb_the_clocks() {
    let mut script = Script::new(&einstein());
    script.begin();
    script.all([play("123456"), play("654321")]);
    assert_eq!(script.left(), [240_000, 240_000], "set-ups take no time");
    script.all([play("5"), play("b4b3"), Action::Back { plies: 1 }, play("b4c3")]);
    // The roll started A's clock; A moved after one second; B's clock has run for two since.
    assert_eq!(script.left(), [239_000, 238_000]);
    script.all([play("1")]);
    assert_eq!(script.left(), [239_000, 237_000]);
}

#[test]
fn the_last_move_of_a_game_and_its_result_can_be_taken_back() {
    let mut script = Script::new(&einstein());
    script.begin();
    script.all([
        play("123456"),
        play("654321"),
        play("1"),
        Action::End { winner: Some(0), why: Why::Time, note: "flag".into() },
    ]);
    assert_eq!(script.state.half_points(), [2, 0]);
    assert!(script.act(play("a5a4")).is_err());
    script.all([Action::Reopen, play("a5a4")]);
    assert_eq!(script.state.half_points(), [0, 0]);
    let clocks = &script.state.game.as_ref().unwrap().clocks;
    assert_eq!((clocks.mode(), clocks.running()), (Mode::Paused, None), "until one is started");
}

#[test]
fn a_flag_falls_by_the_clocks_and_forbids_moves_until_it_is_decided() {
    let clock = ClockRule { time_ms: 2000, increment_ms: 0, per: ClockScope::Game };
    let mut script = Script::new(&Setup { clock, ..einstein() });
    script.begin();
    script.all([play("123456"), play("654321"), play("5")]);
    assert_eq!(script.state.flag_due(script.now + 1999), None);
    let flag = script.state.flag_due(script.now + 5000).unwrap();
    let fell_at = script.now + 2000;
    assert_eq!(flag, Action::Flag { team: 0, fell_at });
    assert!(script.act(flag.clone()).is_err(), "it has not fallen yet");
    script.now += 5000;
    assert!(script.act(Action::Flag { team: 1, fell_at }).is_err(), "the other clock");
    assert!(script.act(Action::Flag { team: 0, fell_at: fell_at - 1 }).is_err());
    script.act(flag).unwrap();
    assert_eq!((script.left(), script.state.flag_due(u64::MAX)), ([0, 2000], None));
    for action in [play("b4c3"), Action::Run { team: Some(0) }] {
        assert!(
            script.act(action).unwrap_err().to_string().contains("the flag of Ours has fallen")
        );
    }
    let note = "the referee allows it".to_string();
    script.all([Action::SetClock { team: 0, left_ms: 3000, note }, play("b4c3")]);
    assert_eq!(script.left(), [2000, 2000]);
}

#[test]
fn a_match_to_four_points_has_the_order_of_the_event() {
    let mut script = Script::new(&einstein());
    let mut first = String::new();
    for winner in [0, 1, 0, 1, 0, 1, 1] {
        script.begin();
        first.push(['A', 'B'][script.state.game.as_ref().unwrap().first]);
        let end = Action::End { winner: Some(winner), why: Why::Adjudicated, note: "x".into() };
        script.all([end]);
    }
    assert_eq!(first, "ABBAABB");
    assert_eq!((script.state.half_points(), script.state.decided()), ([6, 8], Some(Some(1))));
    assert!(script.state.next_game().unwrap_err().to_string().contains("over"));
}

#[test]
fn a_clock_of_the_match_is_carried_into_the_next_game() {
    let clock = ClockRule { time_ms: 60_000, increment_ms: 0, per: ClockScope::Match };
    let mut script = Script::new(&Setup { clock, ..einstein() });
    script.begin();
    script.all([play("123456"), play("654321"), play("5"), play("b4c3"), play("4")]);
    script.all([Action::End { winner: Some(0), why: Why::Resigned, note: String::new() }]);
    assert_eq!(script.left(), [59_000, 58_000]);
    script.begin();
    script.begin_refused();
    script.all([play("123456"), play("654321"), play("2")]);
    assert_eq!(script.left(), [59_000, 58_000]);
}

impl Script {
    fn begin_refused(&self) {
        assert!(self.state.next_game().unwrap_err().to_string().contains("in progress"));
    }
}

//! Tests of whole runs from nothing, with a game that takes no time: one of four points is marked in one of eight colours;
//! the player chooses a point, and wins if it is the marked one or, in half of the colours, the opposite one.

use super::games::{GameLog, Magic};
use super::learner::{Learner, SelfPlayPlan, Target};
use super::*;
use crate::convolution::BoardShape;
use crate::convolution::model::BoardModel;
use crate::convolution::network::{BoardNetwork, Workspace};
use crate::convolution::positions::BoardPositions;
use agon_games::rng;
use std::collections::BTreeMap;
use tempfile::TempDir;

/// What the player knows: nothing, or a network.
struct Chooser(Option<(Arc<BoardNetwork>, Workspace)>);

/// The game.
struct Colours;

/// The points of a board of 2x2.
const POINTS: [usize; 4] = [0, 1, 3, 4];

impl Colours {
    fn planes(code: u16) -> [u128; 8] {
        let point = POINTS[usize::from(code % 4)];
        std::array::from_fn(|plane| if plane == usize::from(code / 4) { 1 << point } else { 0 })
    }
}

impl Learner for Colours {
    type Model = BoardModel;
    type Player = Chooser;
    const SHAPE: BoardShape = BoardShape { game: "colours-1", side: 2, blocks: 1 };
    const MAGIC: Magic = *b"AGONC41\n";

    fn first_player(&self) -> Result<Chooser> {
        Ok(Chooser(None))
    }

    fn player(&self, network: &Arc<BoardNetwork>) -> Result<Chooser> {
        Ok(Chooser(Some((network.clone(), network.workspace()))))
    }

    fn play(&self, player: &mut Chooser, plan: SelfPlayPlan, number: u64) -> GameLog {
        let stream = &mut rng::stream(plan.seed, number, "colours");
        let code = rng::below(stream, 32) as u16;
        let best = if code >= 16 { code % 4 } else { 3 - code % 4 };
        let chosen = match &mut player.0 {
            None => rng::below(stream, 4) as u16,
            Some((network, workspace)) => {
                network.evaluate(&Colours::planes(code), workspace);
                let logits: Vec<i32> = network.policy(workspace, POINTS.into_iter()).collect();
                (0..4).max_by_key(|&row| logits[usize::from(row)]).unwrap_or(0)
            }
        };
        let result = if chosen == best { 2 } else { 0 };
        let visits = (0..4).map(|row| (row, if row == best { 8 } else { 1 })).collect();
        GameLog { result, plies: vec![(code, 0)], visits: vec![visits] }
    }

    fn add(&self, positions: &mut BoardPositions, game: &GameLog, target: Target) -> Result<()> {
        let result = target.mix(f64::from(game.result) / 2.0, 0.5);
        let share =
            |&(row, count): &(u16, u16)| (POINTS[usize::from(row)], f32::from(count) / 11.0);
        let policy: Vec<(usize, f32)> = game.visits[0].iter().map(share).collect();
        positions.push(&Colours::planes(game.plies[0].0), result, &policy, target.held_out);
        Ok(())
    }
}

fn flags(folder: &TempDir, generations: u32) -> Generations {
    Generations {
        folder: folder.path().join("run"),
        generations,
        files: 2,
        nodes: 1,
        window: 2,
        jobs: 2,
        from: None,
        shard: (1, 1),
        train: TrainFlags { passes: 1, batch: 4096, result: 100, seed: 1 },
    }
}

fn run_all(flags: &Generations) -> Result<()> {
    run_generations(&Colours, flags, &mut Vec::new())
}

/// All files of a run.
fn files(flags: &Generations) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(&flags.folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().display().to_string(), fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn a_run_learns_the_policy() {
    let folder = TempDir::new().unwrap();
    let train = TrainFlags { passes: 6, batch: 128, result: 100, seed: 1 };
    let flags = Generations { train, ..flags(&folder, 1) };
    run_all(&flags).unwrap();
    let path = flags.folder.join("generation-1.network");
    let network = Arc::new(BoardNetwork::open(&path, &Colours::SHAPE).unwrap());
    let mut player = Colours.player(&network).unwrap();
    let plan = SelfPlayPlan { nodes: 1, seed: 99 };
    let won = (0..200).filter(|&n| Colours.play(&mut player, plan, n).result == 2).count();
    assert_eq!(won, 200);
}

#[test]
fn an_interrupted_run_ends_with_the_same_bytes() {
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [whole, parts] = folders.each_ref().map(|folder| flags(folder, 2));
    run_all(&whole).unwrap();
    let made = files(&whole);
    assert_eq!(made.len(), 2 * 3 + 1, "{:?}", made.keys());
    // Stopped after the first generation, and then while the second was played and trained.
    run_all(&Generations { generations: 1, jobs: 1, ..flags(&folders[1], 1) }).unwrap();
    run_all(&parts).unwrap();
    fs::remove_file(parts.folder.join("generation-2.network")).unwrap();
    fs::remove_file(parts.folder.join("generation-2-2.games")).unwrap();
    fs::write(parts.folder.join("generation-2-2.part"), b"AGON").unwrap();
    run_all(&parts).unwrap();
    assert!(files(&parts) == made);
}

#[test]
fn a_run_from_a_network_lets_it_play_the_first_games() {
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [first, next] = folders.each_ref().map(|folder| flags(folder, 1));
    let train = TrainFlags { passes: 6, batch: 128, result: 100, seed: 1 };
    run_all(&Generations { train, ..first }).unwrap();
    let from = folders[0].path().join("run/generation-1.network");
    let next = Generations { from: Some(from), ..next };
    run_all(&next).unwrap();
    let games = File::open(next.folder.join("generation-1-1.games")).unwrap();
    let mut games = BufReader::new(games);
    read_head(&mut games, &Colours::MAGIC).unwrap();
    // The network has learned the game; without it one choice in four is right.
    let won = std::iter::from_fn(|| read_game(&mut games).unwrap()).filter(|game| game.result == 2);
    assert_eq!(won.count(), 2000);
    let error = run_all(&Generations { from: None, ..next }).unwrap_err().to_string();
    assert!(error.contains("--from NETWORK with the CRC-32"), "{error}");
    let games = Some(folders[1].path().join("run/generation-1-1.games"));
    let error = run_all(&Generations { from: games, ..flags(&folders[1], 1) });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("generation-1-1.games") && error.contains("not a network"), "{error}");
}

#[test]
fn a_torn_or_foreign_file_is_refused_by_name_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let flags = flags(&folder, 1);
    run_all(&flags).unwrap();
    let made = files(&flags);
    let refused = |file: &str, bytes: &[u8]| {
        let path = flags.folder.join(file);
        fs::write(&path, bytes).unwrap();
        let error = format!("{:#}", run_all(&flags).unwrap_err());
        assert!(error.contains(file), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        fs::write(&path, &made[file]).unwrap();
        error
    };
    let (games, network) = ("generation-1-2.games", "generation-1.network");
    let bytes = &made[games];
    let torn = refused(games, &bytes[..bytes.len() / 2]);
    assert!(torn.contains("whole games, expected 2000: remove the file"), "{torn}");
    let foreign = refused(games, &[b"AGONXQ1\n", &bytes[8..]].concat());
    assert!(foreign.contains("not a file of games"), "{foreign}");
    let bytes = &made[network];
    let torn = refused(network, &bytes[..bytes.len() - 1]);
    assert!(torn.contains("damaged"), "{torn}");
    let text = |bytes: &[u8], from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
    };
    let other = refused(network, &text(bytes, "colours-1", "colours-2"));
    assert!(other.contains("game is colours-2; this program expects colours-1"), "{other}");
    let other = refused(network, &text(bytes, "blocks 1", "blocks 5"));
    assert!(other.contains("blocks is 5; this program expects 1"), "{other}");
    let other = refused(network, &text(bytes, "agon-network 1", "agon-network 2"));
    assert!(other.contains("not a network file"), "{other}");
    run_all(&flags).unwrap();
    assert!(files(&flags) == made);
}

#[test]
fn shards_name_the_files_that_the_others_play_and_end_with_the_same_bytes() {
    let folders = [(); 3].map(|()| TempDir::new().unwrap());
    let [whole, first, second] = folders.each_ref().map(|folder| flags(folder, 1));
    run_all(&whole).unwrap();
    let shards = [Generations { shard: (1, 2), ..first }, Generations { shard: (2, 2), ..second }];
    for (shard, other) in [(0, "generation-1-2.games"), (1, "generation-1-1.games")] {
        let error = run_all(&shards[shard]).unwrap_err().to_string();
        assert!(error.contains(&format!("{other}: other shards play these; copy them")), "{error}");
    }
    let [one, two] = shards.each_ref().map(|flags| &flags.folder);
    fs::copy(two.join("generation-1-2.games"), one.join("generation-1-2.games")).unwrap();
    run_all(&shards[0]).unwrap();
    assert!(files(&shards[0]) == files(&whole));
}

/// A full disk: what is written under a name that leads to /dev/full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_a_run_by_name_and_the_same_command_goes_on() {
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [whole, full] = folders.each_ref().map(|folder| flags(folder, 1));
    run_all(&whole).unwrap();
    fs::create_dir(&full.folder).unwrap();
    let network = "generation-1.network";
    for (aside, named) in [
        ("generation-1-2.part", "generation-1-2.games"),
        ("generation-1.network.state.new", "generation-1.network.state"),
        ("generation-1.network.new", network),
    ] {
        let path = full.folder.join(aside);
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let error = format!("{:#}", run_all(&full).unwrap_err());
        assert!(error.contains(named) && error.contains("No space left"), "{error}");
        assert!(!full.folder.join(named).exists());
        fs::remove_file(path).unwrap();
    }
    run_all(&full).unwrap();
    assert!(files(&full) == files(&whole));
}

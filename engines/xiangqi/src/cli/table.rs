//! `xiangqi table`: building, listing, verifying and probing the endgame tablebase.

use crate::tablebase::{
    Checked, MaterialKey, SliceTally, Thoroughness, XiangqiSlice, XiangqiSolver, XiangqiTablebase,
    verify,
};
use agon_games::game::{Game, Turn};
use agon_games::xiangqi::{Xiangqi, XiangqiRules};
use agon_tablebase::cli::{
    FolderLocation, ProbedMove, TableCommand, TableProgram, list_moves, parse_size,
};
use agon_tablebase::{
    Dtm, Monitor, OpenSlice, Slice, TableHeader, TablebaseError, build, missing_slices, slice_path,
};
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::fs;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to build; sets already in the folder are skipped.
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// A set such as KRKAABB, with all sets that captures lead to; may be given several times
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// All sets of one attacking piece whose positions, at one byte each, take at most this size,
    /// such as 200MB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    all_under: Option<u64>,
    /// Memory limit for one set
    #[arg(long, default_value = "8GB", value_name = "SIZE", value_parser = parse_size)]
    memory: u64,
    /// Do not start another set after this many seconds
    #[arg(long, value_name = "SECONDS")]
    within: Option<u64>,
}

/// How to verify.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// A set such as KRKAABB, instead of all in the folder; may be given several times
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Compare every position with its successors instead of a sample
    #[arg(long)]
    all: bool,
    /// Positions per set and side to move to compare with their successors
    #[arg(long, default_value_t = Thoroughness::default().successors)]
    samples: u64,
    /// Positions per set to check by forward search
    #[arg(long, default_value_t = Thoroughness::default().searches)]
    searches: u64,
    /// Depth of the forward search in plies
    #[arg(long, default_value_t = Thoroughness::default().depth)]
    depth: u8,
}

/// The other subcommands.
#[derive(Debug, clap::Subcommand)]
pub enum Other {
    /// List the sets of one attacking piece, or the named sets, and the folder's contents
    List {
        /// The folder
        #[arg(long)]
        dir: Option<PathBuf>,
        /// A set such as KRKAABB; may be given several times
        #[arg(long = "set", value_name = "NAME")]
        sets: Vec<String>,
    },
}

/// `xiangqi table ...`.
pub type Command = TableCommand<FolderLocation, BuildArgs, VerifyArgs, Other>;

/// The program, with the match's rule limits for positions.
pub struct Program(pub XiangqiRules);

fn parse_sets(names: &[String]) -> Result<Vec<MaterialKey>> {
    names.iter().map(|name| MaterialKey::parse(name).map_err(Into::into)).collect()
}

/// The number of positions of a set with both sides to move, which is the size of its slice in
/// bytes, uncompressed.
fn positions(key: MaterialKey) -> u64 {
    2 * XiangqiSlice::new(key).layout().len()
}

impl TableProgram for Program {
    type Location = FolderLocation;
    type Build = BuildArgs;
    type Verify = VerifyArgs;
    type Other = Other;

    fn build(
        &self,
        FolderLocation { dir }: &FolderLocation,
        what: &BuildArgs,
        threads: usize,
        monitor: &Monitor<'_>,
    ) -> Result<String> {
        let mut sets = parse_sets(&what.sets)?;
        if let Some(most) = what.all_under {
            let all = MaterialKey::with_one_attacker();
            sets.extend(all.into_iter().filter(|&key| positions(key) <= most));
        }
        ensure!(!sets.is_empty(), "nothing to build: give --set KRKAABB or --all-under 200MB");
        fs::create_dir_all(dir).map_err(TablebaseError::io("making", dir))?;
        let (begun, within) = (Instant::now(), what.within.map(Duration::from_secs));
        let missing = missing_slices::<XiangqiSlice>(dir, &sets)?;
        let solver = XiangqiSolver { dir: dir.clone(), memory: what.memory };
        monitor.begin("", missing.len() as u64);
        for (done, &key) in missing.iter().enumerate() {
            if within.is_some_and(|limit| begun.elapsed() >= limit) {
                let left = missing.len() - done;
                return Ok(format!("{left} sets are left; run the same command to resume"));
            }
            let (slice, started) = (XiangqiSlice::new(key), Instant::now());
            let path = slice_path::<XiangqiSlice>(dir, key);
            let header = build(&path, &slice, &solver, threads, monitor)?;
            monitor.bar.inc(1);
            let report = report(&slice, &header, &path, started.elapsed())?;
            monitor.bar.suspend(|| writeln!(stdout(), "{report}"))?;
        }
        Ok(format!("{} sets were missing", missing.len()))
    }

    fn verify(
        &self,
        FolderLocation { dir }: &FolderLocation,
        args: &VerifyArgs,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Result<String> {
        let mut sets = parse_sets(&args.sets)?;
        if sets.is_empty() {
            let tablebase = XiangqiTablebase::open(dir)?;
            ensure!(!tablebase.is_empty(), "{} holds no tablebase", dir.display());
            sets = tablebase.folder().slices().map(|slice| slice.indexer.key()).collect();
            sets.sort();
        }
        let &VerifyArgs { searches, depth, .. } = args;
        let successors = if args.all { u64::MAX } else { args.samples };
        let how = Thoroughness { successors, searches, depth, seed };
        let mut sum = Checked::default();
        for &key in &sets {
            let checked = verify(dir, key, how, monitor)?;
            sum.successors += checked.successors;
            sum.mates += checked.mates;
            sum.others += checked.others;
        }
        let Checked { successors, mates, others } = sum;
        Ok(format!(
            "{} sets: all checksums match; {successors} positions agree with their successors; of \
             {} searched {depth} plies deep {mates} are mates and {others} are not, as the \
             tablebase says",
            sets.len(),
            mates + others
        ))
    }

    fn probe(&self, FolderLocation { dir }: &FolderLocation, fen: &str) -> Result<String> {
        let tablebase = XiangqiTablebase::open(dir)?;
        let game = Xiangqi::parse_fen(fen, &self.0)?;
        if let Turn::Over(outcome) = game.turn() {
            bail!("the game is over: {outcome:?}");
        }
        let key = MaterialKey::of(game.board()).map(|(key, _)| key);
        let value = tablebase.probe(&game).with_context(|| match key {
            Some(key) => match OpenSlice::<XiangqiSlice>::open(dir, key) {
                Err(error) => error.to_string(),
                Ok(_) => format!("the slice {key} gives no value"),
            },
            None => "both sides have attacking pieces: the tablebase holds no such set".into(),
        })?;
        let moves = tablebase.root(&game).context("a capture leads to a set that is missing")?;
        let moves = moves
            .iter()
            .map(|(m, value)| ProbedMove { token: game.move_token(*m), value: Some(*value) });
        let lines = list_moves(moves.collect(), Dtm::to_string);
        Ok([value.to_string()].into_iter().chain(lines).collect::<Vec<_>>().join("\n"))
    }

    fn other(&self, Other::List { dir, sets }: &Other) -> Result<String> {
        let named = parse_sets(sets)?;
        let all = if named.is_empty() { MaterialKey::with_one_attacker() } else { named };
        let mut text = String::new();
        let (mut sum, mut packed, mut here) = (0, 0, 0);
        for &key in &all {
            let positions = positions(key);
            sum += positions;
            let slice = dir.as_ref().map(|dir| OpenSlice::<XiangqiSlice>::open(dir, key));
            match slice {
                None | Some(Err(TablebaseError::Missing { .. })) => {
                    writeln!(text, "{:<13} {positions:>11} positions", key.to_string())?;
                }
                Some(slice) => {
                    let slice = slice?;
                    (packed, here) = (packed + slice.file.size(), here + 1);
                    let row = describe(key, positions, slice.file.header(), slice.file.size());
                    writeln!(text, "{row}")?;
                }
            }
        }
        let sets = all.len();
        write!(text, "{sets} sets, {sum} positions (a byte each unpacked, both sides to move)")?;
        if dir.is_some() {
            write!(text, "\n{here} of them here, {packed} bytes")?;
        }
        Ok(text)
    }
}

/// The row of a slice that was just built, with its longest mates.
fn report(
    slice: &XiangqiSlice,
    header: &TableHeader,
    path: &Path,
    time: Duration,
) -> Result<String> {
    let size = fs::metadata(path).map_err(TablebaseError::io("reading", path))?.len();
    let row = describe(slice.key(), 2 * slice.layout().len(), header, size);
    let mut text = format!("{row}, {:.1} s", time.as_secs_f64());
    for (side, tally) in SliceTally::from_statistics(&header.statistics).iter().enumerate() {
        let (code, number) = tally.longest;
        if code > 1 {
            write!(text, "\n    {}: {}", Dtm::from_code(code), slice.fen(side, number))?;
        }
    }
    Ok(text)
}

/// One row about a slice: positions, wins, bytes.
fn describe(key: MaterialKey, positions: u64, header: &TableHeader, size: u64) -> String {
    let [strong, weak] = SliceTally::from_statistics(&header.statistics);
    let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    format!(
        "{:<13} {positions:>11} positions, {:>6.2}% won, {:>6.2}% lost, {:>5} defender wins, \
         longest {:>3} plies, {size:>9} bytes",
        key.to_string(),
        share(strong.attacker_wins, strong.legal),
        share(weak.attacker_wins, weak.legal),
        strong.defender_wins + weak.defender_wins,
        strong.longest.0.max(weak.longest.0).saturating_sub(1),
    )
}

//! The `tune` subcommand: writes positions of self-play games to a file, and fits the weights of the
//! pieces to them by logistic regression ("Texel's method").

use crate::evaluation::{UNIT, WHOLE, advantage, mobility, remaining, winning_share};
use crate::search::{DarkChessSearch, SearchMode};
use crate::tablebase::DarkChessTablebase;
use crate::weights::{self, BASE, FACING, FRACTION};
use agon_protocol::Player;
use agon_protocol::darkchess::{Colour, DarkChess, DarkMove, DarkRules, KINDS};
use agon_protocol::game::{Game, Turn};
use agon_protocol::rng;
use agon_search::transposition::TranspositionTable;
use agon_tuning::adam::{AdamSettings, fit};
use agon_tuning::cli::{FitFlags, SelfPlayFlags};
use agon_tuning::samples::{Sample, Samples};
use agon_tuning::selfplay::{chance_outcome, play_games, random_opening, search};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

/// The subcommands of `tune`.
#[derive(Debug, clap::Subcommand)]
pub enum Tune {
    /// Play games against itself; write one line for each quiet position: the game's number, the
    /// result and the value for the side to move (1: a win), and the FEN
    Play(SelfPlayFlags),
    /// Fit the weights of the pieces to such files and print them as in `src/weights.rs`
    Fit(FitFlags),
}

/// The number of random moves of an opening: the minimum, and the number of possible lengths.
const OPENING: (u64, u64) = (2, 8);
/// The size of the transposition table in MiB.
const HASH: usize = 4;
/// One in this many games is held out.
const HELD_OUT: u64 = 8;
/// The terms: the base value of each kind, each pair of kinds, mobility, the right to move.
const TERMS: usize = KINDS + KINDS * KINDS + 2;
const MOBILITY: usize = KINDS + KINDS * KINDS;

/// Runs a subcommand of `tune`.
pub fn run(
    tune: &Tune,
    rules: &DarkRules,
    tablebase: Option<Arc<DarkChessTablebase>>,
) -> Result<()> {
    match tune {
        Tune::Play(flags) => play(flags, rules, tablebase),
        Tune::Fit(flags) => fit_files(flags, rules),
    }
}

fn play(
    flags: &SelfPlayFlags,
    rules: &DarkRules,
    tablebase: Option<Arc<DarkChessTablebase>>,
) -> Result<()> {
    let mut file = flags.create()?;
    let player = || -> Result<DarkChessSearch> {
        let tt = TranspositionTable::new(HASH)?;
        let (tablebase, seed, mode) = (tablebase.clone(), flags.seed, SearchMode::Play);
        Ok(DarkChessSearch { tt, tablebase, threads: 1, seed, mode })
    };
    let mut positions = 0;
    play_games(
        flags.numbers().count(),
        flags.jobs,
        player,
        |player, index| play_one(flags, rules, player, flags.numbers().number(index)),
        |lines| {
            positions += lines.len();
            lines.iter().try_for_each(|line| writeln!(file, "{line}"))?;
            Ok(())
        },
    )?;
    file.flush()?;
    Ok(writeln!(std::io::stdout(), "{positions} positions of {} games", flags.numbers().count())?)
}

/// The lines of the quiet positions of a game.
fn play_one(
    flags: &SelfPlayFlags,
    rules: &DarkRules,
    player: &mut DarkChessSearch,
    index: u64,
) -> Vec<String> {
    use agon_search::searcher::Searcher;
    player.new_game();
    let mut stream = rng::stream(flags.seed, index, "dark chess tune");
    let (least, spread) = OPENING;
    let start = DarkChess::start(rules);
    let Some(mut record) = random_opening(start, least, spread, &mut stream) else {
        return Vec::new();
    };
    let mut positions: Vec<(Player, i32, DarkChess)> = Vec::new();
    let first = loop {
        match record.turn() {
            Turn::Over(outcome) => break outcome.sign_for(Player::First),
            Turn::Chance => match chance_outcome(record.current(), &mut stream) {
                Some(outcome) => record.push(outcome),
                None => return Vec::new(),
            },
            Turn::Player(side) => {
                let game = *record.current();
                if let Some(value) = player.tablebase.as_ref().and_then(|t| t.probe(&game)) {
                    let sign = value.plies().map_or(0, |_| if value.is_win() { 1 } else { -1 });
                    break if side == Player::First { sign } else { -sign };
                }
                let best = search(player, &record, flags.nodes);
                let m = best.best();
                if matches!(m, DarkMove::Step { to, .. } if game.piece_at(to).is_none()) {
                    positions.push((side, best.value, game));
                }
                record.push(m);
            }
        }
    };
    let line = |(side, value, game): (Player, i32, DarkChess)| {
        let result = if side == Player::First { first } else { -first };
        format!("{index} {result} {:.4} {}", f64::from(value) / f64::from(UNIT), game.fen())
    };
    positions.into_iter().map(line).collect()
}

fn fit_files(flags: &FitFlags, rules: &DarkRules) -> Result<()> {
    let mut samples = Samples::new(TERMS, 1);
    for path in &flags.files {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let place = || format!("{}, line {number}", path.display());
            add(&mut samples, &line.with_context(place)?, flags, rules).with_context(place)?;
        }
    }
    let held_out = samples.held_out();
    ensure!(held_out > 0 && held_out < samples.len(), "no positions to fit to");
    let start = present();
    let settings = AdamSettings { passes: flags.passes, pull: flags.pull };
    let fitted = fit(&samples, &start, &start, settings, |_, _, _| {});
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "// {} positions, {held_out} held out: loss {:.5} before, {:.5} after; unit {:.0}",
        samples.len(),
        fitted.before,
        fitted.after,
        fitted.unit
    )?;
    print(&mut out, &fitted.weights, fitted.unit)
}

/// Adds the position of a line.
fn add(samples: &mut Samples, line: &str, flags: &FitFlags, rules: &DarkRules) -> Result<()> {
    let mut words = line.splitn(4, ' ');
    let mut word = || words.next().context("expected a game, a result, a value and a FEN");
    let number: u64 = word()?.parse().context("the number of the game")?;
    let outcome = |text: &str| text.parse().ok().filter(|x| (-1.0..=1.0).contains(x));
    let result: f64 = outcome(word()?).context("the result: expected -1 to 1")?;
    let value: f64 = outcome(word()?).context("the value: expected -1 to 1")?;
    let game = DarkChess::parse_fen(word()?, rules)?;
    let own = game.colour_to_move().context("no colours")?;
    let both = [own, own.other()].map(|colour| remaining(&game, colour));
    let ahead = advantage(&game) > 0;
    let share = winning_share(&both[usize::from(!ahead)], &both[usize::from(ahead)]);
    let weight = f64::from(flags.result) / 100.0;
    let target = (1.0 + weight * result + (1.0 - weight) * value) / 2.0;
    let sample = Sample {
        knot: 0,
        share: 0.0,
        scale: share as f32 / WHOLE as f32,
        target: target as f32,
        held_out: number.is_multiple_of(HELD_OUT),
    };
    samples.push(sample, terms(&game, own, &both));
    Ok(())
}

/// The terms of a position for the side to move.
fn terms(game: &DarkChess, own: Colour, both: &[[i32; KINDS]; 2]) -> Vec<(usize, f32)> {
    let mut terms = Vec::new();
    for (sign, mine, enemy) in [(1, &both[0], &both[1]), (-1, &both[1], &both[0])] {
        for kind in (0..KINDS).filter(|&kind| mine[kind] > 0) {
            terms.push((kind, (sign * mine[kind]) as f32));
            for other in (0..KINDS).filter(|&other| enemy[other] > 0) {
                let count = sign * mine[kind] * enemy[other];
                terms.push((KINDS + kind * KINDS + other, count as f32));
            }
        }
    }
    let mobile = mobility(game, own) - mobility(game, own.other());
    terms.push((MOBILITY, mobile as f32));
    terms.push((MOBILITY + 1, 1.0));
    terms
}

/// The weights of the terms at present, in whole units.
fn present() -> Vec<f64> {
    let sixteenths = BASE.iter().chain(FACING.as_flattened());
    let position = [weights::mobility_weight(), 0];
    sixteenths.chain(&position).map(|&w| f64::from(w) / f64::from(FRACTION)).collect()
}

/// Prints the weights as source text; the half advantage is where both curves agree.
fn print(out: &mut impl Write, weights: &[f64], unit: f64) -> Result<()> {
    let weights: Vec<i32> =
        weights.iter().map(|w| (w * f64::from(FRACTION)).round() as i32).collect();
    writeln!(out, "pub const BASE: [i32; KINDS] = {:?};", &weights[..KINDS])?;
    writeln!(out, "pub const FACING: [[i32; KINDS]; KINDS] = [")?;
    for row in weights[KINDS..MOBILITY].chunks(KINDS) {
        writeln!(out, "    {row:?},")?;
    }
    writeln!(out, "];")?;
    writeln!(out, "// mobility, right to move: {:?}", &weights[MOBILITY..])?;
    // Half of STATIC_LIMIT is a chance of 0.725.
    Ok(writeln!(out, "// half_advantage: {:.0}", unit * libm::log(0.725 / 0.275))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_line_is_refused_with_what_is_wrong() {
        let flags = FitFlags { files: Vec::new(), passes: 1, result: 60, pull: 1.0 };
        let fen = "K3/4/4/4/4/1m2/Rp2/gr2 b b - - 0";
        let read = |line: &str| {
            let mut samples = Samples::new(TERMS, 1);
            let added = add(&mut samples, line, &flags, &DarkRules::default());
            added.map(|()| samples.len()).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(read(&format!("3 -1 0.2500 {fen}")), Ok(1));
        for (line, expected) in [
            ("", "the number of the game"),
            ("3 1", "expected a game, a result, a value and a FEN"),
            (&format!("3 NaN 0.25 {fen}"), "the result: expected -1 to 1"),
            (&format!("3 1 inf {fen}"), "the value: expected -1 to 1"),
            ("3 1 0.25 4/4 b b - - 0", "there are no pieces"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}

//! `darkchess classes map`: the file that numbers all classes.

use crate::class_map::ClassMap;
use crate::material::{Colour, KINDS, LIMITS};
use crate::{Counts, Material};
use agon_protocol::rng::{self, Stream};
use anyhow::{Result, ensure};
use rand_core::Rng;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

/// The number of different combinations in the benchmark `speed`.
const SAMPLE: usize = 1 << 16;

#[derive(Debug, clap::Subcommand)]
pub enum Task {
    /// Build the map, 6.5 MB, in a fraction of a second
    Build {
        /// The file to write
        file: PathBuf,
    },
    /// Rebuild the map and compare
    Check {
        /// The map
        file: PathBuf,
    },
    /// Print the class numbers of combinations
    Number {
        /// The map
        file: PathBuf,
        /// Combinations, such as `KG(k)m`: capitals are red, parentheses mark hidden pieces
        #[arg(required = true)]
        combinations: Vec<Material>,
    },
    /// Measure lookups of random combinations
    Speed {
        /// The map
        file: PathBuf,
        /// Number of lookups
        #[arg(long, default_value_t = 10_000_000)]
        lookups: usize,
    },
}

/// Runs `darkchess classes map ...`.
pub fn run(task: &Task) -> Result<()> {
    let mut out = stdout().lock();
    match task {
        Task::Build { file } => {
            let clock = Instant::now();
            let map = ClassMap::build();
            map.write(file)?;
            writeln!(
                out,
                "{}: {} classes of open pieces, {} in all (sets of two pieces and of one side \
                 included), {} bytes, {:.0} ms",
                file.display(),
                map.revealed_classes(),
                map.classes(),
                map.bytes().len(),
                clock.elapsed().as_secs_f64() * 1000.0
            )?;
        }
        Task::Check { file } => {
            let same = ClassMap::open(file)?.bytes() == ClassMap::build().bytes();
            ensure!(same, "{} is not what this program builds; build it again", file.display());
            writeln!(out, "{}: checksum right, the same when built anew", file.display())?;
        }
        Task::Number { file, combinations } => {
            let map = ClassMap::open(file)?;
            for material in combinations {
                writeln!(out, "{material} {}", map.number(material))?;
            }
        }
        Task::Speed { file, lookups } => {
            let map = ClassMap::open(file)?;
            for hidden in [false, true] {
                let mut stream = rng::stream(1, u64::from(hidden), "class map speed");
                let sample: Vec<Material> =
                    (0..SAMPLE).map(|_| random(&mut stream, hidden)).collect::<Result<_>>()?;
                let clock = Instant::now();
                let mut sum = 0u64;
                for i in 0..*lookups {
                    let material = &sample[i % SAMPLE];
                    sum = sum.wrapping_add(if hidden {
                        map.number(material)
                    } else {
                        u64::from(map.revealed(material.open()))
                    });
                }
                let seconds = clock.elapsed().as_secs_f64().max(1e-9);
                writeln!(
                    out,
                    "{} combinations: {:.1} million lookups per second (sum {sum})",
                    if hidden { "open and hidden" } else { "open" },
                    *lookups as f64 / seconds / 1e6
                )?;
            }
        }
    }
    Ok(())
}

/// A random combination, uniform in the number of pieces of each kind.
fn random(stream: &mut Stream, hide: bool) -> Result<Material> {
    let mut groups = [[Counts::default(); 2]; 2];
    for colour in Colour::BOTH {
        for kind in 0..KINDS {
            let mut draw = |most: u8| (stream.next_u64() % (u64::from(most) + 1)) as u8;
            let all = draw(LIMITS[kind]);
            let hidden = if hide { draw(all) } else { 0 };
            groups[0][colour.index()][kind] = all - hidden;
            groups[1][colour.index()][kind] = hidden;
        }
    }
    let [open, hidden] = groups;
    Ok(Material::new(open, hidden)?)
}

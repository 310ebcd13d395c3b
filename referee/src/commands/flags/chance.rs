//! The flags that choose where a match's chance comes from, and whether sides are swapped.

use agon_matches::chance::ChanceSettings;
use std::path::PathBuf;

/// Where dice, deals and random openings come from.
#[derive(clap::Args)]
#[command(next_help_heading = "Chance")]
pub struct ChanceFlags {
    /// Derive all chance from this number instead of a secret
    ///
    /// It is for tests that repeat a match: whoever knows the number can foresee every roll.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Keep the secret in this file instead of LOG.secret
    ///
    /// It is created if it does not exist. All shards of a match need the same one, and `merge --secret`
    /// reveals it.
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with = "seed")]
    pub secret: Option<PathBuf>,
    /// Whether the two games of a pair have the same dice and deal
    ///
    /// The default is yes in match and sprt, no in tournament, where an engine might remember the first
    /// game.
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no, action = clap::ArgAction::Set,
          hide_short_help = true)]
    pub share_chance: Option<bool>,
    /// Mix a line of each player into the secret
    ///
    /// The commitment to the secret is printed, then one line per engine is read from standard input:
    /// neither the referee nor a player alone decides the dice.
    #[arg(long, conflicts_with = "seed", hide_short_help = true)]
    pub contributions: bool,
}

impl ChanceFlags {
    /// The settings; `shared` is the default of `--share-chance`.
    pub fn settings(&self, shared: bool) -> ChanceSettings {
        ChanceSettings {
            seed: self.seed,
            secret: self.secret.clone(),
            shared: self.share_chance.unwrap_or(shared),
            contributions: self.contributions,
        }
    }
}

/// Sides in the second game of a pair.
#[derive(clap::Args)]
#[command(next_help_heading = "Openings")]
pub struct SwapFlag {
    /// Whether the engines swap sides in the second game of a pair
    ///
    /// With `no`, the first engine of each pairing begins all games, every game has its own opening, and
    /// no game belongs to a pair.
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes_or_no,
          hide_short_help = true, action = clap::ArgAction::Set)]
    pub swap: bool,
}

/// A flag's value `yes` or `no`.
fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}

//! The flags of a game and of its openings.

use super::choice::choice;
use agon_games::arbiter::GameKind;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use agon_matches::games::{find_game, game_names};
use agon_matches::openings::{OpeningChoice, OpeningOrder, OpeningsSource};
use agon_matchlog::{Setting, rule_pairs};
use anyhow::{Context, Result, bail};

/// The game and its rules.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Game")]
pub struct GameFlags {
    /// Game to play
    #[arg(long, value_name = "NAME", long_help = format!("Game to play: {}", game_names()))]
    pub game: String,
    /// Rule that differs from the game's default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub rules: Vec<String>,
}

impl GameFlags {
    /// Returns the game and its rule options after checking them.
    pub fn resolve(&self) -> Result<(GameKind, Vec<Setting>)> {
        let kind = find_game(&self.game)?;
        let rules = self.rules.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
        kind.open(None, &rule_pairs(&rules)).context("--rule")?;
        Ok((kind, rules))
    }
}

/// Parses `NAME=VALUE`.
pub fn setting(text: &str) -> Result<Setting, Phrase> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(Setting { name: name.trim().into(), value: value.trim().into() })
        }
        _ => Err(phrase!("`{text}`: expected NAME=VALUE", text = excerpt(text))),
    }
}

/// The values of `--order`.
const ORDERS: [(&str, &str, OpeningOrder); 2] = [
    ("sequential", "In the order of the file", OpeningOrder::Sequential),
    ("random", "Shuffled by the match's random numbers", OpeningOrder::Random),
];

/// The openings of a match.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Openings")]
pub struct OpeningFlags {
    /// File of openings: text, PGN, SGF or WXF
    ///
    /// Both games of a pair start from the same opening. A file, or fields: file=FILE, format=text|pgn|sgf|wxf (default: by the name), order=sequential|random, start=N (the first
    /// one that is used, from 1), plies=N (moves that are kept of each game), seed=N (a random order
    /// that several matches share), policy=round|encounter|pair (encounters share the openings, have one each, or every pair takes
    /// the next).
    #[arg(long, value_name = "FILE", value_parser = OpeningsSource::parse)]
    pub openings: Option<OpeningsSource>,
    /// Order of the openings [default: sequential]
    #[arg(long, hide_possible_values = true, value_parser = choice(&ORDERS))]
    pub order: Option<OpeningOrder>,
    /// Without a file: start after N random legal moves
    ///
    /// They are the same for both games of a pair.
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    pub random_plies: Option<u32>,
}

impl OpeningFlags {
    /// Which openings these are; `otherwise` without a flag.
    pub fn choice(&self, otherwise: OpeningChoice) -> Result<OpeningChoice> {
        let source = match (&self.openings, self.random_plies) {
            (Some(source), _) => source.clone(),
            (None, Some(plies)) => return Ok(OpeningChoice::Random(plies)),
            (None, None) => return Ok(otherwise),
        };
        if let (Some(order), Some(_)) = (self.order, source.order) {
            bail!("--order {order:?}: --openings has an order= of its own; give one of them");
        }
        let order = source.order.or(self.order);
        Ok(OpeningChoice::File(OpeningsSource { order, ..source }))
    }
}

//! The flags that end games before the rules end them.

use agon_games::arbiter::GameKind;
use agon_matches::tablebase;
use agon_matchlog::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, Result, bail};

/// Which games end before the rules end them.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Adjudication")]
pub struct AdjudicationFlags {
    /// A game is lost once both engines agree on it
    ///
    /// Both engines must report a score of CP centipawns or more for the same side for MOVES consecutive
    /// moves each, such as 600,4; with 600,4,one-sided, or movecount=4,score=600,twosided=false, it
    /// suffices that the losing engine does.
    #[arg(long, value_name = "CP,MOVES")]
    pub resign: Option<String>,
    /// A game is drawn once both engines report about 0
    ///
    /// Both engines must report scores within CP centipawns of 0 for MOVES consecutive moves each, but not
    /// before ply PLY, such as 10,8,80.
    #[arg(long, value_name = "CP,MOVES,PLY")]
    pub draw: Option<String>,
    /// A game of this many plies is a draw
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_plies: Option<u64>,
    /// Amazons: end a game once the territories are separate, and count them
    #[arg(long, hide_short_help = true)]
    pub territory: bool,
    /// End a game once this program's tables know it
    ///
    /// The program is asked after every move for the result of its endgame tablebase; fields as for --engine, with the option that names the
    /// tables.
    #[arg(long, value_name = "FIELDS")]
    pub tables: Option<String>,
}

impl AdjudicationFlags {
    /// Builds the header's adjudication entry.
    pub fn resolve(&self, kind: GameKind) -> Result<Adjudication> {
        if self.territory && kind.name != "amazons" {
            bail!("--territory: {} has no territory adjudication", kind.name);
        }
        let resign = self.resign.as_deref().map(|text| {
            let expected = "--resign: expected CP,MOVES or CP,MOVES,one-sided, such as 600,4";
            resign_rule(text).context(expected)
        });
        let draw = self.draw.as_deref().map(|text| {
            let [score, moves, after] =
                numbers(text).context("--draw: expected CP,MOVES,PLY such as 10,8,80")?;
            let (moves, after) = (moves.max(1), after.into());
            Ok::<_, anyhow::Error>(DrawRule { score, moves, after })
        });
        let tables = self.tables.as_deref().map(tablebase::entry).transpose();
        Ok(Adjudication {
            resign: resign.transpose()?,
            draw: draw.transpose()?,
            max_plies: self.max_plies,
            territory: self.territory,
            tables: tables.context("--tables")?,
        })
    }
}

/// Parses `SCORE,MOVES`, with `one-sided` after it, or fields with the names of other programs.
fn resign_rule(text: &str) -> Option<ResignRule> {
    let mut rule = ResignRule { score: 0, moves: 1, one_sided: false };
    if !text.contains('=') {
        let numbers_alone = text.strip_suffix(",one-sided");
        rule.one_sided = numbers_alone.is_some();
        [rule.score, rule.moves] = numbers(numbers_alone.unwrap_or(text))?;
    }
    for field in text.split(',').filter(|_| text.contains('=')) {
        match field.split_once('=').map(|(key, value)| (key.trim(), value.trim()))? {
            ("score", value) => rule.score = value.parse().ok()?,
            ("moves" | "movecount", value) => rule.moves = value.parse().ok()?,
            ("twosided", value) => rule.one_sided = !value.parse::<bool>().ok()?,
            _ => return None,
        }
    }
    rule.moves = rule.moves.max(1);
    Some(rule)
}

/// Parses exactly N whole numbers separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let all: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    all?.try_into().ok()
}

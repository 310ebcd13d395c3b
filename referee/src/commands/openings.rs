//! `referee openings`: makes a file of opening positions.

use anyhow::Result;
use std::process::ExitCode;

/// Make a file of opening positions
#[derive(clap::Args)]
pub struct Args {}

/// Makes the file.
pub fn run(_args: Args) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}

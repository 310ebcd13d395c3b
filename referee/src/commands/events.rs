//! `referee events`: lists the presets of events and shows one.

use crate::matches::events::{self, ClockScope, Event, Length};
use anyhow::Result;
use std::process::ExitCode;

/// List the presets of events, or show one to copy and edit
#[derive(clap::Args)]
pub struct Args {
    /// A preset, or the file of one's own: it is checked, and printed
    #[arg(value_name = "NAME|FILE")]
    event: Option<String>,
}

/// Prints the list or one preset.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.event {
        Some(name) => print!("{}", events::find(name)?.text),
        None => events::embedded()?.iter().for_each(|event| println!("{}", line(event))),
    }
    Ok(ExitCode::SUCCESS)
}

fn line(event: &Event) -> String {
    let length = match event.length {
        Length::FirstTo(n) => format!("first to {n}"),
        Length::BestOf(n) => format!("best of {n}"),
        Length::Games(1) => "1 game".into(),
        Length::Games(n) => format!("{n} games"),
    };
    let scope = if event.scope == ClockScope::Match { " for the match" } else { "" };
    let rules = event.rules.iter().map(|r| format!("; {}={}", r.name, r.value));
    let (clock, record) = (event.clock_text(), event.record.name());
    let order: String = event.first.iter().map(|&i| if i == 0 { 'A' } else { 'B' }).collect();
    format!(
        "{:<17} {:<9} {clock:>6}{scope}  {length:<10}  {order:<7}  {record:<5} {}; {}{}",
        event.name,
        event.kind.name,
        event.title,
        event.title_zh,
        rules.collect::<String>()
    )
}

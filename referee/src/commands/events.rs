//! `referee events`: lists the presets of events and shows one.

use agon_base::language::{Language, current};
use agon_base::terminal::write_text;
use agon_games::phrase::phrase;
use agon_matches::events::{self, ClockScope, Event, Length};
use agon_report::width::padded;
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
        Some(name) => write_text(&events::find(name)?.text),
        None => events::embedded()?.iter().for_each(|event| println!("{}", line(event, current()))),
    }
    Ok(ExitCode::SUCCESS)
}

/// The line of an event; a Chinese one has the Chinese title only.
fn line(event: &Event, language: Language) -> String {
    let length = match event.length {
        Length::FirstTo(n) => phrase!("first to {n}", n),
        Length::BestOf(n) => phrase!("best of {n}", n),
        Length::Games(1) => phrase!("1 game"),
        Length::Games(n) => phrase!("{n} games", n),
    };
    let rules = event.rules.iter().map(|r| format!("; {}={}", r.name, r.value));
    let (mut clock, record) = (event.clock_text(), event.record.name());
    if event.scope == ClockScope::Match {
        clock = language.say(&phrase!("{clock} for the match", clock));
    }
    let length = language.say(&length);
    let titles = match language {
        Language::English => format!("{}; {}", event.title, event.title_zh),
        Language::Chinese => event.title_zh.clone(),
    };
    let order: String = event.first.iter().map(|&i| if i == 0 { 'A' } else { 'B' }).collect();
    format!(
        "{:<17} {:<9} {clock:>6}  {}  {order:<7}  {record:<5} {titles}{}",
        event.name,
        event.kind.name,
        padded(&length, 10),
        rules.collect::<String>()
    )
}

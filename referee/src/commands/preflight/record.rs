//! The step that writes the record of a game in the event's form and reads it back.

use super::step::{Preflight, PreflightStep};
use agon_games::ccgc::{file_name, read};
use agon_games::connect6::sgf::Form;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matches::chance::Chance;
use agon_matches::encoding::decode;
use agon_matches::events::RecordForm;
use agon_matches::openings::{Openings, OpeningsSource};
use agon_matches::verify::check_record;
use agon_matchlog::{GameRecord, MatchHeader, Schedule};
use agon_report::export::{Occasion, ccgc, pgn, sgf, wxf};
use std::path::Path;

const NAME: &str = "record";

/// Writes the record into a folder of its own beside the others, reads it back and compares the moves.
pub fn there_and_back(preflight: &Preflight, game: &GameRecord) -> PreflightStep {
    let folder = match tempfile::tempdir_in(&preflight.folder) {
        Ok(folder) => folder,
        Err(cause) => {
            let path = preflight.folder.display();
            return PreflightStep::failed(NAME, phrase!("{path}: {cause}", path, cause));
        }
    };
    let mut second = preflight.entry.clone();
    second.name.push_str(" (second)");
    let schedule = Schedule { form: "match".into(), ..Schedule::default() };
    let engines = vec![preflight.entry.clone(), second];
    let rules = preflight.event.rules.clone();
    let header =
        MatchHeader { rules, ..MatchHeader::new(preflight.event.kind.name, engines, schedule) };
    let form = preflight.event.record;
    match back(preflight, &header, game, folder.path()) {
        Ok(name) => PreflightStep::passed(
            NAME,
            phrase!("{name} written and read back ({form})", name, form = form.name()),
        ),
        Err(cause) => {
            PreflightStep::failed(NAME, phrase!("form {name}: {cause}", name = form.name(), cause))
        }
    }
}

/// The name of the file.
fn back(
    preflight: &Preflight,
    header: &MatchHeader,
    game: &GameRecord,
    folder: &Path,
) -> Result<String, Phrase> {
    let plain = |cause: &dyn std::fmt::Display| Phrase::Plain(cause.to_string());
    let form = preflight.event.record;
    let occasion = Occasion { event: preflight.event.title.clone(), ..Occasion::default() };
    let (name, text) = match form {
        RecordForm::Ccgc => {
            let record = ccgc::record(header, game, &occasion).map_err(|e| plain(&e))?;
            (file_name(&record), ccgc::game(header, game, &occasion))
        }
        RecordForm::Sgf => {
            ("game.sgf".into(), sgf::game(header, game, Form::LittleGolem, &occasion))
        }
        RecordForm::Pgn => ("game.pgn".into(), pgn::game(header, game, &occasion)),
        RecordForm::Wxf => ("game.wxf".into(), wxf::game(header, game, &occasion)),
    };
    let path = folder.join(&name);
    let failed = |cause: Phrase| phrase!("{name}: {cause}", name = name.as_str(), cause);
    std::fs::write(&path, text.map_err(|e| plain(&e))?).map_err(|e| failed(e.to_phrase()))?;
    let found = if form == RecordForm::Ccgc {
        let bytes = std::fs::read(&path).map_err(|e| failed(e.to_phrase()))?;
        let text = decode(&bytes).map_err(|e| plain(&e))?;
        let record = read(&text).map_err(|e| failed(plain(&e)))?;
        let findings = check_record(&record, &preflight.event.rules).map_err(|e| plain(&e))?;
        if let Some(defect) = findings.defects.first() {
            return Err(failed(plain(defect)));
        }
        record.tokens().collect::<Vec<_>>().join(" ")
    } else {
        // A finished game is no opening, so the reader stops before the last move.
        let plies = u32::try_from(game.moves_played().saturating_sub(1)).ok();
        let source = OpeningsSource { plies, ..OpeningsSource::file(&path) };
        let (kind, rules) = (preflight.event.kind, &preflight.event.rules);
        let chance = Chance::seeded(1, true);
        let games = Openings::read(&source, kind, rules, &chance);
        let games = games.map_err(|e| plain(&e))?;
        let text = games.texts().first().ok_or_else(|| phrase!("no game is read back"))?;
        text.trim_start_matches("startpos").trim_start().trim_start_matches("moves ").to_string()
    };
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let (wrote, found) = (words(&game.moves), words(&found));
    let most = wrote.len() - if form == RecordForm::Ccgc { 0 } else { 2.min(wrote.len()) };
    if found.len() < most || !wrote.starts_with(&found) {
        let (n, all) = (found.len(), wrote.len());
        return Err(phrase!("{name}: {n} moves are read back of {all}", name, n, all));
    }
    Ok(name)
}

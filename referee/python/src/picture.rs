//! A game as a picture for notebooks: the page's own drawing of its board.

use crate::errors::BadPosition;
use crate::options::Settings;
use agon_games::arbiter::Arbiter;
use agon_report::assets::board_page;
use agon_report::view::Viewing;
use pyo3::PyResult;

/// The width of the picture, in pixels.
const WIDTH: u32 = 440;

/// An element of HTML that shows the board and what stands beside it.
pub fn html(name: &str, rules: &Settings, position: &dyn Arbiter) -> PyResult<String> {
    let kind = crate::options::kind(name)?;
    let viewing = Viewing::spectator(kind, rules.clone());
    let view = viewing.view(position).map_err(BadPosition::new_err)?;
    // A row below the board has the die, or the pieces that are hidden or captured.
    let height = WIDTH * (view.ranks as u32 + 1) / (view.files as u32 + 1) + 100;
    let page = board_page(&serde_json::json!(view));
    // The frame keeps the page's style and script apart from those of the notebook.
    let quoted = page.replace('&', "&amp;").replace('"', "&quot;");
    Ok(format!(
        "<iframe width=\"{WIDTH}\" height=\"{height}\" style=\"border:0\" title=\"{name}: {fen}\" srcdoc=\"{quoted}\"></iframe>",
        fen = position.fen()
    ))
}

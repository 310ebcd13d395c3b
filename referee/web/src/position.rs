//! Any position of any game: the games and their rules, and the view of a FEN with moves.

use super::answer::{Body, HttpAnswer, Refusal, respond};
use agon_games::Player;
use agon_games::arbiter::{self, Arbiter, GAMES, GameKind};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_report::view::Viewing;
use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maximum number of moves and chance outcomes of a game that pages play or send.
pub const MAX_PLIES: usize = 2000;

/// A position in a request.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PagePosition {
    /// The game's name.
    pub game: String,
    /// Rule options by name.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    /// The position before the moves; the game's start position if absent.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves and chance outcomes.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl PagePosition {
    /// The game and its rules.
    pub fn kind(&self) -> Result<GameKind, Refusal> {
        arbiter::game(&self.game).ok_or_else(|| {
            let names: Vec<&str> = GAMES.iter().map(|g| g.name).collect();
            Refusal::bad(phrase!(
                "no game `{name}`; expected {names}",
                name = excerpt(&self.game),
                names = names.join(", ")
            ))
        })
    }

    /// The rule options.
    pub fn rule_pairs(&self) -> Vec<(String, String)> {
        self.rules.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Opens the position.
    pub fn open(&self) -> Result<Box<dyn Arbiter>, Refusal> {
        if self.moves.len() > MAX_PLIES {
            return Err(Refusal::bad(phrase!("more than {n} moves", n = MAX_PLIES)));
        }
        let fen = self.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty());
        let opened = self.kind()?.open(fen, &self.rule_pairs());
        let mut game = opened.map_err(|e| Refusal::bad(e.to_phrase()))?;
        for (i, token) in self.moves.iter().enumerate() {
            let pushed = game.push(token);
            pushed.map_err(|cause| Refusal::bad(phrase!("move {n}: {cause}", n = i + 1, cause)))?;
        }
        Ok(game)
    }
}

/// The position for an engine that plays for `player`: FEN and moves. What the rules hide from the player is left out.
pub fn for_engine(board: &dyn Arbiter, player: Player) -> (Option<String>, Vec<String>) {
    match board.player_view_fen(player) {
        Some(fen) => (Some(fen), Vec::new()),
        None => (Some(board.start_fen()), board.tokens()),
    }
}

/// `api/games` and `api/view`.
pub fn routes() -> Router {
    Router::new().route("/api/games", get(async || respond(Ok(games())))).route(
        "/api/view",
        post(async |Body(position): Body<PagePosition>| -> Response { respond(view(&position)) }),
    )
}

/// The games with their rule options.
fn games() -> Value {
    let options = |game: &GameKind| -> Vec<Value> {
        let options = game.rule_options();
        let options = options.iter().map(|o| json!({ "name": o.name, "text": o.to_string() }));
        options.collect()
    };
    let game = |game: &GameKind| json!({ "name": game.name, "chance": game.has_chance, "rules": options(game) });
    GAMES.iter().map(game).collect()
}

/// The view of a position with its legal moves.
fn view(position: &PagePosition) -> HttpAnswer {
    let game = position.open()?;
    let seen = Viewing::spectator(position.kind()?, position.rule_pairs());
    let viewing = Viewing { legal: true, ..seen };
    Ok(json!(viewing.view(&*game).map_err(|e| Refusal::bad(Phrase::Plain(e)))?))
}

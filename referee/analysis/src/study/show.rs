//! An analysis as pages get it.

use super::request::Export;
use crate::tree::{GameTree, Node};
use crate::write::{TreeForm, write};
use agon_games::arbiter::Arbiter;
use agon_games::game::MoveTexts;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_report::shown::texts;
use agon_report::view::Viewing;
use agon_web::{HttpAnswer, Refusal, message};
use serde_json::{Value, json};

/// Most legal moves that the refusal of a move lists.
const MOST_LISTED: usize = 60;

/// The nodes that have changed since a version. Removed ones have no parent.
pub fn tree(tree: &GameTree, since: u64) -> Value {
    let nodes = tree.nodes().iter().enumerate();
    let changed = nodes.filter(|(_, node)| node.changed > since);
    json!({
        "version": tree.version(),
        "game": tree.kind.name,
        "rules": tree.rules.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "start": tree.start().start_fen(),
        "players": tree.players,
        "event": tree.event,
        "result": tree.result,
        "forms": TreeForm::ALL.into_iter().filter(|form| form.is_of(tree.kind.name)).map(TreeForm::name).collect::<Vec<_>>(),
        "nodes": changed.map(|(id, node)| json!([id, fields(node)])).collect::<Vec<_>>(),
    })
}

fn fields(node: &Node) -> Value {
    json!({
        "parent": node.parent,
        "children": node.children,
        "ply": node.ply,
        "comment": node.comment,
        "marks": node.marks,
        "lines": node.lines.as_ref().map(|lines| &lines.shown),
    })
}

/// The position of a node with its legal moves. The page has the moves that led to it.
pub fn view(tree: &GameTree, id: usize) -> HttpAnswer {
    let board = tree.position(id).map_err(|e| Refusal::unknown(e.to_phrase()))?;
    let seen = Viewing::spectator(tree.kind, tree.rules.clone());
    let viewing = Viewing { legal: true, ..seen };
    let mut view = viewing.board(&*board).map_err(|e| Refusal::bad(Phrase::Plain(e)))?;
    view.moves.clear();
    Ok(json!(view))
}

/// A line for the list of analyses.
pub fn summary(tree: &GameTree) -> Value {
    json!({
        "game": tree.kind.name,
        "players": tree.players,
        "event": tree.event,
        "positions": tree.count(),
    })
}

/// The tree as a file.
pub fn file(tree: &GameTree, wanted: &Export) -> HttpAnswer {
    let form = TreeForm::ALL.into_iter().find(|form| form.name() == wanted.form);
    let form = form.ok_or_else(|| {
        let known = TreeForm::ALL.map(TreeForm::name).join(", ");
        let name = excerpt(&wanted.form);
        Refusal::bad(phrase!("form `{name}`: expected one of {known}", name, known))
    })?;
    let file = write(tree, form, wanted.lines).map_err(Refusal::bad)?;
    let remark = file.remark.as_ref().map(message);
    Ok(json!({ "name": file.name, "text": file.text, "remark": remark }))
}

/// The state of the engine.
pub fn engine(name: &str, starts: bool, error: Option<&Phrase>) -> Value {
    json!({ "name": name, "starts": starts, "error": error.map(message) })
}

/// What would be legal, as far as it is listed.
pub fn legal(tree: &GameTree, board: &dyn Arbiter) -> Vec<MoveTexts> {
    // Connect6 has too many turns to list.
    if tree.kind.name == "connect6" {
        return Vec::new();
    }
    let outcomes = board.chance_tokens().into_iter().map(|(token, _)| token);
    let tokens = board.legal_tokens().into_iter().chain(outcomes);
    tokens.take(MOST_LISTED).map(|token| texts(board, &token)).collect()
}

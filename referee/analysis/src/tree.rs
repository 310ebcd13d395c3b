//! A tree of positions. Node 0 is the start position, the first child of each node continues its line. Numbers of
//! nodes stay as they are when others are removed.

use agon_games::arbiter::{Arbiter, GameKind, OpenError};
use agon_games::game::MoveError;
use agon_games::mark::Mark;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::{Player, Turn};
use agon_report::shown::{MoveCount, ShownPly, texts};
use serde_json::Value;

/// Maximum number of positions of a tree.
pub const MAX_NODES: usize = 50_000;

/// Maximum length of a comment in bytes.
pub const MAX_COMMENT: usize = 20_000;

/// Maximum number of marks of a position.
pub const MAX_MARKS: usize = 400;

/// What an engine reported about a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineLines {
    /// As pages show it.
    pub shown: Value,
    /// One line of text each, for files.
    pub texts: Vec<String>,
}

/// A position of a tree and the move that leads to it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The position before it; `None` for the start position, and for removed nodes.
    pub parent: Option<usize>,
    /// The positions after it, that of the main line first.
    pub children: Vec<usize>,
    /// The move; `None` for the start position.
    pub ply: Option<ShownPly>,
    /// The comment.
    pub comment: String,
    /// What is drawn on the board.
    pub marks: Vec<Mark>,
    /// What the engine said.
    pub lines: Option<EngineLines>,
    /// The number of the last change.
    pub changed: u64,
    /// Number of plies from the start.
    depth: usize,
    count: MoveCount,
}

/// A game with its variations.
pub struct GameTree {
    /// The game.
    pub kind: GameKind,
    /// Its rules.
    pub rules: Vec<(String, String)>,
    /// The names of the players; empty if unknown.
    pub players: [String; 2],
    /// The event; empty if unknown.
    pub event: String,
    /// The date as it was written; empty if unknown.
    pub date: String,
    /// The result as PGN has it: `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: String,
    start: Box<dyn Arbiter>,
    nodes: Vec<Node>,
    version: u64,
}

/// Why a tree is not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// There is no such position, or no more of them.
    Refused(Phrase),
    /// The rules forbid the move.
    Illegal(MoveError),
}

impl ToPhrase for TreeError {
    fn to_phrase(&self) -> Phrase {
        match self {
            TreeError::Refused(text) => text.clone(),
            TreeError::Illegal(error) => error.to_phrase(),
        }
    }
}

impl GameTree {
    /// A tree of one position; `fen`: `None` is the game's start position.
    ///
    /// # Errors
    /// The position or a rule is wrong.
    pub fn new(
        kind: GameKind,
        rules: Vec<(String, String)>,
        fen: Option<&str>,
    ) -> Result<GameTree, OpenError> {
        let start = kind.open(fen, &rules)?;
        Ok(GameTree {
            kind,
            rules,
            players: Default::default(),
            event: String::new(),
            date: String::new(),
            result: "*".into(),
            start,
            nodes: vec![Node { changed: 1, ..Node::default() }],
            version: 1,
        })
    }

    /// The number of the last change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// All nodes by number, with removed ones.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The start position, without moves.
    pub fn start(&self) -> &dyn Arbiter {
        &*self.start
    }

    /// Whether the tree begins at the start position of its game.
    pub fn is_usual_start(&self) -> bool {
        let usual = self.kind.open(None, &self.rules);
        usual.is_ok_and(|usual| usual.fen() == self.start.fen())
    }

    /// A node that is part of the tree.
    ///
    /// # Errors
    /// It never was, or has been removed.
    pub fn node(&self, id: usize) -> Result<&Node, TreeError> {
        let node = self.nodes.get(id).filter(|node| id == 0 || node.parent.is_some());
        node.ok_or_else(|| {
            TreeError::Refused(phrase!("this position is no longer part of the game"))
        })
    }

    /// The nodes from the one after the start to this one.
    pub fn path(&self, id: usize) -> Vec<usize> {
        let parents = std::iter::successors(Some(id), |&id| self.nodes.get(id)?.parent);
        let mut path: Vec<usize> = parents.filter(|&id| id != 0).collect();
        path.reverse();
        path
    }

    /// The main line from a node on, without the node itself.
    pub fn line_from(&self, id: usize) -> Vec<usize> {
        let next = |&id: &usize| self.nodes.get(id)?.children.first().copied();
        std::iter::successors(next(&id), next).collect()
    }

    /// The tokens of some nodes.
    pub fn tokens(&self, nodes: &[usize]) -> Vec<String> {
        let ply = |id: &usize| Some(self.nodes.get(*id)?.ply.as_ref()?.texts.token.clone());
        nodes.iter().filter_map(ply).collect()
    }

    /// The position of a node with its history.
    ///
    /// # Errors
    /// The node is not part of the tree.
    pub fn position(&self, id: usize) -> Result<Box<dyn Arbiter>, TreeError> {
        self.node(id)?;
        let mut board = self.start.boxed_clone();
        for token in self.tokens(&self.path(id)) {
            board.push(&token).map_err(TreeError::Illegal)?;
        }
        Ok(board)
    }

    /// Adds a move after a node; a move that is there already is found again.
    ///
    /// # Errors
    /// The move is illegal, the node is gone, or the tree is full.
    pub fn add(&mut self, parent: usize, token: &str) -> Result<usize, TreeError> {
        let mut board = self.position(parent)?;
        self.add_to(&mut *board, parent, token)
    }

    /// The same where the caller has the position of the node, and plays on in it.
    ///
    /// # Errors
    /// The move is illegal, or the tree is full.
    pub fn add_to(
        &mut self,
        board: &mut dyn Arbiter,
        parent: usize,
        token: &str,
    ) -> Result<usize, TreeError> {
        let by = match board.turn() {
            Turn::Player(player) => Some(Player::index(player)),
            _ => None,
        };
        let shown = texts(board, token);
        let canonical = board.push(token).map_err(TreeError::Illegal)?;
        let is_same = |id: &&usize| {
            self.nodes[**id].ply.as_ref().is_some_and(|ply| ply.texts.token == canonical)
        };
        if let Some(&found) = self.nodes[parent].children.iter().find(is_same) {
            return Ok(found);
        }
        if self.nodes.len() >= MAX_NODES {
            let full = phrase!("the game has {n} positions, more are not kept", n = MAX_NODES);
            return Err(TreeError::Refused(full));
        }
        let (mut count, depth) = (self.nodes[parent].count, self.nodes[parent].depth + 1);
        let number = count.next(by.is_none(), &canonical);
        let ply = Some(ShownPly { texts: shown, by, number });
        let id = self.nodes.len();
        self.nodes.push(Node { parent: Some(parent), ply, depth, count, ..Node::default() });
        self.nodes[parent].children.push(id);
        self.touch(&[parent, id]);
        Ok(id)
    }

    /// Removes a node with all that follows.
    ///
    /// # Errors
    /// The node is the start position or not part of the tree.
    pub fn remove(&mut self, id: usize) -> Result<usize, TreeError> {
        let Some(parent) = self.node(id)?.parent else {
            return Err(TreeError::Refused(phrase!("the start position stays")));
        };
        self.nodes[parent].children.retain(|&child| child != id);
        let mut gone = vec![id];
        let mut at = 0;
        while let Some(&id) = gone.get(at) {
            let node = std::mem::take(&mut self.nodes[id]);
            gone.extend(node.children);
            at += 1;
        }
        gone.push(parent);
        self.touch(&gone);
        Ok(parent)
    }

    /// Makes the line of a node the main line: each node on its path becomes a first child.
    ///
    /// # Errors
    /// The node is not part of the tree.
    pub fn promote(&mut self, id: usize) -> Result<(), TreeError> {
        self.node(id)?;
        let mut changed = Vec::new();
        for id in self.path(id) {
            let Some(parent) = self.nodes[id].parent else { continue };
            let children = &mut self.nodes[parent].children;
            if let Some(place) = children.iter().position(|&child| child == id).filter(|&n| n > 0) {
                children[..=place].rotate_right(1);
                changed.push(parent);
            }
        }
        self.touch(&changed);
        Ok(())
    }

    /// Sets a comment.
    ///
    /// # Errors
    /// The node is not part of the tree, or the text is too long.
    pub fn set_comment(&mut self, id: usize, text: &str) -> Result<(), TreeError> {
        self.node(id)?;
        if text.len() > MAX_COMMENT {
            let long = phrase!("the comment is longer than {n} bytes", n = MAX_COMMENT);
            return Err(TreeError::Refused(long));
        }
        self.nodes[id].comment = text.into();
        self.touch(&[id]);
        Ok(())
    }

    /// Sets what is drawn on a position.
    ///
    /// # Errors
    /// The node is not part of the tree, or a mark is on no square.
    pub fn set_marks(&mut self, id: usize, marks: Vec<Mark>) -> Result<(), TreeError> {
        self.node(id)?;
        if marks.len() > MAX_MARKS {
            let many = phrase!("a position has at most {n} marks", n = MAX_MARKS);
            return Err(TreeError::Refused(many));
        }
        for mark in &marks {
            if !mark.is_sound() {
                let wrong = phrase!("a mark is on a square such as a1, an arrow on two");
                return Err(TreeError::Refused(wrong));
            }
        }
        self.nodes[id].marks = marks;
        self.touch(&[id]);
        Ok(())
    }

    /// Keeps what an engine said about a position; nothing if the position is gone.
    pub fn set_lines(&mut self, id: usize, lines: EngineLines) {
        if self.node(id).is_ok() && self.nodes[id].lines.as_ref() != Some(&lines) {
            self.nodes[id].lines = Some(lines);
            self.touch(&[id]);
        }
    }

    /// The number of positions, without the start.
    pub fn count(&self) -> usize {
        self.nodes.iter().filter(|node| node.parent.is_some()).count()
    }

    /// Number of plies before a position.
    pub fn depth(&self, id: usize) -> usize {
        self.nodes.get(id).map_or(0, |node| node.depth)
    }

    fn touch(&mut self, ids: &[usize]) {
        self.version += 1;
        for &id in ids {
            self.nodes[id].changed = self.version;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;
    use agon_games::mark::MarkShape;

    fn tree(name: &str) -> GameTree {
        GameTree::new(game(name).unwrap(), Vec::new(), None).unwrap()
    }

    #[test]
    fn variations_share_their_beginning_and_numbers_stay() {
        let mut tree = tree("xiangqi");
        let a = tree.add(0, "h2e2").unwrap();
        let b = tree.add(a, "h9g7").unwrap();
        let c = tree.add(a, "b9c7").unwrap();
        assert_eq!(tree.add(a, "h9g7").unwrap(), b, "the same move is the same node");
        assert_eq!(tree.nodes()[a].children, [b, c]);
        assert_eq!(tree.nodes()[c].ply.as_ref().unwrap().number, Some(2));
        let before = tree.version();
        tree.promote(c).unwrap();
        assert_eq!(tree.nodes()[a].children, [c, b]);
        assert!(tree.nodes()[a].changed > before && tree.nodes()[b].changed <= before);
        assert_eq!(tree.tokens(&tree.line_from(0)), ["h2e2", "b9c7"]);
        assert_eq!(tree.remove(c).unwrap(), a);
        assert!(tree.node(c).is_err() && tree.node(b).is_ok());
        assert_eq!(tree.position(b).unwrap().tokens(), ["h2e2", "h9g7"]);
        assert!(matches!(tree.add(b, "h9g7"), Err(TreeError::Illegal(_))));
        assert!(tree.remove(0).is_err() && tree.add(c, "h0g2").is_err());
    }

    #[test]
    fn dice_are_nodes_and_marks_are_checked() {
        let mut tree = tree("einstein");
        let mut at = 0;
        for token in ["123456", "654321", "4"] {
            at = tree.add(at, token).unwrap();
        }
        assert_eq!(tree.nodes()[at].ply.as_ref().unwrap().by, None);
        let mark = |shape, to: Option<&str>| Mark {
            shape,
            at: "a5".into(),
            to: to.map(String::from),
            text: None,
        };
        tree.set_marks(at, vec![mark(MarkShape::Circle, None), mark(MarkShape::Arrow, Some("b4"))])
            .unwrap();
        for wrong in [
            mark(MarkShape::Arrow, None),
            mark(MarkShape::Circle, Some("b4")),
            mark(MarkShape::Arrow, Some("B4]")),
        ] {
            assert!(tree.set_marks(at, vec![wrong]).is_err());
        }
        assert_eq!(tree.nodes()[at].marks.len(), 2, "what was there stays");
    }
}

//! Games of Connect6, Amazons and NoGo as SGF with their variations, comments and marks. Moves and set-ups are read and
//! written by the readers and writers of main lines: [`crate::sgf_boards`] and [`crate::connect6::sgf`].

use crate::connect6;
use crate::game::Game;
use crate::mark::{Mark, MarkShape};
use crate::record::Record;
use crate::sgf::{Property, SgfNode, escape, nodes};
use crate::sgf_boards::{self, SgfGame, is_pass};
use std::fmt::Write;

/// What is said of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfNotes {
    /// The comment.
    pub comment: String,
    /// The marks.
    pub marks: Vec<Mark>,
}

/// A move of a tree. Whether it is legal is for the rules to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfMove {
    /// The move before it; `None`: it is the first.
    pub parent: Option<usize>,
    /// The byte of the text at which it stands.
    pub at: usize,
    /// The player, 0 or 1.
    pub player: usize,
    /// The move as the game reads it, or what is wrong with it.
    pub token: Result<String, String>,
    /// What is said of the position after it.
    pub notes: SgfNotes,
}

/// A game with its variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfTree {
    /// Players, event and start position; no moves.
    pub head: SgfGame,
    /// The date as it is written.
    pub date: String,
    /// The result as it is written, such as `B+R`.
    pub result: String,
    /// What is said of the start position.
    pub notes: SgfNotes,
    /// The moves, each after the one before it.
    pub moves: Vec<SgfMove>,
}

/// A turn of Connect6 with its second stone still to come, or a whole move.
#[derive(Clone, Default)]
struct Turn {
    /// The move before it.
    before: Option<usize>,
    player: usize,
    stones: Vec<String>,
    notes: SgfNotes,
}

/// Reads the first game of a text.
///
/// # Errors
/// It is no SGF, or its start position is none of the game.
pub fn read(game: &str, text: &str) -> Result<SgfTree, String> {
    let all = nodes(text).map_err(|e| e.to_string())?;
    let of_root = |name: &str| {
        let found = all.first()?.properties.iter().find(|p| p.name == name)?;
        Some(found.values.first()?.trim().to_string())
    };
    let head = head(game, &all)?;
    let usual = if game == "connect6" {
        19
    } else if game == "amazons" {
        10
    } else {
        9
    };
    let size = of_root("SZ").and_then(|n| n.parse().ok()).unwrap_or(usual);
    let mut tree = SgfTree {
        head,
        date: of_root("DT").unwrap_or_default(),
        result: of_root("RE").unwrap_or_default(),
        ..SgfTree::default()
    };
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    for (i, node) in all.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(i);
        }
    }
    let board = Board { game, size };
    // The nodes to read, each with the turn that it may belong to and the move before it.
    let mut due: Vec<(usize, Option<usize>, Option<Turn>)> = vec![(0, None, None)];
    while let Some((i, before, open)) = due.pop() {
        let Some(node) = all.get(i) else { break };
        let (before, open) = board.node(&mut tree, node, before, open);
        let goes_on = |child: &usize| board.continues(open.as_ref(), &all[*child]);
        // A turn of one stone that something else follows, or nothing.
        let is_whole = children[i].is_empty() || !children[i].iter().all(goes_on);
        let mut after = before;
        if let Some(turn) = open.as_ref().filter(|_| is_whole) {
            after = Some(board.add(&mut tree, node.at, turn.clone()));
        }
        for &child in children[i].iter().rev() {
            if goes_on(&child) {
                due.push((child, before, open.clone()));
            } else {
                due.push((child, after, None));
            }
        }
    }
    Ok(tree)
}

/// Players, event and start position, by the reader of main lines: from all that stands before the second move.
fn head(game: &str, all: &[SgfNode]) -> Result<SgfGame, String> {
    let is_move = |p: &&Property| matches!(p.name.as_str(), "B" | "W");
    let mut text = String::from("(;");
    let mut at = Some(0);
    while let Some(node) = at.and_then(|i| all.get(i)) {
        for Property { name, values } in node.properties.iter().filter(|p| !is_move(p)) {
            let _ = write!(text, "{name}");
            values.iter().for_each(|value| text.push_str(&format!("[{}]", escape(value))));
        }
        if let Some(first) = node.properties.iter().find(is_move) {
            // The colour of the first move says who begins, if nothing else does.
            if !text.contains("PL[") && game != "connect6" {
                let _ = write!(text, "PL[{}]", first.name);
            }
            break;
        }
        at = all.iter().position(|next| next.parent == at);
    }
    text.push(')');
    if game != "connect6" {
        return sgf_boards::read(game, &text);
    }
    let (header, record) = connect6::sgf::read(&text).map_err(|e| e.to_string())?;
    let start = record.start().fen();
    let usual = connect6::Connect6::start(&connect6::Connect6Rules::default()).fen();
    Ok(SgfGame {
        black: header.black,
        white: header.white,
        event: header.event,
        fen: (start != usual).then_some(start),
        moves: Vec::new(),
    })
}

struct Board<'a> {
    game: &'a str,
    size: usize,
}

impl Board<'_> {
    /// The player and the value of a node's move.
    fn turn_of(node: &SgfNode) -> Option<(usize, &str)> {
        let property = node.properties.iter().find(|p| matches!(p.name.as_str(), "B" | "W"))?;
        let value = property.values.first().map_or("", |value| value.trim());
        Some((usize::from(property.name == "W"), value)).filter(|(_, value)| !is_pass(value))
    }

    /// Whether a node adds a stone to a turn.
    fn continues(&self, open: Option<&Turn>, node: &SgfNode) -> bool {
        let player = Board::turn_of(node).map(|(player, _)| player);
        let open = open.filter(|turn| turn.stones.len() == 1 && self.game == "connect6");
        open.is_some_and(|turn| player.is_none_or(|player| player == turn.player))
    }

    /// Takes in a node. Returns the move before the turn that is open, and that turn.
    fn node(
        &self,
        tree: &mut SgfTree,
        node: &SgfNode,
        before: Option<usize>,
        open: Option<Turn>,
    ) -> (Option<usize>, Option<Turn>) {
        let notes = self.notes(node);
        let Some((player, value)) = Board::turn_of(node) else {
            let Some(mut turn) = open else {
                let place = match before {
                    Some(i) => &mut tree.moves[i].notes,
                    None => &mut tree.notes,
                };
                add_notes(place, notes);
                return (before, None);
            };
            add_notes(&mut turn.notes, notes);
            return (before, Some(turn));
        };
        let mut turn = open.unwrap_or(Turn { before, player, ..Turn::default() });
        add_notes(&mut turn.notes, notes);
        let read = match self.game {
            "connect6" => connect6::sgf::stones(value, self.size),
            game => sgf_boards::move_token(game, value, self.size).map(|token| vec![token]),
        };
        match read {
            Ok(stones) => turn.stones.extend(stones),
            Err(reason) => {
                let value = crate::text::excerpt(value);
                let token = Err(format!("`{value}`: {reason}"));
                let (parent, at) = (turn.before, node.at);
                tree.moves.push(SgfMove { parent, at, player, token, notes: turn.notes });
                return (Some(tree.moves.len() - 1), None);
            }
        }
        (turn.before, Some(turn))
    }

    fn add(&self, tree: &mut SgfTree, at: usize, turn: Turn) -> usize {
        let token = Ok(turn.stones.concat());
        let (parent, player, notes) = (turn.before, turn.player, turn.notes);
        tree.moves.push(SgfMove { parent, at, player, token, notes });
        tree.moves.len() - 1
    }

    fn squares(&self, value: &str) -> Vec<String> {
        match self.game {
            "connect6" => connect6::sgf::stones(value, self.size).unwrap_or_default(),
            game => sgf_boards::square_names(game, value, self.size),
        }
    }

    fn notes(&self, node: &SgfNode) -> SgfNotes {
        let mut notes = SgfNotes::default();
        for Property { name, values } in &node.properties {
            let shape = match name.as_str() {
                "C" => {
                    let text = values.first().map_or("", |text| text.trim());
                    add_notes(&mut notes, SgfNotes { comment: text.into(), marks: Vec::new() });
                    continue;
                }
                "CR" => MarkShape::Circle,
                "SQ" => MarkShape::Square,
                "TR" => MarkShape::Triangle,
                "MA" => MarkShape::Cross,
                "LB" => MarkShape::Label,
                "AR" | "LN" => MarkShape::Arrow,
                _ => continue,
            };
            notes.marks.extend(values.iter().flat_map(|value| self.marks(shape, value)));
        }
        notes.marks.retain(Mark::is_sound);
        notes
    }

    fn marks(&self, shape: MarkShape, value: &str) -> Vec<Mark> {
        let mark = |at: String| Mark { shape, at, to: None, text: None };
        let pair = value.split_once(':');
        match (shape, pair) {
            (MarkShape::Arrow, Some((from, to))) => {
                let to = self.squares(to).pop();
                let arrow = |at| Mark { to: to.clone(), ..mark(at) };
                self.squares(from).into_iter().take(1).map(arrow).collect()
            }
            (MarkShape::Label, Some((at, text))) => {
                let label = |at| Mark { text: Some(text.into()), ..mark(at) };
                self.squares(at).into_iter().take(1).map(label).collect()
            }
            (MarkShape::Arrow | MarkShape::Label, None) => Vec::new(),
            _ => self.squares(value).into_iter().map(mark).collect(),
        }
    }

    /// What is said of a position, as properties.
    fn written(&self, notes: &SgfNotes) -> Result<String, String> {
        let point = |square: &str| match self.game {
            "connect6" => connect6::sgf::letters(square, self.size),
            game => sgf_boards::points_of(game, square, self.size),
        };
        let mut out = String::new();
        for (name, shape) in [
            ("CR", MarkShape::Circle),
            ("SQ", MarkShape::Square),
            ("TR", MarkShape::Triangle),
            ("MA", MarkShape::Cross),
            ("LB", MarkShape::Label),
            ("AR", MarkShape::Arrow),
        ] {
            let mut name = name;
            for mark in notes.marks.iter().filter(|mark| mark.shape == shape) {
                let _ = write!(out, "{name}[{}", point(&mark.at)?);
                if let Some(to) = &mark.to {
                    let _ = write!(out, ":{}", point(to)?);
                }
                if shape == MarkShape::Label {
                    // The colon of a composed value is escaped, too.
                    let text = escape(mark.text.as_deref().unwrap_or("A")).replace(':', "\\:");
                    let _ = write!(out, ":{text}");
                }
                out.push(']');
                name = "";
            }
        }
        if !notes.comment.is_empty() {
            let _ = write!(out, "C[{}]", escape(&notes.comment));
        }
        Ok(out)
    }
}

fn add_notes(notes: &mut SgfNotes, more: SgfNotes) {
    let gap = if notes.comment.is_empty() || more.comment.is_empty() { "" } else { "\n" };
    notes.comment.push_str(gap);
    notes.comment.push_str(&more.comment);
    notes.marks.extend(more.marks);
}

/// The root of a game, without the bracket at its end.
fn written_head(game: &str, tree: &SgfTree, size: usize) -> Result<String, String> {
    let mut out = match game {
        "connect6" => {
            let SgfGame { black, white, event, fen, .. } = tree.head.clone();
            let rules = connect6::Connect6Rules { size };
            let start = Record::<connect6::Connect6>::from_text(
                fen.as_deref(),
                &Vec::<String>::new(),
                &rules,
            );
            let header = connect6::sgf::SgfHeader { black, white, event };
            let form = connect6::sgf::Form::StoneANode;
            let text = connect6::sgf::write(&header, &start.map_err(|e| e.to_string())?, form);
            text.map_err(|e| e.to_string())?.replacen(
                "(;FF[4]",
                &format!("(;FF[4]GN[connect6]RE[{}]", escape(&tree.result)),
                1,
            )
        }
        game => sgf_boards::write(game, &tree.head, &escape(&tree.result))?,
    };
    out.truncate(out.trim_end().trim_end_matches(')').len());
    Ok(out)
}

/// Writes a game of this board size, followed by a line break.
///
/// # Errors
/// The game has no SGF here, or a move or a mark is on no point of its board.
pub fn write(game: &str, tree: &SgfTree, size: usize) -> Result<String, String> {
    let mut out = written_head(game, tree, size)?;
    let board = Board { game, size };
    if !tree.date.is_empty() {
        let _ = write!(out, "DT[{}]", escape(&tree.date));
    }
    out.push_str(&board.written(&tree.notes)?);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.moves.len() + 1];
    for (i, m) in tree.moves.iter().enumerate() {
        children[m.parent.map_or(0, |parent| parent + 1)].push(i);
    }
    // What is still to be written: a move, or the end of a variation.
    let mut due: Vec<Option<(usize, bool)>> = Vec::new();
    let plan = |due: &mut Vec<_>, next: &[usize]| {
        for &i in next.iter().rev() {
            if next.len() > 1 {
                due.push(None);
            }
            due.push(Some((i, next.len() > 1)));
        }
    };
    plan(&mut due, &children[0]);
    while let Some(next) = due.pop() {
        let Some((i, begins)) = next else {
            out.push(')');
            continue;
        };
        let m = &tree.moves[i];
        if begins {
            out.push_str("\n(");
        }
        let colour = if m.player == 0 { 'B' } else { 'W' };
        let token = m.token.as_ref().map_err(String::clone)?;
        match game {
            // One stone per node, as Go programs expect.
            "connect6" => {
                for stone in connect6::sgf::stones(token, size)? {
                    let _ = write!(out, ";{colour}[{}]", connect6::sgf::letters(&stone, size)?);
                }
            }
            game => {
                let _ = write!(out, ";{colour}[{}]", sgf_boards::points_of(game, token, size)?);
            }
        }
        out.push_str(&board.written(&m.notes)?);
        plan(&mut due, &children[i + 1]);
    }
    out.push_str(")\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parents(tree: &SgfTree) -> Vec<(Option<usize>, &str)> {
        tree.moves.iter().map(|m| (m.parent, m.token.as_deref().unwrap_or("?"))).collect()
    }

    #[test]
    fn variations_comments_and_marks_come_back() {
        let text = "(;FF[4]GM[1]SZ[9]PB[a]PW[b]DT[2026-11-28]C[the start]CR[ee];B[ee]C[a \\] b]\
                    (;W[aa]TR[aa:bb]LB[cc:1][dd:A])(;W[bb]AR[ee:aa]SQ[ee]MA[ff];B[cc])(;W[zz]))";
        let tree = read("nogo", text).unwrap();
        assert_eq!(
            parents(&tree),
            [(None, "e5"), (Some(0), "a9"), (Some(0), "b8"), (Some(2), "c7"), (Some(0), "?")]
        );
        assert_eq!((tree.notes.comment.as_str(), tree.notes.marks.len()), ("the start", 1));
        assert_eq!(tree.moves[0].notes.comment, "a ] b");
        assert_eq!(tree.moves[1].notes.marks.len(), 6, "a rectangle is four points");
        assert_eq!(tree.moves[2].notes.marks[0].to.as_deref(), Some("a9"));
        let mut legal = tree.clone();
        legal.moves.pop();
        let back = read("nogo", &write("nogo", &legal, 9).unwrap()).unwrap();
        for (m, n) in back.moves.iter().zip(&legal.moves) {
            assert_eq!(
                (m.parent, &m.token, &m.notes.comment),
                (n.parent, &n.token, &n.notes.comment)
            );
            assert!(n.notes.marks.iter().all(|mark| m.notes.marks.contains(mark)), "{m:?}");
        }
        assert_eq!(back.moves.len(), 4);
        assert_eq!((back.head, back.date), (legal.head, legal.date));
    }

    #[test]
    fn turns_of_connect6_are_one_or_two_nodes_and_may_fork_at_the_second_stone() {
        let stones = "(;SZ[19];B[jj](;W[ki];W[lh];B[aa];B[bb])(;W[ki]C[one];W[mg]))";
        let tree = read("connect6", stones).unwrap();
        let found = parents(&tree);
        assert_eq!(found[0], (None, "j10"));
        assert_eq!((found[1], found[3]), ((Some(0), "k11l12"), (Some(0), "k11m13")));
        assert_eq!((found[2], tree.moves[3].notes.comment.as_str()), ((Some(1), "a19b18"), "one"));
        let fork = read("connect6", "(;SZ[19];B[jj];W[ki](;W[lh])(;W[mg]))").unwrap();
        assert_eq!(parents(&fork)[1..], [(Some(0), "k11l12"), (Some(0), "k11m13")]);
        let golem = read("connect6", "(;FF[4]SZ[19];B[j10];W[k9l8](;B[m7n6])(;B[a1b2]))").unwrap();
        assert_eq!(parents(&golem)[1..], [(Some(0), "k9l8"), (Some(1), "m7n6"), (Some(1), "a1b2")]);
        for tree in [tree, fork, golem] {
            let back = read("connect6", &write("connect6", &tree, 19).unwrap()).unwrap();
            assert_eq!(parents(&back), parents(&tree));
        }
    }

    #[test]
    fn a_start_position_is_kept() {
        let text = "(;GM[18]SZ[10]AB[dj]AW[da]AA[ee]PL[W];W[dadbdc](;B[djdidh])(;B[djdiei]))";
        let tree = read("amazons", text).unwrap();
        assert!(tree.head.fen.as_ref().is_some_and(|fen| fen.ends_with(" b")), "{tree:?}");
        assert_eq!(tree.moves.len(), 3);
        let back = read("amazons", &write("amazons", &tree, 10).unwrap()).unwrap();
        assert_eq!((back.head.fen, back.moves.len()), (tree.head.fen, 3));
        assert!(read("amazons", "(;GM[18]AB[zz])").is_err() && read("nogo", "text").is_err());
    }
}

//! Trees as files: PGN of all games and SGF of three with variations, comments and marks; the national form and that of
//! the World Xiangqi Federation with the main line.

use crate::comment::commands;
use crate::tree::{GameTree, Node};
use agon_games::ccgc::{self, Record, RecordGame};
use agon_games::mark::Mark;
use agon_games::phrase::{Phrase, phrase};
use agon_games::sgf_boards::SgfGame;
use agon_games::sgf_tree::{self, SgfMove, SgfNotes, SgfTree};
use agon_games::{Outcome, Player, Turn};
use agon_report::export::{pgn, wxf};

/// A form of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeForm {
    /// Of all games.
    Pgn,
    /// Of Connect6, Amazons and NoGo.
    Sgf,
    /// Of all games but Xiangqi and dark chess.
    National,
    /// Of Xiangqi.
    Wxf,
}

impl TreeForm {
    /// All forms.
    pub const ALL: [TreeForm; 4] =
        [TreeForm::Pgn, TreeForm::Sgf, TreeForm::National, TreeForm::Wxf];

    /// The name in requests.
    pub const fn name(self) -> &'static str {
        match self {
            TreeForm::Pgn => "pgn",
            TreeForm::Sgf => "sgf",
            TreeForm::National => "ccgc",
            TreeForm::Wxf => "wxf",
        }
    }

    /// Whether games of this name have the form.
    pub fn is_of(self, game: &str) -> bool {
        match self {
            TreeForm::Pgn => true,
            TreeForm::Sgf => matches!(game, "connect6" | "amazons" | "nogo"),
            TreeForm::National => RecordGame::by_name(game).is_some(),
            TreeForm::Wxf => game == "xiangqi",
        }
    }

    /// Whether the form has variations, comments and marks.
    pub fn has_variations(self) -> bool {
        matches!(self, TreeForm::Pgn | TreeForm::Sgf)
    }
}

/// A file that was made of a tree.
#[derive(Debug)]
pub struct TreeFile {
    /// A name for it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What the form does not have.
    pub remark: Option<Phrase>,
}

/// Writes a tree; with `lines`, what the engine said stands in the comments.
///
/// # Errors
/// The game has no such form, or a move is not one that the form has.
pub fn write(tree: &GameTree, form: TreeForm, lines: bool) -> Result<TreeFile, Phrase> {
    let game = tree.kind.name;
    if !form.is_of(game) {
        let known: Vec<&str> =
            TreeForm::ALL.into_iter().filter(|form| form.is_of(game)).map(TreeForm::name).collect();
        let (name, forms) = (form.name(), known.join(", "));
        return Err(phrase!("{game} has no form {name}; it has {forms}", game, name, forms));
    }
    let mut name = format!("{game}.{}", form.name());
    let text = match form {
        TreeForm::Pgn => write_pgn(tree, lines),
        TreeForm::Sgf => write_sgf(tree, lines).map_err(Phrase::Plain)?,
        TreeForm::Wxf => write_wxf(tree),
        TreeForm::National => {
            let record = national(tree)?;
            name = ccgc::file_name(&record);
            ccgc::write(&record).map_err(Phrase::Plain)?
        }
    };
    let has_more =
        |node: &Node| node.children.len() > 1 || !node.comment.is_empty() || !node.marks.is_empty();
    let is_less = !form.has_variations() && tree.nodes().iter().any(has_more);
    let remark = is_less.then(|| {
        phrase!("this form has no variations, comments or marks: only the main line was written")
    });
    Ok(TreeFile { name, text, remark })
}

/// A comment with what the engine said.
fn comment_of(node: &Node, lines: bool) -> String {
    let said = node.lines.as_ref().filter(|_| lines).map(|lines| lines.texts.join("\n"));
    let parts = [node.comment.clone(), said.unwrap_or_default()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What is still to be written of a tree.
enum Due {
    Move(usize),
    /// The moves after a position.
    After(usize),
    Open,
    Close,
}

fn write_pgn(tree: &GameTree, lines: bool) -> String {
    let or_unknown =
        |text: &str, unknown: &str| if text.is_empty() { unknown.into() } else { text.to_string() };
    let [first, second] = [0, 1].map(|i| or_unknown(&tree.players[i], "?"));
    let mut tags = vec![
        ("Event", or_unknown(&tree.event, "?")),
        ("Site", "?".into()),
        ("Date", or_unknown(&tree.date, "????.??.??")),
        ("Round", "?".into()),
        ("White", first),
        ("Black", second),
        ("Result", tree.result.clone()),
        ("Game", tree.kind.name.into()),
    ];
    if !tree.is_usual_start() {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", tree.start().start_fen()));
    }
    let mut words = Words::default();
    words.notes(tree, 0, lines);
    // Full moves before each position: parents come before their children.
    let mut numbers = vec![0_usize; tree.nodes().len()];
    for (id, node) in tree.nodes().iter().enumerate() {
        let by = node.ply.as_ref().and_then(|ply| ply.by);
        let before = node.parent.map_or(0, |parent| numbers[parent]);
        numbers[id] = match by {
            Some(0) => before + 1,
            Some(_) => before.max(1),
            None => before,
        };
    }
    let mut due = vec![Due::After(0)];
    while let Some(next) = due.pop() {
        match next {
            Due::Open => words.open(),
            Due::Close => words.close(),
            Due::Move(id) => {
                words.ply(&tree.nodes()[id], numbers[id]);
                words.notes(tree, id, lines);
            }
            Due::After(id) => {
                let children = &tree.nodes()[id].children;
                let Some((&main, others)) = children.split_first() else { continue };
                due.push(Due::After(main));
                for &other in others.iter().rev() {
                    due.extend([Due::Close, Due::After(other), Due::Move(other), Due::Open]);
                }
                due.push(Due::Move(main));
            }
        }
    }
    words.word(&tree.result);
    format!("{}\n{}\n\n", pgn::tag_lines(&tags), words.text)
}

/// The words of movetext in lines of the standard's length; the lines of comments stay.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    /// Whether the next move of the second player needs its number.
    is_apart: bool,
    is_opened: bool,
}

impl Words {
    fn word(&mut self, word: &str) {
        let width = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 && !self.is_opened {
            let is_full = self.column + 1 + width > pgn::WIDTH;
            self.text.push(if is_full { '\n' } else { ' ' });
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + width,
        };
        self.is_opened = false;
    }

    fn open(&mut self) {
        self.word("(");
        (self.is_opened, self.is_apart) = (true, true);
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
        self.is_apart = true;
    }

    fn ply(&mut self, node: &Node, number: usize) {
        let Some(ply) = &node.ply else { return };
        let text = &ply.texts.text;
        match ply.by {
            None => self.word(&pgn::comment(text)),
            Some(0) => {
                self.word(&format!("{number}."));
                self.word(text);
            }
            Some(_) => {
                if self.is_apart || self.text.is_empty() {
                    self.word(&format!("{number}..."));
                }
                self.word(text);
            }
        }
        self.is_apart = ply.by.is_none();
    }

    fn notes(&mut self, tree: &GameTree, id: usize, lines: bool) {
        let node = &tree.nodes()[id];
        let mut text = comment_of(node, lines);
        // A comment that looks like an outcome of chance where one is due.
        if !text.is_empty() && node.marks.is_empty() && is_outcome(tree, id, &text) {
            text.insert_str(0, "[%txt]");
        }
        let marks = commands(&node.marks);
        let gap = if text.is_empty() || marks.is_empty() { "" } else { " " };
        let all = format!("{marks}{gap}{text}");
        if !all.is_empty() {
            self.word(&pgn::comment(&all));
            self.is_apart = true;
        }
    }
}

fn is_outcome(tree: &GameTree, id: usize, text: &str) -> bool {
    tree.kind.has_chance
        && tree
            .position(id)
            .is_ok_and(|mut board| board.turn() == Turn::Chance && board.push(text).is_ok())
}

fn write_sgf(tree: &GameTree, lines: bool) -> Result<String, String> {
    let start = tree.start().start_fen();
    let size = 1 + start.split(' ').next().unwrap_or_default().matches('/').count();
    let notes = |node: &Node| -> SgfNotes {
        let marks: Vec<Mark> = node.marks.clone();
        SgfNotes { comment: comment_of(node, lines), marks }
    };
    let mut own = SgfTree {
        head: SgfGame {
            black: tree.players[0].clone(),
            white: tree.players[1].clone(),
            event: tree.event.clone(),
            fen: (!tree.is_usual_start()).then_some(start),
            moves: Vec::new(),
        },
        date: tree.date.clone(),
        result: match tree.result.as_str() {
            "1-0" => "B+".into(),
            "0-1" => "W+".into(),
            "1/2-1/2" => "0".into(),
            _ => String::new(),
        },
        notes: notes(&tree.nodes()[0]),
        moves: Vec::new(),
    };
    // Each position with the move that leads to it, the main line last on the stack.
    let mut due: Vec<(usize, Option<usize>)> =
        tree.nodes()[0].children.iter().rev().map(|&id| (id, None)).collect();
    while let Some((id, parent)) = due.pop() {
        let node = &tree.nodes()[id];
        let Some(ply) = &node.ply else { continue };
        let (player, token) = (ply.by.unwrap_or(0), Ok(ply.texts.token.clone()));
        own.moves.push(SgfMove { parent, at: 0, player, token, notes: notes(node) });
        let here = Some(own.moves.len() - 1);
        due.extend(node.children.iter().rev().map(|&child| (child, here)));
    }
    sgf_tree::write(tree.kind.name, &own, size)
}

fn national(tree: &GameTree) -> Result<Record, Phrase> {
    let kind = RecordGame::by_name(tree.kind.name).filter(|_| tree.is_usual_start());
    let kind =
        kind.ok_or_else(|| phrase!("the national form is only for games from the start position"))?;
    let tokens = tree.tokens(&tree.line_from(0));
    if kind == RecordGame::EinStein && tokens.len() < 2 {
        return Err(phrase!("the national form of EinStein has both set-ups; play them first"));
    }
    let mut record = Record::of_tokens(kind, &tokens);
    [record.first, record.second] = tree.players.clone();
    record.result = match tree.result.as_str() {
        "1-0" => Some(Outcome::Win(Player::First)),
        "0-1" => Some(Outcome::Win(Player::Second)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    };
    record.date.clone_from(&tree.date);
    record.event.clone_from(&tree.event);
    Ok(record)
}

fn write_wxf(tree: &GameTree) -> String {
    let plain = |text: &str| text.replace([';', '\n', '\r'], " ");
    let fields = [
        ("GAME", plain(&tree.event)),
        ("RED", format!("{};;;", plain(&tree.players[0]))),
        ("BLACK", format!("{};;;", plain(&tree.players[1]))),
        ("RESULT", tree.result.clone()),
        ("FEN", tree.start().start_fen()),
    ];
    let plies = tree.line_from(0).into_iter().filter_map(|id| {
        let ply = tree.nodes()[id].ply.as_ref()?;
        let text = ply.texts.wxf.as_ref().unwrap_or(&ply.texts.text);
        Some((if ply.by == Some(0) { '1' } else { '2' }, text.clone()))
    });
    wxf::text(&fields, plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::games;
    use crate::tree::{EngineLines, GameTree};
    use agon_games::arbiter::game;
    use agon_games::mark::MarkShape;
    use serde_json::Value;

    /// A tree with variations of variations, comments with all that forms use as brackets, and marks.
    fn example(name: &str, line: &[&str], others: &[(usize, &str)]) -> GameTree {
        let mut tree = GameTree::new(game(name).unwrap(), Vec::new(), None).unwrap();
        let mut at = 0;
        for token in line {
            at = tree.add(at, token).unwrap();
        }
        for (parent, token) in others {
            tree.add(*parent, token).unwrap();
        }
        tree.players = ["A \"quoted\" \\ name".into(), "B]".into()];
        tree.event = "an event".into();
        tree.result = "0-1".into();
        tree.set_comment(0, "before\nthe first move").unwrap();
        tree.set_comment(1, "a ] b \\ c ; (d) 4").unwrap();
        let mark = |shape, to: Option<&str>, text: Option<&str>| Mark {
            shape,
            at: "c3".into(),
            to: to.map(String::from),
            text: text.map(String::from),
        };
        let marks = vec![
            mark(MarkShape::Circle, None, None),
            mark(MarkShape::Square, None, None),
            mark(MarkShape::Triangle, None, None),
            mark(MarkShape::Cross, None, None),
            mark(MarkShape::Label, None, Some("A:1")),
            mark(MarkShape::Arrow, Some("b4"), None),
        ];
        tree.set_marks(2, marks).unwrap();
        tree
    }

    /// A tree as text: the moves with their depth, comments and marks.
    fn outline(tree: &GameTree) -> Vec<(usize, String, String, usize)> {
        let mut out = Vec::new();
        let mut due = vec![0];
        while let Some(id) = due.pop() {
            let node = &tree.nodes()[id];
            let token = node.ply.as_ref().map_or(String::new(), |ply| ply.texts.token.clone());
            out.push((tree.depth(id), token, node.comment.clone(), node.marks.len()));
            due.extend(node.children.iter().rev());
        }
        out
    }

    fn examples() -> Vec<GameTree> {
        vec![
            example(
                "xiangqi",
                &["h2e2", "h9g7", "h0g2"],
                &[(0, "b2e2"), (1, "b9c7"), (1, "i9i8"), (5, "h0g2")],
            ),
            example("amazons", &["d1d7,d7g7", "a7b7,b7c7"], &[(0, "d1d2,d2d3"), (1, "a7b7,b7b1")]),
            example("nogo", &["e5", "a1", "j9"], &[(0, "e4"), (2, "b2")]),
            example("connect6", &["j10", "k9l8", "m7n6"], &[(1, "k9l9"), (4, "a1b2")]),
            example(
                "einstein",
                &["123456", "654321", "4", "a4b3", "2"],
                &[(2, "5"), (3, "a4a3"), (4, "6")],
            ),
            example("darkchess", &["b3", "=C", "a1", "=p"], &[(0, "c4"), (1, "=p"), (3, "=g")]),
        ]
    }

    #[test]
    fn every_game_comes_back_from_pgn_and_sgf_with_all_that_it_has() {
        for tree in examples() {
            for form in
                [TreeForm::Pgn, TreeForm::Sgf].into_iter().filter(|f| f.is_of(tree.kind.name))
            {
                let file = write(&tree, form, false).unwrap();
                let read =
                    games(&file.name, &file.text).unwrap_or_else(|e| panic!("{e}: {}", file.text));
                assert_eq!(read.len(), 1, "{}", file.text);
                assert_eq!(read[0].kind.name, tree.kind.name, "{}", file.text);
                let back = read[0].tree().unwrap();
                assert!(back.problems.is_empty(), "{:?}: {}", back.problems, file.text);
                assert_eq!(outline(&back.tree), outline(&tree), "{}", file.text);
                assert_eq!((&back.tree.players, &back.tree.event), (&tree.players, &tree.event));
                assert_eq!(back.tree.result, tree.result);
            }
        }
    }

    #[test]
    fn forms_without_variations_have_the_main_line_and_say_so() {
        for tree in examples() {
            for form in [TreeForm::National, TreeForm::Wxf] {
                if !form.is_of(tree.kind.name) {
                    assert!(write(&tree, form, false).is_err());
                    continue;
                }
                let file = write(&tree, form, false).unwrap();
                assert!(file.remark.is_some(), "{form:?}");
                let name = if form == TreeForm::Wxf { "a.wxf" } else { "a.txt" };
                let read = games(name, &file.text).unwrap_or_else(|e| panic!("{e}: {}", file.text));
                let back = read[0].tree().unwrap().tree;
                let main = |tree: &GameTree| tree.tokens(&tree.line_from(0));
                assert!(
                    main(&tree).starts_with(&main(&back))
                        && main(&back).len() + 1 >= main(&tree).len(),
                    "{}",
                    file.text
                );
            }
        }
    }

    #[test]
    fn engine_lines_are_written_if_wanted_and_numbers_stand_where_they_must() {
        let mut tree = examples().remove(0);
        let texts = vec!["+0.35/12 h2-e2".into()];
        tree.set_lines(1, EngineLines { shown: Value::Null, texts });
        let text = write(&tree, TreeForm::Pgn, true).unwrap().text;
        assert!(text.contains("+0.35/12 h2-e2}"), "{text}");
        assert!(!write(&tree, TreeForm::Pgn, false).unwrap().text.contains("0.35"));
        let moves =
            text.split("\n\n").nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            moves.contains("(1. b2-e2) 1... h9-g7") && moves.contains("(1... b9-c7 2. h0-g2)"),
            "{moves}"
        );
    }
}

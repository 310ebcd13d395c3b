//! The openings of a match: from files of positions or of games, or generated.
//!
//! A file of positions has one per line, `startpos` or a FEN, with or without `moves ...`; `#` starts
//! a comment. Games are read as PGN, SGF or in the format of the World Xiangqi Federation.

mod choice;
pub mod generate;
mod movetext;
mod read;
mod source;
mod words;
mod written;

pub use choice::OpeningChoice;
pub use movetext::{TextError, WrittenGames, pgn, wxf};
pub use read::{OpeningsFormat, fen_of, is_named};
pub use source::{OpeningOrder, OpeningsSource};
pub use written::{Item, Place, WrittenGame};

use crate::chance::Chance;
use crate::encoding::{self, ForeignText};
use agon_base::counted;
use agon_engine::hash::{hash_file, hash_text};
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::rng;
use agon_matchlog::{OpeningsEntry, Schedule, Setting, rule_pairs};
use std::path::{Path, PathBuf};

/// The openings of a match; all are legal.
#[derive(Clone, Debug)]
pub struct Openings {
    /// The openings in the order in which pairs use them.
    texts: Vec<String>,
    /// The header's entry; `None` if all games begin at the start position.
    pub entry: Option<OpeningsEntry>,
}

/// Error: an invalid openings file.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("openings file {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The file has fewer positions than the first one that is wanted.
    #[error("openings file {path}: start={start}, but its last position is number {count}")]
    Start {
        /// The file.
        path: PathBuf,
        /// The number of the first opening.
        start: u64,
        /// Number of positions in the file.
        count: u64,
    },
    /// A line is not a position from which a game can start.
    #[error("openings file {path}, {place}: {reason}")]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Where.
        place: Place,
        /// What is wrong.
        reason: String,
    },
    /// The file contains no position.
    #[error("openings file {path}: it holds no position")]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Sets up a game at an opening.
///
/// # Errors
///
/// Fails if the position is illegal or the game is already over.
pub fn open_checked(
    kind: GameKind,
    text: &str,
    rules: &[(String, String)],
) -> Result<Box<dyn Arbiter>, String> {
    let game = kind.open_text(text, rules).map_err(|e| e.to_string())?;
    match game.turn().outcome() {
        Some(_) => Err("the game is already over in this position".into()),
        None => Ok(game),
    }
}

/// Most remarks about one file that are shown.
const MOST_REMARKS: usize = 5;

fn warn(path: &Path, remarks: &[(Place, String)]) {
    let name = path.display();
    for (place, text) in remarks.iter().take(MOST_REMARKS) {
        log::warn!("openings file {name}, {place}: {text}");
    }
    if let Some(more) = remarks.len().checked_sub(MOST_REMARKS + 1) {
        log::warn!("openings file {name}: {} more remarks of this kind", more + 1);
    }
}

impl Openings {
    /// Every game begins at the start position.
    pub fn start_position() -> Openings {
        Openings { texts: vec!["startpos".into()], entry: None }
    }

    /// Reads a file and checks all its positions.
    pub fn read(
        source: &OpeningsSource,
        kind: GameKind,
        rules: &[Setting],
        chance: &Chance,
    ) -> Result<Openings, OpeningsError> {
        let path = &source.file;
        let error = |cause| OpeningsError::Io { path: path.clone(), cause };
        let ForeignText { text, encoding, fault } = encoding::read(path).map_err(error)?;
        if encoding != "UTF-8" {
            log::warn!(
                "openings file {}: read as {encoding}, since it is not UTF-8",
                path.display()
            );
        }
        let read = Openings::of_source(source, &text, kind, rules, chance);
        // Names in an unknown encoding do no harm; a move in one is an error with its place.
        let mut openings = read.map_err(|error| match (error, fault) {
            (OpeningsError::BadLine { path, place, reason }, Some(fault)) => {
                OpeningsError::BadLine { path, place, reason: format!("{reason} ({fault})") }
            }
            (error, _) => error,
        })?;
        if let Some(entry) = &mut openings.entry {
            entry.sha256 = hash_file(path).map_err(error)?;
        }
        Ok(openings)
    }

    /// Checks all positions in the text of a file, one per line, and keeps their order; `path` only
    /// identifies it in errors.
    pub fn parse(
        path: &Path,
        text: &str,
        kind: GameKind,
        rules: &[Setting],
        chance: &Chance,
    ) -> Result<Openings, OpeningsError> {
        let source =
            OpeningsSource { format: Some(OpeningsFormat::Text), ..OpeningsSource::file(path) };
        Openings::of_source(&source, text, kind, rules, chance)
    }

    fn of_source(
        source: &OpeningsSource,
        text: &str,
        kind: GameKind,
        rules: &[Setting],
        chance: &Chance,
    ) -> Result<Openings, OpeningsError> {
        let path = source.file.clone();
        let order = source.order.unwrap_or_default();
        let format = source.format.unwrap_or_else(|| OpeningsFormat::of(&path, text));
        let read = read::openings(text, format, kind, &rule_pairs(rules), source.plies);
        let read = read.map_err(|(place, reason)| {
            let path = path.clone();
            OpeningsError::BadLine { path, place, reason }
        })?;
        warn(&path, &read.remarks);
        let mut texts = read.texts;
        let (count, start) = (texts.len() as u64, source.start);
        if texts.is_empty() {
            return Err(OpeningsError::Empty { path });
        }
        if start > count {
            return Err(OpeningsError::Start { path, start, count });
        }
        if order == OpeningOrder::Random {
            let own = source.seed.map(|seed| Chance::seeded(seed, true));
            rng::shuffle(&mut own.as_ref().unwrap_or(chance).openings(), &mut texts);
        }
        texts.rotate_left(start as usize - 1);
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let order = if order == OpeningOrder::Random { "random" } else { "sequential" }.into();
        let (sha256, plies, seed) = (hash_text(text), source.plies, source.seed);
        Ok(Openings {
            texts,
            entry: Some(OpeningsEntry { file, sha256, count, order, start, plies, seed }),
        })
    }

    /// The opening of pair number `pair`; pairs beyond the last opening start again with the first.
    pub fn of_pair(&self, pair: u64) -> &str {
        let i = pair % self.texts.len() as u64;
        &self.texts[i as usize]
    }

    /// All openings in the order in which pairs use them.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Warns if a schedule needs more openings than there are.
    pub fn warn_about_repeats(&self, schedule: &Schedule) {
        let (needed, count) = (schedule.openings(), self.count());
        if needed > count && self.entry.is_some() {
            log::warn!(
                "{needed} share {count}",
                needed = counted(needed, "pair"),
                count = counted(count, "opening")
            );
        }
    }

    /// The number of different openings.
    pub fn count(&self) -> u64 {
        self.texts.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;

    fn read(bytes: &[u8]) -> Result<Openings, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.pgn");
        std::fs::write(&path, bytes).unwrap();
        read_file(&path)
    }

    fn read_file(path: &Path) -> Result<Openings, String> {
        let source = OpeningsSource::file(path);
        let (kind, chance) = (game("xiangqi").unwrap(), Chance::seeded(1, true));
        Openings::read(&source, kind, &[], &chance).map_err(|e| e.to_string())
    }

    #[test]
    fn games_in_the_encoding_of_chinese_programs_are_read() {
        // 王天一 and 1. 炮二平五 马８进７ in GBK.
        const GBK: &[u8] = b"[Game \"Chinese Chess\"]\n[Red \"\xcd\xf5\xcc\xec\xd2\xbb\"]\n\n\
            1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7 *\n";
        assert_eq!(read(GBK).unwrap().texts(), ["startpos moves h2e2 h9g7"]);
        // Bytes that no encoding has do no harm in a name; in a move they are an error by name.
        let with = |from: &[u8]| {
            let at = GBK.windows(from.len()).position(|w| w == from).unwrap();
            [&GBK[..at], b"\xff\xff", &GBK[at + from.len()..]].concat()
        };
        let error = read(&with(b"\xc5\xda")).unwrap_err();
        assert!(error.contains("line 4") && error.contains("neither UTF-8 nor GB18030"), "{error}");
        let latin = b"[White \"Jos\xe9\"]\n\n1. h2e2 h9g7 *\n";
        assert_eq!(read(latin).unwrap().texts(), ["startpos moves h2e2 h9g7"]);
    }

    /// The bytes of a text in an encoding.
    fn encoded(label: &str, text: &str) -> Vec<u8> {
        let codec = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        codec.encode(text).0.into_owned()
    }

    #[test]
    fn files_of_programs_of_xiangqi_are_read() {
        let moves = "startpos moves h2e2 h9g7";
        let footer = "======================\r\n欢迎访问（某网\r\n推荐用 [X] 阅读 {棋谱\r\nhttp://example.invalid/\r\n";
        let tags = "[Game \"Chinese Chess\"]\r\n[Red \"甲\"]\r\n[Black \"\"]\r\n";
        for label in ["gb18030", "utf-8"] {
            for text in [
                format!("{tags}[Result \"*\"]\r\n\r\n  1. 炮二平五 马８进７ *\r\n{footer}"),
                format!("{tags} 1. 炮二平五\r\n     马８进７\r\n   *\r\n  =========\r\n"),
                format!("{tags} 1. 炮二平五\r 马８进７\r{footer}"),
                format!("棋谱\r\n{tags}1. 炮二平五 马８进７ 红胜\r\n{footer}"),
            ] {
                assert_eq!(read(&encoded(label, &text)).unwrap().texts(), [moves], "{text}");
                let two = format!("{text}\r\n{text}");
                assert_eq!(read(&encoded(label, &two)).unwrap().texts(), [moves, moves], "{two}");
            }
        }
        let big5 = encoded("big5", "[Red \"楊官璘\"]\n\n1. 炮二平五 馬８進７ 1-0\n");
        assert_eq!(read(&big5).unwrap().texts(), [moves]);
        let pychess = b"[Variant \"Xiangqi\"]\n[SetUp \"1\"]\n\n1. Ce3 Hg8 2. Hg3 Rh10 1-0\n";
        assert_eq!(read(pychess).unwrap().texts(), ["startpos moves h2e2 h9g7 h0g2 i9h9"]);
        // The second move is no move, wherever the footer begins.
        let wrong = format!("{tags}1. 炮二平五 马８进８ 1-0\r\n{footer}");
        let error = read(wrong.as_bytes()).unwrap_err();
        assert!(error.contains("line 4, column 9: game 1: move 2"), "{error}");
    }

    #[test]
    fn lines_with_operations_are_read() {
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let folder = tempfile::tempdir().unwrap();
        for (name, line, expected) in [
            ("a.epd", "w - - 0 1;\r", "w - - 0 1"),
            ("a.epd", "b - - 3 7;\r", "b - - 3 7"),
            ("a.txt", "w - - hmvc 5; fmvn 9; bm h2e2; id \"x\";", "w - - 5 9"),
            ("a", "w - - bm h2e2", "w - -"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("# a comment\n{board} {line}\n")).unwrap();
            assert_eq!(read_file(&path).unwrap().texts(), [format!("{board} {expected}")]);
        }
        let path = folder.path().join("pocket.epd");
        std::fs::write(&path, format!("{board}[] w - - 0 1\n")).unwrap();
        assert_eq!(read_file(&path).unwrap().texts(), [format!("{board} w - - 0 1")]);
        std::fs::write(&path, "startpos moves h3e3 h10g8\nstartpos moves 炮二平五;\n").unwrap();
        let texts = ["startpos moves h2e2 h9g7", "startpos moves h2e2"];
        assert_eq!(read_file(&path).unwrap().texts(), texts);
        std::fs::write(&path, format!("{board} w - - 0 1 2;\n")).unwrap();
        assert!(read_file(&path).unwrap_err().contains("line 1, column 1: bad FEN"));
    }

    #[test]
    fn the_text_tells_the_format_if_the_name_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        for text in ["[Event \"x\"]\n1. h2e2 *", "1. 炮二平五", "FORMAT WXF\nSTART{\n1. C2.5\n}END"]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read_file(&path).unwrap().texts(), ["startpos moves h2e2"], "{text}");
        }
        std::fs::write(&path, "(;GM[7];B[h2])").unwrap();
        let error = read_file(&path).unwrap_err();
        assert!(error.contains("give games of xiangqi as PGN"), "{error}");
        let text = "[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
        std::fs::write(&path, text).unwrap();
        let error = read_file(&path).unwrap_err();
        assert!(error.contains("a DhtmlXQ game") && error.contains("to PGN"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn no_file_makes_the_reader_panic(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..60),
            text in "[-\\[\\](){};%=*\"FENfen 0-9.h炮二平五１．\n#]{0,60}",
            extension in 0usize..4,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(["a.pgn", "a.wxf", "a.sgf", "a.epd"][extension]);
            for content in [&bytes, text.as_bytes()] {
                std::fs::write(&path, content).unwrap();
                let _ = read_file(&path);
            }
        }
    }

    #[test]
    fn a_folder_or_a_device_is_no_file_of_openings() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), Path::new("/dev/zero")].into_iter().filter(|p| p.exists()) {
            let error = read_file(path).unwrap_err();
            assert!(error.contains("expected a regular file"), "{error}");
            assert!(agon_matchlog::open(path).is_err());
        }
    }
}

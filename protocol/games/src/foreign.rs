//! Formats that no reader here reads: they are known by their first bytes, their text or the end of the file's
//! name, and refused by one sentence that names the format and the way.

use crate::text::excerpt;

/// What to do with a game of Xiangqi in the format of a program. The package reads XQF, CBR, CBL, CBF and DhtmlXQ.
const XIANGQI: &str = "convert it to PGN, for example with the Python package cchess";
const UNPACK: &str = "unpack it and give the file inside";
const TEXT: &str = "save the games as PGN, SGF or plain text";

/// A format: its name, what to do with it, how its bytes begin.
type Magic = (&'static str, &'static str, &'static [u8]);

const MAGIC: [Magic; 19] = [
    ("a CBL library of CCBridge", XIANGQI, b"CCBridgeLibrary"),
    ("a CBR game of CCBridge", XIANGQI, b"CCBridge Record"),
    ("a gzip archive", UNPACK, b"\x1f\x8b"),
    ("a zip archive", UNPACK, b"PK\x03\x04"),
    ("a 7z archive", UNPACK, b"7z\xbc\xaf\x27\x1c"),
    ("a rar archive", UNPACK, b"Rar!\x1a\x07"),
    ("an xz archive", UNPACK, b"\xfd7zXZ\0"),
    ("a bzip2 archive", UNPACK, b"BZh"),
    ("a zstd archive", UNPACK, b"\x28\xb5\x2f\xfd"),
    ("a PDF document", TEXT, b"%PDF-"),
    ("a PNG picture", TEXT, b"\x89PNG\r\n"),
    ("a GIF picture", TEXT, b"GIF8"),
    ("a JPEG picture", TEXT, b"\xff\xd8\xff"),
    ("an RTF document", TEXT, b"{\\rtf"),
    ("a document of an old Microsoft Office", TEXT, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("an SQLite database", TEXT, b"SQLite format 3\0"),
    ("a program for Linux", TEXT, b"\x7fELF"),
    ("a program for Windows", TEXT, b"MZ\x90\0"),
    ("a match log", "write its games with `referee export --format pgn`", b"{\"agon_match_log\""),
];

/// Words of a text, in small letters, that only one format has.
const WORDS: [Magic; 6] = [
    ("a DhtmlXQ game", XIANGQI, b"[dhtmlxq"),
    ("a DHJHtmlXQ game", XIANGQI, b"[dhjhtmlxq"),
    ("a CBF game of CCBridge", XIANGQI, b"<chinesechessrecord"),
    ("an HTML page", TEXT, b"<!doctype html"),
    ("an HTML page", TEXT, b"<html"),
    ("an XML document", TEXT, b"<?xml"),
];

/// Ends of names that belong to formats without a mark of their own.
const NAMES: [(&str, &str); 9] = [
    ("xqf", "an XQF game of XQStudio"),
    ("cbl", "a CBL library of CCBridge"),
    ("cbr", "a CBR game of CCBridge"),
    ("cbf", "a CBF game of CCBridge"),
    ("che", "a CHE game"),
    ("ccm", "a CCM game"),
    ("mxq", "an MXQ game"),
    ("pfc", "a PFC game"),
    ("xqr", "an XQR game"),
];

/// How much of a text is searched for words.
const SEARCHED: usize = 1 << 16;

/// What a file is, if no reader here reads it: one sentence with the name of the format and the way to a file that
/// is read. `name` is the file's name.
pub fn refusal(name: &str, bytes: &[u8]) -> Option<String> {
    let sentence =
        |(format, way): (&str, &str)| format!("it is {format}, which is not read here: {way}");
    let known = magic(bytes).or_else(|| words(bytes));
    let by_name = || {
        let (_, end) = name.rsplit_once('.')?;
        let format = NAMES.iter().find(|(known, _)| end.eq_ignore_ascii_case(known))?;
        Some((format.1, XIANGQI))
    };
    let not_text = || {
        let at = plain(bytes).iter().position(|&b| b == 0)?;
        let start = excerpt(&String::from_utf8_lossy(&bytes[..bytes.len().min(8)]));
        Some(format!("it is no text (byte {} is 0, it begins with `{start}`): {TEXT}", at + 1))
    };
    known.or_else(by_name).map(sentence).or_else(not_text)
}

fn magic(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    // The third byte of an XQF file is its version, 10 to 18; a line break may be text.
    let is_xqf = |bytes: &[u8]| match bytes.get(2) {
        Some(b'\n' | b'\r') => bytes.iter().take(16).any(|&b| b == 0),
        Some(version) => *version < b' ' && *version != b'\t',
        None => false,
    };
    if bytes.starts_with(b"XQ") && is_xqf(bytes) {
        return Some((NAMES[0].1, XIANGQI));
    }
    if bytes.get(257..262).is_some_and(|mark| mark == b"ustar") {
        return Some(("a tar archive", UNPACK));
    }
    let found = MAGIC.iter().find(|(.., begin)| bytes.starts_with(begin));
    found.map(|&(format, way, _)| (format, way))
}

fn words(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let bytes = &bytes[..bytes.len().min(SEARCHED)];
    // Without the zero bytes of UTF-16.
    let text: Vec<u8> = bytes.iter().filter(|&&b| b != 0).map(u8::to_ascii_lowercase).collect();
    let found = WORDS.iter().find(|(.., word)| text.windows(word.len()).any(|part| part == *word));
    found.map(|&(format, way, _)| (format, way))
}

/// The bytes of a text whose characters are bytes; nothing of one in UTF-16, which has zero bytes in every other
/// place.
fn plain(bytes: &[u8]) -> &[u8] {
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_wide || is_utf_16(bytes, 0) || is_utf_16(bytes, 1) { &[] } else { bytes }
}

/// Whether bytes begin like UTF-16 without a mark; `zero` is 1 if the low byte comes first, else 0.
pub fn is_utf_16(bytes: &[u8], zero: usize) -> bool {
    let start = bytes.get(..4).unwrap_or_default();
    !start.is_empty() && start.iter().enumerate().all(|(i, &b)| (b == 0) == (i % 2 == zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_named_with_the_way_to_one_that_is_read() {
        for (name, bytes, format, way) in [
            ("a.xqf", &b"XQ\x12\xab\0\0"[..], "an XQF game of XQStudio", "Python package cchess"),
            ("a", b"XQ\x0a\0\0\0", "an XQF", "PGN"),
            ("a.pgn", b"CCBridge Record\0\0", "CBR", "PGN"),
            ("a.pgn", b"CCBridgeLibrary\0", "CBL", "PGN"),
            ("a.xml", b"\xef\xbb\xbf<?xml?>\n<ChineseChessRecord Version", "CBF", "PGN"),
            ("a.txt", b"text\n[DhtmlXQ]\n[DhtmlXQ_title]t[/DhtmlXQ_title]", "DhtmlXQ", "PGN"),
            ("a.txt", b"[\0D\0h\0t\0m\0l\0X\0Q\0", "DhtmlXQ", "PGN"),
            ("a.CHE", b"anything", "a CHE game", "PGN"),
            ("a.gz", b"\x1f\x8b\x08\0", "gzip", "unpack"),
            ("a.pgn", b"PK\x03\x04", "zip", "unpack"),
            ("a.pgn", b"7z\xbc\xaf\x27\x1c", "7z", "unpack"),
            ("a.pdf", b"%PDF-1.4", "PDF", "save the games as PGN"),
            ("a.png", b"\x89PNG\r\n\x1a\n", "PNG", "save"),
            ("a.htm", b"\n<HTML lang=x>", "HTML", "save"),
            ("a.jsonl", b"{\"agon_match_log\":2}", "a match log", "referee export"),
            ("a.bin", b"ab\0c", "no text (byte 3 is 0", "save"),
        ] {
            let sentence = refusal(name, bytes).unwrap_or_default();
            assert!(sentence.contains(format) && sentence.contains(way), "{name}: {sentence}");
            assert!(!sentence.contains('\n'), "{sentence}");
        }
    }

    #[test]
    fn texts_are_not_refused() {
        for text in ["", "XQ\n", "startpos", "[Event \"PK\"]", "\u{feff}(;B[aa])", "PDF", "BZ"] {
            assert_eq!(refusal("a.txt", text.as_bytes()), None, "{text}");
        }
        let wide: Vec<u8> = "[Event".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(refusal("a.pgn", &wide), None);
    }
}

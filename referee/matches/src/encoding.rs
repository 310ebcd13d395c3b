//! Files of others as text: what is no text is refused by name, and the encoding is found: UTF-8, UTF-16, GB18030 with
//! its part GB2312, which older programs write, or Big5, as in Taiwan.

use agon_games::foreign::{is_utf_16, refusal};
use agon_wire::input_file::{self, MAX_TEXT};
use encoding_rs::{BIG5, Encoding as Codec, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::io::Error;
use std::path::Path;

/// The encoding of a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 without a byte order mark
    Utf8,
    /// GB18030, which programs for GB2312 and GBK read, too
    Gb18030,
}

impl Encoding {
    /// The bytes of a text.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            // GB18030 has every character.
            Encoding::Gb18030 => GB18030.encode(text).0.into_owned(),
        }
    }
}

/// The characters of moves, results and headers in Chinese: the encoding in which a text has more of them is its own.
const CHINESE: &str = "一二三四五六七八九平进進退前中后後车車俥马馬傌炮砲包兵卒帅帥将將士仕象相先手胜勝负負和棋局红紅黑方";

/// A text, and how it was encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignText {
    /// The text. Its lines end with a line feed, as those of all systems become.
    pub text: String,
    /// The encoding's name.
    pub encoding: &'static str,
    /// What is wrong with bytes that are no text in any encoding; they are replaced by `\u{fffd}`.
    pub fault: Option<String>,
}

/// Reads a file of another program.
///
/// # Errors
/// The file cannot be read, is no regular file, or is one of the formats that are not read here.
pub fn read(path: &Path) -> Result<ForeignText, Error> {
    let bytes = input_file::read(path, MAX_TEXT)?;
    check(path, &bytes).map_err(Error::other)?;
    Ok(decode_loosely(&bytes))
}

/// Refuses the formats that are not read here, by the beginning of a file or all of it.
///
/// # Errors
/// Names the format and the way to one that is read.
pub fn check(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    refusal(&name, bytes).map_or(Ok(()), Err)
}

/// The text of bytes: by their byte order mark, else UTF-8 if they are valid, else GB18030 or Big5.
///
/// # Errors
/// The bytes are valid in none of them.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    let read = decode_loosely(bytes);
    read.fault.map_or(Ok(read.text), Err)
}

/// As [`decode`], but bytes that are no text are replaced.
pub fn decode_loosely(bytes: &[u8]) -> ForeignText {
    let marked = Codec::for_bom(bytes).map(|(codec, _)| codec);
    let unmarked = match () {
        () if is_utf_16(bytes, 0) => UTF_16BE,
        () if is_utf_16(bytes, 1) => UTF_16LE,
        () => UTF_8,
    };
    let codec = marked.unwrap_or(unmarked);
    let read = |codec: &'static Codec| {
        let (text, used, is_broken) = codec.decode(bytes);
        let sense = text.chars().filter(|&c| CHINESE.contains(c)).count();
        (!is_broken, sense, text.replace("\r\n", "\n").replace('\r', "\n"), used.name())
    };
    let first = read(codec);
    let (is_sound, _, text, encoding) = match first {
        (true, ..) => first,
        // The last of equal ones is the greatest.
        _ => [first, read(BIG5), read(GB18030)]
            .into_iter()
            .max_by_key(|(is_sound, sense, ..)| (*is_sound, *sense))
            .unwrap_or_default(),
    };
    let fault = (!is_sound).then(|| {
        let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
        format!("byte {}: neither UTF-8 nor GB18030 (GB2312) nor Big5 text", valid + 1)
    });
    ForeignText { text, encoding, fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_from_every_encoding() {
        let text = "#[重庆大学][東北大學 €𠮷][先手胜]\n";
        for encoding in [Encoding::Utf8, Encoding::Gb18030] {
            assert_eq!(decode(&encoding.encode(text)).unwrap(), text, "{encoding:?}");
        }
        // 先手胜 in GB2312, and UTF-8 with a byte order mark.
        assert_eq!(decode(b"\xcf\xc8\xca\xd6\xca\xa4").unwrap(), "先手胜");
        assert_eq!(decode("\u{feff}先".as_bytes()).unwrap(), "先");
        assert_eq!(decode(b"a\r\nb\rc\n\rd").unwrap(), "a\nb\nc\n\nd");
    }

    #[test]
    fn the_encoding_is_the_one_that_makes_sense() {
        for text in ["1. 炮二平五 馬８進７", "[Red \"楊官璘\"]\n1. 砲２平５ 馬8進7 {好棋}"]
        {
            let big5 = BIG5.encode(text).0;
            let read = decode_loosely(&big5);
            assert_eq!((read.text.as_str(), read.encoding, read.fault), (text, "Big5", None));
        }
        let text = "[Red \"王天一\"]\n1. 炮二平五 马８进７";
        assert_eq!(decode_loosely(&GB18030.encode(text).0).encoding, "gb18030");
        for (mark, units) in
            [(true, u16::to_le_bytes as fn(u16) -> [u8; 2]), (false, u16::to_be_bytes)]
        {
            let mark = if mark { "\u{feff}" } else { "" };
            let bytes: Vec<u8> = format!("{mark}{text}").encode_utf16().flat_map(units).collect();
            assert_eq!(decode(&bytes).unwrap(), text);
        }
        // A name that was cut within a character.
        let mut cut = GB18030.encode(text).0.into_owned();
        cut.splice(11..12, []);
        cut.insert(0, 0xff);
        let read = decode_loosely(&cut);
        assert!(read.text.contains("炮二平五") && read.fault.is_some(), "{read:?}");
    }

    #[test]
    fn a_format_that_is_not_read_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        std::fs::write(&path, b"\x1f\x8b\x08").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("gzip"));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let error = decode(b"ab\xff\xff\x00").unwrap_err();
        assert!(error.contains("byte 3"), "{error}");
    }
}

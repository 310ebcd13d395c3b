//! The encodings of records and of openings files: UTF-8, and GB18030 with its part GB2312, which older programs write.

use encoding_rs::{Encoding as Codec, GB18030, UTF_8};

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

/// The text of a file: by its byte order mark, else UTF-8 if it is valid, else GB18030.
///
/// # Errors
/// The bytes are valid in none of them.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    decode_named(bytes).map(|(text, _)| text)
}

/// As [`decode`], with the name of the encoding.
///
/// # Errors
/// The bytes are valid in none of them.
pub fn decode_named(bytes: &[u8]) -> Result<(String, &'static str), String> {
    let codec = Codec::for_bom(bytes).map(|(codec, _)| codec);
    let text = [codec.unwrap_or(UTF_8), GB18030].into_iter().find_map(|codec| {
        let (text, used, broken) = codec.decode(bytes);
        (!broken).then(|| (text.into_owned(), used.name()))
    });
    text.ok_or_else(|| {
        let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
        format!("byte {}: neither UTF-8 nor GB18030 (GB2312) text", valid + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_from_every_encoding() {
        let text = "#[重庆大学][東北大學 €𠮷][先手胜]\r\n";
        for encoding in [Encoding::Utf8, Encoding::Gb18030] {
            assert_eq!(decode(&encoding.encode(text)).unwrap(), text, "{encoding:?}");
        }
        // 先手胜 in GB2312, and UTF-8 with a byte order mark.
        assert_eq!(decode(b"\xcf\xc8\xca\xd6\xca\xa4").unwrap(), "先手胜");
        assert_eq!(decode("\u{feff}先".as_bytes()).unwrap(), "先");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let error = decode(b"ab\xff\xff\x00").unwrap_err();
        assert!(error.contains("byte 3"), "{error}");
    }
}

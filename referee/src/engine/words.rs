//! Splitting a command line into words without a shell: blanks separate, quotes protect.

/// Why a command line could not be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// A quote without its partner.
    #[error("the quote {0} is never closed")]
    OpenQuote(char),
    /// A backslash with nothing after it.
    #[error("nothing follows the last backslash")]
    OpenEscape,
}

/// Splits `text` at the characters that `separates` accepts. Inside `'...'` everything stands for
/// itself, inside `"..."` a backslash protects `"` and itself, elsewhere a backslash protects any
/// character. Quotes are removed; an empty piece is kept only if it was quoted.
pub fn split(text: &str, separates: impl Fn(char) -> bool) -> Result<Vec<String>, WordsError> {
    let mut pieces = Vec::new();
    let mut piece: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => quoted(&mut chars, c, piece.get_or_insert_default())?,
            '\\' => piece.get_or_insert_default().push(chars.next().ok_or(WordsError::OpenEscape)?),
            c if separates(c) => pieces.extend(piece.take()),
            c => piece.get_or_insert_default().push(c),
        }
    }
    pieces.extend(piece);
    Ok(pieces)
}

/// Reads up to the closing quote.
fn quoted(
    chars: &mut std::str::Chars<'_>,
    quote: char,
    piece: &mut String,
) -> Result<(), WordsError> {
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next().ok_or(WordsError::OpenQuote(quote))? {
                c @ ('"' | '\\') => piece.push(c),
                c => piece.extend(['\\', c]),
            },
            c => piece.push(c),
        }
    }
    Err(WordsError::OpenQuote(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, WordsError> {
        split(text, char::is_whitespace)
    }

    #[test]
    fn blanks_separate_and_quotes_protect() {
        assert_eq!(
            words(r#" a  "b c" 'd "e"' f\ g "" "#).unwrap(),
            ["a", "b c", "d \"e\"", "f g", ""]
        );
        assert_eq!(words(r#""a\"b\n""#).unwrap(), [r#"a"b\n"#]);
    }

    #[test]
    fn an_open_quote_is_an_error() {
        assert_eq!(words("a 'b").unwrap_err(), WordsError::OpenQuote('\''));
        assert_eq!(words("a \\").unwrap_err(), WordsError::OpenEscape);
    }
}

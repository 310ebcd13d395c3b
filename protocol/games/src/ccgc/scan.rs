//! Reads the characters of a record and remembers where they are. Writers differ in brackets, commas and
//! blanks, and some use the full-width forms of a Chinese keyboard; all of that is read alike.

use super::record::ReadError;
use crate::text::excerpt;

/// A text that is read from left to right.
pub struct Scanner {
    text: Vec<char>,
    at: usize,
}

impl Scanner {
    /// Begins at the start of a text.
    pub fn new(text: &str) -> Scanner {
        Scanner { text: text.trim_start_matches('\u{feff}').chars().collect(), at: 0 }
    }

    /// The place of the next character.
    pub fn place(&self) -> usize {
        self.at
    }

    /// The next character as it is.
    pub fn raw(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// The next character, full-width forms as the usual ones and letters as capitals.
    pub fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// The character after `ahead` others, as [`Scanner::peek`].
    pub fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).map(|&c| usual(c))
    }

    /// Takes the next character.
    pub fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    /// Skips blanks and these characters.
    pub fn skip(&mut self, others: &str) {
        while self.peek().is_some_and(|c| c.is_whitespace() || others.contains(c)) {
            self.at += 1;
        }
    }

    /// Takes the next character if it is one of these, after blanks.
    pub fn take(&mut self, wanted: &str) -> bool {
        self.skip("");
        let found = self.peek().is_some_and(|c| wanted.contains(c));
        self.at += usize::from(found);
        found
    }

    /// Takes the next character, after blanks; it must be one of these.
    pub fn expect(&mut self, wanted: &str, what: &str) -> Result<char, ReadError> {
        self.skip("");
        match self.peek() {
            Some(c) if wanted.contains(c) => {
                self.at += 1;
                Ok(c)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Takes a whole number from 0 to 9999.
    pub fn number(&mut self, what: &str) -> Result<usize, ReadError> {
        self.skip("");
        let begin = self.at;
        let mut number = 0;
        while let Some(digit) =
            self.peek().and_then(|c| c.to_digit(10)).filter(|_| self.at < begin + 4)
        {
            number = 10 * number + digit as usize;
            self.at += 1;
        }
        if self.at == begin { Err(self.expected(what)) } else { Ok(number) }
    }

    /// Takes a square: a letter, perhaps a comma, and a number from 1 to `rows`. The result is the column
    /// and the row, both from 0.
    pub fn square(
        &mut self,
        columns: &str,
        rows: usize,
        what: &str,
    ) -> Result<(usize, usize), ReadError> {
        self.skip("");
        let begin = self.at;
        let column =
            self.peek().and_then(|c| columns.find(c)).ok_or_else(|| self.expected(what))?;
        self.at += 1;
        self.take(",");
        let row = self.number(what)?;
        if (1..=rows).contains(&row) {
            return Ok((column, row - 1));
        }
        self.at = begin;
        Err(self.expected(what))
    }

    /// Takes all up to and with this character, in any of its forms, and returns what was before it.
    pub fn until(&mut self, end: char) -> Option<String> {
        let length = self.text[self.at..].iter().position(|&c| usual(c) == end)?;
        let part = self.text[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Some(part)
    }

    /// Skips blanks, these characters and remarks: what begins with a character that is no letter or mark of a move
    /// goes up to the end of its line or entry, and so does what begins with `//`.
    pub fn skip_remarks(&mut self, others: &str) {
        loop {
            self.skip(others);
            let is_slashes = self.peek() == Some('/') && self.peek_at(1) == Some('/');
            if !is_slashes && self.peek().is_none_or(|c| c.is_ascii()) {
                return;
            }
            while self.raw().is_some_and(|c| c != '\n') && (is_slashes || self.peek() != Some(';'))
            {
                self.at += 1;
            }
        }
    }

    /// The characters from here up to one of `ends`, as [`Scanner::peek`] has them.
    pub fn ahead(&self, ends: &str) -> String {
        let rest = self.text[self.at.min(self.text.len())..].iter().map(|&c| usual(c));
        rest.take_while(|c| !ends.contains(*c)).collect()
    }

    /// An error at a place.
    pub fn error_at(&self, at: usize, reason: impl Into<String>) -> ReadError {
        let before = &self.text[..at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&c| c == '\n').count();
        let column = 1 + before.iter().rev().take_while(|&&c| c != '\n').count();
        ReadError { line, column, reason: reason.into() }
    }

    /// An error here: what is found instead of what is expected.
    pub fn expected(&self, what: &str) -> ReadError {
        let rest: String = self.text[self.at.min(self.text.len())..]
            .iter()
            .take(12)
            .take_while(|&&c| c != '\n')
            .collect();
        let found =
            if rest.is_empty() { "the end".into() } else { format!("`{}`", excerpt(&rest)) };
        self.error_at(self.at, format!("found {found}: expected {what}"))
    }
}

/// A character of a Chinese keyboard as the usual one, a letter as a capital.
fn usual(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '【' | '〔' => '[',
        '】' | '〕' => ']',
        '。' => '.',
        '、' => ',',
        '—' | '–' | '−' => '-',
        c => c,
    }
    .to_ascii_uppercase()
}

//! What an engine's answers to the handshake say: its name, its version, its commands.
//!
//! The manager sends `list_commands`, `name`, `version`, and `name` twice again. Engines may leave out answers
//! or add some, so they are not counted: the handshake is over when two answers in a row have the same text,
//! which is the name. Before its first copy stands the list, after it the version.

/// The commands of the handshake.
pub(super) const QUESTIONS: [&str; 5] = ["list_commands", "name", "version", "name", "name"];

/// One answer.
#[derive(Clone, Debug)]
struct Answer {
    good: bool,
    /// The first line, and the words of the others.
    text: String,
    more: Vec<String>,
}

/// The answers so far.
#[derive(Debug, Default)]
pub(super) struct Handshake {
    answers: Vec<Answer>,
}

/// What the answers say.
#[derive(Debug, Default)]
pub(super) struct Identity {
    /// Name and version.
    pub name: String,
    pub version: String,
    /// The answer to `name`, if the engine gives the same each time; else empty.
    pub echo: String,
    /// The commands that the engine knows; `None` if it gave no list, or refused to.
    pub commands: Option<Vec<String>>,
}

impl Handshake {
    /// Adds a line that is not the first one of an answer.
    pub fn add_line(&mut self, line: &str) {
        if let Some(last) = self.answers.last_mut() {
            last.more.extend(line.split_whitespace().map(String::from));
        }
    }

    /// Adds the first line of an answer. Returns the identity with the last one.
    pub fn add_answer(&mut self, good: bool, text: &str) -> Option<Identity> {
        let names = |a: &Answer| good && a.good && a.more.is_empty() && same(&a.text, text);
        let named = self.answers.iter().position(names).filter(|_| !text.is_empty());
        let twice = self.answers.last().is_some_and(names);
        self.answers.push(Answer { good, text: text.into(), more: Vec::new() });
        match named {
            Some(at) if twice => Some(self.identity(at, text)),
            // Too many answers: the last ones are still to come.
            Some(_) => None,
            None if self.answers.len() < QUESTIONS.len() => None,
            // The name is not the same each time.
            None => Some(Identity { echo: String::new(), ..self.identity(1, text) }),
        }
    }

    fn identity(&self, named: usize, echo: &str) -> Identity {
        let text = |at: usize| self.answers.get(at).filter(|a| a.good).map_or("", |a| &a.text);
        let first = text(named);
        // An id that the engine invents is not the same each time.
        let name = if first == echo { first } else { without_id(first) };
        let between = named + 1..self.answers.len() - 1;
        let mut between = between.map(text).filter(|text| !text.is_empty());
        let version = between.find(|text| !same(text, echo)).unwrap_or_default();
        let list = self.answers[..named].iter().find(|a| a.good);
        let words = |a: &Answer| {
            a.text.split_whitespace().map(String::from).chain(a.more.iter().cloned()).collect()
        };
        Identity {
            name: name.into(),
            version: without_id(version).into(),
            echo: echo.into(),
            commands: list.map(words),
        }
    }
}

/// Whether two answers say the same, apart from ids that the engine invents.
pub(super) fn same(a: &str, b: &str) -> bool {
    a == b || without_id(a) == without_id(b)
}

/// The text of an answer without digits and a blank at its begin: an id, which nobody sent.
pub(super) fn without_id(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let id = rest.len() < text.len() && rest.starts_with(' ') && !rest.trim().is_empty();
    if id { rest.trim() } else { text }
}

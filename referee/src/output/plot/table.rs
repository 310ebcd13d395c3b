//! Text tables for terminals, aligned by display width.

use unicode_width::UnicodeWidthStr;

/// Alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Left, for text.
    Left,
    /// Right, for numbers.
    Right,
}

/// A table under construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextTable {
    head: Vec<String>,
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Align)]) -> TextTable {
        TextTable {
            head: columns.iter().map(|(name, _)| (*name).to_string()).collect(),
            align: columns.iter().map(|(_, align)| *align).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells are empty, surplus cells are dropped.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.head.len(), String::new());
        self.rows.push(row);
    }

    /// The columns' names.
    pub fn head(&self) -> &[String] {
        &self.head
    }

    /// The alignment of the columns.
    pub fn align(&self) -> &[Align] {
        &self.align
    }

    /// The rows, each as long as the head.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }
}

impl std::fmt::Display for TextTable {
    /// Columns are separated by two blanks, the head has a rule below it, and lines have no
    /// trailing blanks. Control characters in cells are escaped, so that no engine name moves the
    /// cursor.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let clean =
            |row: &Vec<String>| -> Vec<String> { row.iter().map(|cell| plain(cell)).collect() };
        let head = clean(&self.head);
        let rows: Vec<Vec<String>> = self.rows.iter().map(clean).collect();
        let width =
            |i: usize| rows.iter().chain([&head]).map(|row| row[i].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let rule: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
        for row in [&head, &rule].into_iter().chain(&rows) {
            let mut line = String::new();
            for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if i > 0 {
                    line.push_str("  ");
                }
                let fill = " ".repeat(width - cell.width());
                match self.align[i] {
                    Align::Left => line.extend([cell.as_str(), &fill]),
                    Align::Right => line.extend([fill.as_str(), cell]),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let kept = escaped.is_none().then_some(c);
            escaped.into_iter().flatten().chain(kept)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_display_width() {
        let mut t = TextTable::new(&[("engine", Align::Left), ("games", Align::Right)]);
        t.row(["亚马逊", "1108"]);
        t.row(["pvs", "9"]);
        assert_eq!(t.to_string(), "engine  games\n------  -----\n亚马逊   1108\npvs         9\n");
    }

    #[test]
    fn control_characters_cannot_reach_the_terminal() {
        let mut t = TextTable::new(&[("name", Align::Left), ("x", Align::Left)]);
        t.row(["\u{1b}[2Jevil\n"]);
        let text = t.to_string();
        assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2Jevil\\n"), "{text}");
        assert_eq!(text.lines().count(), 3);
    }
}

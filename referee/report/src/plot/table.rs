//! Text tables for terminals, aligned by display width.

use agon_games::text::visible;
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
    /// A table with these columns, in groups that are aligned alike.
    pub fn new(columns: &[(Align, &[&str])]) -> TextTable {
        let each = || columns.iter().flat_map(|(align, names)| names.iter().map(|n| (*align, *n)));
        TextTable {
            head: each().map(|(_, name)| name.to_string()).collect(),
            align: each().map(|(align, _)| align).collect(),
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

impl TextTable {
    /// The table in blocks of columns that fit `width` if that is possible; each block begins with
    /// the first `keys` columns. Without a width, the whole table.
    pub fn wrapped(&self, keys: usize, width: Option<usize>) -> String {
        let widths = self.widths();
        let most = width.unwrap_or(usize::MAX);
        let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
        let mut used = 0;
        for (column, &width) in widths.iter().enumerate() {
            let last = blocks.last().map_or(0, Vec::len);
            let is_full = used + width > most && last > keys.min(column);
            if is_full {
                blocks.push((0..keys).collect());
                used = widths[..keys].iter().map(|w| w + 2).sum();
            }
            blocks.last_mut().into_iter().for_each(|block| block.push(column));
            used += width + 2;
        }
        let texts: Vec<String> = blocks.iter().map(|block| self.text(block, &widths)).collect();
        texts.join("\n")
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let all = || self.rows.iter().chain([&self.head]);
        let width = |i: usize| all().map(|row| visible(&row[i]).width()).max().unwrap_or(0);
        (0..self.head.len()).map(width).collect()
    }

    /// These columns, separated by two blanks; the head has a rule below it, and lines have no
    /// trailing blanks. Control characters in cells are escaped, so that no engine name moves the
    /// cursor.
    fn text(&self, columns: &[usize], widths: &[usize]) -> String {
        let rule: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
        let mut text = String::new();
        for row in [&self.head, &rule].into_iter().chain(&self.rows) {
            for (i, &column) in columns.iter().enumerate() {
                let cell = visible(&row[column]);
                let fill = " ".repeat(widths[column] - cell.width());
                text.push_str(if i > 0 { "  " } else { "" });
                match self.align[column] {
                    Align::Left => text.extend([&*cell, &fill]),
                    Align::Right => text.extend([&*fill, &cell]),
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

impl std::fmt::Display for TextTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.wrapped(0, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_display_width() {
        let mut t = TextTable::new(&[(Align::Left, &["engine"]), (Align::Right, &["games"])]);
        t.row(["亚马逊", "1108"]);
        t.row(["pvs", "9"]);
        assert_eq!(t.to_string(), "engine  games\n------  -----\n亚马逊   1108\npvs         9\n");
    }

    #[test]
    fn control_characters_cannot_reach_the_terminal() {
        let mut t = TextTable::new(&[(Align::Left, &["name", "x"])]);
        t.row(["\u{1b}[2Jevil\n"]);
        let text = t.to_string();
        assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2Jevil\\n"), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn a_wide_table_is_printed_in_blocks_that_fit() {
        let mut t =
            TextTable::new(&[(Align::Left, &["name"]), (Align::Right, &["aaaa", "bbbb", "cccc"])]);
        t.row(["x", "1", "2", "3"]);
        assert_eq!(t.wrapped(1, Some(100)), t.to_string());
        let text = t.wrapped(1, Some(16));
        assert_eq!(
            text,
            "name  aaaa  bbbb\n----  ----  ----\nx        1     2\n\n\
             name  cccc\n----  ----\nx        3\n"
        );
        // Even where nothing fits, every column is printed once.
        let narrow = t.wrapped(1, Some(3));
        assert!(["aaaa", "bbbb", "cccc"].iter().all(|c| narrow.matches(c).count() == 1));
    }
}

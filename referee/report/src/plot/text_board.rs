//! A position as text for a terminal: the board as on paper, with the last move in brackets.

use super::board::BoardPicture;
use super::cell::PieceStyle;
use agon_games::arbiter::Arbiter;
use unicode_width::UnicodeWidthStr;

/// The position with its last move marked, and below it whose turn it is. If the board cannot be
/// drawn, the rules' own text board.
pub fn text_board(game: &str, position: &dyn Arbiter, style: PieceStyle) -> String {
    let own = position.diagram();
    let Ok(board) = BoardPicture::parse(game, &position.fen()) else { return own };
    let board = board.with_last_move(&position.tokens());
    let mut text = if board.has_river() { lines(&board, style) } else { squares(&board, style) };
    // What the rules say about the position stands below the letters of the files.
    let is_files = |line: &str| {
        line.trim_start().starts_with('a') && line.split_whitespace().all(|w| w.len() == 1)
    };
    for line in own.lines().skip_while(|line| !is_files(line)).skip(1) {
        match style {
            // Characters have no case.
            PieceStyle::Characters if board.has_river() => {
                text.push_str(&line.replace(" (capitals)", "").replace(" (small letters)", ""));
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

/// The bracket before a square of a row: one that opens here, or one that closes the square before.
fn bracket(board: &BoardPicture, row: usize, file: usize) -> Option<char> {
    let marked = |file: usize| {
        file < board.files() && board.marked().contains(&(row * board.files() + file))
    };
    match (file.checked_sub(1).is_some_and(marked), marked(file)) {
        (true, true) => Some('|'),
        (true, false) => Some(']'),
        (false, true) => Some('['),
        (false, false) => None,
    }
}

fn label_width(board: &BoardPicture) -> usize {
    board.rank_name(0).to_string().len()
}

/// A board of squares: one column of text for each, or as many as the widest piece needs.
fn squares(board: &BoardPicture, style: PieceStyle) -> String {
    let cell = |square: usize| board.cells()[square].text(style).unwrap_or_else(|| ".".into());
    let width = (0..board.cells().len()).map(|s| cell(s).width()).max().unwrap_or(1);
    let label = label_width(board);
    let pad = |text: &str| " ".repeat(width.saturating_sub(text.width())) + text;
    let mut out = String::new();
    for row in 0..board.ranks() {
        out.push_str(&format!("{:label$} ", board.rank_name(row)));
        for file in 0..=board.files() {
            out.push(bracket(board, row, file).unwrap_or(' '));
            if file < board.files() {
                out.push_str(&pad(&cell(row * board.files() + file)));
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str(&format!("{:label$} ", ""));
    for file in 0..board.files() {
        out.push(' ');
        out.push_str(&pad(&board.file_name(file).to_string()));
    }
    out.push('\n');
    out
}

/// A Xiangqi board: pieces on intersections of lines, the river, and the palaces. Every file takes
/// four columns.
fn lines(board: &BoardPicture, style: PieceStyle) -> String {
    let last = board.ranks() - 1;
    let mut out = String::new();
    for row in 0..=last {
        out.push_str(&format!("{} ", board.rank_name(row)));
        out.push_str(&points(board, style, row));
        out.push('\n');
        if row < last {
            out.push_str("   ");
            out.push_str(&between(row, style));
            out.push('\n');
        }
    }
    out.push_str("   ");
    let files: Vec<String> = (0..board.files()).map(|f| board.file_name(f).to_string()).collect();
    out.push_str(&files.join("   "));
    out.push('\n');
    out
}

/// A row of intersections, with a column for the bracket in front.
fn points(board: &BoardPicture, style: PieceStyle, row: usize) -> String {
    let mut out = String::new();
    let files = board.files();
    for file in 0..files {
        let square = row * files + file;
        let text =
            board.cells()[square].text(style).unwrap_or_else(|| crossing(file, row).to_string());
        match bracket(board, row, file) {
            Some('[' | '|') => out.push('['),
            _ => out.push(if file == 0 { ' ' } else { '─' }),
        }
        let rest = 3 - text.width();
        out.push_str(&text);
        let closed = board.marked().contains(&square);
        if closed {
            out.push(']');
        }
        if file + 1 < files {
            out.push_str(&"─".repeat(rest - usize::from(closed)));
        }
    }
    out
}

/// The box-drawing character of an empty intersection: inner files stop at the river.
fn crossing(file: usize, row: usize) -> char {
    let edge = file == 0 || file == 8;
    let up = row > 0 && (edge || row != 5);
    let down = row < 9 && (edge || row != 4);
    match (up, down, file) {
        (false, _, 0) => '┌',
        (false, _, 8) => '┐',
        (false, _, _) => '┬',
        (_, false, 0) => '└',
        (_, false, 8) => '┘',
        (_, false, _) => '┴',
        (true, true, 0) => '├',
        (true, true, 8) => '┤',
        (true, true, _) => '┼',
    }
}

/// The lines between a row and the next one.
fn between(row: usize, style: PieceStyle) -> String {
    if row == 4 {
        let river = match style {
            PieceStyle::Characters => "     楚 河           漢 界     ",
            PieceStyle::Letters => "           R I V E R           ",
        };
        return format!("│{river}│");
    }
    let diagonals = match row {
        0 | 7 => ["╲", "╱"],
        1 | 8 => ["╱", "╲"],
        _ => [" ", " "],
    };
    let gap = |file: usize| match file {
        3 => diagonals[0],
        4 => diagonals[1],
        _ => " ",
    };
    let mut out = String::new();
    for file in 0..8 {
        out.push_str(&format!("│ {} ", gap(file)));
    }
    out.push('│');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter;

    fn board(game: &str, position: &str, style: PieceStyle) -> String {
        let position = arbiter::game(game).unwrap().open_text(position, &[]).unwrap();
        text_board(game, &*position, style)
    }

    /// The column of the terminal at which a text begins in a line.
    fn column(line: &str, text: &str) -> usize {
        line[..line.find(text).unwrap()].width()
    }

    #[test]
    fn a_xiangqi_move_is_in_brackets_on_its_ranks_and_files() {
        let text = board("xiangqi", "startpos moves h2e2", PieceStyle::Characters);
        let lines: Vec<&str> = text.lines().collect();
        let rank = |n: &str| lines.iter().copied().find(|l| l.starts_with(n)).unwrap();
        let files = lines.iter().copied().find(|l| l.trim_start().starts_with('a')).unwrap();
        assert_eq!(column(rank("2 "), "[炮]") + 1, column(files, "e"), "{text}");
        assert_eq!(column(rank("2 "), "[┼]") + 1, column(files, "h"), "{text}");
        assert_eq!(text.matches('[').count(), 2, "{text}");
        // Red's king is on e0, Black's on e9.
        assert_eq!(column(rank("0 "), "帥"), column(files, "e"), "{text}");
        assert_eq!(column(rank("9 "), "將"), column(files, "e"), "{text}");
        let river = lines.iter().position(|l| l.contains("楚 河")).unwrap();
        assert!(lines[river - 1].starts_with("5 ") && lines[river + 1].starts_with("4 "));
        assert_eq!(text.matches('╲').count() + text.matches('╱').count(), 8);
        assert!(text.contains("\nBlack to move"), "{text}");
        let width = lines[0].width();
        assert!(lines.iter().take(19).all(|l| l.width() + 1 >= width), "{text}");
    }

    #[test]
    fn letters_are_an_option() {
        let text = board("xiangqi", "startpos moves h2e2", PieceStyle::Letters);
        assert!(text.contains("[C]") && text.contains("R I V E R") && !text.contains('炮'));
    }

    #[test]
    fn a_last_move_that_chance_follows_stays_marked() {
        let text = board("darkchess", "startpos moves b3 =K", PieceStyle::Characters);
        assert!(text.contains("[帥]"), "{text}");
        let text = board("darkchess", "startpos moves b3 =k", PieceStyle::Letters);
        assert!(text.contains("[k]"), "{text}");
    }

    #[test]
    fn every_game_has_a_board_of_its_ranks() {
        for game in ["amazons", "connect6", "darkchess", "einstein", "nogo", "xiangqi"] {
            let kind = arbiter::game(game).unwrap();
            let position = kind.open_text("startpos", &[]).unwrap();
            let text = text_board(game, &*position, PieceStyle::Characters);
            let ranks = BoardPicture::parse(game, &position.fen()).unwrap().ranks();
            assert!(text.lines().count() > ranks, "{text}");
            assert!(
                text.lines().next().unwrap().trim_start().starts_with(|c: char| c.is_ascii_digit())
            );
        }
    }
}

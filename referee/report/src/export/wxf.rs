//! Xiangqi games in the World Xiangqi Federation's file format.

use super::{ExportError, Occasion, names, replayed, result};
use agon_matchlog::{GameRecord, MatchHeader};
use std::fmt::Write;

/// One game, followed by an empty line.
pub fn game(
    header: &MatchHeader,
    record: &GameRecord,
    occasion: &Occasion,
) -> Result<String, ExportError> {
    if header.game != "xiangqi" {
        return Err(ExportError::new(
            record,
            format!("WXF is for xiangqi, not for {}", header.game),
        ));
    }
    let (start, plies) = replayed(header, record)?;
    let [red, black] = names(header, record).map(|n| n.replace([';', '\n', '\r'], " "));
    let mut text = String::from("FORMAT          WXF\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "GAME            {}", occasion.event(header));
    if !occasion.place.is_empty() {
        let _ = writeln!(text, "PLACE           {}", occasion.place.replace(['\n', '\r'], " "));
    }
    let _ = writeln!(text, "RED             {red};;;");
    let _ = writeln!(text, "BLACK           {black};;;");
    let _ = writeln!(text, "RESULT          {}", result(record.result));
    let _ = writeln!(text, "REMARK          {}", record.reason.name());
    let _ = writeln!(text, "FEN             {}", start.start_fen());
    text.push_str("START{\n");
    let mut number = 1;
    for (i, ply) in plies.iter().enumerate() {
        match (ply.by, i) {
            ('1', _) => {
                let _ = write!(text, "{number:>3}. {:<6}", ply.text);
            }
            (_, 0) => {
                let _ = writeln!(text, "{number:>3}. ...... {}", ply.text);
                number += 1;
            }
            _ => {
                let _ = writeln!(text, " {}", ply.text);
                number += 1;
            }
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("}END\n\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn moves_are_written_as_the_federation_has_them() {
        let (header, record) = example("xiangqi", "startpos", "h2e2 h9g7 h0g2");
        let text = game(&header, &record, &Occasion::default()).unwrap();
        let moves: Vec<&str> = text.lines().skip_while(|l| *l != "START{").collect();
        assert_eq!(moves, ["START{", "  1. C2.5   H8+7", "  2. H2+3  ", "}END", ""]);
        assert!(text.contains("RESULT          0-1"), "{text}");
    }
}

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
    let mut fields = vec![("GAME", occasion.event(header))];
    if !occasion.place.is_empty() {
        fields.push(("PLACE", occasion.place.replace(['\n', '\r'], " ")));
    }
    fields.extend([
        ("RED", format!("{red};;;")),
        ("BLACK", format!("{black};;;")),
        ("RESULT", result(record.result).into()),
        ("REMARK", record.reason.name().into()),
        ("FEN", start.start_fen()),
    ]);
    Ok(text(&fields, plies.into_iter().map(|ply| (ply.by, ply.text))))
}

/// A game: its fields, and its moves with the players, `1` or `2`, followed by an empty line.
pub fn text(fields: &[(&str, String)], plies: impl IntoIterator<Item = (char, String)>) -> String {
    let mut text = String::from("FORMAT          WXF\n");
    for (name, value) in fields {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<15} {value}");
    }
    text.push_str("START{\n");
    let mut number = 1;
    for (i, (by, ply)) in plies.into_iter().enumerate() {
        match (by, i) {
            ('1', _) => {
                let _ = write!(text, "{number:>3}. {ply:<6}");
            }
            (_, 0) => {
                let _ = writeln!(text, "{number:>3}. ...... {ply}");
                number += 1;
            }
            _ => {
                let _ = writeln!(text, " {ply}");
                number += 1;
            }
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("}END\n\n");
    text
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

//! Records written by hand after the forms in use, and random games there and back.

use super::*;
use crate::arbiter::{Arbiter, game};
use crate::game::{Outcome, Player, Turn};
use crate::rng;
use proptest::prelude::*;
use rand_core::Rng;

const FIRST: Option<Outcome> = Some(Outcome::Win(Player::First));

/// Plays a record's tokens; the arbiter must accept each.
fn replayed(record: &Record) -> Box<dyn Arbiter> {
    let mut board = game(record.game.name()).unwrap().open(None, &[]).unwrap();
    for token in record.tokens() {
        board.push(token).unwrap_or_else(|e| panic!("{}: {e}", record.game.name()));
    }
    board
}

#[test]
fn a_record_of_connect6_is_read_stone_by_stone() {
    let text = "{[C6][重庆大学 B][东北大学 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];\
                B(J,10);W(I,11);W(I,12)MARK[1];B(K,11);B(H,9)}";
    let record = read(text).unwrap();
    assert_eq!(record.game, RecordGame::Connect6);
    assert_eq!((record.first.as_str(), record.second.as_str()), ("重庆大学", "东北大学"));
    assert_eq!((record.date.as_str(), record.place.as_str()), ("2017.07.29 14:00", "重庆"));
    assert_eq!((record.result, record.event.as_str()), (FIRST, "2017 CCGC"));
    // The ninth column is I, and row 1 is the lowest.
    assert_eq!(record.moves, ["j10", "i11i12", "h9k11"]);
    assert_eq!(replayed(&record).tokens(), record.moves);
    let name = "C6-重庆大学 vs 东北大学-先手胜-2017.07.29 14_00 重庆-2017 CCGC.txt";
    assert_eq!(file_name(&record), name);
    let written = write(&record).unwrap();
    assert_eq!(written, text.replace("MARK[1];B(K,11);B(H,9)", ";B(H,9);B(K,11)") + "\n");
}

#[test]
fn a_record_of_amazons_has_two_moves_in_a_numbered_line() {
    let text = "#[AM][甲][乙][后手胜][2020.10.01 15:04 重庆][2020 CCGC];\n1 D1D6(G6) A7B7(B1)\n2 J4I4(J4)\n";
    let record = read(text).unwrap();
    assert_eq!(record.result, Some(Outcome::Win(Player::Second)));
    assert_eq!(record.moves, ["d1d6,d6g6", "a7b7,b7b1", "j4i4,i4j4"]);
    assert!(replayed(&record).fen().ends_with(" b"), "the first player, below, has moved twice");
    assert_eq!(write(&record).unwrap(), text);
    let loose = read(&text.replace("D1D6(G6)", "d1-d6/g6").replace("1 d", "1. d")).unwrap();
    assert_eq!(loose, record);
    let single = text.replace(" A7", "\n2 A7").replace("2 J4", "3 J4");
    assert_eq!(read(&single).unwrap(), record, "each move on a numbered line");
}

/// Red in the upper left corner moves first.
const EINSTEIN: &str = "#[甲][乙][先手胜][2021.08.01 10:00 南京][2021 CCGC];\n\
    R:A5-1;B5-4;C5-2;A4-5;B4-3;A3-6\n\
    B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6\n\
    1:4;(R4,C4)\n2:3;(B3,D3)\n3:4;(R4,D3)\n";

#[test]
fn red_is_the_upper_left_side_of_einstein() {
    let record = read(EINSTEIN).unwrap();
    assert_eq!(record.game, RecordGame::EinStein);
    let set_ups = record.set_ups.clone().unwrap();
    assert_eq!(set_ups, ["142536", "123456"]);
    // Stone 4 of Red steps from B5 to C4 diagonally, that of Blue from E2 to D3, where Red takes it.
    assert_eq!(record.moves, ["4", "b5c4", "3", "e2d3", "4", "c4d3"]);
    assert!(!record.blue_first);
    let board = replayed(&record);
    assert_eq!(board.fen(), "A1B2/EC3/F2Da/3b1/2def l -");
    assert_eq!(write(&record).unwrap(), EINSTEIN);
    assert!(file_name(&record).starts_with("WTN-甲 vs 乙-先手胜-2021.08.01 10_00 南京-2021 CCGC"));
}

#[test]
fn a_game_that_blue_begins_is_turned_and_written_as_it_was() {
    let turned = EINSTEIN
        .replace("R:A5-1;B5-4;C5-2;A4-5;B4-3;A3-6", "R:A5-6;B5-5;C5-4;A4-3;B4-2;A3-1")
        .replace("B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6", "B:E3-6;D2-3;E2-5;C1-2;D1-4;E1-1")
        .replace("(R4,C4)", "(B4,C2)")
        .replace("(B3,D3)", "(R3,B3)")
        .replace("(R4,D3)", "(B4,B3)");
    let record = read(&turned).unwrap();
    assert!(record.blue_first);
    let usual = read(EINSTEIN).unwrap();
    assert_eq!(record.tokens().collect::<Vec<_>>(), usual.tokens().collect::<Vec<_>>());
    assert_eq!(write(&record).unwrap(), turned);
}

#[test]
fn the_ninth_column_of_nogo_is_i() {
    let text = "{[NG][甲 B][乙 W][后手胜][2020.8.23 线上][2020 CCGC];B(I,9);W(A,1)}\n";
    let record = read(text).unwrap();
    assert_eq!(record.moves, ["j9", "a1"]);
    assert_eq!(replayed(&record).tokens(), record.moves);
    assert_eq!(write(&record).unwrap(), text);
    // As some programs write it, and with the columns of a go board.
    for other in [
        "([NG][甲][乙][后手胜][2020.8.23 线上][2020 CCGC];\nB:[I9];\nW:[A1];\n)",
        &text.replace("I,9", "J,9"),
    ] {
        assert_eq!(read(other).unwrap(), record, "{other}");
    }
}

#[test]
fn forms_that_differ_are_read_alike() {
    let record = read(EINSTEIN).unwrap();
    let full = EINSTEIN
        .replace(';', "；")
        .replace(':', "：")
        .replace(',', "，")
        .replace('(', "（")
        .replace(')', "）");
    for other in [
        EINSTEIN.replace('\n', "\r\n"),
        format!("\u{feff}{EINSTEIN}"),
        EINSTEIN.replace("#[甲][乙]", "#[WTN][甲 R][乙 B]"),
        EINSTEIN.replace("#[甲]", "#【甲】"),
        EINSTEIN.replace("];\n", "]\n"),
        EINSTEIN.replace("(R4,C4)", " ( r4 , c4 ) "),
        EINSTEIN.replace("CCGC];\n", "\nCCGC];"),
        full.replace("10：00", "10:00"),
    ] {
        assert_eq!(read(&other).unwrap(), record, "{other}");
    }
    let blank =
        read("{[C6][][][先手胜][2017-12-12 14:26 ][];B(J,10);W(I,11);W(I,12);B(K,11)}").unwrap();
    assert_eq!(
        (blank.first.as_str(), blank.place.as_str(), blank.date.as_str()),
        ("", "", "2017-12-12 14:26")
    );
    assert_eq!(blank.moves, ["j10", "i11i12", "k11"], "a last turn of one stone");
    for (word, result) in [
        ("和棋", Some(Outcome::Draw)),
        ("未结束", None),
        ("后手胜", Some(Outcome::Win(Player::Second))),
    ] {
        let text = format!("{{{{C6}}[Plan B][乙][{word}][][]}}");
        let record = read(&text).unwrap();
        assert_eq!((record.result, record.first.as_str()), (result, "Plan B"));
    }
}

const SECOND: Option<Outcome> = Some(Outcome::Win(Player::Second));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// Headers as programs of teams write them, the game, the result, and first, second, place and event.
const HEADERS: [(&str, &str, Option<Outcome>, &str); 19] = [
    // Blanks in the date, a full-width semicolon.
    ("#[AM][甲][乙][先手胜][2021 / 10 / 1 12:3:4 四川][国赛]；\n", "AM", FIRST, "甲|乙|四川|国赛"),
    // Neither event nor brackets around the date; words of the form.
    ("#[AM][甲][乙][先/后手胜]2020.10.01 15:04;\r\n", "AM", None, "甲|乙||"),
    ("\n#[AM][甲][乙][胜负关系][2018.8.3 合肥][杯];我执黑后手\n", "AM", None, "甲|乙|合肥|杯"),
    ("[AM][甲][乙][先手负][2018.8.3];", "AM", SECOND, "甲|乙||"),
    ("#[亚马逊棋][甲][乙][后手获胜][杯]\n", "AM", SECOND, "甲|乙||杯"),
    // No letters of the game, no brackets around the result, blanks, full-width characters, colours.
    ("{[甲B][乙W][先手胜][2018.08.3 15:00 合肥][大赛];", "C6", FIRST, "甲|乙|合肥|大赛"),
    ("{[C6][甲B][乙W]平局[2021.05.01 10:00 沈阳][杯];", "C6", DRAW, "甲|乙|沈阳|杯"),
    ("[C6][甲 Ｂ][乙 Ｗ][ 和 棋 ][][];", "C6", DRAW, "甲|乙||"),
    ("{〔Ｃ６〕【甲 B】【乙 W】【先手勝】【２０２１．５．１】【杯】；", "C6", FIRST, "甲|乙||杯"),
    ("{[C6][甲][乙][黑方胜][2021.05.01][沈阳][杯]", "C6", FIRST, "甲|乙|沈阳|杯"),
    ("{[c6][甲][乙][2021.05.01 10:00 沈阳][杯];", "C6", None, "甲|乙|沈阳|杯"),
    ("{[六子棋][甲][乙][白棋胜利]", "C6", SECOND, "甲|乙||"),
    ("([NG][甲][乙][白胜][2024-05-01 10:00][CCGC];", "NG", SECOND, "甲|乙||CCGC"),
    ("([NG][A队][B队][先手/后手胜][2020.8.23.840线上][杯];\n", "NG", None, "A队|B队|线上|杯"),
    ("[甲][乙][先手胜][][]\n", "NG", FIRST, "甲|乙||"),
    (
        "#[甲 R][乙 B][红方胜][2021.08.01 南京][2021 \nCCGC];\n",
        "WTN",
        FIRST,
        "甲|乙|南京|2021 CCGC",
    ),
    ("#[甲][乙][红负][2021.08.01 10:00]\n// 备注\n", "WTN", SECOND, "甲|乙||"),
    ("#[爱恩斯坦棋][甲][乙][先手胜][2021.08.01][南京][杯]\n", "WTN", FIRST, "甲|乙|南京|杯"),
    ("#[甲][乙][先手胜][2021.08.01][南京][杯]\n说明：红先\n", "WTN", FIRST, "甲|乙|南京|杯"),
];

#[test]
fn headers_of_teams_are_read() {
    for (header, game, result, fields) in HEADERS {
        let moves = match game {
            "AM" => "1 D1D6(G6) A7B7(B1)\n2 J4I4(J4)\n",
            "C6" => "B(J,10);W(I,11);W(I,12);B(K,11);B(H,9)}",
            "NG" => "B(I,9);W(A,1);B(E,5)",
            _ => EINSTEIN.split_once('\n').unwrap().1,
        };
        let text = format!("{header}{moves}");
        let record = read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let found = [&record.first, &record.second, &record.place, &record.event];
        assert_eq!(found.map(String::as_str).join("|"), fields, "{text}");
        assert_eq!((record.game.letters(), record.result), (game, result), "{text}");
        replayed(&record);
        let exact = write(&record).unwrap();
        assert_eq!(read(&exact).unwrap(), record, "{exact}");
    }
}

#[test]
fn remarks_among_the_moves_are_skipped() {
    let text = "{[C6][a][b][先手胜][][];B(J,10);W(I,11)MARK[1]C[好棋];W(I,12);黑方占优;\nB(K,11);// B(A,1)\nB(H,9)}\n谢谢";
    assert_eq!(read(text).unwrap().moves, ["j10", "i11i12", "h9k11"]);
    let text = "#[AM][a][b][先手胜][][];\n1 D1D6(G6)\n A7B7(B1) 说明\n2\nJ4I4(J4)\n先手认输";
    assert_eq!(read(text).unwrap().moves, ["d1d6,d6g6", "a7b7,b7b1", "j4i4,i4j4"]);
    let noted = EINSTEIN.replace("2:3;", "第二步\n2:3;");
    assert_eq!(read(&noted).unwrap(), read(EINSTEIN).unwrap());
}

#[test]
fn mistakes_are_named_with_line_and_column() {
    let c6 = "{[C6][a B][b W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}";
    let mut wrong = Vec::new();
    for (text, line, column, expected) in [
        ("", 1, 1, "no header"),
        ("{\"agon_match_log\":2}", 1, 1, "no header"),
        (
            "{[C5][a][b][先手胜][d][e];B(J,10)}",
            1,
            2,
            "a record of `C5`: expected one of C6 (connect6)",
        ),
        ("{[C6][a][b][who][d][e]}", 1, 12, "result `who`: expected 先手胜"),
        ("{[C6][a][b][先手胜", 1, 12, "never closed"),
        ("{[C6][a][b][红胜][d][e]}", 1, 12, "result `红胜`: expected 先手胜"),
        ("#[AM][a][b][黑胜][d][e];", 1, 12, "result `黑胜`: expected 先手胜"),
        ("[Game \"Chinese Chess\"]\n[Red \"\"]\n\n1. C2.5", 1, 1, "is a tag of PGN"),
        ("{[HEX][a][b][先手胜];", 1, 2, "a record of `HEX`"),
        ("{[XYZ][a][b][先手胜];", 1, 2, "a record of `XYZ`"),
        (&c6.replace("W(I,12)", "B(I,12)"), 1, 70, "a stone of B: turn 2 is W's"),
        (&c6.replace("(J,10)", "(T,10)"), 1, 56, "found `T,10);W(I,11`"),
        (&c6.replace("(J,10)", "(J,20)"), 1, 56, "found `J,20)"),
        (&c6.replace("W(I,12)", "half"), 1, 70, "a stone such as `B(E,10)`"),
        (&EINSTEIN.replace("A5-1", "A5-2"), 2, 13, "stone 2 stands on two squares"),
        (&EINSTEIN.replace("A5-1", "E5-1"), 2, 1, "set-ups: expected"),
        (&EINSTEIN.replace(";A3-6", ""), 3, 1, "a square and the number"),
        (&EINSTEIN.replace("2:3;(B3", "2:3;(R3"), 5, 6, "the side of move 1 again"),
        (&EINSTEIN.replace("2:3", "3:3"), 5, 1, "move 3: expected move 2"),
        (&EINSTEIN.replace("2:3", "2:7"), 5, 1, "a roll of 7: expected 1 to 6"),
        (&(EINSTEIN.to_string() + "4:3;(B3,C3)"), 7, 6, "B has no stone 3"),
        ("#[AM][a][b][后手胜][d][e];\n1 D1D6(G6) A7B7(B1)\n5 D6", 3, 1, "number 5: expected 2"),
        ("#[AM][a][b][后手胜][d][e];\n1 D1D6(G6) A7B7(B11)", 2, 17, "a move such as"),
        ("{[NG][a][b][后手胜][d][e];B(I,9);W(J,9)}", 1, 31, "columns I and J"),
    ] {
        let error = read(text).unwrap_err();
        if !error.reason.contains(expected) || (error.line, error.column) != (line, column) {
            wrong.push(format!("{text}: {error}: expected {line}, {column}: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_of_files_have_no_characters_that_systems_refuse() {
    let mut record = read(EINSTEIN).unwrap();
    record.first = "a/b\\c:d*e?\"<f>|\u{7}\u{202e}".into();
    record.second = "很".repeat(500);
    let name = file_name(&record);
    assert!(!name.chars().any(|c| "/\\:*?\"<>|\u{202e}".contains(c) || c.is_control()), "{name}");
    assert!(name.len() < 255, "{} bytes", name.len());
}

/// A random game of at most so many tokens.
fn random_game(kind: RecordGame, seed: u64, most: usize) -> Record {
    let mut rng = rng::stream(seed, 0, "records");
    let mut board = game(kind.name()).unwrap().open(None, &[]).unwrap();
    for _ in 0..most {
        let tokens: Vec<String> = match board.turn() {
            Turn::Over(_) => break,
            Turn::Chance => board.chance_tokens().into_iter().map(|(token, _)| token).collect(),
            Turn::Player(_) => board.legal_tokens(),
        };
        let token = &tokens[rng.next_u32() as usize % tokens.len()];
        board.push(token).unwrap();
    }
    let mut record = Record::of_tokens(kind, &board.tokens());
    if let (RecordGame::EinStein, Some(last)) = (kind, record.moves.last())
        && last.len() == 1
    {
        // The form has no place for a roll without a move.
        record.moves.pop();
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_game_comes_back_from_its_record(
        which in 0usize..4,
        seed in any::<u64>(),
        most in 2usize..40,
        names in proptest::array::uniform4("[a-z大学]{0,8}"),
        result in 0usize..4,
        blue_first: bool,
    ) {
        let mut record = random_game(RecordGame::ALL[which], seed, most);
        let [first, second, place, event] = names;
        (record.first, record.second, record.place, record.event) = (first, second, place, event);
        record.date = "2026.11.23 09:30".into();
        let wins = Player::BOTH.map(|p| Some(Outcome::Win(p)));
        record.result = [wins[0], wins[1], Some(Outcome::Draw), None][result];
        record.blue_first = blue_first && record.moves.len() > 1 && record.game == RecordGame::EinStein;
        let text = write(&record).unwrap();
        let back = read(&text).map_err(|e| TestCaseError::fail(format!("{e}: {text}")))?;
        prop_assert_eq!(&back, &record);
        prop_assert_eq!(write(&back).unwrap(), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[{}#A-R0-9:;(),/\\[\\] \n先手红胜【】－-]{0,80}", cut in 0usize..150) {
        let _ = read(&text);
        let _ = read(&format!("#[a][b][先手胜][][];{text}"));
        let _ = read(&EINSTEIN.chars().take(cut).collect::<String>());
    }
}

//! Tests of FEN, WXF and move texts: accepted input, output, and errors.

use super::game;
use crate::game::Game;
use crate::xiangqi::{START_FEN, Xiangqi, XiangqiRules, san, wxf};

fn people(fen: &str, token: &str) -> String {
    let game = game(fen);
    game.display_move(game.parse_move(token).unwrap())
}

#[test]
fn moves_are_written_for_people_in_the_way_of_the_federation() {
    for (token, text) in
        [("h2e2", "C2.5"), ("h0g2", "H2+3"), ("a3a4", "P9+1"), ("c0e2", "E7+5"), ("i0i2", "R1+2")]
    {
        assert_eq!(people(START_FEN, token), text);
    }
    let black = START_FEN.replace(" w ", " b ");
    for (token, text) in [("h7e7", "C8.5"), ("b9c7", "H2+3"), ("i9i8", "R9+1"), ("d9e8", "A4+5")] {
        assert_eq!(people(&black, token), text);
    }
}

#[test]
fn two_on_a_file_are_front_and_rear_and_more_pawns_have_letters() {
    let rooks = "3k5/R8/9/9/9/R8/9/9/9/4K4 w";
    assert_eq!(people(rooks, "a8a9"), "R++1");
    assert_eq!(people(rooks, "a4b4"), "R-.8");
    let pawns = "4k4/9/P1P6/P1P6/9/9/9/9/9/3K5 w";
    let expected = [("c7d7", "Pa.6"), ("c6d6", "Pb.6"), ("a7b7", "Pc.8"), ("a6b6", "Pd.8")];
    for (token, text) in expected {
        assert_eq!(people(pawns, token), text);
    }
}

#[test]
fn move_texts_are_read_liberally() {
    let start = game(START_FEN);
    let canonical = start.parse_move("h2e2").unwrap();
    for text in ["H2E2", "h2-e2", "H2-E2", "C2.5", "c2=5", " C2=5 "] {
        assert_eq!(start.parse_move(text), Ok(canonical), "{text}");
    }
    let rooks = game("3k5/R8/9/9/9/R8/9/9/9/4K4 w");
    for text in ["R++1", "+R+1", "r++1", "R9+1"] {
        // Only the front rook can step forward once and give check; both can step forward.
        let read = rooks.parse_move(text).map(|m| m.to_string());
        match text {
            "R9+1" => assert!(read.unwrap_err().to_string().contains("may mean any of")),
            _ => assert_eq!(read.unwrap(), "a8a9"),
        }
    }
    assert_eq!(start.parse_move("N2+3"), start.parse_move("H2+3"));
}

/// The same moves as in the notation of the federation.
#[test]
fn moves_in_chinese_characters_are_read() {
    let read = |fen: &str, text: &str| {
        let game = game(fen);
        game.parse_move(text).map_err(|e| e.to_string()).map(|m| m.to_string())
    };
    let black = START_FEN.replace(" w ", " b ");
    for (fen, texts, token) in [
        (START_FEN, ["炮二平五", "砲２平５", "包2平5"], "h2e2"),
        (START_FEN, ["马二进三", "馬二進三", "傌２進３"], "h0g2"),
        (START_FEN, ["相七进五", "象七進五", "相７进５"], "c0e2"),
        (START_FEN, ["仕四进五", "士四進五", "仕４进５"], "f0e1"),
        (START_FEN, ["帅五进一", "帥五進一", "将5进1"], "e0e1"),
        (START_FEN, ["兵七进一", "卒七進一", "兵７进１"], "c3c4"),
        (&black, ["炮８平５", "砲8平5", "炮八平五"], "h7e7"),
        (&black, ["马２进３", "馬２進３", "马二进三"], "b9c7"),
        (&black, ["车９进１", "車９進１", "俥九进一"], "i9i8"),
        ("3k5/R8/9/9/9/R8/9/9/9/4K4 w", ["前车进一", "前車進一", "前俥进1"], "a8a9"),
        ("3k5/R8/9/9/9/R8/9/9/9/4K4 w", ["后车平八", "後車平八", "后车平8"], "a4b4"),
        ("4k4/9/P8/P8/P8/9/9/9/9/3K5 w", ["前兵平八", "前兵平8", "一兵平八"], "a7b7"),
        ("4k4/9/P8/P8/P8/9/9/9/9/3K5 w", ["中兵平八", "中兵平８", "二兵平八"], "a6b6"),
        ("4k4/9/P8/P8/P8/9/9/9/9/3K5 w", ["后兵平八", "後兵平八", "三兵平八"], "a5b5"),
        ("4k4/9/P1P6/P1P6/9/9/9/9/9/3K5 w", ["前七平六", "前７平６", "一兵平六"], "c7d7"),
        ("4k4/9/P1P6/P1P6/9/9/9/9/9/3K5 w", ["后九平八", "後９平８", "四兵平八"], "a6b6"),
    ] {
        for text in texts {
            assert_eq!(read(fen, text).as_deref(), Ok(token), "{text}");
        }
    }
    let both = read("4k4/9/P1P6/P1P6/9/9/9/9/9/3K5 w", "前兵进一").unwrap_err();
    assert!(both.contains("it may mean any of"), "{both}");
    let none = read(START_FEN, "炮二平二").unwrap_err();
    assert!(none.contains("no legal move is written so"), "{none}");
    assert!(read(START_FEN, "炮二上五").unwrap_err().contains("`炮二平五`"));
}

#[test]
fn moves_are_written_in_chinese_characters_and_by_squares() {
    let black = START_FEN.replace(" w ", " b ");
    let rooks = "3k5/R8/9/9/9/R8/9/9/9/4K4 w";
    let three = "4k4/9/P8/P8/P8/9/9/9/9/3K5 w";
    let two_files = "4k4/9/P1P6/P1P6/9/9/9/9/9/3K5 w";
    let five = "2P1k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let pairs = "3k5/9/9/9/9/2p1p4/2p1p4/9/9/4K4 b";
    for (fen, token, text) in [
        (START_FEN, "h2e2", "炮二平五"),
        (START_FEN, "b2e2", "炮八平五"),
        (START_FEN, "h0g2", "马二进三"),
        (START_FEN, "c0e2", "相七进五"),
        (START_FEN, "f0e1", "仕四进五"),
        (START_FEN, "e0e1", "帅五进一"),
        (START_FEN, "c3c4", "兵七进一"),
        (START_FEN, "i0i2", "车一进二"),
        (&black, "h7e7", "炮8平5"),
        (&black, "b9c7", "马2进3"),
        (&black, "i9i8", "车9进1"),
        (&black, "d9e8", "士4进5"),
        (&black, "g9e7", "象7进5"),
        (&black, "e9e8", "将5进1"),
        (&black, "c6c5", "卒3进1"),
        (rooks, "a8a9", "前车进一"),
        (rooks, "a4b4", "后车平八"),
        (three, "a7b7", "前兵平八"),
        (three, "a6b6", "中兵平八"),
        (three, "a5b5", "后兵平八"),
        (two_files, "c7d7", "一兵平六"),
        (two_files, "a6b6", "四兵平八"),
        (five, "c9d9", "一兵平六"),
        (five, "c5d5", "五兵平六"),
        (pairs, "c3d3", "一卒平4"),
        (pairs, "e4f4", "四卒平6"),
    ] {
        let game = game(fen);
        let m = game.parse_move(token).unwrap();
        let texts = game.move_texts(m);
        assert_eq!(texts.chinese.as_deref(), Some(text), "{token}");
        assert_eq!(texts.wxf, Some(game.display_move(m)));
        for text in texts.all() {
            assert_eq!(game.parse_move(text), Ok(m), "{text}");
        }
    }
    let takes = game("3k5/R8/9/9/9/r8/9/9/9/4K4 w");
    let text = |token: &str| takes.move_texts(takes.parse_move(token).unwrap()).text;
    assert_eq!((text("a8a4"), text("a8a9")), ("a8xa4".into(), "a8-a9".into()));
}

/// The federation's page: three on a file (I), five (II), four (III), two files (IV); and the numbers of
/// Fairy-Stockfish.
#[test]
fn the_shapes_of_tandem_pawns_are_read() {
    let three = "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let four = "4k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let five = "2P1k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let two = "4k4/2P6/2P3P2/2P3P2/9/9/9/9/9/3K5 w";
    let pairs = "3k5/9/9/9/9/2p1p4/2p1p4/9/9/4K4 b";
    for (fen, token, texts) in [
        (
            three,
            "c7d7",
            &["P+.6", "P+=6", "p+.6", "+P.6", "17=6", "17.6", "１７＝６", "前兵平六"][..],
        ),
        (three, "c6d6", &["P7.6", "27=6", "27.6", "中兵平六"]),
        (three, "c5d5", &["P-.6", "-P.6", "37=6", "P–.6", "后兵平六"]),
        (four, "c8d8", &["++.6", "17=6", "＋＋．６", "一兵平六", "前兵平六"]),
        (four, "c7d7", &["P+.6", "27=6", "二兵平六"]),
        (four, "c6d6", &["P-.6", "37=6", "三兵平六"]),
        (four, "c5d5", &["--.6", "47=6", "四兵平六", "后兵平六"]),
        (five, "c9d9", &["++.6", "17=6"]),
        (five, "c8d8", &["P+.6", "27=6"]),
        (five, "c7d7", &["37=6", "三兵平六"]),
        (five, "c6d6", &["P-.6", "47=6"]),
        (five, "c5d5", &["--.6", "57=6", "五兵平六"]),
        (two, "c8c9", &["7++1", "17+1", "前七进一"]),
        (two, "c7d7", &["77.6", "27=6", "27.6"]),
        (two, "c6d6", &["7-.6", "37=6", "后七平六"]),
        (two, "g7h7", &["3+.2", "13=2"]),
        (two, "g6h6", &["3-.2", "23=2", "S-.2"]),
        (pairs, "c3d3", &["3+=4", "13=4", "前3平4"]),
        (pairs, "e4f4", &["5-.6", "25=6", "后5平6"]),
    ] {
        let game = game(fen);
        for text in texts {
            let read = game.parse_move(text).map(|m| m.to_string());
            assert_eq!(read.as_deref(), Ok(token), "{text} in {fen}");
        }
    }
    // The middle one by the federation's page, the third by the numbers.
    let middle = "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/3K5 w";
    assert_eq!(people_of(middle, "33.4"), "g6f6");
    assert_eq!(people_of(middle, "33=4"), "g5f5");
    let short = game(START_FEN);
    for text in ["C25", "c25", "Ｃ２５"] {
        assert_eq!(short.parse_move(text).map(|m| m.to_string()).as_deref(), Ok("h2e2"), "{text}");
    }
    assert_eq!(short.parse_move("M7+5"), short.parse_move("E7+5"));
    assert_eq!(short.parse_move("G5+1"), short.parse_move("K5+1"));
}

fn people_of(fen: &str, text: &str) -> String {
    game(fen).parse_move(text).unwrap().to_string()
}

#[test]
fn every_spelling_of_a_move_means_it_or_is_ambiguous() {
    for fen in [
        START_FEN,
        "4k4/2P6/2P3P2/2P3P2/9/9/9/9/9/3K5 w",
        "3k5/R8/9/9/9/R8/9/1N7/9/1N2K4 w",
        "4k4/2P6/2P6/2P6/2P6/2P6/9/9/9/3K5 w",
    ] {
        let game = game(fen);
        for m in crate::game::legal_moves(&game) {
            let spellings = wxf::spellings(&game.board, m);
            assert_eq!(game.parse_move(&spellings[0]), Ok(m), "{} in {fen}", spellings[0]);
            for text in &spellings {
                // The file alone is first of all the pawn in the middle.
                let is_file = text.as_bytes()[1].is_ascii_digit() && text.starts_with('P');
                match game.parse_move(text) {
                    Ok(_) if is_file => {}
                    Ok(read) => assert_eq!(read, m, "{text} in {fen}"),
                    Err(error) => {
                        let error = error.to_string();
                        let known =
                            error.contains("may mean any of") || error.contains("two squares");
                        assert!(known, "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn games_of_programs_of_chess_are_read() {
    let start = game(START_FEN);
    for (texts, expected) in [
        // pychess, elephantchess, long; coordinates with ranks from 1 and from 0.
        ("Che3 Hg8 Hg3 Rh10", "h2e2 h9g7 h0g2 i9h9"),
        ("Che3 Nhg8 Nhg3 Rih10", "h2e2 h9g7 h0g2 i9h9"),
        ("Ch3-e3 Nh10-g8 Nh1-g3", "h2e2 h9g7 h0g2"),
        ("h3e3 h10g8 h1g3 i10h10", "h2e2 h9g7 h0g2 i9h9"),
        ("H3-E3 H10-G8", "h2e2 h9g7"),
        ("h2e2 h9g7 h0g2 i9h9", "h2e2 h9g7 h0g2 i9h9"),
        ("Che2 Nhg7 Nhg2 Rih9", "h2e2 h9g7 h0g2 i9h9"),
        ("Ｈ２－Ｅ２ Ｈ９－Ｇ７", "h2e2 h9g7"),
        ("Pc5 Pg6 Chxh10 Rxh10", "c3c4 g6g5 h2h9 i9h9"),
        ("c5 g6 Ch3xh10+ Rixh10!?", "c3c4 g6g5 h2h9 i9h9"),
        ("C2.5 H8+7 Hg3", "h2e2 h9g7 h0g2"),
        ("炮二平五 Ng8", "h2e2 h9g7"),
    ] {
        let texts: Vec<&str> = texts.split(' ').collect();
        let read = san::read(&start, &texts);
        assert_eq!(read.tokens.join(" "), expected, "{texts:?}: {read:?}");
        assert!(read.error.is_none() && read.guesses.is_empty(), "{texts:?}: {read:?}");
    }
    let read = san::read(&start, &["Che3", "Hg8", "Qd4"]);
    assert_eq!(read.tokens, ["h2e2", "h9g7"]);
    assert!(read.error.unwrap().to_string().contains("`Qd4` is not a move"));
    let rooks = game("3k5/R8/9/9/9/R8/9/9/9/4K4 w");
    for (text, token) in [("R5a6", "a4a5"), ("R5a8", "a4a7"), ("R9a8", "a8a7"), ("Ra10", "a8a9")] {
        assert_eq!(san::read(&rooks, &[text]).tokens, [token], "{text}");
    }
}

#[test]
fn what_may_mean_several_is_taken_so_that_the_rest_can_be_read() {
    let start = game(START_FEN);
    let read = san::read(&start, &["Ce3", "Hg8", "Hg3", "Rh10"]);
    assert_eq!(read.tokens, ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(read.guesses, [(0, "may mean C2.5 or C8.5, taken for C2.5".to_string())]);
    // The cannon on h3 moves later, so it was the other one.
    let read = san::read(&start, &["Ce3", "Hg8", "Chf3"]);
    assert_eq!(read.tokens, ["b2e2", "h9g7", "h2f2"]);
    assert!(read.error.is_none() && read.guesses[0].1.ends_with("taken for C8.5"), "{read:?}");
    let read = san::read(&start, &["Ce3", "Hg8", "Chf3", "Kz9"]);
    assert_eq!((read.tokens.len(), read.error.is_some()), (3, true));
}

proptest::proptest! {
    #[test]
    fn no_texts_make_the_reader_panic(texts in proptest::collection::vec("[-A-Ka-k0-9+x炮平前五９＋]{0,6}", 0..6)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let read = san::read(&game(START_FEN), &texts);
        proptest::prop_assert!(read.tokens.len() == texts.len() || read.error.is_some());
    }
}

#[test]
fn refused_moves_say_why() {
    let start = game(START_FEN);
    for (text, why) in [
        ("h2", "two squares a0 to i9"),
        ("j0j1", "two squares a0 to i9"),
        ("C2*5", "two squares a0 to i9"),
        ("a5a6", "there is no piece on a5"),
        ("a9a8", "Black's, Red is to move"),
        ("h2i4", "cannot go to i4"),
        ("a0a3", "own piece stands on a3"),
        ("C2.2", "no legal move is written so"),
    ] {
        let error = start.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let facing = game("3k5/9/9/9/9/9/9/9/3C5/3K5 w");
    let error = facing.parse_move("d1e1").unwrap_err().to_string();
    assert!(error.contains("facing the other king"), "{error}");
    let checked = game("3k5/9/9/9/9/9/9/9/9/r3K4 w");
    assert!(checked.parse_move("e0f0").unwrap_err().to_string().contains("in check"));
}

#[test]
fn refused_positions_say_where_and_what_would_be_right() {
    let rules = XiangqiRules::default();
    let rest = "9/9/9/9/9/9/9/9";
    for (fen, why) in [
        ("", "it is empty"),
        ("9/9 w", "2 ranks, expected 10"),
        (&format!("3k5/{rest}/3K6 w"), "rank 0: more than 9 squares"),
        (&format!("3k5/{rest}/3K4 w"), "rank 0 has 8 squares, the ranks above have 9"),
        (&format!("3k5/{rest}/3Kx4 w"), "`x` on square 5"),
        (&format!("3k5/{rest}/4K4"), "the side to move is missing"),
        (&format!("3k5/{rest}/4K4 x"), "expected `w` or `b`"),
        (&format!("3k5/{rest}/9 w"), "0 `K` (kings), expected exactly 1"),
        (&format!("k8/{rest}/4K4 w"), "`k` on a9, where that king can never stand"),
        (&format!("4k4/{rest}/4K4 w"), "the kings see each other"),
        (&format!("3k5/{rest}/3RK4 w"), "Black is in check though Red is to move"),
        (&format!("3k5/{rest}/4K4 w - - x 1"), "plies without capture is `x`"),
        (&format!("3k5/{rest}/4K4 w - - 0 1 2"), "unexpected field `2`"),
        ("3k5/9/9/9/9/P8/P8/9/9/4K4 w", "two pawns of one side on file a before the river"),
        ("3k5/9/9/9/9/1P7/9/9/9/4K4 w", "`P` on b4, where that pawn can never stand"),
        ("3k5/RRR6/9/9/9/9/9/9/9/4K4 b", "3 `R` (rooks), expected at most 2"),
    ] {
        let error = Xiangqi::parse_fen(fen, &rules).unwrap_err().to_string();
        assert!(error.contains(why), "{fen}: {error}");
    }
}

#[test]
fn counters_and_other_spellings_of_a_position_are_read() {
    let read = |fen: &str| game(fen).fen();
    assert_eq!(read("3k5/9/9/9/9/9/9/9/9/4K4 b - - 17 30"), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 17 30");
    assert_eq!(read("3k5/9/9/9/9/9/9/9/9/4K4 r"), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    assert_eq!(read("3k5/9/9/9/9/9/9/9/9/H1E1K4 b - -"), "3k5/9/9/9/9/9/9/9/9/N1B1K4 b - - 0 1");
    assert_eq!(read("3k5/9/9/9/9/9/9/9/9/4K4 b 3 9"), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9");
    assert_eq!(read("3k5/9/9/9/9/9/9/9/9/4K4[] B - - 3 9"), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9");
}

#[test]
fn the_diagram_shows_board_river_and_turn() {
    let text = game(START_FEN).diagram();
    assert!(text.starts_with("9  r n b a k a b n r\n8  . . . . . . . . .\n"), "{text}");
    assert!(text.ends_with("0  R N B A K A B N R\n   a b c d e f g h i\nRed (capitals) to move\n"));
}

//! EinStein: `#[FIRST][SECOND][先手胜][2021.08.01 10:00 PLACE][2021 CCGC];`, then the set-ups, `R:A5-1;B5-4;...` and
//! `B:...` (square and number of all six stones), then a line for each move: `1:5;(R5,B4)`, that is the number
//! of the move, the roll, side and number of the stone, and its target square.
//!
//! Columns are A to E from the left, rows 1 to 5 from below. Red stands in the upper left corner (A5 B5 C5 A4
//! B4 A3) and goes to E1, Blue in the lower right one. Red moves first, or Blue: the letter of the first move
//! tells. In the protocol the first player is always the upper left one, so the board is turned by 180
//! degrees if Blue moves first ([`Record::blue_first`]).

use super::frame;
use super::record::{ReadError, Record};
use super::scan::Scanner;
use crate::board_text::read_squares;
use crate::einstein::{CELLS, SIDE, home, rotate};
use crate::game::Player;

const COLUMNS: &str = "ABCDE";
/// The letters of the sides.
const SIDES: &str = "RB";

/// The squares of a side's stones 1 to 6; `None` for a captured one.
type StoneSquares = [Option<u8>; 6];

/// A square from the file's coordinates.
fn square_of(column: usize, row: usize) -> u8 {
    ((SIDE - 1 - row.min(SIDE - 1)) * SIDE + column) as u8
}

fn name(square: u8) -> String {
    let square = usize::from(square);
    format!("{}{}", char::from(b'A' + (square % SIDE) as u8), SIDE - square / SIDE)
}

/// Reads set-ups and moves after the header.
pub fn read(scan: &mut Scanner, record: &mut Record) -> Result<(), ReadError> {
    let mut stones: [StoneSquares; 2] = [[None; 6]; 2];
    let begin = scan.place();
    for _ in 0..2 {
        scan.skip_remarks(";,{}");
        let side = SIDES.find(scan.expect(SIDES, "a set-up as `R:A5-1;B5-4;C5-2;A4-6;B4-3;A3-5`")?);
        scan.expect(":", "`:`, as in `R:A5-1`")?;
        set_up(scan, &mut stones[side.unwrap_or(0)])?;
    }
    let corner = |side: &StoneSquares| {
        let mut squares: Vec<u8> = side.iter().flatten().copied().collect();
        squares.sort_unstable();
        Player::BOTH.into_iter().find(|&p| squares == home(p))
    };
    let (Some(red), Some(blue)) = (corner(&stones[0]), corner(&stones[1])) else {
        let homes = "A5 B5 C5 A4 B4 A3, the other's E3 D2 E2 C1 D1 E1";
        return Err(scan.error_at(
            begin,
            format!("set-ups: expected each of the stones 1 to 6 once, one side's on {homes}"),
        ));
    };
    if red == blue {
        return Err(scan.error_at(begin, "set-ups: both sides in one corner: expected the upper left one and the lower right one"));
    }
    let starts = stones;
    let plies = plies(scan, &mut stones)?;
    let first = plies.first().map_or(0, |ply| ply.side);
    record.blue_first = first == 1;
    // The first player is in the upper left corner of the protocol's board.
    let turned = [red, blue][first] == Player::Second;
    let seen = |square: u8| if turned { rotate(square) } else { square };
    let layout = |side: usize, player: Player| {
        let number = |square: u8| starts[side].iter().position(|&s| s == Some(seen(square)));
        home(player)
            .map(|square| number(square).map_or('?', |n| char::from(b'1' + n as u8)))
            .iter()
            .collect()
    };
    record.set_ups = Some([layout(first, Player::First), layout(1 - first, Player::Second)]);
    for ply in plies {
        record.moves.push(ply.die.to_string());
        let [from, to] = [ply.from, ply.to].map(|square| name(seen(square)).to_ascii_lowercase());
        record.moves.push(from + &to);
    }
    Ok(())
}

/// Reads `A5-1;B5-4;...` up to the next set-up or move.
fn set_up(scan: &mut Scanner, stones: &mut StoneSquares) -> Result<(), ReadError> {
    let what = "a square and the number of its stone, as `A5-1`";
    for _ in 0..6 {
        scan.skip(";,");
        let at = scan.place();
        // The set-up of the other side begins: a stone is missing.
        if scan.peek_at(1) == Some(':') {
            return Err(scan.expected(what));
        }
        let (column, row) = scan.square(COLUMNS, SIDE, what)?;
        scan.take("-:=,");
        let number = scan.number(what)?;
        let stone = number.checked_sub(1).and_then(|n| stones.get_mut(n));
        let stone =
            stone.ok_or_else(|| scan.error_at(at, format!("stone {number}: expected 1 to 6")))?;
        if stone.replace(square_of(column, row)).is_some() {
            return Err(scan.error_at(at, format!("stone {number} stands on two squares")));
        }
    }
    Ok(())
}

/// A roll and a move.
struct Ply {
    /// 0 for R, 1 for B.
    side: usize,
    die: usize,
    from: u8,
    to: u8,
}

fn plies(scan: &mut Scanner, stones: &mut [StoneSquares; 2]) -> Result<Vec<Ply>, ReadError> {
    let mut plies: Vec<Ply> = Vec::new();
    let what = "a move as `1:5;(R5,B4)`";
    loop {
        scan.skip_remarks(";,})");
        if scan.peek().is_none() {
            return Ok(plies);
        }
        let at = scan.place();
        let (number, due) = (scan.number(what)?, plies.len() + 1);
        if number != due {
            return Err(scan.error_at(at, format!("move {number}: expected move {due}")));
        }
        scan.expect(":", what)?;
        let die = scan.number("a roll from 1 to 6")?;
        if !(1..=6).contains(&die) {
            return Err(scan.error_at(at, format!("a roll of {die}: expected 1 to 6")));
        }
        scan.skip(";,:(");
        let at = scan.place();
        let side = SIDES.find(scan.expect(SIDES, what)?).unwrap_or(0);
        if plies.last().is_some_and(|last| last.side == side) {
            return Err(
                scan.error_at(at, format!("move {number}: the side of move {} again", number - 1))
            );
        }
        let stone = scan.number(what)?;
        let from = stone.checked_sub(1).and_then(|n| stones[side].get(n).copied().flatten());
        let from = from.ok_or_else(|| {
            let side = if side == 0 { 'R' } else { 'B' };
            scan.error_at(at, format!("move {number}: {side} has no stone {stone}"))
        })?;
        scan.skip(",;-");
        let (column, row) = scan.square(COLUMNS, SIDE, what)?;
        let to = square_of(column, row);
        scan.take(")");
        for stone in stones.iter_mut().flatten() {
            if *stone == Some(to) {
                *stone = None;
            }
        }
        stones[side][stone - 1] = Some(to);
        plies.push(Ply { side, die, from, to });
    }
}

/// Writes the record. A roll after which nobody moved is left out: the form has no place for it.
pub fn write(record: &Record) -> Result<String, String> {
    let Some(set_ups) = &record.set_ups else {
        return Err("a record of EinStein needs both set-ups".into());
    };
    let seen = |square: u8| if record.blue_first { rotate(square) } else { square };
    let mut numbers = [0u8; CELLS];
    for (player, layout) in Player::BOTH.into_iter().zip(set_ups) {
        for (square, digit) in home(player).into_iter().zip(layout.bytes()) {
            numbers[usize::from(square)] = digit.wrapping_sub(b'0');
        }
    }
    let mut text = format!("#{};\n", frame::write(record, ["", ""]));
    for (letter, corner) in ['R', 'B'].into_iter().zip(Player::BOTH) {
        let entry = |square: u8| format!("{}-{}", name(square), numbers[usize::from(seen(square))]);
        text.push_str(&format!("{letter}:{}\n", home(corner).map(entry).join(";")));
    }
    let mut die = None;
    let mut ply = 0u32;
    for token in &record.moves {
        if let Ok(roll) = token.parse::<u8>() {
            die = Some(roll);
            continue;
        }
        let squares = read_squares(token, |file, rank| {
            let row = rank.checked_sub(1)?;
            (file < SIDE && row < SIDE).then(|| square_of(file, row))
        })?;
        let (&[from, to], Some(roll)) = (squares.as_slice(), die.take()) else {
            return Err(format!("`{token}`: expected a roll, then a move as `b5c4`"));
        };
        let number = std::mem::take(&mut numbers[usize::from(from)]);
        numbers[usize::from(to)] = number;
        let side = if ply.is_multiple_of(2) != record.blue_first { 'R' } else { 'B' };
        ply += 1;
        text.push_str(&format!("{ply}:{roll};({side}{number},{})\n", name(seen(to))));
    }
    Ok(text)
}

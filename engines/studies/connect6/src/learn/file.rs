//! Files of rated nodes: a head, then for each node the stones of both sides, the number of turns, and for
//! each turn two points, evaluation, threats and value; at the end a CRC-32. All numbers are little-endian.

use super::play::{RatedNode, RatedTurn};
use agon_games::connect6::POINTS;
use agon_wire::input_file;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// The maximum size of a file: some million nodes.
const MAX_BYTES: u64 = 1 << 30;
/// The first bytes of a file.
const HEAD: &[u8; 16] = b"agon c6 nodes, 1";
/// The bytes of a set of points, of the stones and number of turns of a node, and of a turn.
const SET: usize = POINTS.div_ceil(8);
const NODE: usize = 2 * SET + 2;
const TURN: usize = 9;

/// Writes a file, whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, nodes: &[RatedNode]) -> Result<()> {
    let mut out = HEAD.to_vec();
    for node in nodes {
        for stones in &node.stones {
            let mut set = [0u8; SET];
            stones.iter().for_each(|p| set[usize::from(*p) / 8] |= 1 << (p % 8));
            out.extend(set);
        }
        out.extend((node.turns.len() as u16).to_le_bytes());
        for turn in &node.turns {
            turn.stones.iter().for_each(|p| out.extend(p.to_le_bytes()));
            out.extend(turn.windows.to_le_bytes());
            out.push(turn.threats);
            out.extend(turn.value.to_le_bytes());
        }
    }
    out.extend(crc32fast::hash(&out).to_le_bytes());
    replace(path, &out)
}

/// Writes any file, whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, bytes).with_context(|| part.display().to_string())?;
    fs::rename(&part, path).with_context(|| path.display().to_string())
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, or is not a complete file of rated nodes.
pub fn read(path: &Path) -> Result<Vec<RatedNode>> {
    let name = || path.display().to_string();
    parse(&input_file::read(path, MAX_BYTES).with_context(name)?).with_context(name)
}

fn parse(bytes: &[u8]) -> Result<Vec<RatedNode>> {
    let body = bytes.strip_prefix(HEAD).context("not a file of nodes that `learn` made")?;
    let torn = "the file of nodes is torn: remove it, and `learn` makes it again";
    let (body, crc) = body.split_last_chunk::<4>().context(torn)?;
    let checked = &bytes[..bytes.len() - crc.len()];
    ensure!(crc32fast::hash(checked) == u32::from_le_bytes(*crc), torn);
    let (mut nodes, mut rest) = (Vec::new(), body);
    while let Some((head, after)) = rest.split_first_chunk::<NODE>() {
        let (stones, count) = head.split_at(2 * SET);
        let length = TURN * usize::from(u16::from_le_bytes([count[0], count[1]]));
        let (turns, after) = after.split_at_checked(length).context(torn)?;
        let (own, other) = stones.split_at(SET);
        let turns = turns.chunks_exact(TURN).map(turn).collect::<Option<_>>().context(torn)?;
        let node = RatedNode { stones: [points(own), points(other)], turns };
        ensure!(is_possible(&node), "node {}: two stones on one point", nodes.len() + 1);
        nodes.push(node);
        rest = after;
    }
    ensure!(rest.is_empty(), torn);
    Ok(nodes)
}

/// Whether no point has two stones, before and after each turn.
fn is_possible(node: &RatedNode) -> bool {
    let stones: Vec<u16> = node.stones.concat();
    let twice = node.stones[0].iter().any(|p| node.stones[1].contains(p));
    let free = |turn: &RatedTurn| {
        turn.stones[0] != turn.stones[1] && !turn.stones.iter().any(|p| stones.contains(p))
    };
    !twice && node.turns.iter().all(free)
}

fn points(set: &[u8]) -> Vec<u16> {
    (0..POINTS as u16).filter(|p| set[usize::from(*p) / 8] >> (p % 8) & 1 == 1).collect()
}

fn turn(bytes: &[u8]) -> Option<RatedTurn> {
    let [a, b, c, d, e, f, threats, g, h] = <[u8; TURN]>::try_from(bytes).ok()?;
    let stones = [[a, b], [c, d]].map(u16::from_le_bytes);
    let [windows, value] = [[e, f], [g, h]].map(i16::from_le_bytes);
    let on_board = stones.iter().all(|p| usize::from(*p) < POINTS);
    on_board.then_some(RatedTurn { stones, windows, threats, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_damage_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.nodes");
        let turn = |n: u16| RatedTurn {
            stones: [n + 50, n + 300],
            windows: -40 + n as i16,
            threats: (n % 3) as u8,
            value: 150 - 7 * n as i16,
        };
        let node = |n: u16| RatedNode {
            stones: [vec![n, 2 * n + 1], vec![n + 100, 360]],
            turns: (0..n).map(turn).collect(),
        };
        let nodes: Vec<RatedNode> = (0..5).map(node).collect();
        write(&path, &nodes).unwrap();
        assert_eq!(read(&path).unwrap(), nodes);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_err(), "{length} bytes");
        }
        for at in (0..whole.len()).step_by(7) {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(parse(&changed).is_err(), "byte {at}");
        }
        let twice = RatedNode { stones: [vec![7], vec![7]], turns: Vec::new() };
        write(&path, &[node(1), twice]).unwrap();
        assert!(read(&path).is_err_and(|e| format!("{e:#}").contains("node 2: two stones")));
    }
}

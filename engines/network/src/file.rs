//! Files of networks: a header of text lines that ends with an empty line, then the weights.
//!
//! The header has one field a line, a name and a value: what the network is for, its size, how it
//! was made, and a CRC-32 of the weights. The weights are 16-bit little-endian numbers: by feature
//! those of the hidden units, their biases, and by bucket the output weights for the side to move
//! and for the opponent, each bucket with its bias as a 32-bit number. A network of
//! convolutions has its weights in the order of its layers.

use crate::network::Network;
use agon_wire::input_file;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum size of a file: far above that of any network.
pub const MAX_BYTES: u64 = 256 << 20;
const MAGIC: &str = "agon-network 1";

/// Why bytes are no network that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The first line is another.
    #[error("not a network file: expected the first line `{MAGIC}`")]
    Magic,
    /// A field of the header is missing or has another value.
    #[error("{field} is {found}; this program expects {expected}")]
    Field {
        /// The field's name.
        field: String,
        /// The value in the file, or `missing`.
        found: String,
        /// The value that would be right.
        expected: String,
    },
    /// The weights are not those that were written.
    #[error("damaged: the file is incomplete, or its checksum does not match")]
    Damaged,
}

/// The shape of a game's networks.
#[derive(Clone, Copy, Debug)]
pub struct NetworkShape {
    /// The game and the version of its features, such as `xiangqi-1`.
    pub game: &'static str,
    /// The number of features.
    pub features: usize,
    /// The number of output buckets.
    pub buckets: usize,
    /// The maximum number of features of a position.
    pub active: usize,
}

/// What a network is for, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NetworkHeader {
    /// The game and the version of its features, such as `xiangqi-1`.
    pub game: String,
    /// How the network was made, such as the command and the number of positions: names and values
    /// without line ends.
    pub made: Vec<(String, String)>,
}

/// A path with something added to its name, such as `.state`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// The fields that [`write`] adds to those of the header, in their order.
fn sizes<const H: usize>(features: usize, buckets: usize) -> [(&'static str, usize); 3] {
    [("features", features), ("hidden", H), ("buckets", buckets)]
}

/// Writes a network.
///
/// # Errors
/// The output cannot be written.
pub fn write<const H: usize>(
    out: &mut impl Write,
    header: &NetworkHeader,
    network: &Network<H>,
) -> io::Result<()> {
    let (features, buckets) = network.size();
    write_weights(out, header, &sizes::<H>(features, buckets), &weights(network))
}

/// Writes a network with these fields of its size.
pub(crate) fn write_weights(
    out: &mut impl Write,
    header: &NetworkHeader,
    sizes: &[(&'static str, usize)],
    weights: &[u8],
) -> io::Result<()> {
    writeln!(out, "{MAGIC}\ngame {}", header.game)?;
    for (name, value) in sizes {
        writeln!(out, "{name} {value}")?;
    }
    for (name, value) in &header.made {
        writeln!(out, "{name} {}", value.replace(['\n', '\r'], " "))?;
    }
    writeln!(out, "crc32 {:08x}\n", crc32fast::hash(weights))?;
    out.write_all(weights)
}

/// Reads a network file of this shape.
///
/// # Errors
/// The file cannot be read, or is no such network, or is damaged.
pub fn open<const H: usize>(path: &Path, shape: &NetworkShape) -> Result<Network<H>, String> {
    open_with(path, |bytes| read(bytes, shape).map(|(_, network)| network))
}

/// Reads a file by `read`.
pub(crate) fn open_with<N>(
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<N, NetworkError>,
) -> Result<N, String> {
    let name = || path.display().to_string();
    let bytes = input_file::read(path, MAX_BYTES).map_err(|e| format!("{}: {e}", name()))?;
    read(&bytes).map_err(|e| format!("{}: {e}", name()))
}

/// Reads a network of this shape.
///
/// # Errors
/// The bytes are no such network, or they are damaged.
pub fn read<const H: usize>(
    bytes: &[u8],
    shape: &NetworkShape,
) -> Result<(NetworkHeader, Network<H>), NetworkError> {
    let &NetworkShape { game, features, buckets, .. } = shape;
    let size = 2 * H * (features + 1) + buckets * (4 * H + 4);
    let (header, weights) = read_weights(bytes, game, &sizes::<H>(features, buckets), size)?;
    Ok((header, network(weights, features, buckets)))
}

/// Reads a network of this game and these sizes, with so many bytes of weights.
pub(crate) fn read_weights<'b>(
    bytes: &'b [u8],
    game: &str,
    sizes: &[(&'static str, usize)],
    size: usize,
) -> Result<(NetworkHeader, &'b [u8]), NetworkError> {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(NetworkError::Magic)?;
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| NetworkError::Magic)?;
    let mut lines = text.lines();
    if lines.next() != Some(MAGIC) {
        return Err(NetworkError::Magic);
    }
    let made: Vec<(String, String)> = lines
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let fields: BTreeMap<&str, &str> = made.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let expect = |field: &str, expected: String| match fields.get(field) {
        Some(&found) if found == expected => Ok(()),
        found => Err(NetworkError::Field {
            field: field.to_string(),
            found: found.unwrap_or(&"missing").to_string(),
            expected,
        }),
    };
    expect("game", game.to_string())?;
    for (name, value) in sizes {
        expect(name, value.to_string())?;
    }
    let weights = &bytes[end + 2..];
    if weights.len() != size {
        return Err(NetworkError::Damaged);
    }
    expect("crc32", format!("{:08x}", crc32fast::hash(weights)))
        .map_err(|_| NetworkError::Damaged)?;
    let is_known = |name: &str| {
        name == "game" || name == "crc32" || sizes.iter().any(|(size, _)| *size == name)
    };
    let header = NetworkHeader {
        game: game.to_string(),
        made: made.iter().filter(|(name, _)| !is_known(name)).cloned().collect(),
    };
    Ok((header, weights))
}

/// The weights as bytes.
fn weights<const H: usize>(network: &Network<H>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut row = |row: &[i16; H]| row.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
    network.features.iter().for_each(&mut row);
    row(&network.bias);
    for (views, bias) in &network.outputs {
        views.iter().for_each(|view| view.iter().for_each(|w| bytes.extend(w.to_le_bytes())));
        bytes.extend(bias.to_le_bytes());
    }
    bytes
}

/// The network of bytes of the right number.
fn network<const H: usize>(bytes: &[u8], features: usize, buckets: usize) -> Network<H> {
    let mut rest = bytes;
    let mut row = || {
        let (row, after) = rest.split_at(2 * H);
        rest = after;
        std::array::from_fn(|i| i16::from_le_bytes([row[2 * i], row[2 * i + 1]]))
    };
    let features = (0..features).map(|_| row()).collect();
    let bias = row();
    let outputs = bytes[bytes.len() - buckets * (4 * H + 4)..].chunks_exact(4 * H + 4);
    let output = |bytes: &[u8]| {
        let view = |first: usize| {
            std::array::from_fn(|i| {
                let at = first + 2 * i;
                i16::from_le_bytes([bytes[at], bytes[at + 1]])
            })
        };
        let b = &bytes[4 * H..];
        ([view(0), view(2 * H)], i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    Network { features, bias, outputs: outputs.map(output).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: NetworkShape = NetworkShape { game: "go-1", features: 6, buckets: 2, active: 3 };

    fn network() -> Network<16> {
        Network::linear(6, 2, |feature| feature as f64 - 2.5)
    }

    fn written() -> Vec<u8> {
        let made = vec![("command".into(), "train a\nb".into()), ("commit".into(), "1234".into())];
        let mut bytes = Vec::new();
        write(&mut bytes, &NetworkHeader { game: "go-1".into(), made }, &network()).unwrap();
        bytes
    }

    #[test]
    fn a_network_comes_back_with_how_it_was_made() {
        let (header, same) = read::<16>(&written(), &SHAPE).unwrap();
        assert_eq!(same, network());
        let made = [("command", "train a b"), ("commit", "1234")];
        assert_eq!(header.made, made.map(|(n, v)| (n.to_string(), v.to_string())));
    }

    #[test]
    fn other_networks_are_refused_by_what_differs() {
        let refused = |game, features, buckets| {
            let shape = NetworkShape { game, features, buckets, ..SHAPE };
            read::<16>(&written(), &shape).unwrap_err().to_string()
        };
        assert_eq!(refused("chess-1", 6, 2), "game is go-1; this program expects chess-1");
        assert_eq!(refused("go-1", 7, 2), "features is 6; this program expects 7");
        assert_eq!(refused("go-1", 6, 3), "buckets is 2; this program expects 3");
        let hidden = read::<8>(&written(), &SHAPE).unwrap_err().to_string();
        assert_eq!(hidden, "hidden is 16; this program expects 8");
        let later = [b"agon-network 2", &written()[MAGIC.len()..]].concat();
        assert_eq!(read::<16>(&later, &SHAPE), Err(NetworkError::Magic));
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = written();
        for end in 0..bytes.len() {
            assert!(read::<16>(&bytes[..end], &SHAPE).is_err(), "cut at {end}");
        }
        let header = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        for at in (header + 2..bytes.len()).step_by(7) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 16;
            assert_eq!(read::<16>(&bytes, &SHAPE), Err(NetworkError::Damaged), "at {at}");
        }
        let mut swapped = bytes.clone();
        swapped[header + 2..].chunks_exact_mut(2).for_each(|weight| weight.swap(0, 1));
        assert_eq!(read::<16>(&swapped, &SHAPE), Err(NetworkError::Damaged));
        let longer = [bytes.as_slice(), b"0"].concat();
        assert_eq!(read::<16>(&longer, &SHAPE), Err(NetworkError::Damaged));
        assert_eq!(read::<16>(b"PNG\n\n", &SHAPE), Err(NetworkError::Magic));
    }
}

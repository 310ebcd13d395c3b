//! The indexer of a slice: the positions with the attacker to move, padded to a whole block, then
//! those with the defender to move, both in the order of [`SetLayout`].

use super::layout::{Attackers, SetLayout};
use super::material::MaterialKey;
use agon_games::xiangqi::print_placement;
use agon_tablebase::format::BLOCK;
use agon_tablebase::{
    Dtm, Encoding, Format, Indexer, OpenSlice, Parameters, Slice, TablebaseError,
};
use std::path::Path;
use std::sync::OnceLock;

/// The positions of one material key.
#[derive(Debug)]
pub struct XiangqiSlice {
    key: MaterialKey,
    /// Built on first use.
    layout: OnceLock<SetLayout>,
}

/// A position of a slice, with Red as the attacker.
#[derive(Clone, Copy, Debug)]
pub struct SlicePosition {
    /// The attacker's palace configuration.
    pub strong: usize,
    /// The defender's palace configuration.
    pub weak: usize,
    /// The attacking pieces.
    pub attackers: Attackers,
    /// 0 if the attacker is to move, 1 if the defender is.
    pub side: usize,
}

impl XiangqiSlice {
    /// The slice of a material key.
    pub fn new(key: MaterialKey) -> XiangqiSlice {
        XiangqiSlice { key, layout: OnceLock::new() }
    }

    /// The indexing of its positions with one side to move.
    pub fn layout(&self) -> &SetLayout {
        self.layout.get_or_init(|| SetLayout::new(self.key))
    }

    /// The number of blocks for one side to move.
    pub fn blocks(&self) -> usize {
        self.layout().len().div_ceil(BLOCK as u64) as usize
    }

    /// The FEN of a layout index; side 0 is the attacker (Red) to move, 1 the defender.
    pub fn fen(&self, side: usize, number: u64) -> String {
        let (s, w, attackers) = self.layout().unrank(number);
        let placement = print_placement(&self.layout().board(s, w, attackers));
        format!("{placement} {}", if side == 0 { 'w' } else { 'b' })
    }
}

/// All codes of an open slice with one side to move (0 the attacker), in the order of its layout.
///
/// # Errors
///
/// If a block is damaged.
pub fn read_side(slice: &OpenSlice<XiangqiSlice>, side: usize) -> Result<Vec<u8>, TablebaseError> {
    let indexer = &slice.indexer;
    slice.file.read_values(side * indexer.blocks(), indexer.layout().len())
}

impl Indexer for XiangqiSlice {
    type Position = SlicePosition;
    type Value = Dtm;
    const FORMAT: Format =
        Format { game: "xiangqi", old_magic: b"AgonXqET", encoding: Encoding::Deflate, rebuild };

    fn from_parameters(parameters: &Parameters) -> Result<XiangqiSlice, String> {
        let counts = parameters.first_chunk().copied().unwrap_or_default();
        let key = MaterialKey::from_counts(counts);
        key.map(XiangqiSlice::new).ok_or_else(|| format!("{counts:?} are no pieces of an endgame"))
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        parameters[..8].copy_from_slice(&self.key.counts());
        parameters
    }

    fn len(&self) -> u64 {
        (self.blocks() * BLOCK) as u64 + self.layout().len()
    }

    #[inline]
    fn index(&self, position: &SlicePosition) -> Option<u64> {
        let SlicePosition { strong, weak, attackers, side } = *position;
        let number = self.layout().rank(strong, weak, attackers);
        Some((side * self.blocks() * BLOCK) as u64 + number)
    }
}

fn rebuild(path: &Path) -> String {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let key = path.file_stem().unwrap_or_default();
    format!("xiangqi table build --dir {} --set {}", dir.display(), key.display())
}

impl Slice for XiangqiSlice {
    type Key = MaterialKey;
    const EXTENSION: &'static str = "xqt";

    fn key(&self) -> MaterialKey {
        self.key
    }

    fn successors(key: MaterialKey) -> Vec<MaterialKey> {
        key.after_captures()
    }
}

//! The class map: numbers all classes, with constant-time lookup from any material combination.
//!
//! Classes of open pieces are numbered in the order of their cells in the [`crate::grid`]: one bit
//! per cell marks the classes, and the number of set bits before each word completes the rank. Each
//! class of open pieces is followed by its classes with hidden pieces ([`crate::orbits`]), so all
//! 204,057,632,765 of them and the open ones share one numbering without gaps. Their prefix sums
//! are stored for every eighth cell.
//!
//! The file is a header of 128 bytes and three arrays, with little-endian numbers:
//!
//! | bytes    | what                                               |
//! |----------|----------------------------------------------------|
//! | 0..8     | `AgonDckC`                                         |
//! | 8..12    | format, 1                                          |
//! | 12..16   | number of cells                                    |
//! | 16..24   | number of classes of open pieces                   |
//! | 24..32   | number of all classes                              |
//! | 32..64   | SHA-256 of the data after the header               |
//! | 64..128  | 0                                                  |
//!
//! The arrays: for every 64 cells, a 64-bit mask of the cells that are classes; for every 64 cells,
//! the number of preceding classes in 32 bits; for every 8 cells, the number of preceding classes,
//! with or without hidden pieces, in 64 bits.

use crate::canonical::{least, sizes};
use crate::grid::{CellSet, Grid};
use crate::material::{Counts, Material};
use crate::orbits::{rank, ways};
use crate::structure::{permuted, structures};
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The magic bytes of a map file.
pub const MAGIC: &[u8; 8] = b"AgonDckC";
/// The format that this program writes and reads.
pub const VERSION: u32 = 1;
/// The header's size in bytes.
pub const HEADER_LEN: usize = 128;

const WORD: usize = 64;
/// The number of cells between two sums over all classes.
const STEP: usize = 8;

/// A class map, in memory or in a mapped file.
#[derive(Debug)]
pub struct ClassMap {
    grid: Grid,
    bytes: Bytes,
    /// The offsets of the second and the third array.
    ranks: usize,
    sums: usize,
}

#[derive(Debug)]
enum Bytes {
    Memory(Vec<u8>),
    File(Mmap),
}

/// An error in reading or writing a map.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// An I/O error.
    #[error("{doing} {}: {cause}", path.display())]
    Io {
        /// The operation.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// A file of another type or format.
    #[error(
        "{} is no class map of format {VERSION}: make one with `darkchess classes map build`",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A truncated, extended or modified file.
    #[error("{} is damaged: {reason}; build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The mismatch.
        reason: &'static str,
    },
}

impl ClassMap {
    /// Builds the map in memory: 6.5 MB.
    pub fn build() -> ClassMap {
        let grid = Grid::new();
        let classes = grid.classes();
        let bytes = to_bytes(&grid, &classes);
        ClassMap::over(grid, Bytes::Memory(bytes))
    }

    /// Maps a file written by [`ClassMap::write`], and verifies it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is another type of file, or is damaged.
    pub fn open(path: &Path) -> Result<ClassMap, MapError> {
        let io = |doing| move |cause| MapError::Io { doing, path: path.to_path_buf(), cause };
        let file = File::open(path).map_err(io("opening"))?;
        // SAFETY: the map is read-only; as with every mapped file, the user must not truncate it
        // meanwhile.
        let map = unsafe { Mmap::map(&file) }.map_err(io("mapping"))?;
        let version = VERSION.to_le_bytes();
        if map.get(..8) != Some(&MAGIC[..]) || map.get(8..12) != Some(&version[..]) {
            return Err(MapError::Foreign { path: path.to_path_buf() });
        }
        let grid = Grid::new();
        let damaged = |reason| MapError::Damaged { path: path.to_path_buf(), reason };
        if map.len() != file_len(grid.cells()) {
            return Err(damaged("its size is wrong"));
        }
        if map[32..64] != *Sha256::digest(&map[HEADER_LEN..]) {
            return Err(damaged("its checksum does not fit its contents"));
        }
        Ok(ClassMap::over(grid, Bytes::File(map)))
    }

    /// Writes the map to a temporary file, which gets its name only when it is complete.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write(&self, path: &Path) -> Result<(), MapError> {
        let io = |doing| move |cause| MapError::Io { doing, path: path.to_path_buf(), cause };
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
            .map_err(io("writing beside"))?;
        file.write_all(self.bytes()).map_err(io("writing"))?;
        file.persist(path).map_err(|e| io("writing")(e.error))?;
        Ok(())
    }

    fn over(grid: Grid, bytes: Bytes) -> ClassMap {
        let words = grid.cells().div_ceil(WORD);
        let ranks = HEADER_LEN + words * 8;
        ClassMap { grid, bytes, ranks, sums: ranks + words * 4 }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::File(map) => map,
        }
    }

    /// The number of classes of open pieces, including one-sided sets and sets of two pieces.
    pub fn revealed_classes(&self) -> u64 {
        self.u64_at(16)
    }

    /// The number of all classes, with the same inclusions.
    pub fn classes(&self) -> u64 {
        self.u64_at(24)
    }

    /// The number of the class of open pieces, given by colour and kind, at most as many as at the
    /// start. It is below [`ClassMap::revealed_classes`], and equal for equivalent sets.
    pub fn revealed(&self, counts: &[Counts; 2]) -> u32 {
        self.rank(self.grid.find(structures(), counts))
    }

    /// The number of the class of a combination, below [`ClassMap::classes`].
    pub fn number(&self, material: &Material) -> u64 {
        let totals = material.totals();
        let support = structures().of(&totals);
        let structure = structures().get(support.structure);
        let [mut all, mut hidden] =
            [&totals, material.hidden()].map(|counts| sizes(counts, &support.labels));
        if structure.automorphisms.len() > 1 {
            // Any automorphism that leads to the minimum sizes will do: the others differ from it
            // by one that fixes these sizes, to which the rank is invariant.
            let (least, map) = least(&all, structure);
            hidden = permuted(&hidden, map);
            all = least;
        }
        let cell = self.grid.rows(support.structure).cell(&all);
        self.sum(cell, support.structure) + rank(structure, &all, &hidden)
    }

    /// The number of classes of open pieces before a cell.
    fn rank(&self, cell: usize) -> u32 {
        let (word, bit) = (cell / WORD, cell % WORD);
        let before = self.word(word) & ((1u64 << bit) - 1);
        self.u32_at(self.ranks + word * 4) + before.count_ones()
    }

    /// The number of all classes before those of a cell of a structure.
    fn sum(&self, cell: usize, structure: u16) -> u64 {
        let step = cell / STEP;
        let mut sum = self.u64_at(self.sums + step * 8);
        for before in step * STEP..cell {
            if self.word(before / WORD) >> (before % WORD) & 1 == 1 {
                // The preceding cells nearly always have the same structure.
                let rows = self.grid.rows(structure);
                let number = if before >= rows.start as usize {
                    structure
                } else {
                    self.grid.structure(before)
                };
                let sizes = self.grid.rows(number).sizes(before);
                sum += ways(structures().get(number), &sizes);
            }
        }
        sum
    }

    fn word(&self, word: usize) -> u64 {
        self.u64_at(HEADER_LEN + word * 8)
    }

    fn u64_at(&self, at: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.bytes()[at..at + 8]);
        u64::from_le_bytes(bytes)
    }

    fn u32_at(&self, at: usize) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.bytes()[at..at + 4]);
        u32::from_le_bytes(bytes)
    }
}

fn file_len(cells: usize) -> usize {
    HEADER_LEN + cells.div_ceil(WORD) * 12 + cells.div_ceil(STEP) * 8
}

fn to_bytes(grid: &Grid, classes: &CellSet) -> Vec<u8> {
    let cells = grid.cells();
    let mut arrays = Vec::with_capacity(file_len(cells) - HEADER_LEN);
    arrays.extend(classes.words().iter().flat_map(|w| w.to_le_bytes()));
    let mut open = 0u32;
    for word in classes.words() {
        arrays.extend(open.to_le_bytes());
        open += word.count_ones();
    }
    let mut all = 0u64;
    for (number, structure) in structures().list().iter().enumerate() {
        let rows = grid.rows(number as u16);
        for cell in rows.start as usize..(rows.start + rows.cells) as usize {
            if cell % STEP == 0 {
                arrays.extend(all.to_le_bytes());
            }
            if classes.contains(cell) {
                all += ways(structure, &rows.sizes(cell));
            }
        }
    }
    let mut bytes = vec![0; HEADER_LEN];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..16].copy_from_slice(&(cells as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&u64::from(open).to_le_bytes());
    bytes[24..32].copy_from_slice(&all.to_le_bytes());
    bytes[32..64].copy_from_slice(&Sha256::digest(&arrays));
    bytes.extend(arrays);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::full_class;
    use crate::class_count::count_classes;
    use crate::sets::visit_sets;
    use agon_protocol::hash::FastMap;

    #[test]
    fn every_combination_finds_the_number_of_its_class_and_of_no_other() {
        let map = ClassMap::build();
        let (mut numbers, mut classes) = (FastMap::default(), FastMap::default());
        for (pieces, hidden) in [(2, false), (3, false), (6, false), (2, true), (5, true)] {
            visit_sets(pieces, hidden, |material| {
                let (number, class) = (map.number(material), full_class(material));
                assert_eq!(*numbers.entry(class).or_insert(number), number, "{material}");
                assert_eq!(*classes.entry(number).or_insert(class), class, "{material}");
                assert!(number < map.classes());
            });
        }
        assert_eq!(numbers.len(), classes.len());
    }

    #[test]
    fn the_numbers_are_as_many_as_there_are_classes() {
        let map = ClassMap::build();
        let counts = count_classes((1, 1));
        let sum = |counts: &[u64]| counts.iter().sum::<u64>();
        let counted = [sum(&counts.revealed.classes), sum(&counts.hidden.classes)];
        // Not part of the count: no piece, and pieces of one side only.
        let (mut open, mut all) = (0, 0);
        let grid = Grid::new();
        for cell in grid.classes().iter() {
            let class = grid.class(cell);
            if !class.structure().is_two_sided() {
                open += 1;
                all += ways(class.structure(), &class.sizes);
            }
        }
        assert_eq!(map.revealed_classes(), counted[0] + open);
        assert_eq!(map.classes(), counted[0] + counted[1] + all);
    }

    #[test]
    fn open_classes_are_numbered_without_gaps() {
        let map = ClassMap::build();
        let mut seen = CellSet::new(map.revealed_classes() as usize);
        for pieces in 2..=7 {
            visit_sets(pieces, false, |m| {
                let number = map.revealed(m.open());
                assert!(u64::from(number) < map.revealed_classes());
                seen.insert(number as usize);
            });
        }
        let counts = count_classes((1, 1)).revealed.classes;
        assert_eq!(counts[2], 8);
        assert_eq!(seen.len() as u64, counts[..=7].iter().sum::<u64>());
    }

    #[test]
    fn a_file_comes_back_and_a_damaged_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("classes.map");
        let built = ClassMap::build();
        built.write(&path).unwrap();
        let map = ClassMap::open(&path).unwrap();
        let material: Material = "KGPPP(k)(m)c(c)".parse().unwrap();
        assert_eq!(map.number(&material), built.number(&material));
        assert_eq!(map.bytes(), built.bytes());
        let mut bytes = built.bytes().to_vec();
        bytes[HEADER_LEN + 1000] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(ClassMap::open(&path), Err(MapError::Damaged { .. })));
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = ClassMap::open(&path).unwrap_err().to_string();
        assert!(error.contains("its size is wrong"), "{error}");
        std::fs::write(&path, "Agon").unwrap();
        assert!(matches!(ClassMap::open(&path), Err(MapError::Foreign { .. })));
        assert!(matches!(ClassMap::open(folder.path()), Err(MapError::Io { .. })));
    }
}

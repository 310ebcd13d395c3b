//! Gap-free indices for the positions of a set up to left-right mirror symmetry, with Red as the
//! attacker.
//!
//! A position is a pair of palace configurations (king, advisors and elephants) and an entry in the
//! pair's row: the placement of the attacking pieces on the squares that the pair leaves empty. One
//! of each pair and its mirror image is kept; a pair that is its own image keeps its whole row. The
//! index is that of the row's first position plus the offset within the row: first the pawns, with
//! those beyond the river last, then rooks, horses and cannons by [`free`]. Positions with a single
//! attacking piece are in the order of its squares.

use super::material::{ATTACKERS, MaterialKey, SideMaterial};
use super::numbering::combinations::{Combinations, nth_square};
use super::numbering::free;
use super::numbering::palace::PalaceIndex;
use super::palace::{PalaceConfigurations, configuration_number};
use super::square_sets::mirrored;
use agon_games::Player;
use agon_games::hash::FastMap;
use agon_games::xiangqi::{BOARD, Board, FILE_A, Kind, RED_HALF, Squares};
use std::sync::{Arc, LazyLock, OnceLock};

/// Tables shared by all sets, built on first use.
#[derive(Debug, Default)]
struct Shared {
    palaces: PalaceIndex,
    combinations: Arc<Combinations>,
    /// By side, then by the numbers of advisors and elephants.
    configurations: [[OnceLock<Arc<PalaceConfigurations>>; 9]; 2],
}

static SHARED: LazyLock<Shared> = LazyLock::new(Shared::default);

/// All configurations of a side with the given numbers of advisors and elephants.
fn configurations(side: Player, material: SideMaterial) -> Arc<PalaceConfigurations> {
    let SideMaterial { advisors, elephants, .. } = material;
    let cell = &SHARED.configurations[side.index()][advisors % 3 * 3 + elephants % 3];
    let new = || Arc::new(PalaceConfigurations::new(&SHARED.palaces, side, advisors, elephants));
    Arc::clone(cell.get_or_init(new))
}

/// The index of a side's palace configuration.
pub fn configuration(side: Player, king: u128, advisors: u128, elephants: u128) -> usize {
    configuration_number(&SHARED.palaces, side, king, advisors, elephants)
}

/// The index of one side's palace configuration on a board where Red attacks.
pub fn configuration_on(board: &Board, side: Player) -> usize {
    let [king, advisors, elephants] =
        [Kind::King, Kind::Advisor, Kind::Elephant].map(|kind| board.pieces(side, kind));
    configuration(side, king, advisors, elephants)
}

/// The configurations and attacking pieces of a board where Red attacks.
pub fn parts_of(board: &Board) -> (usize, usize, Attackers) {
    let attackers = ATTACKERS.map(|kind| board.pieces(Player::First, kind));
    let [s, w] = Player::BOTH.map(|side| configuration_on(board, side));
    (s, w, attackers)
}

/// The attacking pieces of a position: rooks, horses, cannons, pawns.
pub type Attackers = [u128; 4];

/// The number of rows of each length before a configuration of the attacker.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Pairs before the first pair with this configuration.
    pair: usize,
    /// Positions before the first one with this configuration.
    entry: u64,
}

/// The sets of pawns before the river for one set of blocked points, most pawns first.
#[derive(Debug, Default)]
struct HomePawns {
    /// By number of pawns before the river.
    sets: Vec<Vec<u128>>,
    number: FastMap<u128, usize>,
}

/// The position indexing of a set.
#[derive(Debug)]
pub struct SetLayout {
    /// The indexed set.
    pub set: MaterialKey,
    /// The attacker's configurations; Red's half.
    pub strong: Arc<PalaceConfigurations>,
    /// The defender's configurations; Black's half.
    pub weak: Arc<PalaceConfigurations>,
    combinations: Arc<Combinations>,
    /// The squares for a single attacking piece; `None` if there are more.
    single: Option<u128>,
    /// The attacker's kept configurations with their starts, in order, then the end.
    kept: Vec<(usize, Start)>,
    /// By the attacker's configuration: the start of its pairs, or `None` if its image is kept.
    starts: Vec<Option<Start>>,
    /// By the defender's configuration, for pairs with a self-symmetric configuration of the
    /// attacker: the index among the kept ones.
    weak_kept: Vec<usize>,
    weak_order: Vec<usize>,
    /// By which of the two points shared by elephants and pawns are occupied.
    home_pawns: [HomePawns; 4],
    /// The number of placements of rooks, horses and cannons with all other pieces placed.
    free_len: u64,
    /// Positions of the attacking pieces, indexed like `home_pawns`.
    row_lens: [u64; 4],
}

/// The points where both an elephant and a pawn can stand: c4 and g4.
const SHARED_POINTS: [u128; 2] = [1 << (4 * 9 + 2), 1 << (4 * 9 + 6)];

fn blocked(occupied: u128) -> usize {
    usize::from(occupied & SHARED_POINTS[0] != 0)
        | usize::from(occupied & SHARED_POINTS[1] != 0) << 1
}

impl HomePawns {
    fn new(most: usize, blocked: usize) -> HomePawns {
        let taken = (0..2).filter(|i| blocked >> i & 1 == 1).fold(0, |s, i| s | SHARED_POINTS[i]);
        let points = Kind::Pawn.domain(Player::First) & RED_HALF & !taken;
        let mut all = vec![0u128];
        for file in 0..9 {
            let file = points & FILE_A << file;
            let longer: Vec<u128> = all
                .iter()
                .flat_map(|set| Squares(file).map(move |s| set | s.bit()))
                .filter(|set| set.count_ones() as usize <= most)
                .collect();
            all.extend(longer);
        }
        all.sort_unstable();
        let mut pawns = HomePawns { sets: vec![Vec::new(); most + 1], ..HomePawns::default() };
        for set in all {
            let list = &mut pawns.sets[set.count_ones() as usize];
            pawns.number.insert(set, list.len());
            list.push(set);
        }
        pawns
    }
}

impl SetLayout {
    /// The indexing of a set.
    pub fn new(set: MaterialKey) -> SetLayout {
        let (attacker, defender) = (set.attacker(), set.defender());
        let mut layout = SetLayout {
            set,
            strong: configurations(Player::First, attacker),
            weak: configurations(Player::Second, defender),
            combinations: Arc::clone(&SHARED.combinations),
            single: match set.attacking()[..] {
                [kind] => Some(kind.domain(Player::First)),
                _ => None,
            },
            kept: Vec::new(),
            starts: Vec::new(),
            weak_kept: Vec::new(),
            weak_order: Vec::new(),
            home_pawns: [0, 1, 2, 3].map(|blocked| HomePawns::new(attacker.pawns, blocked)),
            free_len: 0,
            row_lens: [0; 4],
        };
        layout.free_len = layout.count_free();
        layout.row_lens = [0, 1, 2, 3].map(|blocked| layout.count_row(blocked));
        layout.keep_weak();
        layout.keep_strong();
        layout
    }

    fn keep_weak(&mut self) {
        let all = &self.weak.list;
        self.weak_order = (0..all.len()).filter(|&w| w <= all[w].mirror).collect();
        self.weak_kept = vec![0; all.len()];
        for (n, &w) in self.weak_order.iter().enumerate() {
            self.weak_kept[w] = n;
            self.weak_kept[all[w].mirror] = n;
        }
    }

    fn keep_strong(&mut self) {
        let mut start = Start { pair: 0, entry: 0 };
        self.starts = vec![None; self.strong.len()];
        for s in 0..self.strong.len() {
            let mirror = self.strong.list[s].mirror;
            if mirror < s {
                continue;
            }
            self.starts[s] = Some(start);
            self.kept.push((s, start));
            let pairs = if mirror == s { self.weak_order.len() } else { self.weak.len() };
            start.pair += pairs;
            start.entry += pairs as u64 * self.row_len(s);
        }
        self.kept.push((self.strong.len(), start));
    }

    /// The number of kept pairs of configurations.
    pub fn pairs(&self) -> usize {
        self.kept.last().map_or(0, |k| k.1.pair)
    }

    /// The number of positions with one side to move.
    pub fn len(&self) -> u64 {
        self.kept.last().map_or(0, |k| k.1.entry)
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The configurations of a kept pair.
    pub fn pair(&self, number: usize) -> (usize, usize) {
        let i = self.kept.partition_point(|k| k.1.pair <= number) - 1;
        let (s, start) = self.kept[i];
        let w = number - start.pair;
        (s, if self.strong.list[s].mirror == s { self.weak_order[w] } else { w })
    }

    /// The index of the kept pair for a pair of configurations, and whether it is the mirror image.
    #[inline]
    pub fn find_pair(&self, s: usize, w: usize) -> (usize, bool) {
        let mirror = self.strong.list[s].mirror;
        let (kept, flip) = if mirror < s { (mirror, true) } else { (s, false) };
        let first = self.starts[kept].map_or(0, |start| start.pair);
        if mirror == s {
            return (first + self.weak_kept[w], self.weak.list[w].mirror < w);
        }
        (first + if flip { self.weak.list[w].mirror } else { w }, flip)
    }

    /// The index of the first position of a kept pair's row.
    pub fn row_start(&self, s: usize, pair: usize) -> u64 {
        let start = self.starts[s].unwrap_or(Start { pair: 0, entry: 0 });
        start.entry + (pair - start.pair) as u64 * self.row_len(s)
    }

    /// The squares that every pair leaves empty: in total, and in Black's half.
    fn room(&self) -> (usize, usize) {
        let count = |all: &PalaceConfigurations| all.list[0].occupied.count_ones() as usize;
        (90 - count(&self.strong) - count(&self.weak), 45 - count(&self.weak))
    }

    fn free_vector(&self) -> [usize; free::KINDS] {
        let a = self.set.attacker();
        [a.rooks, 0, a.horses, 0, a.cannons, 0]
    }

    fn count_free(&self) -> u64 {
        let left = self.room().0 - self.set.pawns();
        free::size(&self.combinations, left, self.free_vector()) as u64
    }

    /// The number of positions of the attacking pieces for one palace configuration of the
    /// attacker.
    #[inline]
    pub fn row_len(&self, s: usize) -> u64 {
        self.row_lens[blocked(self.strong.list[s].occupied)]
    }

    fn count_row(&self, blocked: usize) -> u64 {
        let pawns = self.set.pawns();
        let sets = &self.home_pawns[blocked].sets;
        let over = self.room().1;
        let ways =
            |home: usize| sets[home].len() as u64 * self.combinations.choose(over, pawns - home);
        (0..=pawns).map(ways).sum::<u64>() * self.free_len
    }

    /// The index of attacking pieces within the row of a pair of configurations.
    pub fn rank_row(&self, s: usize, w: usize, attackers: Attackers) -> u64 {
        let occupied = self.strong.list[s].occupied | self.weak.list[w].occupied;
        if let Some(squares) = self.single {
            let [a, b, c, d] = attackers;
            return u64::from((squares & !occupied & (a | b | c | d).wrapping_sub(1)).count_ones());
        }
        let [rooks, horses, cannons, pawns] = attackers;
        let mut number = 0;
        let empty = BOARD & !(occupied | pawns);
        let total = self.set.pawns();
        if total > 0 {
            let home_pawns = &self.home_pawns[blocked(occupied)];
            let home = pawns & RED_HALF;
            let at_home = home.count_ones() as usize;
            let room = self.room().1;
            for more in at_home + 1..=total {
                number += home_pawns.sets[more].len() as u64
                    * self.combinations.choose(room, total - more);
            }
            let over = BOARD & !RED_HALF & !occupied;
            let home = home_pawns.number.get(&home).copied().unwrap_or(0) as u64;
            number += home * self.combinations.choose(room, total - at_home)
                + self.combinations.rank(pawns & !RED_HALF, over);
        }
        let sets = [rooks, 0, horses, 0, cannons, 0];
        number * self.free_len + free::rank(&self.combinations, sets, empty) as u64
    }

    /// The attacking pieces of an index within the row of a pair of configurations.
    pub fn unrank_row(&self, s: usize, w: usize, number: u64) -> Attackers {
        let occupied = self.strong.list[s].occupied | self.weak.list[w].occupied;
        if let Some(squares) = self.single {
            let square = nth_square(squares & !occupied, number as u32);
            let kinds = self.set.attacking();
            return ATTACKERS.map(|kind| if kinds.contains(&kind) { square } else { 0 });
        }
        let (mut rest, free) = (number / self.free_len, number % self.free_len);
        let total = self.set.pawns();
        let mut pawns = 0;
        if total > 0 {
            let home_pawns = &self.home_pawns[blocked(occupied)];
            let room = self.room().1;
            for at_home in (0..=total).rev() {
                let over = self.combinations.choose(room, total - at_home);
                let size = home_pawns.sets[at_home].len() as u64 * over;
                if rest < size {
                    let empty = BOARD & !RED_HALF & !occupied;
                    pawns = home_pawns.sets[at_home][(rest / over) as usize]
                        | self.combinations.unrank(rest % over, total - at_home, empty);
                    break;
                }
                rest -= size;
            }
        }
        let empty = BOARD & !(occupied | pawns);
        let sets = free::unrank(&self.combinations, self.free_vector(), u128::from(free), empty);
        [sets[0], sets[2], sets[4], pawns]
    }

    /// The index of a position, mirrored if necessary.
    pub fn rank(&self, s: usize, w: usize, mut attackers: Attackers) -> u64 {
        let (pair, flip) = self.find_pair(s, w);
        if flip {
            attackers = attackers.map(mirrored);
        }
        let (s, w) = self.pair_images(s, w, flip);
        self.row_start(s, pair) + self.rank_row(s, w, attackers)
    }

    fn pair_images(&self, s: usize, w: usize, flip: bool) -> (usize, usize) {
        if flip { (self.strong.list[s].mirror, self.weak.list[w].mirror) } else { (s, w) }
    }

    /// The kept pair, its configurations and the attacking pieces of an index below
    /// [`SetLayout::len`].
    pub fn unrank(&self, number: u64) -> (usize, usize, Attackers) {
        let i = self.kept.partition_point(|k| k.1.entry <= number) - 1;
        let (s, start) = self.kept[i];
        let within = number - start.entry;
        let row = self.row_len(s);
        let pair = start.pair + (within / row) as usize;
        let (_, w) = self.pair(pair);
        (s, w, self.unrank_row(s, w, within % row))
    }

    /// The pieces as a board, with Red as the attacker.
    pub fn board(&self, s: usize, w: usize, attackers: Attackers) -> Board {
        let mut board = Board::default();
        let sides = [(Player::First, &self.strong.list[s]), (Player::Second, &self.weak.list[w])];
        for (side, palace) in sides {
            board.put_all(palace.king.bit(), side, Kind::King);
            board.put_all(palace.advisors, side, Kind::Advisor);
            board.put_all(palace.elephants, side, Kind::Elephant);
        }
        for (kind, set) in ATTACKERS.into_iter().zip(attackers) {
            board.put_all(set, Player::First, kind);
        }
        board
    }
}

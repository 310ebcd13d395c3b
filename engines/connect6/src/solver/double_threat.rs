//! The double threats of a position: turns after which the defender needs at least two stones
//! (section 3.3.1).

use super::hypergraph::ThreatEdge;
use crate::board::{Defences, PointSet, ThreatPreview, Threats};
use agon_games::connect6::POINTS;
use arrayvec::ArrayVec;

/// The points of a conservative defence.
pub type Defence = ArrayVec<u16, 8>;

/// The threats of a turn: one, or two that are independent of each other.
pub type ThreatEdges = ArrayVec<ThreatEdge, 2>;

/// Points where a stone makes a threat.
pub(super) type ThreatPoints = ArrayVec<u16, POINTS>;

/// The double threats of a position.
#[derive(Clone, Debug, Default)]
pub struct DoubleThreatList {
    /// All of them, in the order of generation.
    pub all: Vec<DoubleThreat>,
    /// The indices of those to search, best first.
    pub order: Vec<u32>,
}

/// An attacking turn that makes exactly two threats.
#[derive(Clone, Debug)]
pub struct DoubleThreat {
    /// The stones.
    pub stones: [u16; 2],
    /// The defences.
    pub defences: Defences,
    /// The conservative defence.
    pub conservative: Defence,
    /// For move ordering: the attacker's score after the turn.
    pub score: i32,
    /// The threats as hyperedges; empty in the plain search.
    pub edges: ThreatEdges,
    /// The input of the rule on reasonable pairs.
    pub pairing: Pairing,
    /// The stones' entries in the threat cache if they are independent single threats. `defences`,
    /// `conservative` and `edges` are filled in from there only if the turn is to be searched.
    pub cached: Option<[u16; 2]>,
}

impl DoubleThreat {
    /// A turn of the plain search.
    pub fn plain(stones: [u16; 2], threats: &Threats, score: i32) -> DoubleThreat {
        let defences = threats.defences();
        let conservative = defences.conservative();
        DoubleThreat {
            stones,
            defences,
            conservative,
            score,
            edges: ThreatEdges::new(),
            pairing: Pairing::default(),
            cached: None,
        }
    }
}

/// The type of a double threat (section 3.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveType {
    /// Neither of the others (DT).
    Double,
    /// Two single threats that share no stone of the turn (ST_I).
    Independent,
    /// Two single threats that share a stone of the turn (ST_D).
    Dependent,
}

impl MoveType {
    /// The type of a turn and, for independent threats, the points that stop each of them.
    pub fn of(turn: &ThreatPreview) -> (MoveType, Option<[Defence; 2]>) {
        let at = |i: usize| {
            let mut threats = Threats::default();
            turn.threats_at(i, &mut threats);
            threats
        };
        if turn.has_both() {
            // There is a threat of both stones and one of only one of them. A live two has only the
            // former.
            let shared = |i: usize| turn.has_without(1 - i) && at(i).count() == 1;
            let dependent = shared(0) || shared(1);
            return (if dependent { MoveType::Dependent } else { MoveType::Double }, None);
        }
        let at = [at(0), at(1)];
        if at.iter().any(|threats| threats.count() != 1) {
            return (MoveType::Double, None);
        }
        (MoveType::Independent, Some(at.map(|threats| threats.defences().conservative())))
    }
}

/// The input of the rule on reasonable pairs (section 3.6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pairing {
    /// Always reasonable.
    #[default]
    Other,
    /// Two independent single threats (2ST).
    SingleThreats {
        /// Which of them are admissible alone; only those count.
        admissible: [bool; 2],
        /// Which stones make an attack line in addition to their threat.
        attack_line: [bool; 2],
    },
    /// A live two whose new stones make no other attack line, identified by its line and the
    /// existing stones there.
    LiveTwo {
        /// The line.
        line: u8,
        /// The attacker's stones on it.
        own: u32,
    },
}

/// The turns kept so far at a position, for the rule on reasonable pairs.
#[derive(Clone, Debug)]
pub struct TriedPairs {
    /// The number of pairs kept for each stone.
    pub pairs: [u8; POINTS],
    /// The number kept for each live two, by line and stones.
    pub live_twos: Vec<(u8, u32)>,
    /// The star zones computed so far, by stone.
    pub stars: Vec<(u16, PointSet)>,
}

impl Default for TriedPairs {
    fn default() -> TriedPairs {
        TriedPairs { pairs: [0; POINTS], live_twos: Vec::new(), stars: Vec::new() }
    }
}

impl TriedPairs {
    /// Starts a new position.
    pub fn clear(&mut self) {
        self.pairs.fill(0);
        self.live_twos.clear();
        self.stars.clear();
    }
}

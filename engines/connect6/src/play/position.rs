//! A position for game searches: the rules with the incremental [`WindowBoard`]. Of the 64,620 turns on
//! an open board it generates only candidates.
//!
//! A turn is a candidate if it makes six; otherwise, if the opponent has threats, if it stops them;
//! otherwise if both stones are on points of high placement value. A search adds turns that make a
//! threat ([`SearchPosition::fours`]), as the best points seldom include both stones, and more turns
//! where all candidates lose ([`SearchPosition::last_resorts`]).

use super::weights::WindowWeights;
use crate::board::{FourWindow, PointSet, Threats, WindowBoard};
use crate::params;
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules, POINTS, Point};
use agon_games::game::{FenError, Game, MoveError, Turn};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a stone of the side to move on each empty point would add to the windows of both sides, its
/// own weighted by [`WindowWeights::attack`], in 1024ths of a point. Other points have no meaning.
pub type PlacementValues = [i32; POINTS];

/// A position, its board, and the weights of its evaluation.
#[derive(Clone, Debug)]
pub struct SearchPosition {
    game: Connect6,
    board: WindowBoard,
    /// The only candidates of the root position, if given.
    root_candidates: Option<Arc<[Connect6Move]>>,
    weights: WindowWeights,
}

impl PartialEq for SearchPosition {
    fn eq(&self, other: &SearchPosition) -> bool {
        self.game == other.game
    }
}

impl Eq for SearchPosition {}

/// A position evaluated with [`WindowWeights::tuned`].
impl From<&Connect6> for SearchPosition {
    fn from(game: &Connect6) -> SearchPosition {
        SearchPosition::with_weights(game, WindowWeights::tuned())
    }
}

/// The point of an index.
fn point(index: u16) -> Option<Point> {
    Point::from_index(usize::from(index))
}

impl SearchPosition {
    /// A position evaluated with these weights.
    pub fn with_weights(game: &Connect6, weights: WindowWeights) -> SearchPosition {
        SearchPosition {
            game: game.clone(),
            board: WindowBoard::from_game(game),
            root_candidates: None,
            weights,
        }
    }

    /// The weights of its evaluation.
    pub fn weights(&self) -> &WindowWeights {
        &self.weights
    }

    /// The position.
    pub fn game(&self) -> &Connect6 {
        &self.game
    }

    /// Its board.
    pub fn board(&self) -> &WindowBoard {
        &self.board
    }

    /// The colour to move.
    pub fn side(&self) -> usize {
        self.game.side_to_move().index()
    }

    /// The same position with only these candidates.
    #[must_use]
    pub fn with_candidates(mut self, turns: Vec<Connect6Move>) -> SearchPosition {
        self.root_candidates = Some(turns.into());
        self
    }

    /// The candidate turns, most promising first; empty if the game is over.
    pub fn candidates(&self) -> Vec<Connect6Move> {
        self.candidates_by(&self.placement_values(), params::quiet_points())
    }

    /// The candidate turns at the root of a search: pairs of more points if nothing is forced, and
    /// turns that make a threat.
    pub fn candidates_at_root(&self) -> Vec<Connect6Move> {
        let (values, quiet) = (self.placement_values(), params::root_points());
        let mut turns = self.candidates_by(&values, quiet);
        turns.extend(self.fours(&values, params::root_fours(), quiet));
        turns
    }

    /// The `most` turns with the highest values that make a threat and that the candidates mostly lack:
    /// two stones on a line with two, without the pairs of the `quiet` best points; if the opponent has
    /// threats, one stone that stops them all and one that makes a threat. None if the side to move has
    /// a threat, or if the candidates of the root are given.
    pub fn fours(&self, values: &PlacementValues, most: usize, quiet: usize) -> Vec<Connect6Move> {
        let (board, side) = (&self.board, self.side());
        let given = self.root_candidates.is_some() && board.placed() == 0;
        if given || board.has_four(side) || self.game.stones_due() < 2 {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        if board.has_four(1 - side) {
            for a in board.threats(1 - side).defences().single {
                board.visit_three_points(side, |b| pairs.push([a, b]));
                board.visit_fours_with(side, a, |b| pairs.push([a, b]));
            }
        } else {
            let best = self.best_points(values, quiet);
            board.visit_line_fours(side, |a, b| pairs.push([a, b]));
            pairs.retain(|pair| !pair.iter().all(|p| best.contains(p)));
        }
        self.best_turns(values, pairs, most)
    }

    /// Turns for a node where all candidates lose. The second stone is one of the best points. The first
    /// one stops all threats; if there are none, it makes a threat or is among the best.
    pub fn last_resorts(&self) -> Vec<Connect6Move> {
        let (board, side) = (&self.board, self.side());
        if board.has_four(side) || self.game.stones_due() < 2 {
            return Vec::new();
        }
        let values = self.placement_values();
        let best = self.best_points(&values, params::resort_points());
        let mut firsts = PointSet::default();
        let mut insert = |p| _ = firsts.insert(p);
        if board.has_four(1 - side) {
            board.threats(1 - side).defences().single.into_iter().for_each(insert);
        } else {
            best.iter().take(params::resort_firsts()).for_each(|p| insert(*p));
            board.visit_three_points(side, insert);
        }
        let pairs = firsts.iter().flat_map(|a| best.iter().map(move |b| [a, *b])).collect();
        self.best_turns(&values, pairs, params::resort_turns())
    }

    /// The `most` turns of these stones with the highest values, best first, each once.
    fn best_turns(
        &self,
        values: &PlacementValues,
        pairs: Vec<[u16; 2]>,
        most: usize,
    ) -> Vec<Connect6Move> {
        let value = |p: u16| values[usize::from(p)];
        let two = pairs.into_iter().filter(|[a, b]| a != b);
        let mut turns: Vec<(i32, [u16; 2])> =
            two.map(|[a, b]| (-value(a) - value(b), [a.min(b), a.max(b)])).collect();
        turns.sort_unstable();
        turns.dedup();
        turns.into_iter().take(most).filter_map(|(_, [a, b])| self.turn(a, b)).collect()
    }

    /// The candidate turns by these values: pairs of the `most` best points if nothing is forced.
    pub fn candidates_by(&self, values: &PlacementValues, most: usize) -> Vec<Connect6Move> {
        if self.game.turn().player().is_none() {
            return Vec::new();
        }
        if let Some(turns) = self.root_candidates.as_ref().filter(|_| self.board.placed() == 0) {
            return turns.to_vec();
        }
        if self.game.stones_due() == 1 {
            return self.one_stone_turns();
        }
        let threats = self.board.threats(self.side());
        if let Some(threat) = threats.windows().iter().max_by_key(|t| t.a == t.b) {
            return self.turn(threat.a, threat.b).into_iter().collect();
        }
        let forced = self.board.threats(1 - self.side());
        if forced.is_empty() {
            self.quiet_turns(values, most)
        } else {
            self.defences(values, &forced)
        }
    }

    /// Whether a search may play a legal turn: a turn that wins if there is one, otherwise one that
    /// stops all threats, otherwise any; at a root with given candidates only these. So a move of the
    /// transposition table or a killer is tested without generating the candidates.
    fn is_admissible(&self, m: Connect6Move) -> bool {
        let given = self.root_candidates.is_some() && self.board.placed() == 0;
        if given || self.game.stones_due() == 1 || self.board.has_four(self.side()) {
            return self.candidates().contains(&m);
        }
        let threats = self.board.threats(1 - self.side());
        let stops = |t: &FourWindow| m.stones().any(|p| t.has(p.index() as u16));
        threats.windows().iter().all(stops)
            || threats.defences().threats >= 3 && self.candidates().contains(&m)
    }

    fn turn(&self, a: u16, b: u16) -> Option<Connect6Move> {
        let (a, b) = (point(a)?, point(b)?);
        Some(if a == b { Connect6Move::one(a) } else { Connect6Move::two(a, b) })
    }

    /// The first turn of the game: the centre or a point next to it. Also the last turn if one
    /// point is empty.
    fn one_stone_turns(&self) -> Vec<Connect6Move> {
        let centre = self.game.size() / 2;
        let far = |p: &Point| p.column().abs_diff(centre).max(p.row().abs_diff(centre));
        let near = self.game.empties().filter(|p| far(p) <= 1 || self.board.empty_points() == 1);
        let mut moves: Vec<Point> = near.collect();
        moves.sort_by_key(far);
        moves.into_iter().map(Connect6Move::one).collect()
    }

    /// Every way to stop all threats; if there is none, stones that stop two of the windows.
    fn defences(&self, values: &PlacementValues, threats: &Threats) -> Vec<Connect6Move> {
        let defences = threats.defences();
        let mut pairs: Vec<[u16; 2]> = defences.pairs.to_vec();
        if !defences.single.is_empty() {
            let best = self.best_points(values, params::second_stones());
            for &a in &defences.single {
                pairs.extend(best.iter().filter(|b| **b != a).map(|&b| [a, b]));
            }
        }
        if defences.threats >= 3 {
            let windows = threats.windows();
            let first = windows.first().map_or(0, |t| t.a);
            let rest = windows.iter().find(|t| !t.has(first)).map(|t| t.a);
            let other = rest.or_else(|| self.board.empties().find(|p| *p != first));
            pairs.extend(other.map(|b| [first, b]));
        }
        let mut moves: Vec<Connect6Move> =
            pairs.into_iter().filter_map(|[a, b]| self.turn(a, b)).collect();
        moves.dedup();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Pairs of the `most` points with the highest placement values, best first.
    pub(super) fn quiet_turns(&self, values: &PlacementValues, most: usize) -> Vec<Connect6Move> {
        let best = self.best_points(values, most);
        let mut moves = Vec::with_capacity(best.len() * best.len() / 2);
        // Best pairs first, by the sum of their ranks.
        for sum in 1..2 * best.len() {
            for i in 0..=sum / 2 {
                if let (Some(&a), Some(&b)) = (best.get(i), best.get(sum - i))
                    && a != b
                {
                    moves.extend(self.turn(a, b));
                }
            }
        }
        moves
    }

    /// Turns with one or two stones in a zone, on the best points of the zone and of the whole
    /// board.
    pub fn candidates_in_zone(&self, zone: &PointSet) -> Vec<Connect6Move> {
        let values = self.placement_values();
        let value = |p: u16| values[usize::from(p)];
        let mut inside: Vec<(i32, u16)> =
            zone.iter().filter(|p| self.board.is_empty(*p)).map(|p| (-value(p), p)).collect();
        inside.sort_unstable();
        inside.truncate(params::zone_points());
        let inside: Vec<u16> = inside.into_iter().map(|(_, p)| p).collect();
        let around = self.best_points(&values, params::quiet_points());
        let with = |a: u16| inside.iter().chain(&around).map(move |b| [a, *b]);
        let pairs = inside.iter().flat_map(|a| with(*a)).collect();
        self.best_turns(&values, pairs, usize::MAX)
    }

    /// The value of a stone on each empty point.
    pub fn placement_values(&self) -> PlacementValues {
        let WindowWeights { steps, attack, .. } = &self.weights;
        let mut factors = [64; 2];
        factors[self.side()] = *attack;
        self.board.deltas_by(steps, factors)
    }

    /// The points that are tried as the second stone of a turn whose first stone is given, best
    /// first.
    pub fn second_points(&self) -> Vec<u16> {
        self.best_points(&self.placement_values(), params::second_stones())
    }

    /// The `most` points with the highest values, best first.
    fn best_points(&self, values: &PlacementValues, most: usize) -> Vec<u16> {
        let value = |p: u16| values[usize::from(p)];
        let mut points: Vec<(i32, u16)> = self.board.empties().map(|p| (-value(p), p)).collect();
        let most = most.max(2).min(points.len());
        if most < points.len() {
            points.select_nth_unstable(most);
            points.truncate(most);
        }
        points.sort_unstable();
        points.into_iter().map(|(_, p)| p).collect()
    }
}

impl Game for SearchPosition {
    const NAME: &'static str = Connect6::NAME;
    const HAS_CHANCE: bool = false;

    type Move = Connect6Move;
    type Undo = ();
    type Rules = Connect6Rules;

    fn start(rules: &Connect6Rules) -> SearchPosition {
        SearchPosition::from(&Connect6::start(rules))
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.candidates().into_iter().try_for_each(visit)
    }

    fn is_legal(&self, m: Connect6Move) -> bool {
        self.game.is_legal(m) && self.is_admissible(m)
    }

    fn play(&mut self, m: Connect6Move) {
        let side = self.side();
        m.stones().for_each(|p| self.board.place(side, p.index() as u16));
        self.game.play(m);
    }

    fn undo(&mut self, m: Connect6Move, undo: ()) {
        m.stones().for_each(|_| self.board.remove());
        self.game.undo(m, undo);
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }

    fn hash_from_scratch(&self) -> u64 {
        self.game.hash_from_scratch()
    }

    fn parse_fen(fen: &str, rules: &Connect6Rules) -> Result<SearchPosition, FenError> {
        Connect6::parse_fen(fen, rules).map(|game| SearchPosition::from(&game))
    }

    fn fen(&self) -> String {
        self.game.fen()
    }

    /// Parses a legal turn, which need not be a candidate.
    fn parse_move(&self, text: &str) -> Result<Connect6Move, MoveError> {
        self.game.parse_move(text)
    }

    fn move_token(&self, m: Connect6Move) -> String {
        m.to_string()
    }

    fn diagram(&self) -> String {
        self.game.diagram()
    }
}

//! Ratings of many engines by joint maximum likelihood.
//!
//! Let the first player's natural rating be a and the second player's b. The first player's
//! expected score is f(a - b + g), f(x) = 1 / (1 + e^-x); g is the advantage of moving first. Draws
//! either count as half a win for both, as in Ordo (Bradley and Terry 1952), or have their own
//! parameter, as in BayesElo (Rao and Kupper 1967): win f(x - d), loss f(-x - d), draw the rest. An
//! Elo point is ln 10 / 400. Both likelihoods are concave, so Newton's method finds the unique
//! maximum.
//!
//! The covariance is the inverse of the information, with the mean rating fixed at 0. The two games
//! of a pair are not independent, and draws vary less than the first model assumes. Therefore the
//! robust covariance (the sandwich estimator, with pairs as its clusters) is also computed.

use super::meetings::Meetings;
use super::numerics::{add_square, cholesky};
use super::{GameScore, normal_cdf};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// Elo points per natural unit.
pub const ELO: f64 = 400.0 / LN_10;
const STEPS: usize = 200;
/// The undetermined quantity if there are too few games.
const ALL: &str =
    "all of the ratings and the first player's advantage; give --no-advantage or --prior 1";

/// How draws are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawModel {
    /// Half a win for both, as in Ordo.
    Half,
    /// An outcome with its own parameter, as in BayesElo.
    RaoKupper,
}

/// A parameter of the model, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// Estimated from the games.
    Estimated,
    /// Given.
    Given(f64),
}

/// The model: its parameters, and which of them are estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// How draws are modelled.
    pub draws: DrawModel,
    /// BayesElo's drawelo; only [`DrawModel::RaoKupper`] has it.
    pub drawelo: Parameter,
    /// The advantage of moving first.
    pub advantage: Parameter,
    /// Prior draws credited to every engine, spread over its opponents in proportion to their
    /// games; the opponents are credited with them too.
    pub prior: f64,
}

/// The maximum-likelihood estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Elo of each engine; the mean is 0.
    pub elo: Vec<f64>,
    /// The advantage of moving first, in Elo; `None` if it was not estimated.
    pub advantage: Option<f64>,
    /// BayesElo's drawelo; `None` if the model has no draw parameter.
    pub draw: Option<f64>,
    /// The model's covariance of all of these in that order, in squared Elo.
    pub covariance: DMatrix<f64>,
    /// The robust covariance of the same quantities.
    pub robust: DMatrix<f64>,
}

/// Error: the likelihood has no maximum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// Some engines never scored against the others, so the difference is infinite.
    #[error(
        "these engines never scored against the others, or were never scored against, or did not \
         meet them: {}; give --prior 1, so that everybody is credited with a draw",
        .0.iter().map(|i| format!("#{i}")).collect::<Vec<_>>().join(", ")
    )]
    Apart(Vec<usize>),
    /// There are too few games of some kind.
    #[error("the games do not determine {0}")]
    Undetermined(&'static str),
}

/// The weighted games between two engines, the first of which moves first.
struct PairGames {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

impl Model {
    /// Ordo's model with default switches, and the factor of its scale, on which a score of 76% is
    /// a difference of 202 points (its manual, "Scale").
    pub fn ordo() -> (Model, f64) {
        let model = Model {
            draws: DrawModel::Half,
            drawelo: Parameter::Estimated,
            advantage: Parameter::Given(0.0),
            prior: 0.0,
        };
        (model, 202.0 * LN_10 / (400.0 * (0.76f64 / 0.24).ln()))
    }

    /// BayesElo's model after `elo` and `mm`: an advantage of 32.8, a drawelo of 97.3, and two
    /// draws in total for each player (one of its own and one of its opponents'). The factor of its
    /// scale makes differences near 0 equal to those of the plain logistic.
    pub fn bayeselo() -> (Model, f64) {
        let drawelo = 97.3;
        let model = Model {
            draws: DrawModel::RaoKupper,
            drawelo: Parameter::Given(drawelo),
            advantage: Parameter::Given(32.8),
            prior: 1.0,
        };
        let x = (-drawelo / ELO).exp();
        (model, 4.0 * x / ((1.0 + x) * (1.0 + x)))
    }
}

/// The indices of the estimated parameters in a vector, and the values of the given ones.
struct ParameterLayout {
    engines: usize,
    advantage: Option<usize>,
    draw: Option<usize>,
    with_draws: bool,
    /// Advantage and draw parameter in natural units.
    given: [f64; 2],
}

impl ParameterLayout {
    fn of(model: &Model, engines: usize) -> ParameterLayout {
        let mut given = [0.0; 2];
        let mut next = engines;
        let mut place = |parameter: Parameter, given: &mut f64| match parameter {
            Parameter::Estimated => {
                next += 1;
                Some(next - 1)
            }
            Parameter::Given(elo) => {
                *given = elo / ELO;
                None
            }
        };
        let advantage = place(model.advantage, &mut given[0]);
        let with_draws = model.draws == DrawModel::RaoKupper;
        let draw = with_draws.then(|| place(model.drawelo, &mut given[1])).flatten();
        ParameterLayout { engines, advantage, draw, with_draws, given }
    }

    fn size(&self) -> usize {
        self.engines + usize::from(self.advantage.is_some()) + usize::from(self.draw.is_some())
    }

    /// The gradient of x, the rating difference of a game, with respect to the parameters.
    fn direction(&self, first: usize, second: usize) -> Vec<(usize, f64)> {
        let mut direction = vec![(first, 1.0), (second, -1.0)];
        direction.extend(self.advantage.map(|g| (g, 1.0)));
        direction
    }

    fn x(&self, at: &[f64], first: usize, second: usize) -> f64 {
        self.given[0] + self.direction(first, second).iter().map(|&(i, c)| c * at[i]).sum::<f64>()
    }

    fn d(&self, at: &[f64]) -> f64 {
        self.draw.map_or(self.given[1], |i| at[i])
    }
}

/// 1 / (1 + e^-x).
fn f(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln f(x), accurate for large |x|.
fn ln_f(x: f64) -> f64 {
    if x < 0.0 { x - x.exp().ln_1p() } else { -(-x).exp().ln_1p() }
}

/// The derivatives of the log-likelihood of one game with respect to x and d.
fn slope(score: GameScore, x: f64, d: f64, with_draws: bool) -> (f64, f64) {
    if !with_draws {
        return (f64::from(score.half_points()) / 2.0 - f(x), 0.0);
    }
    let (not_won, not_lost) = (f(d - x), f(d + x));
    match score {
        GameScore::Win => (not_won, -not_won),
        GameScore::Loss => (-not_lost, -not_lost),
        GameScore::Draw => {
            (not_won - not_lost, 2.0 / (1.0 - (-2.0 * d).exp()) - not_won - not_lost)
        }
    }
}

/// Estimates the ratings of all engines of these meetings.
pub fn rate(meetings: &Meetings, model: &Model) -> Result<Ratings, RatingError> {
    let engines = meetings.engines();
    let cells = cells(meetings, model.prior);
    if model.prior <= 0.0 {
        let apart = apart(&cells, engines);
        if !apart.is_empty() {
            return Err(RatingError::Apart(apart));
        }
    }
    check(&cells, model)?;
    let layout = ParameterLayout::of(model, engines);
    let at = maximise(&cells, &layout)?;
    let information = information(&cells, &layout, &at);
    let decomposed = cholesky(&information).ok_or(RatingError::Undetermined(ALL))?;
    let mut inverse = decomposed.inverse();
    // The term that fixes the mean carries no information.
    inverse.view_mut((0, 0), (engines, engines)).add_scalar_mut(-1.0 / (engines * engines) as f64);
    let robust = &inverse * clusters(meetings, &layout, &at) * &inverse;
    Ok(Ratings {
        elo: at[..engines].iter().map(|x| ELO * x).collect(),
        advantage: layout.advantage.map(|i| ELO * at[i]),
        draw: layout.draw.map(|i| ELO * at[i]),
        covariance: inverse * (ELO * ELO),
        robust: robust * (ELO * ELO),
    })
}

fn cells(meetings: &Meetings, prior: f64) -> Vec<PairGames> {
    let mut cells: Vec<PairGames> = meetings
        .ordered()
        .into_iter()
        .map(|([first, second], wdl)| PairGames {
            first,
            second,
            wins: wdl.wins as f64,
            draws: wdl.draws as f64,
            losses: wdl.losses as f64,
        })
        .collect();
    let mut games = vec![0.0; meetings.engines()];
    for c in &cells {
        let n = c.wins + c.draws + c.losses;
        games[c.first] += n;
        games[c.second] += n;
    }
    for c in &mut cells {
        let n = c.wins + c.draws + c.losses;
        c.draws += prior * (n / games[c.first] + n / games[c.second]);
    }
    cells
}

/// Engines not strongly connected to the first in the graph of "scored against".
fn apart(cells: &[PairGames], engines: usize) -> Vec<usize> {
    let reach = |forward: bool| {
        let mut seen = vec![false; engines];
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if at >= engines || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            for c in cells {
                let scored = [
                    (c.first, c.second, c.wins + c.draws),
                    (c.second, c.first, c.losses + c.draws),
                ];
                for (from, to, points) in scored {
                    let (from, to) = if forward { (from, to) } else { (to, from) };
                    if from == at && points > 0.0 {
                        open.push(to);
                    }
                }
            }
        }
        seen
    };
    let (one, other) = (reach(true), reach(false));
    (0..engines).filter(|&i| !(one[i] && other[i])).collect()
}

/// Rejects parameters whose estimates would be infinite.
fn check(cells: &[PairGames], model: &Model) -> Result<(), RatingError> {
    let sum = |g: &dyn Fn(&PairGames) -> f64| cells.iter().map(g).sum::<f64>();
    if (model.draws, model.drawelo) == (DrawModel::RaoKupper, Parameter::Estimated)
        && (sum(&|c| c.draws) <= 0.0 || sum(&|c| c.wins + c.losses) <= 0.0)
    {
        return Err(RatingError::Undetermined(
            "how often games are drawn: there must be draws and others; use --draws half",
        ));
    }
    if model.advantage == Parameter::Estimated
        && (sum(&|c| c.wins + c.draws) <= 0.0 || sum(&|c| c.losses + c.draws) <= 0.0)
    {
        return Err(RatingError::Undetermined(
            "the first player's advantage: it is infinite; use --no-advantage",
        ));
    }
    Ok(())
}

fn log_likelihood(cells: &[PairGames], layout: &ParameterLayout, at: &[f64]) -> f64 {
    let d = layout.d(at);
    if layout.with_draws && d <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let mut sum = 0.0;
    for c in cells {
        let x = layout.x(at, c.first, c.second);
        sum += match layout.with_draws {
            false => (c.wins + c.draws / 2.0) * ln_f(x) + (c.losses + c.draws / 2.0) * ln_f(-x),
            true => {
                (c.wins + c.draws) * ln_f(x - d)
                    + (c.losses + c.draws) * ln_f(-x - d)
                    + c.draws * (2.0 * d).exp_m1().ln()
            }
        };
    }
    sum
}

fn gradient(cells: &[PairGames], layout: &ParameterLayout, at: &[f64]) -> Vec<f64> {
    let d = layout.d(at);
    let mut gradient = vec![0.0; layout.size()];
    for c in cells {
        let x = layout.x(at, c.first, c.second);
        for (score, n) in
            [(GameScore::Win, c.wins), (GameScore::Draw, c.draws), (GameScore::Loss, c.losses)]
        {
            let (in_x, in_d) = slope(score, x, d, layout.with_draws);
            for (i, sign) in layout.direction(c.first, c.second) {
                gradient[i] += n * sign * in_x;
            }
            if let (Some(i), true) = (layout.draw, n > 0.0) {
                gradient[i] += n * in_d;
            }
        }
    }
    gradient
}

/// The negative Hessian plus the square of the ratings' sum, which makes the ratings determined.
fn information(cells: &[PairGames], layout: &ParameterLayout, at: &[f64]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(layout.size(), layout.size());
    let all: Vec<(usize, f64)> = (0..layout.engines).map(|i| (i, 1.0)).collect();
    add_square(&mut matrix, &all, 1.0);
    let d = layout.d(at);
    let mut draws = 0.0;
    for c in cells {
        let x = layout.x(at, c.first, c.second);
        let direction = layout.direction(c.first, c.second);
        match layout.with_draws {
            false => {
                let n = c.wins + c.draws + c.losses;
                add_square(&mut matrix, &direction, n * f(x) * f(-x));
            }
            true => {
                draws += c.draws;
                let sides = [(1.0, x - d, c.wins + c.draws), (-1.0, -x - d, c.losses + c.draws)];
                for (sign, u, n) in sides {
                    let mut along: Vec<_> = direction.iter().map(|&(i, y)| (i, sign * y)).collect();
                    along.extend(layout.draw.map(|draw| (draw, -1.0)));
                    add_square(&mut matrix, &along, n * f(u) * f(-u));
                }
            }
        }
    }
    if let Some(draw) = layout.draw {
        // Minus the second derivative of ln(e^2d - 1).
        let root = d.sinh();
        matrix[(draw, draw)] += draws / (root * root);
    }
    matrix
}

/// Newton's method; a step that does not increase the likelihood is halved.
fn maximise(cells: &[PairGames], layout: &ParameterLayout) -> Result<Vec<f64>, RatingError> {
    let mut at = vec![0.0; layout.size()];
    if let Some(draw) = layout.draw {
        at[draw] = 0.5;
    }
    let mut height = log_likelihood(cells, layout, &at);
    for _ in 0..STEPS {
        let decomposed = cholesky(&information(cells, layout, &at));
        let slope = DVector::from_vec(gradient(cells, layout, &at));
        let step = decomposed.ok_or(RatingError::Undetermined(ALL))?.solve(&slope);
        let mut share = 1.0;
        let next = loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
            let there = log_likelihood(cells, layout, &next);
            if there >= height || share < 1e-9 {
                height = height.max(there);
                break next;
            }
            share *= 0.5;
        };
        at = next;
        if step.iter().all(|s| s.abs() < 1e-11) {
            break;
        }
    }
    Ok(at)
}

/// The sum of the gradients' outer products over all pairs and single games.
///
/// If all pairs of a meeting have the same result, such as draws only, this sum is 0 and the ratings
/// would seem to be exact. Therefore every direction in which a sample can vary has a lower bound,
/// the sum of two virtual samples: one pair won 2-0 and one lost 0-2 (for single games one win and
/// one loss), and likewise for the advantage of moving first.
fn clusters(meetings: &Meetings, layout: &ParameterLayout, at: &[f64]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(layout.size(), layout.size());
    let d = layout.d(at);
    // Sums of squares by direction and by whether the samples are pairs.
    let mut spread: BTreeMap<(Option<[usize; 2]>, bool), f64> = BTreeMap::new();
    for (players, scores, n) in meetings.clusters() {
        let is_pair = scores.iter().all(Option::is_some);
        // Residuals of the rating difference and of the advantage.
        let (mut difference, mut advantage, mut in_draw) = (0.0, 0.0, 0.0);
        for (player, score) in scores.into_iter().enumerate() {
            let Some(score) = score else { continue };
            let x = layout.x(at, players[player], players[1 - player]);
            let (in_x, in_d) = slope(score, x, d, layout.with_draws);
            difference += if player == 0 { in_x } else { -in_x };
            advantage += in_x;
            in_draw += in_d;
        }
        let mut sum = vec![(players[0], difference), (players[1], -difference)];
        sum.extend(layout.advantage.map(|i| (i, advantage)));
        sum.extend(layout.draw.map(|i| (i, in_draw)));
        add_square(&mut matrix, &sum, n as f64);
        let meeting = [players[0].min(players[1]), players[0].max(players[1])];
        *spread.entry((Some(meeting), is_pair)).or_default() += n as f64 * difference * difference;
        *spread.entry((None, is_pair)).or_default() += n as f64 * advantage * advantage;
    }
    for ((meeting, is_pair), sum) in spread {
        let virtual_sum = if is_pair { 2.0 } else { 0.5 };
        let direction = match (meeting, layout.advantage) {
            (Some([a, b]), _) => vec![(a, 1.0), (b, -1.0)],
            (None, Some(advantage)) => vec![(advantage, 1.0)],
            (None, None) => continue,
        };
        add_square(&mut matrix, &direction, f64::max(virtual_sum - sum, 0.0));
    }
    matrix
}

impl Ratings {
    /// Converts the ratings to a scale on which one point is `1 / factor` Elo.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Ratings {
        self.elo.iter_mut().for_each(|elo| *elo *= factor);
        self.advantage = self.advantage.map(|elo| elo * factor);
        self.draw = self.draw.map(|elo| elo * factor);
        self.covariance *= factor * factor;
        self.robust *= factor * factor;
        self
    }

    /// The same ratings with engine `anchor` at `elo`. The errors are then those of the differences
    /// from the anchor, whose own error is 0: var(a - b) = var(a) + var(b) - 2 cov(a, b).
    #[must_use]
    pub fn anchored(mut self, anchor: usize, elo: f64) -> Ratings {
        let shift = elo - self.elo[anchor];
        self.elo.iter_mut().for_each(|r| *r += shift);
        let mut relative = DMatrix::identity(self.covariance.nrows(), self.covariance.ncols());
        for engine in 0..self.elo.len() {
            relative[(engine, anchor)] -= 1.0;
        }
        self.covariance = &relative * &self.covariance * relative.transpose();
        self.robust = &relative * &self.robust * relative.transpose();
        self
    }

    /// The standard error of a rating, in Elo.
    pub fn error(&self, engine: usize, robust: bool) -> f64 {
        let matrix = if robust { &self.robust } else { &self.covariance };
        matrix[(engine, engine)].max(0.0).sqrt()
    }

    /// The rating difference between two engines, and its standard error.
    pub fn difference(&self, a: usize, b: usize, robust: bool) -> (f64, f64) {
        let m = if robust { &self.robust } else { &self.covariance };
        let variance = m[(a, a)] + m[(b, b)] - 2.0 * m[(a, b)];
        (self.elo[a] - self.elo[b], variance.max(0.0).sqrt())
    }

    /// The likelihood that engine `a` is better than engine `b`.
    pub fn los(&self, a: usize, b: usize, robust: bool) -> f64 {
        let (difference, error) = self.difference(a, b, robust);
        if error > 0.0 { normal_cdf(difference / error) } else { 0.5 }
    }
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;

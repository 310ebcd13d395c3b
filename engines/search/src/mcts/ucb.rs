//! Child selection in tree searches.

/// The upper confidence bound of a child: UCB1 (Kocsis and Szepesvari 2006), with progressive bias
/// if `bias` is given.
///
/// `points` in `visits` are from the chooser's view, and `log_parent` is the logarithm of the
/// parent's visits. The bias is `bias * value / losses`, where `value` is the child's value for the
/// chooser, 0 to 1; a child without losses counts as having one. The bound of a child without
/// visits is infinite.
#[inline]
pub fn upper_confidence_bound(
    points: f64,
    visits: f64,
    log_parent: f64,
    exploration: f64,
    bias: Option<f64>,
    value: f64,
) -> f64 {
    if visits == 0.0 {
        return f64::INFINITY;
    }
    let losses = (visits - points).max(1.0);
    points / visits
        + exploration * (log_parent / visits).sqrt()
        + bias.map_or(0.0, |factor| factor * value / losses)
}

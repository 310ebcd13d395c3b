//! The standard normal distribution function, to double precision.

use std::f64::consts::{PI, SQRT_2};

/// The two-sided 95% point of the standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `x`; 0 and 1 at the infinities.
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    let tail = 0.5 * erfc_of_positive(x.abs() / SQRT_2);
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// erfc for `x` >= 0: the Maclaurin series of erf near 0, Laplace's continued fraction beyond.
/// Each converges to double precision on its side of 2.
fn erfc_of_positive(x: f64) -> f64 {
    if x < 2.0 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            let n = f64::from(n);
            term *= -x * x / n;
            let part = term / (2.0 * n + 1.0);
            sum += part;
            if part.abs() < 1e-17 * sum.abs() {
                break;
            }
        }
        1.0 - 2.0 / PI.sqrt() * sum
    } else if x > 27.5 {
        0.0
    } else {
        let mut fraction = x;
        for k in (1..=120).rev() {
            fraction = x + f64::from(k) / 2.0 / fraction;
        }
        (-x * x).exp() / PI.sqrt() / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_values_come_out() {
        // Abramowitz and Stegun, table 26.1; the tails from table 26.2.
        for (x, p) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (Z95, 0.975),
        ] {
            assert!((normal_cdf(x) - p).abs() < 1e-14, "{x}: {}", normal_cdf(x));
            assert!((normal_cdf(-x) - (1.0 - p)).abs() < 1e-14);
        }
        assert!((normal_cdf(-6.0) / 9.865_876_450_376_946e-10 - 1.0).abs() < 1e-10);
    }

    #[test]
    fn both_expansions_agree_where_they_meet_and_the_ends_are_exact() {
        let x = 2.0 * SQRT_2;
        assert!((normal_cdf(x - 1e-12) - normal_cdf(x + 1e-12)).abs() < 1e-13);
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
        assert!(normal_cdf(f64::NAN).is_nan());
    }
}

//! Numerical helpers of the estimates: the normal distribution, positive definite matrices such as information and
//! covariance, a line through points, sums of exponentials.

use nalgebra::{Cholesky, DMatrix, Dyn};
use std::f64::consts::SQRT_2;

/// The two-sided 95% point of the standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `x`; 0 and 1 at the infinities.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// Adds `weight` times the outer product of a sparse vector with itself.
pub(super) fn add_square(matrix: &mut DMatrix<f64>, vector: &[(usize, f64)], weight: f64) {
    for &(i, x) in vector {
        for &(j, y) in vector {
            matrix[(i, j)] += weight * x * y;
        }
    }
}

/// The Cholesky decomposition; `None` if the matrix is not positive definite.
pub(super) fn cholesky(matrix: &DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
    let decomposed = Cholesky::new(matrix.clone())?;
    let lower = decomposed.l_dirty();
    // Below this bound the diagonal consists only of rounding errors.
    let regular = (0..matrix.nrows()).all(|i| lower[(i, i)].powi(2) > 1e-12 * matrix[(i, i)]);
    regular.then_some(decomposed)
}

/// ln of a sum of exponentials.
pub(super) fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.map(|x| (x - most).exp()).sum::<f64>().ln()
}

/// Intercept and slope of the weighted least-squares line through (x, y). If all weight is on one x,
/// the slope is that of the outermost points.
pub(super) fn line(x: &[f64], weights: &[f64], y: &[f64]) -> [f64; 2] {
    let mean = |v: &[f64]| v.iter().zip(weights).map(|(v, w)| v * w).sum::<f64>();
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut covariance, mut variance) = (0.0, 0.0);
    for ((x, y), w) in x.iter().zip(y).zip(weights) {
        covariance += w * (x - mean_x) * (y - mean_y);
        variance += w * (x - mean_x) * (x - mean_x);
    }
    let last = x.len() - 1;
    let slope =
        if variance > 1e-12 { covariance / variance } else { (y[last] - y[0]) / (x[last] - x[0]) };
    [mean_y - slope * mean_x, slope]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DVector;

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
    fn the_ends_are_exact() {
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
        assert!(normal_cdf(f64::NAN).is_nan());
    }

    #[test]
    fn a_system_is_solved_and_inverted() {
        let mut m = DMatrix::zeros(3, 3);
        add_square(&mut m, &[(0, 1.0), (1, -1.0)], 2.0);
        add_square(&mut m, &[(1, 1.0), (2, -1.0)], 3.0);
        add_square(&mut m, &[(0, 1.0), (1, 1.0), (2, 1.0)], 1.0);
        let right = DVector::from_vec(vec![1.0, 2.0, 3.0]);
        let decomposed = cholesky(&m).unwrap();
        assert!((&m * decomposed.solve(&right) - &right).amax() < 1e-12);
        assert!((&m * decomposed.inverse() - DMatrix::identity(3, 3)).amax() < 1e-12);
    }

    #[test]
    fn a_singular_system_is_refused() {
        let mut m = DMatrix::zeros(2, 2);
        add_square(&mut m, &[(0, 1.0), (1, -1.0)], 5.0);
        assert!(cholesky(&m).is_none());
    }
}

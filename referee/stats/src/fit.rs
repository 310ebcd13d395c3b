//! Least-squares fit of polynomials of any degree.
//!
//! Powers of a move number up to the sixth span ten decades, so the normal equations would lose
//! most digits. Therefore the abscissa is scaled to -1..1, the basis consists of Chebyshev
//! polynomials, and a QR decomposition solves the system.

use agon_base::ordinal::Ordinal;
use nalgebra::{DMatrix, DVector};

/// A data point. `weight` multiplies its squared residual; if `y` is a mean, it is the number of
/// observations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitPoint {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
    /// Positive weight.
    pub weight: f64,
}

impl FitPoint {
    /// A single observation.
    pub fn new(x: f64, y: f64) -> FitPoint {
        FitPoint { x, y, weight: 1.0 }
    }
}

/// A fitted polynomial.
#[derive(Clone, PartialEq, Debug)]
pub struct Polynomial {
    middle: f64,
    half_width: f64,
    /// Coefficients of the Chebyshev polynomials of the scaled abscissa, degree 0 first.
    chebyshev: Vec<f64>,
    r2: Option<f64>,
}

/// Error: a fit is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The data do not determine a polynomial of this degree.
    #[error("a polynomial of degree {degree} needs {} different abscissas, there are {distinct}", degree + 1)]
    TooFewPoints {
        /// The requested degree.
        degree: usize,
        /// The number of different abscissas.
        distinct: usize,
    },
    /// A coordinate is infinite or not a number, or a weight is not positive.
    #[error("point {} is not finite or its weight is not positive", Ordinal::of_index(*index as u64))]
    BadPoint {
        /// The point's index, counted from 0.
        index: usize,
    },
}

impl Polynomial {
    /// Fits the polynomial of `degree` with the least weighted sum of squared residuals.
    pub fn fit(points: &[FitPoint], degree: usize) -> Result<Polynomial, FitError> {
        let good = |p: &FitPoint| p.x.is_finite() && p.y.is_finite() && p.weight > 0.0;
        if let Some(index) = points.iter().position(|p| !good(p)) {
            return Err(FitError::BadPoint { index });
        }
        let mut xs: Vec<f64> = points.iter().map(|p| p.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let (Some(&least), Some(&greatest), true) = (xs.first(), xs.last(), xs.len() > degree)
        else {
            return Err(FitError::TooFewPoints { degree, distinct: xs.len() });
        };
        let half_width = if greatest > least { 0.5 * (greatest - least) } else { 1.0 };
        let mut fitted = Polynomial {
            middle: 0.5 * (least + greatest),
            half_width,
            chebyshev: Vec::new(),
            r2: None,
        };
        let rows: Vec<f64> = points.iter().flat_map(|p| fitted.row(p, degree)).collect();
        let qr = DMatrix::from_row_slice(points.len(), degree + 1, &rows).qr();
        let weighted = points.iter().map(|p| p.weight.sqrt() * p.y);
        let right = qr.q().transpose() * DVector::from_iterator(points.len(), weighted);
        // Different abscissas make the triangle regular; only underflow could make it singular.
        let solution = qr.r().solve_upper_triangular(&right);
        fitted.chebyshev = solution.map_or(vec![0.0; degree + 1], |x| x.as_slice().to_vec());
        fitted.r2 = fitted.r2_over(points, 0.0);
        Ok(fitted)
    }

    /// The weighted basis at the abscissa of one point.
    fn row(&self, p: &FitPoint, degree: usize) -> Vec<f64> {
        let root = p.weight.sqrt();
        let u = (p.x - self.middle) / self.half_width;
        let mut row = vec![1.0, u];
        for k in 2..=degree {
            row.push(2.0 * u * row[k - 1] - row[k - 2]);
        }
        row.truncate(degree + 1);
        row.iter_mut().for_each(|v| *v *= root);
        row
    }

    /// The polynomial's degree.
    pub fn degree(&self) -> usize {
        self.chebyshev.len() - 1
    }

    /// The value at `x` (Clenshaw's recurrence).
    pub fn at(&self, x: f64) -> f64 {
        let u = (x - self.middle) / self.half_width;
        let (mut b1, mut b2) = (0.0, 0.0);
        for &c in self.chebyshev.iter().skip(1).rev() {
            (b1, b2) = (2.0 * u * b1 - b2 + c, b1);
        }
        self.chebyshev[0] + u * b1 - b2
    }

    /// The coefficient of determination over the fitted points; `None` if all ordinates are equal.
    pub fn r2(&self) -> Option<f64> {
        self.r2
    }

    /// The coefficient of determination over all observations, if the points are means. `within` is
    /// the sum of squared deviations of the observations from their point's mean. Weighted means
    /// and single observations give the same fit.
    pub fn r2_over(&self, points: &[FitPoint], within: f64) -> Option<f64> {
        let weight: f64 = points.iter().map(|p| p.weight).sum();
        let mean = points.iter().map(|p| p.weight * p.y).sum::<f64>() / weight;
        let sum = |f: &dyn Fn(&FitPoint) -> f64| -> f64 {
            within + points.iter().map(|p| p.weight * f(p) * f(p)).sum::<f64>()
        };
        let total = sum(&|p| p.y - mean);
        (total > 0.0).then(|| 1.0 - sum(&|p| p.y - self.at(p.x)) / total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_polynomial_of_degree_six_is_recovered() {
        let truth = [3.0, -2.0, 0.5, 0.25, -0.125, 0.01, -0.0003];
        let value = |x: f64| truth.iter().rev().fold(0.0, |acc, c| acc * x + c);
        let points: Vec<FitPoint> =
            (1..=46).map(|i| FitPoint::new(f64::from(i), value(f64::from(i)))).collect();
        let fit = Polynomial::fit(&points, 6).unwrap();
        for p in &points {
            assert!((fit.at(p.x) - p.y).abs() < 1e-8 * p.y.abs().max(1.0));
        }
        assert!((fit.at(50.0) / value(50.0) - 1.0).abs() < 1e-9, "beyond the data");
        assert!((fit.r2().unwrap() - 1.0).abs() < 1e-14);
    }

    /// Python 3.11, numpy 2.4.6: `x = numpy.arange(1, 41.)`,
    /// `y = numpy.round(1e5 * numpy.sin(x / 9) + 3e4 * numpy.cos(x * x))`,
    /// `p = numpy.polynomial.Polynomial.fit(x, y, 6)`,
    /// `r2 = 1 - ((y - p(x))**2).sum() / ((y - y.mean())**2).sum()`.
    #[test]
    fn a_noisy_series_gives_the_polynomial_that_numpy_gives() {
        let points: Vec<FitPoint> = (1..=40)
            .map(|i| {
                let x = f64::from(i);
                FitPoint::new(x, (1e5 * (x / 9.0).sin() + 3e4 * (x * x).cos()).round())
            })
            .collect();
        let fit = Polynomial::fit(&points, 6).unwrap();
        for (x, want) in [NUMPY_AT_1, NUMPY_AT_20_5, NUMPY_AT_40] {
            assert!((fit.at(x) / want - 1.0).abs() < 1e-9, "{} {want}", fit.at(x));
        }
        assert!((fit.r2().unwrap() - NUMPY_R2).abs() < 1e-12, "{:?}", fit.r2());
    }

    const NUMPY_AT_1: (f64, f64) = (1.0, 11502.60415793286);
    const NUMPY_AT_20_5: (f64, f64) = (20.5, 69541.38139741123);
    const NUMPY_AT_40: (f64, f64) = (40.0, -97073.94876322366);
    const NUMPY_R2: f64 = 0.9265236664008895;

    #[test]
    fn weighted_means_and_all_observations_give_one_fit_and_one_r2() {
        let mut all = Vec::new();
        let mut means = Vec::new();
        let mut within = 0.0;
        for i in 0..12 {
            let x = f64::from(i);
            let ys: Vec<f64> =
                (0..=i % 4).map(|k| (x - 4.0).powi(2) + f64::from(k * 7 % 5)).collect();
            let mean = ys.iter().sum::<f64>() / ys.len() as f64;
            within += ys.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>();
            means.push(FitPoint { x, y: mean, weight: ys.len() as f64 });
            all.extend(ys.into_iter().map(|y| FitPoint::new(x, y)));
        }
        let (a, b) = (Polynomial::fit(&all, 3).unwrap(), Polynomial::fit(&means, 3).unwrap());
        for i in 0..12 {
            assert!((a.at(f64::from(i)) - b.at(f64::from(i))).abs() < 1e-9);
        }
        let (r_all, r_means) = (a.r2().unwrap(), b.r2_over(&means, within).unwrap());
        assert!((r_all - r_means).abs() < 1e-12, "{r_all} {r_means}");
        assert!(b.r2().unwrap() > r_all);
    }

    #[test]
    fn degree_zero_is_the_weighted_mean() {
        let points =
            [FitPoint { x: 1.0, y: 2.0, weight: 3.0 }, FitPoint { x: 1.0, y: 6.0, weight: 1.0 }];
        let fit = Polynomial::fit(&points, 0).unwrap();
        assert!((fit.at(99.0) - 3.0).abs() < 1e-12);
        assert!(fit.r2().unwrap().abs() < 1e-12);
        assert_eq!(Polynomial::fit(&points[..1], 0).unwrap().r2(), None);
    }

    #[test]
    fn too_few_or_bad_points_are_refused_with_the_reason() {
        let points: Vec<FitPoint> = (0..9).map(|i| FitPoint::new(f64::from(i / 2), 1.0)).collect();
        let error = Polynomial::fit(&points, 6).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a polynomial of degree 6 needs 7 different abscissas, there are 5"
        );
        let bad = [FitPoint::new(0.0, 1.0), FitPoint::new(1.0, f64::NAN)];
        assert_eq!(Polynomial::fit(&bad, 1), Err(FitError::BadPoint { index: 1 }));
        assert_eq!(Polynomial::fit(&[], 0), Err(FitError::TooFewPoints { degree: 0, distinct: 0 }));
    }
}

//! Operations on symmetric positive definite matrices, such as information and covariance.

use nalgebra::{Cholesky, DMatrix, Dyn};

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

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DVector;

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

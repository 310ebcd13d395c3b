//! Symmetric positive definite systems, small and dense (Cholesky).

/// A symmetric matrix; only the values that were set by [`Symmetric::add`] or come out of
/// [`Symmetric::inverse`] are not 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    values: Vec<f64>,
}

impl Symmetric {
    /// All zeros.
    pub fn zeros(size: usize) -> Symmetric {
        Symmetric { size, values: vec![0.0; size * size] }
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// One value.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.size + j]
    }

    /// Adds to one value and to its mirror image.
    pub fn add(&mut self, i: usize, j: usize, x: f64) {
        self.values[i * self.size + j] += x;
        if i != j {
            self.values[j * self.size + i] += x;
        }
    }

    /// Adds `weight` times the outer product of a vector with itself.
    pub fn add_square(&mut self, vector: &[(usize, f64)], weight: f64) {
        for (k, &(i, x)) in vector.iter().enumerate() {
            for &(j, y) in &vector[k..] {
                self.add(i, j, weight * x * y);
            }
        }
    }

    /// The lower triangle whose square this is; `None` if it is not positive definite.
    fn cholesky(&self) -> Option<Vec<f64>> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.at(i, j) - dot;
                if i == j {
                    // Below this, rounding is all that is left of the diagonal.
                    if rest.is_nan() || rest <= 1e-12 * self.at(i, i).abs() {
                        return None;
                    }
                    lower[i * n + i] = rest.sqrt();
                } else {
                    lower[i * n + j] = rest / lower[j * n + j];
                }
            }
        }
        Some(lower)
    }

    /// The solution of this times x = `right`; `None` if it is not positive definite.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let lower = self.cholesky()?;
        Some(self.solve_with(&lower, right))
    }

    fn solve_with(&self, lower: &[f64], right: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = right.to_vec();
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i * n + i];
        }
        x
    }

    /// The inverse; `None` if it is not positive definite.
    pub fn inverse(&self) -> Option<Symmetric> {
        let lower = self.cholesky()?;
        let mut inverse = Symmetric::zeros(self.size);
        for j in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[j] = 1.0;
            let column = self.solve_with(&lower, &unit);
            for (i, x) in column.into_iter().enumerate() {
                inverse.values[i * self.size + j] = x;
            }
        }
        Some(inverse)
    }

    /// `outer` times this times `outer`.
    #[must_use]
    pub fn sandwiched(&self, outer: &Symmetric) -> Symmetric {
        let product = |a: &Symmetric, b: &Symmetric| {
            let mut c = Symmetric::zeros(self.size);
            for i in 0..self.size {
                for j in 0..self.size {
                    c.values[i * self.size + j] =
                        (0..self.size).map(|k| a.at(i, k) * b.at(k, j)).sum();
                }
            }
            c
        };
        product(&product(outer, self), outer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_inverted() {
        let mut m = Symmetric::zeros(3);
        m.add_square(&[(0, 1.0), (1, -1.0)], 2.0);
        m.add_square(&[(1, 1.0), (2, -1.0)], 3.0);
        m.add_square(&[(0, 1.0), (1, 1.0), (2, 1.0)], 1.0);
        let x = m.solve(&[1.0, 2.0, 3.0]).unwrap();
        for i in 0..3 {
            let back: f64 = (0..3).map(|j| m.at(i, j) * x[j]).sum();
            assert!((back - (i as f64 + 1.0)).abs() < 1e-12);
        }
        let inverse = m.inverse().unwrap();
        let same = m.sandwiched(&inverse);
        for i in 0..3 {
            for j in 0..3 {
                assert!((same.at(i, j) - inverse.at(i, j)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_singular_system_is_refused() {
        let mut m = Symmetric::zeros(2);
        m.add_square(&[(0, 1.0), (1, -1.0)], 5.0);
        assert_eq!(m.solve(&[1.0, -1.0]), None);
    }
}

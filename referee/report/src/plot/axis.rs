//! Axis scales and their ticks.

/// How an axis maps values to its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic; values that are not positive are left out.
    Log,
}

/// An axis with its range; the ends are extended to ticks.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    /// The values that have a tick and a label.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// An axis that shows all of `values` that the scale can show; its range is 0 to 1 or 1 to 10
    /// if there are none. A linear axis begins at 0 if `from_zero`.
    pub fn over(values: impl Iterator<Item = f64>, scale: Scale, from_zero: bool) -> Axis {
        let usable = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
        let (mut low, mut high) = values
            .filter(usable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        match scale {
            Scale::Linear => {
                if low > high {
                    (low, high) = (0.0, 1.0);
                }
                if from_zero {
                    (low, high) = (low.min(0.0), high.max(0.0));
                }
                linear(low, high)
            }
            Scale::Log => {
                if low > high {
                    (low, high) = (1.0, 10.0);
                }
                logarithmic(low, high)
            }
        }
    }

    /// An axis with exactly this range and ticks at multiples of a nice step.
    pub fn fixed(low: f64, high: f64) -> Axis {
        let step = nice_step((high - low) / 5.0);
        let ticks = multiples(step, (low / step).ceil(), (high / step + 1e-9).floor());
        Axis { scale: Scale::Linear, low, high, ticks }
    }

    /// An axis with `count` categories, at 1, 2, ...
    pub fn categories(count: usize) -> Axis {
        let ticks = (1..=count).map(|i| i as f64).collect();
        Axis { scale: Scale::Linear, low: 0.5, high: count as f64 + 0.5, ticks }
    }

    /// The position of `value`: 0 at the low end, 1 at the high end, outside that for values out of
    /// range; `None` if the scale cannot show it.
    pub fn place(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            return None;
        }
        match self.scale {
            Scale::Linear => Some((value - self.low) / (self.high - self.low)),
            Scale::Log if value > 0.0 => {
                Some((value / self.low).ln() / (self.high / self.low).ln())
            }
            Scale::Log => None,
        }
    }
}

/// The smallest 1, 2 or 5 times a power of ten that is at least `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn multiples(step: f64, first: f64, last: f64) -> Vec<f64> {
    // The step gives only a few ticks; the bound guards against absurd ranges.
    (0..=((last - first) as usize).min(100)).map(|i| (first + i as f64) * step).collect()
}

fn linear(low: f64, high: f64) -> Axis {
    let (low, high) = if high > low {
        (low, high)
    } else if low == 0.0 {
        (0.0, 1.0)
    } else {
        (low - 0.5 * low.abs(), high + 0.5 * high.abs())
    };
    let step = nice_step((high - low) / 6.0);
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    let ticks = multiples(step, first, last);
    Axis { scale: Scale::Linear, low: first * step, high: last * step, ticks }
}

fn logarithmic(low: f64, high: f64) -> Axis {
    let (first, last) = ((low.log10() + 1e-9).floor(), (high.log10() - 1e-9).ceil());
    let last = last.max(first + 1.0);
    if last - first > 2.5 {
        let stride = ((last - first) / 7.0).ceil();
        let exponents = (0..).map(|i| first + f64::from(i) * stride).take_while(|&e| e <= last);
        let ticks = exponents.map(|e| 10f64.powf(e)).collect();
        return Axis { scale: Scale::Log, low: 10f64.powf(first), high: 10f64.powf(last), ticks };
    }
    // Few decades: ticks are at 1, 2 and 5, and the axis ends at the tick next to the data.
    let all: Vec<f64> = (0..=(last - first) as i32)
        .flat_map(|i| [1.0, 2.0, 5.0].map(|f| f * 10f64.powf(first + f64::from(i))))
        .collect();
    let begin = all.iter().rposition(|&t| t <= low * (1.0 + 1e-9)).unwrap_or(0);
    let end = all.iter().position(|&t| t >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1);
    let ticks = all[begin..=end.max(begin + 1)].to_vec();
    Axis { scale: Scale::Log, low: ticks[0], high: ticks[ticks.len() - 1], ticks }
}

/// A number with at most three significant digits and a suffix for thousands (`k`), millions (`M`)
/// and so on: `1.25M`, `40k`, `0.5`.
pub fn compact(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { format!("{x}") };
    }
    let suffixes = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let size = x.abs();
    let (unit, suffix) =
        suffixes.into_iter().find(|(u, _)| size >= u * 0.9995).unwrap_or((1.0, ""));
    let scaled = x / unit;
    let decimals = match scaled.abs() {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        s if s >= 0.9995 => 2,
        s => (2.0 - s.log10().floor()).clamp(0.0, 9.0) as usize,
    };
    let text = format!("{scaled:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_cover_the_data() {
        let axis = Axis::over([3.0, 87.0].into_iter(), Scale::Linear, true);
        assert_eq!(axis.ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(axis.place(100.0), Some(1.0));
        let axis = Axis::over([0.52, 0.58].into_iter(), Scale::Linear, false);
        assert!(axis.place(0.52).unwrap() >= 0.0 && axis.place(0.58).unwrap() <= 1.0);
        assert!((4..=8).contains(&axis.ticks.len()), "{:?}", axis.ticks);
    }

    #[test]
    fn log_ticks_are_powers_of_ten_and_refuse_what_is_not_positive() {
        let axis = Axis::over([30.0, 2e6, -1.0].into_iter(), Scale::Log, true);
        assert_eq!(axis.ticks.first(), Some(&10.0));
        assert!((axis.place(1e4).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(axis.place(0.0), None);
        let narrow = Axis::over([120.0, 700.0].into_iter(), Scale::Log, false);
        assert!(narrow.ticks.iter().any(|t| (t - 200.0).abs() < 1e-6), "{:?}", narrow.ticks);
    }

    #[test]
    fn no_data_and_equal_data_still_give_an_axis() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [vec![], vec![7.0, 7.0], vec![f64::NAN]] {
                let axis = Axis::over(values.into_iter(), scale, false);
                assert!(axis.high > axis.low && axis.ticks.len() >= 2, "{axis:?}");
            }
        }
    }

    #[test]
    fn numbers_are_compact() {
        let cases = [
            (0.0, "0"),
            (12.0, "12"),
            (999.6, "1k"),
            (1234.0, "1.23k"),
            (40_000.0, "40k"),
            (1_250_000.0, "1.25M"),
            (-2.5e9, "-2.5G"),
            (0.5, "0.5"),
            (0.01234, "0.0123"),
        ];
        for (x, text) in cases {
            assert_eq!(compact(x), text);
        }
    }
}

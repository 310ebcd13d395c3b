//! A plot of estimates with intervals, one line for each name.

use super::axis::{Axis, Scale, compact};
use super::markup::px;
use crate::width::fit;
use maud::{Markup, html};
use unicode_width::UnicodeWidthStr;

/// An estimate.
#[derive(Clone, PartialEq, Debug)]
pub struct IntervalRow {
    /// What is estimated.
    pub name: String,
    /// The estimate.
    pub value: f64,
    /// Its interval.
    pub interval: (f64, f64),
}

const LINE: f64 = 26.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 500.0;
/// Maximum width of a name, in user units.
const MOST_NAME: f64 = 190.0;

/// The estimates in the given order, from the top, on a common axis.
pub fn interval_plot(title: &str, label: &str, estimates: &[IntervalRow]) -> Markup {
    let ends = estimates.iter().flat_map(|e| [e.interval.0, e.interval.1, e.value]);
    let axis = Axis::over(ends, Scale::Linear, false);
    let longest = estimates.iter().map(|e| e.name.width()).max().unwrap_or(0);
    let left = (24.0 + 7.4 * longest as f64).clamp(70.0, MOST_NAME);
    let room = ((left - 20.0) / 7.4) as usize;
    let bottom = TOP + LINE * estimates.len() as f64;
    let x = |value: f64| Some(px(left + axis.place(value)? * (WIDTH - 24.0 - left)).to_string());
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="agon chart"
            viewBox={ "0 0 " (px(WIDTH)) " " (px(bottom + 50.0)) } role="img" aria-label=(title) {
            text class="title" x="12" y="22" { (title) }
            @for &tick in &axis.ticks {
                @if let Some(x) = x(tick) {
                    line class="grid" x1=(x) x2=(x) y1=(px(TOP)) y2=(px(bottom)) {}
                    text class="tick" x=(x) y=(px(bottom + 17.0)) text-anchor="middle" { (compact(tick)) }
                }
            }
            @for (i, estimate) in estimates.iter().enumerate() {
                @let y = TOP + LINE * (i as f64 + 0.5);
                text x=(px(left - 10.0)) y=(px(y + 4.5)) text-anchor="end" {
                    title { (estimate.name) }
                    (fit(&estimate.name, room))
                }
                @if let (Some(low), Some(high), Some(middle)) =
                    (x(estimate.interval.0), x(estimate.interval.1), x(estimate.value)) {
                    path class="bar s0" d={
                        "M" (low) " " (px(y)) "H" (high) "M" (low) " " (px(y - 4.0)) "v8M" (high) " " (px(y - 4.0)) "v8"
                    } {}
                    circle class="dot f0" cx=(middle) cy=(px(y)) r="4" {
                        title {
                            (estimate.name) ": " (format!("{:.1}", estimate.value))
                            (format!(" [{:.1}, {:.1}]", estimate.interval.0, estimate.interval.1))
                        }
                    }
                }
            }
            text class="label" x=(px(0.5 * (left + WIDTH))) y=(px(bottom + 40.0)) text-anchor="middle" {
                (label)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_well_formed;
    use super::*;

    #[test]
    fn estimates_stand_between_the_ends_of_their_intervals() {
        let estimate = |name: &str, value: f64| IntervalRow {
            name: name.into(),
            value,
            interval: (value - 30.0, value + 30.0),
        };
        let names = ["best <1>", "an engine whose name is longer than any that fits here", "b"];
        let estimates =
            [estimate(names[0], 120.0), estimate(names[1], -7.0), estimate(names[2], -90.0)];
        let svg = interval_plot("Ratings", "Elo", &estimates).0;
        assert_well_formed(&svg);
        let numbers = |key: &str| -> Vec<f64> {
            svg.split(key)
                .skip(1)
                .map(|s| s.split(['"', ' ', 'M']).next().unwrap().parse().unwrap())
                .collect()
        };
        let (dots, lows, highs) = (numbers("cx=\""), numbers("bar s0\" d=\"M"), numbers("H"));
        assert_eq!((dots.len(), lows.len(), highs.len()), (3, 3, 3));
        assert!((0..3).all(|i| lows[i] < dots[i] && dots[i] < highs[i]), "{svg}");
        assert!(dots[0] > dots[1] && dots[1] > dots[2]);
        assert!(lows.iter().all(|&x| x >= 0.0) && highs.iter().all(|&x| x <= WIDTH));
        assert!(svg.contains("best &lt;1&gt;") && svg.contains('…'));
    }

    #[test]
    fn one_estimate_without_width_is_still_a_plot() {
        let one = IntervalRow { name: "a".into(), value: 0.0, interval: (0.0, 0.0) };
        assert_well_formed(&interval_plot("x", "y", &[one]).0);
        assert_well_formed(&interval_plot("x", "y", &[]).0);
    }
}

//! Figures of observations with least-squares polynomials, as the papers draw them.

use agon_claims::report::PaperTable;
use agon_report::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable, compact};
use agon_stats::{FitError, FitPoint, Polynomial};

/// Observations by abscissa with a least-squares polynomial through them.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSeries {
    /// The name in the legend.
    pub name: String,
    /// Mean ordinate at each abscissa, weighted by the number of observations.
    pub points: Vec<FitPoint>,
    /// Sum of squared deviations of the observations from the mean of their abscissa; 0 if the
    /// points are single observations.
    pub within: f64,
    /// Intervals around the means, one per point, or empty.
    pub intervals: Vec<(f64, f64)>,
    /// The fit, or why there is none.
    pub fit: Result<Polynomial, FitError>,
}

impl FitSeries {
    /// Fits a polynomial of `degree` to weighted means; see [`FitSeries::within`].
    pub fn new(name: &str, points: Vec<FitPoint>, within: f64, degree: usize) -> FitSeries {
        let fit = Polynomial::fit(&points, degree);
        FitSeries { name: name.into(), points, within, intervals: Vec::new(), fit }
    }

    /// R2 over the means, weighted by their numbers of observations only.
    pub fn r2_of_means(&self) -> Option<f64> {
        self.fit.as_ref().ok()?.r2()
    }

    /// R2 over all observations.
    pub fn r2_of_observations(&self) -> Option<f64> {
        self.fit.as_ref().ok()?.r2_over(&self.points, self.within)
    }

    /// The abscissa of the fit's maximum within the data, and the maximum.
    pub fn peak(&self) -> Option<(f64, f64)> {
        let fit = self.fit.as_ref().ok()?;
        self.grid().into_iter().map(|x| (x, fit.at(x))).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Closely spaced abscissas over the data's range.
    fn grid(&self) -> Vec<f64> {
        const STEPS: u32 = 240;
        let xs = || self.points.iter().map(|p| p.x);
        let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(-f64::INFINITY, f64::max));
        if low > high {
            return Vec::new();
        }
        (0..=STEPS).map(|i| low + (high - low) * f64::from(i) / f64::from(STEPS)).collect()
    }
}

/// A figure of observations with polynomial fits.
#[derive(Clone, PartialEq, Debug)]
pub struct FitPlot {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// The vertical scale.
    pub y_scale: Scale,
    /// The data.
    pub series: Vec<FitSeries>,
}

impl FitPlot {
    /// The figure: markers for the means, a line for each fit.
    pub fn chart(&self) -> Chart {
        let mut chart = Chart::new(&self.title, &self.x_label, &self.y_label);
        chart.y_scale = self.y_scale;
        for s in &self.series {
            let dots = s
                .points
                .iter()
                .enumerate()
                .map(|(i, p)| DataPoint { x: p.x, y: p.y, interval: s.intervals.get(i).copied() })
                .collect();
            chart.add(&s.name, Mark::Dots, dots);
            if let Ok(fit) = &s.fit {
                let line = s.grid().into_iter().map(|x| DataPoint::new(x, fit.at(x))).collect();
                let name = format!("{}, fit of degree {}", s.name, fit.degree());
                chart.add_in_same_colour(&name, Mark::Line, line);
            }
        }
        chart
    }

    /// The fits as a table: both R2 values and the maximum of each fit.
    pub fn table(&self) -> PaperTable {
        let mut table = TextTable::new(&[
            (Align::Left, &["series"]),
            (Align::Right, &["degree", "observations", "R2 of means", "R2 of all observations"]),
            (Align::Right, &["greatest at"]),
        ]);
        let mut notes = Vec::new();
        let show = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.4}"));
        for s in &self.series {
            let observations: f64 = s.points.iter().map(|p| p.weight).sum();
            let degree = match &s.fit {
                Ok(fit) => fit.degree().to_string(),
                Err(e) => {
                    notes.push(format!("{}: no fit: {e}", s.name));
                    "-".into()
                }
            };
            table.row([
                s.name.clone(),
                degree,
                format!("{observations}"),
                show(s.r2_of_means()),
                show(s.r2_of_observations()),
                s.peak().map_or("-".into(), |(x, y)| format!("{x:.1} ({})", compact(y))),
            ]);
        }
        PaperTable { caption: format!("{}: least-squares fits", self.title), table, notes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_is_drawn_and_tabled_with_both_r2() {
        let points = (1..=30).map(|i| {
            let x = f64::from(i);
            FitPoint { x, y: 100.0 - (x - 12.0) * (x - 12.0), weight: 4.0 }
        });
        let good = FitSeries::new("pvs", points.collect(), 1000.0, 6);
        let (x, y) = good.peak().unwrap();
        assert!((x - 12.0).abs() < 0.1 && (y - 100.0).abs() < 0.1);
        assert!(good.r2_of_means().unwrap() > 0.999_999);
        assert!(good.r2_of_observations().unwrap() < 1.0);
        let none = FitSeries::new("short", vec![FitPoint::new(1.0, 1.0)], 0.0, 6);
        let plot = FitPlot {
            title: "Figure 2".into(),
            x_label: "move".into(),
            y_label: "nodes".into(),
            y_scale: Scale::Linear,
            series: vec![good, none],
        };
        assert_eq!(plot.chart().series.len(), 3, "two sets of dots, one fit");
        assert!(plot.table().notes[0].contains("needs 7 different abscissas, there are 1"));
    }
}

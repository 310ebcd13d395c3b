//! Line and scatter charts as SVG.

use super::axis::Scale;

/// A point of a series, with an optional interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DataPoint {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
    /// Lower and upper end of an interval around `y`.
    pub interval: Option<(f64, f64)>,
}

impl DataPoint {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> DataPoint {
        DataPoint { x, y, interval: None }
    }

    /// A point with an interval.
    pub fn with_interval(x: f64, y: f64, low: f64, high: f64) -> DataPoint {
        DataPoint { x, y, interval: Some((low, high)) }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Markers only; intervals as bars.
    Dots,
    /// A line only; intervals as a band.
    Line,
    /// Markers and a line; intervals as bars.
    DottedLine,
    /// A dashed line: a reference such as a paper's curve.
    Dashed,
    /// Columns from 0 up, as wide as the minimum distance between abscissas: a histogram.
    Columns,
}

/// A data series.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The name in the legend; a series without a name has no entry.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Index into the palette (modulo its size): a fit has the colour of its data.
    pub colour: usize,
    /// The points; sorted by `x` for lines.
    pub points: Vec<DataPoint>,
}

/// A chart of series that share their axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// The horizontal scale.
    pub x_scale: Scale,
    /// If not empty, the horizontal axis has categories with these names, at 1, 2, ...
    pub x_names: Vec<String>,
    /// The vertical scale.
    pub y_scale: Scale,
    /// Whether a linear vertical axis begins at 0.
    pub from_zero: bool,
    /// The exact vertical range, if it is known in advance (0 to 1 for a rate).
    pub y_range: Option<(f64, f64)>,
    /// Whether vertical values are fractions that get labels in percent.
    pub percent: bool,
    /// Width of the picture in user units. Text is 13 units high, so a chart of half the page's
    /// width needs about half of the default, [`Chart::WIDE`].
    pub width: f64,
    /// The data.
    pub series: Vec<Series>,
}

impl Chart {
    /// The width of a chart that fills the page.
    pub const WIDE: f64 = 720.0;
    /// The width of a chart next to another one.
    pub const NARROW: f64 = 500.0;

    /// The width of a chart next to two others.
    pub const NARROWEST: f64 = 380.0;

    /// An empty chart with linear scales and a vertical axis from 0.
    pub fn new(title: &str, x_label: &str, y_label: &str) -> Chart {
        Chart {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            x_scale: Scale::Linear,
            x_names: Vec::new(),
            y_scale: Scale::Linear,
            from_zero: true,
            y_range: None,
            percent: false,
            width: Chart::WIDE,
            series: Vec::new(),
        }
    }

    /// Adds a series in the next colour.
    pub fn add(&mut self, name: &str, mark: Mark, points: Vec<DataPoint>) {
        let colour = self.series.iter().map(|s| s.colour + 1).max().unwrap_or(0);
        self.series.push(Series { name: name.into(), mark, colour, points });
    }

    /// Adds a series in the same colour as the last one.
    pub fn add_in_same_colour(&mut self, name: &str, mark: Mark, points: Vec<DataPoint>) {
        let colour = self.series.last().map_or(0, |s| s.colour);
        self.series.push(Series { name: name.into(), mark, colour, points });
    }
}

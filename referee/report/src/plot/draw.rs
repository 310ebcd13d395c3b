//! Lays out a chart and draws it.

use super::axis::{Axis, compact};
use super::chart::{Chart, DataPoint, Mark, Series};
use super::markup::COLOURS;
use super::markup::px;
use maud::{Markup, html};

const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const PLOT_HEIGHT: f64 = 280.0;
const LEGEND_LINE: f64 = 20.0;
/// Estimated mean width of a character in the legend.
const CHARACTER: f64 = 7.2;
/// Maximum number of points with hover text, which would double the size of the page.
const MOST_HOVER_TEXTS: usize = 400;

/// The plot area and its axes.
struct Frame {
    /// The right end of the plot area.
    right: f64,
    x: Axis,
    y: Axis,
}

impl Frame {
    fn of(chart: &Chart) -> Frame {
        let points = || chart.series.iter().flat_map(|s| &s.points);
        let ends = |p: &DataPoint| {
            let (low, high) = p.interval.unwrap_or((p.y, p.y));
            [p.y, low, high]
        };
        let y = match chart.y_range {
            Some((low, high)) => Axis::fixed(low, high),
            None => Axis::over(points().flat_map(ends), chart.y_scale, chart.from_zero),
        };
        Frame {
            right: chart.width - RIGHT,
            x: match chart.x_names.len() {
                0 => Axis::over(chart.series.iter().flat_map(widths), chart.x_scale, false),
                n => Axis::categories(n),
            },
            y,
        }
    }

    /// The picture's coordinates of a data point; `None` if the scale cannot show it.
    fn at(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let (u, v) = (self.x.place(x)?, self.y.place(y)?);
        let v = v.clamp(-0.02, 1.02);
        Some((LEFT + u * (self.right - LEFT), TOP + (1.0 - v) * PLOT_HEIGHT))
    }
}

/// The horizontal extent of a series: columns are wider than their points, and must not cover the
/// labels of the axis.
fn widths(series: &Series) -> impl Iterator<Item = f64> {
    let half = if series.mark == Mark::Columns { 0.5 * column_width(series) } else { 0.0 };
    series.points.iter().flat_map(move |p| [p.x - half, p.x + half])
}

/// The minimum distance between the points of a histogram; 1 if it has only one.
fn column_width(series: &Series) -> f64 {
    let gaps = series.points.windows(2).map(|w| w[1].x - w[0].x);
    let width = gaps.filter(|&gap| gap > 0.0).fold(f64::INFINITY, f64::min);
    if width.is_finite() { width } else { 1.0 }
}

impl Chart {
    /// The `svg` element; its colours come from [`super::STYLE`].
    pub fn svg(&self) -> Markup {
        let frame = Frame::of(self);
        let legend = legend_places(self);
        let lines = legend.last().map_or(0.0, |(_, y)| y + LEGEND_LINE);
        let height = TOP + PLOT_HEIGHT + 56.0 + lines;
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="agon chart"
                viewBox={ "0 0 " (px(self.width)) " " (px(height)) }
                role="img" aria-label=(self.title) {
                text class="title" x=(LEFT) y="22" { (self.title) }
                (axes(self, &frame))
                @for series in &self.series { (draw_series(self, series, &frame)) }
                @for (series, (x, y)) in named(self).zip(&legend) {
                    (legend_entry(series, *x, TOP + PLOT_HEIGHT + 62.0 + y))
                }
            }
        }
    }
}

fn label(chart: &Chart, value: f64) -> String {
    if chart.percent { format!("{}%", compact(100.0 * value)) } else { compact(value) }
}

/// The text for an abscissa; in a chart with categories the name of the nearest.
fn x_label(chart: &Chart, value: f64) -> String {
    let name = chart.x_names.get((value.round() as usize).saturating_sub(1));
    name.map_or_else(|| compact(value), String::clone)
}

fn axes(chart: &Chart, frame: &Frame) -> Markup {
    let (bottom, right) = (TOP + PLOT_HEIGHT, frame.right);
    let rows = frame
        .y
        .ticks
        .iter()
        .filter_map(|&tick| Some((tick, TOP + (1.0 - frame.y.place(tick)?) * PLOT_HEIGHT)));
    let columns = frame
        .x
        .ticks
        .iter()
        .filter_map(|&tick| Some((tick, LEFT + frame.x.place(tick)? * (right - LEFT))));
    let middle = (0.5 * (LEFT + right), TOP + 0.5 * PLOT_HEIGHT);
    html! {
        @for (tick, y) in rows {
            line class="grid" x1=(LEFT) x2=(right) y1=(px(y)) y2=(px(y)) {}
            text class="tick" x=(LEFT - 8.0) y=(px(y + 4.0)) text-anchor="end" { (label(chart, tick)) }
        }
        @for (tick, x) in columns {
            line class="axis" x1=(px(x)) x2=(px(x)) y1=(bottom) y2=(bottom + 5.0) {}
            text class="tick" x=(px(x)) y=(bottom + 19.0) text-anchor="middle" { (x_label(chart, tick)) }
        }
        path class="axis" d={ "M" (LEFT) " " (TOP) "V" (bottom) "H" (right) } {}
        text class="label" x=(middle.0) y=(bottom + 40.0) text-anchor="middle" { (chart.x_label) }
        text class="label" x="18" y=(middle.1) transform={ "rotate(-90 18 " (middle.1) ")" }
            text-anchor="middle" {
            (chart.y_label)
        }
    }
}

fn draw_series(chart: &Chart, series: &Series, frame: &Frame) -> Markup {
    let colour = series.colour % COLOURS;
    let line = matches!(series.mark, Mark::Line | Mark::DottedLine | Mark::Dashed);
    let dots = matches!(series.mark, Mark::Dots | Mark::DottedLine);
    let hover = series.points.len() <= MOST_HOVER_TEXTS;
    html! {
        g {
            @if series.mark == Mark::Columns {
                path class={ "f" (colour) } d=(columns(series, frame)) {}
            } @else {
                (intervals(series, frame, colour, dots))
            }
            @if line {
                path class=(line_class(series)) d=(path(series.points.iter().map(|p| frame.at(p.x, p.y)))) {}
            }
            @if dots {
                @for (p, at) in series.points.iter().filter_map(|p| Some((p, frame.at(p.x, p.y)?))) {
                    (marker(colour, at, hover.then(|| hover_text(chart, series, p)).as_deref()))
                }
            }
        }
    }
}

fn line_class(series: &Series) -> String {
    // When the colours are used up, they come again with other dashes.
    let dashed = match (series.mark, series.colour / COLOURS) {
        (Mark::Dashed, _) => " dashed",
        (_, 0) => "",
        (_, 1) => " dotted",
        _ => " dashdot",
    };
    format!("line s{}{dashed}", series.colour % COLOURS)
}

fn hover_text(chart: &Chart, series: &Series, p: &DataPoint) -> String {
    let (x, y) = (x_label(chart, p.x), label(chart, p.y));
    format!("{}: {} {x}, {} {y}", series.name, chart.x_label, chart.y_label)
}

/// A path through the points that can be shown, with a gap at each that cannot.
fn path(places: impl Iterator<Item = Option<(f64, f64)>>) -> String {
    let mut d = String::new();
    let mut broken = true;
    for place in places {
        if let Some((x, y)) = place {
            let command = if broken { 'M' } else { 'L' };
            d.push_str(&format!("{command}{} {}", px(x), px(y)));
        }
        broken = place.is_none();
    }
    d
}

/// The path of the columns of a histogram.
fn columns(series: &Series, frame: &Frame) -> String {
    let width = column_width(series);
    let bottom = TOP + PLOT_HEIGHT;
    let sides = series.points.iter().filter_map(|p| {
        let (left, top) = frame.at(p.x - 0.45 * width, p.y)?;
        Some((left, frame.at(p.x + 0.45 * width, p.y)?.0, top))
    });
    sides
        .map(|(l, r, top)| format!("M{} {bottom}V{}H{}V{bottom}Z", px(l), px(top), px(r)))
        .collect()
}

/// Error bars around markers, a band around a line.
fn intervals(series: &Series, frame: &Frame, colour: usize, bars: bool) -> Markup {
    let ends: Vec<_> = series
        .points
        .iter()
        .filter_map(|p| {
            let (low, high) = p.interval?;
            Some((frame.at(p.x, low)?, frame.at(p.x, high)?))
        })
        .collect();
    let d: String = if bars {
        ends.iter()
            .map(|&((x, low), (_, high))| {
                format!("M{} {}h6m-3 0V{}m-3 0h6", px(x - 3.0), px(low), px(high))
            })
            .collect()
    } else if ends.len() > 1 {
        let outline = ends.iter().map(|e| e.1).chain(ends.iter().rev().map(|e| e.0));
        path(outline.map(Some)) + "Z"
    } else {
        String::new()
    };
    html! {
        @if !d.is_empty() {
            path class={ @if bars { "bar s" } @else { "band f" } (colour) } d=(d) {}
        }
    }
}

/// A marker; each colour has its own shape: circle, square, triangle, diamond, ...
fn marker(colour: usize, (x, y): (f64, f64), hover: Option<&str>) -> Markup {
    let shape = match colour {
        0 => "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0Z",
        1 => "m-3.3 -3.3h6.6v6.6h-6.6Z",
        2 => "m0 -4.3l4 7.2h-8Z",
        3 => "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6Z",
        4 => "m0 4.3l4 -7.2h-8Z",
        _ => "m-1.4 -4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8Z",
    };
    html! {
        path class={ "dot f" (colour) } d={ "M" (px(x)) " " (px(y)) (shape) } {
            @if let Some(text) = hover { title { (text) } }
        }
    }
}

fn named(chart: &Chart) -> impl Iterator<Item = &Series> {
    chart.series.iter().filter(|s| !s.name.is_empty())
}

/// Positions of the legend's entries, relative to its first line.
fn legend_places(chart: &Chart) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (LEFT, 0.0);
    named(chart)
        .map(|series| {
            let width =
                40.0 + CHARACTER * unicode_width::UnicodeWidthStr::width(&*series.name) as f64;
            if x > LEFT && x + width > chart.width - RIGHT {
                (x, y) = (LEFT, y + LEGEND_LINE);
            }
            let place = (x, y);
            x += width + 12.0;
            place
        })
        .collect()
}

fn legend_entry(series: &Series, x: f64, y: f64) -> Markup {
    html! {
        @if series.mark != Mark::Dots {
            path class=(line_class(series)) d={ "M" (px(x)) " " (px(y - 4.0)) "h24" } {}
        }
        @if matches!(series.mark, Mark::Dots | Mark::DottedLine) {
            (marker(series.colour % COLOURS, (x + 12.0, y - 4.0), None))
        }
        text class=[(series.mark == Mark::Dashed).then_some("label")] x=(px(x + 30.0)) y=(px(y)) {
            (series.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_well_formed;
    use super::super::{Scale, standalone};
    use super::*;

    fn sample() -> Chart {
        let mut chart = Chart::new("Nodes <by> move", "move number", "nodes");
        chart.y_scale = Scale::Log;
        let dots = (1..=9)
            .map(|i| {
                let y = 10f64.powi(i / 2);
                DataPoint::with_interval(f64::from(i), y, 0.5 * y, 2.0 * y)
            })
            .collect();
        chart.add("a & b", Mark::Dots, dots);
        let line = (1..=9).map(|i| DataPoint::new(f64::from(i), f64::from(i - 3))).collect();
        chart.add("fit", Mark::Line, line);
        chart
    }

    #[test]
    fn a_chart_is_well_formed_and_shows_every_point_it_can() {
        let svg = standalone(&sample().svg());
        assert_well_formed(&svg);
        assert_eq!(svg.matches("class=\"dot f0\"").count(), 10, "nine points and the legend");
        assert!(svg.contains("Nodes &lt;by&gt; move") && svg.contains("a &amp; b"));
    }

    #[test]
    fn a_line_breaks_where_the_scale_cannot_show_a_value() {
        let chart = sample();
        let frame = Frame::of(&chart);
        let d = path(chart.series[1].points.iter().map(|p| frame.at(p.x, p.y)));
        assert_eq!(d.matches('M').count(), 1);
        assert_eq!(d.matches('L').count(), 5, "values 1 to 6 of -2 to 6: {d}");
    }

    #[test]
    fn columns_stay_inside_the_axes() {
        for (first, step, count) in
            [(0.0, 1.0, 1), (60.0, 1.0, 20), (59.0, 4.0, 30), (4.5, 10.0, 3)]
        {
            let mut chart = Chart::new("lengths", "plies", "games");
            let points = (0..count).map(|i| DataPoint::new(first + step * f64::from(i), 5.0));
            chart.add("", Mark::Columns, points.collect());
            let d = columns(&chart.series[0], &Frame::of(&chart));
            let number = |text: &str| {
                let end = text.find(|c: char| c != '.' && !c.is_ascii_digit());
                text[..end.unwrap_or(text.len())].parse::<f64>().unwrap()
            };
            assert_eq!(d.matches('M').count(), count as usize);
            for left in d.split('M').skip(1).map(number) {
                assert!(left >= LEFT, "a column begins at {left}, the axis at {LEFT}");
            }
            for right in d.split('H').skip(1).map(number) {
                assert!(right <= chart.width - RIGHT, "{right}");
            }
        }
    }

    #[test]
    fn greater_values_are_drawn_higher_and_further_right() {
        let chart = sample();
        let frame = Frame::of(&chart);
        let (low, high) = (frame.at(1.0, 10.0).unwrap(), frame.at(9.0, 1000.0).unwrap());
        assert!(high.0 > low.0 && high.1 < low.1);
    }

    #[test]
    fn an_empty_chart_and_a_chart_of_one_point_are_still_pictures() {
        let mut chart = Chart::new("empty", "x", "y");
        assert_well_formed(&chart.svg().0);
        chart.add("one", Mark::DottedLine, vec![DataPoint::new(3.0, f64::NAN)]);
        chart.y_range = Some((0.0, 1.0));
        chart.percent = true;
        let svg = chart.svg().0;
        assert_well_formed(&svg);
        assert!(svg.contains(">100%<") && !svg.contains("NaN"));
    }
}

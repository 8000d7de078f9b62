//! The SVG plots of the document.

mod scale;

use std::path::Path;

use plotters::prelude::*;

use super::figures::with_commas;
use crate::run::Failure;
use scale::Scale;

/// A named line of a plot.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// Colors of the Okabe-Ito palette, which color-blind people can distinguish.
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(86, 180, 233), RGBColor(230, 159, 0)];

/// In pixels; GitHub shows this size without scaling.
const SIZE: (u32, u32) = (860, 480);

/// An axis: its title, its scale and the format of its values.
struct Axis<'a> {
    name: &'a str,
    scale: Scale,
    label: &'a dyn Fn(&f64) -> String,
}

/// Latency in microseconds by percentile.
pub(super) fn latency(file: &Path, lines: &[Line]) -> Result<(), Failure> {
    let across = Axis {
        name: "requests answered within that time, %",
        scale: Scale::percentiles(),
        label: &ToString::to_string,
    };
    draw(file, "Latency at full load, 32 connections", across, "latency, µs", lines)
}

/// Costs in microseconds by catalog size.
pub(super) fn growth(file: &Path, lines: &[Line]) -> Result<(), Failure> {
    let sizes: Vec<f64> =
        lines.iter().take(1).flat_map(|line| line.points.iter().map(|(apps, _)| *apps)).collect();
    let across = Axis {
        name: "apps in the catalog",
        scale: Scale::powers(&sizes).with_ticks(sizes),
        label: &|apps| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            with_commas(*apps as usize)
        },
    };
    draw(file, "CPU time as the catalog grows", across, "CPU time, µs", lines)
}

/// Draws on a white background, so that the plot is readable on a dark page.
fn draw(
    file: &Path,
    title: &str,
    across: Axis<'_>,
    upwards: &str,
    lines: &[Line],
) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    }
    let mut values: Vec<f64> =
        lines.iter().flat_map(|line| line.points.iter().map(|(_, value)| *value)).collect();
    // Room for the legend above the lines.
    values.extend(values.iter().copied().max_by(f64::total_cmp).map(|highest| highest * 4.0));
    let draw = || -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
        let root = SVGBackend::new(file, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(16)
            .x_label_area_size(52)
            .y_label_area_size(72)
            .build_cartesian_2d(across.scale, Scale::powers(&values))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(across.name)
            .x_label_formatter(across.label)
            .y_desc(upwards)
            .y_label_formatter(&ToString::to_string)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .draw()?;
        for (line, colour) in lines.iter().zip(COLOURS) {
            let style = colour.stroke_width(2).filled();
            chart
                .draw_series(LineSeries::new(line.points.iter().copied(), style).point_size(3))?
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 14))
            .draw()?;
        root.present()
    };
    draw().map_err(|error| Failure(format!("{}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{load::PERCENTILES, scratch::Scratch};

    fn drawn(draw: fn(&Path, &[Line]) -> Result<(), Failure>, across: &[f64]) -> String {
        let folder = Scratch::new().ok().unwrap();
        let file = folder.path().join("plot.svg");
        let line = |name: &str, step: f64| Line {
            name: name.to_owned(),
            points: across.iter().zip(1..).map(|(x, y)| (*x, step * f64::from(y))).collect(),
        };
        draw(&file, &[line("upper line", 30.0), line("lower line", 4.0)]).ok().unwrap();
        std::fs::read_to_string(file).unwrap()
    }

    #[test]
    fn the_plot_of_latency_names_lines_axes_and_percentiles() {
        let plot = drawn(latency, &PERCENTILES);
        for text in ["upper line", "lower line", "latency, µs", "99.99", "requests answered"] {
            assert!(plot.contains(text), "{text} is missing in {plot}");
        }
    }

    #[test]
    fn the_plot_of_growth_names_lines_axes_and_sizes() {
        let plot = drawn(growth, &[10_000.0, 100_000.0, 1_000_000.0]);
        for text in ["upper line", "lower line", "CPU time, µs", "1,000,000", "apps in"] {
            assert!(plot.contains(text), "{text} is missing in {plot}");
        }
    }
}

//! Badges as SVG: no script, no font or picture from elsewhere.

use std::fmt::Write;

use super::{
    color::{LEFT, Paint},
    picture::{Badge, TableBadge},
    width::width,
};

/// The height of a row, in pixels.
const HEIGHT: u32 = 20;
/// The room on each side of a text.
const PADDING: u32 = 5;

pub(super) fn flat(badge: &Badge) -> String {
    let left = if badge.label.is_empty() { 0 } else { width(&badge.label) + 2 * PADDING };
    let right = width(&badge.message) + 2 * PADDING;
    let mut svg = Svg::start(left + right, HEIGHT, &badge.spoken());
    svg.rectangle(0, 0, left, LEFT);
    svg.rectangle(left, 0, right, badge.color.paint());
    svg.shine();
    // Both texts are a pixel nearer to each other than the middles of their boxes.
    svg.text(&badge.label, left, 1, 0, LEFT);
    let towards_left = u32::from(left > 0);
    svg.right_text(&badge.message, (left, right), towards_left, 0, badge.color.paint());
    svg.finish()
}

pub(super) fn table(table: &TableBadge) -> String {
    let names = table.rows.iter().map(|row| width(&row.label)).max().unwrap_or_default();
    let versions = table.rows.iter().map(|row| width(&row.message)).max().unwrap_or_default();
    let (mut left, right) = (names + 2 * PADDING, versions + 2 * PADDING);
    left = left.max((width(&table.title) + 2 * PADDING).saturating_sub(right));
    let rows = u32::try_from(table.rows.len()).unwrap_or_default();
    let title_height = if table.title.is_empty() { 0 } else { HEIGHT };
    let mut svg = Svg::start(left + right, title_height + HEIGHT * rows, &table.spoken());
    svg.rectangle(0, 0, left + right, LEFT);
    let mut top = title_height;
    for row in &table.rows {
        svg.rectangle(0, top, left, LEFT);
        svg.rectangle(left, top, right, row.color.paint());
        top += HEIGHT;
    }
    svg.shine();
    if title_height > 0 {
        svg.right_text(&table.title, (0, left + right), 0, 0, LEFT);
    }
    let mut top = title_height;
    for row in &table.rows {
        svg.text(&row.label, left, 0, top, LEFT);
        svg.right_text(&row.message, (left, right), 0, top, row.color.paint());
        top += HEIGHT;
    }
    svg.finish()
}

struct Svg {
    text: String,
    width: u32,
    height: u32,
}

impl Svg {
    fn start(width: u32, height: u32, spoken: &str) -> Self {
        let mut svg = Self { text: String::with_capacity(1_536), width, height };
        let spoken = Escaped(spoken);
        svg.write(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{spoken}\"><title>{spoken}</title>\
             <linearGradient id=\"s\" x2=\"0\" y2=\"100%\"><stop offset=\"0\" stop-color=\"#bbb\" stop-opacity=\".1\"/><stop offset=\"1\" stop-opacity=\".1\"/></linearGradient>\
             <clipPath id=\"r\"><rect width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#fff\"/></clipPath><g clip-path=\"url(#r)\">"
        ));
        svg
    }

    fn write(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = self.text.write_fmt(what);
    }

    fn rectangle(&mut self, x: u32, y: u32, width: u32, paint: Paint) {
        if width > 0 {
            let fill = paint.hex();
            self.write(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{fill}\"/>"
            ));
        }
    }

    /// Ends the boxes and starts the texts.
    fn shine(&mut self) {
        let (width, height) = (self.width, self.height);
        self.write(format_args!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"url(#s)\"/></g>\
             <g text-anchor=\"middle\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" text-rendering=\"geometricPrecision\" font-size=\"110\">"
        ));
    }

    /// A text in the middle of the left column.
    fn text(&mut self, text: &str, column: u32, shift: u32, top: u32, paint: Paint) {
        if !text.is_empty() {
            self.centered(text, column * 5 + shift * 10, top, paint);
        }
    }

    /// A text in the middle of a column that starts further right.
    fn right_text(
        &mut self,
        text: &str,
        (from, column): (u32, u32),
        shift: u32,
        top: u32,
        paint: Paint,
    ) {
        self.centered(text, (from * 10 + column * 5).saturating_sub(shift * 10), top, paint);
    }

    /// A text and its shadow. Coordinates are tenths of a pixel, so that a text keeps its exact width
    /// where fonts are rounded to whole pixels.
    fn centered(&mut self, text: &str, x: u32, top: u32, paint: Paint) {
        let (color, shadow) = paint.text();
        let (length, text) = (width(text) * 10, Escaped(text));
        let (y, below) = (top * 10 + 140, top * 10 + 150);
        self.write(format_args!(
            "<text aria-hidden=\"true\" x=\"{x}\" y=\"{below}\" fill=\"{shadow}\" fill-opacity=\".3\" transform=\"scale(.1)\" textLength=\"{length}\">{text}</text>\
             <text x=\"{x}\" y=\"{y}\" fill=\"{color}\" transform=\"scale(.1)\" textLength=\"{length}\">{text}</text>"
        ));
    }

    fn finish(mut self) -> String {
        self.text.push_str("</g></svg>");
        self.text
    }
}

/// A text for XML, in an element or in quotes.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\'' => formatter.write_str("&#39;")?,
                character => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::badge::color::Color;

    #[test]
    fn a_badge_has_the_size_that_readers_know() {
        let svg = flat(&Badge::new("build", "passing", Color::Green));
        assert!(svg.contains("width=\"88\" height=\"20\""), "{svg}");
        assert!(svg.contains("aria-label=\"build: passing\"><title>build: passing</title>"));
        assert!(
            svg.contains("x=\"195\" y=\"140\"") && svg.contains("x=\"615\" y=\"140\""),
            "{svg}"
        );
        assert_eq!(svg.matches("textLength=\"270\"").count(), 2);
        assert_eq!(svg.matches("textLength=\"410\"").count(), 2);
    }

    #[test]
    fn a_badge_without_a_label_is_one_box() {
        let svg = flat(&Badge::new("", "passing", Color::Blue));
        assert!(svg.contains("width=\"51\" height=\"20\"") && svg.contains("<title>passing<"));
        assert!(!svg.contains("#555"), "{svg}");
    }

    #[test]
    fn markup_is_text() {
        let svg = flat(&Badge::new("<script>'\"&", "a\"onload='x'", Color::Blue));
        assert!(svg.contains(">&lt;script&gt;&#39;&quot;&amp;</text>"), "{svg}");
        assert!(!svg.contains("<script") && !svg.contains("a\"onload"));
    }
}

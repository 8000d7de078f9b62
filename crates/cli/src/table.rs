//! Tables for terminals: aligned, fitted to the window, colored.
//!
//! A table never splits a value, because half a slug, version or URL is useless. In a narrow
//! window it leaves out columns, the least important first, and then cuts names.

use std::{borrow::Cow, io::IsTerminal, iter};

use comfy_table::{Attribute, Color, ContentArrangement, presets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::{
    arguments::ColorChoice,
    exit::{self, Failure},
};

/// The number of spaces around a value.
const PADDING: usize = 2;
/// Names are not cut to less than this.
const SHORTEST_NAME: usize = 8;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// The width of the window; `None` if the output is not a terminal.
    window: Option<usize>,
    colors: bool,
}

impl Look {
    /// Uses colors on a terminal, unless the user decides otherwise.
    pub(crate) fn of(choice: ColorChoice) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let colors = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
        };
        Self { window: terminal.then(window_width).flatten(), colors }
    }

    pub(crate) fn table(self, columns: impl IntoIterator<Item = Column>) -> Table {
        Table { look: self, columns: columns.into_iter().collect(), rows: Vec::new() }
    }
}

/// The width of the window; `COLUMNS` overrides it.
fn window_width() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    set.or_else(|| comfy_table::Table::new().width().map(usize::from))
}

/// A column and what happens to it in a narrow window.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    heading: Cow<'static, str>,
    fit: Fit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Whole,
    Cut,
    Optional(u8),
}

impl Column {
    /// Always shown, and never cut: slugs, versions, URLs.
    pub(crate) fn whole(heading: impl Into<Cow<'static, str>>) -> Self {
        Self { heading: heading.into(), fit: Fit::Whole }
    }

    /// Always shown; cut with an ellipsis if there is no room.
    pub(crate) fn cut(heading: impl Into<Cow<'static, str>>) -> Self {
        Self { heading: heading.into(), fit: Fit::Cut }
    }

    /// Left out if there is no room, the lowest importance first.
    pub(crate) fn optional(heading: impl Into<Cow<'static, str>>, importance: u8) -> Self {
        Self { heading: heading.into(), fit: Fit::Optional(importance) }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    color: Option<Color>,
    dim: bool,
}

/// A value; a dash if there is none.
pub(crate) fn cell(text: Option<&str>) -> Cell {
    Cell { text: plain(text.unwrap_or("-")), color: None, dim: text.is_none() }
}

/// The newest version.
pub(crate) fn good(text: &str) -> Cell {
    Cell { color: Some(Color::Green), ..cell(Some(text)) }
}

/// An old version.
pub(crate) fn bad(text: &str) -> Cell {
    Cell { color: Some(Color::Red), ..cell(Some(text)) }
}

/// Whether Homebrew has deprecated or disabled an app.
pub(crate) fn deprecation(is_deprecated: bool) -> Cell {
    if is_deprecated { bad("deprecated") } else { cell(None) }
}

/// A version that cannot be ordered.
pub(crate) fn unsure(text: &str) -> Cell {
    Cell { color: Some(Color::Yellow), ..cell(Some(text)) }
}

/// Replaces control characters: a server must not control the terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[derive(Debug)]
pub(crate) struct Table {
    look: Look,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints the table to stdout, and to stderr which columns did not fit. A table without rows
    /// prints nothing.
    pub(crate) fn print(&self) -> Result<(), Failure> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let widths = self.widths();
        let shown = self.shown(&widths);
        exit::print(&self.render(&shown, self.name_width(&shown, &widths)))?;
        let omitted = (0..self.columns.len()).filter(|column| !shown.contains(column));
        let omitted: Vec<&str> = omitted.map(|column| &*self.columns[column].heading).collect();
        if !omitted.is_empty() {
            let omitted = omitted.join(", ");
            eprintln!("hint: no room for {omitted}; widen the window or use --json");
        }
        Ok(())
    }

    /// The width of each column's longest value.
    fn widths(&self) -> Vec<usize> {
        let width = |(number, column): (usize, &Column)| {
            let values = self.rows.iter().filter_map(|row| row.get(number));
            let values = values.map(|cell| cell.text.width());
            values.chain(iter::once(column.heading.width())).max().unwrap_or_default()
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    fn shown(&self, widths: &[usize]) -> Vec<usize> {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let Some(window) = self.look.window else { return shown };
        while line_width(&shown, widths) > window {
            let importance = |column: usize| match self.columns[column].fit {
                Fit::Optional(importance) => Some((importance, column)),
                Fit::Whole | Fit::Cut => None,
            };
            let Some((_, least)) = shown.iter().filter_map(|&column| importance(column)).min()
            else {
                break;
            };
            shown.retain(|&column| column != least);
        }
        shown
    }

    /// The width to which names are cut; `None` if they fit.
    fn name_width(&self, shown: &[usize], widths: &[usize]) -> Option<usize> {
        let excess = line_width(shown, widths).checked_sub(self.look.window?)?;
        let names = shown.iter().find(|&&column| self.columns[column].fit == Fit::Cut)?;
        Some(widths[*names].saturating_sub(excess).max(SHORTEST_NAME))
    }

    fn render(&self, shown: &[usize], name_width: Option<usize>) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Disabled);
        if self.look.colors {
            table.enforce_styling();
        } else {
            table.force_no_tty();
        }
        table.set_header(shown.iter().map(|&column| {
            comfy_table::Cell::new(&self.columns[column].heading).add_attribute(Attribute::Bold)
        }));
        for row in &self.rows {
            table.add_row(shown.iter().filter_map(|&column| {
                let value = row.get(column)?;
                let name_width = name_width.filter(|_| self.columns[column].fit == Fit::Cut);
                let text = name_width.map_or_else(|| value.text.clone(), |w| cut(&value.text, w));
                let mut cell = comfy_table::Cell::new(text);
                if let Some(color) = value.color {
                    cell = cell.fg(color);
                }
                Some(if value.dim { cell.add_attribute(Attribute::Dim) } else { cell })
            }));
        }
        table.to_string().lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// The width of a line. The space at its end counts, because a colored line keeps it.
fn line_width(shown: &[usize], widths: &[usize]) -> usize {
    shown.iter().map(|&column| widths[column] + PADDING).sum()
}

/// A text cut to this width, with an ellipsis if something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |character: &char| {
        used += character.width().unwrap_or_default();
        used <= width
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests;

//! Tables for people: aligned, as wide as the window at most, with colours that mean something.

use std::io::IsTerminal;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};

use crate::{
    arguments::ColorChoice,
    exit::{self, Failure},
};

/// How tables are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    terminal: bool,
    colors: bool,
}

impl Look {
    /// Colours are for people at a terminal, unless they say otherwise.
    pub(super) fn of(choice: ColorChoice) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let colors = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
        };
        Self { terminal, colors }
    }

    /// A table with these headings. On a terminal long texts are wrapped so that it fits the window;
    /// elsewhere every row is one line.
    pub(super) fn table(self, headings: &[&str]) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(if self.terminal {
            ContentArrangement::Dynamic
        } else {
            ContentArrangement::Disabled
        });
        if self.colors {
            table.enforce_styling();
        } else {
            table.force_no_tty();
            if self.terminal
                && let Some(width) = window_width()
            {
                table.set_width(width);
            }
        }
        table.set_header(
            headings.iter().map(|heading| Cell::new(heading).add_attribute(Attribute::Bold)),
        );
        table
    }
}

/// The width of the window; programs that know better tell it in `COLUMNS`.
fn window_width() -> Option<u16> {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.or_else(|| Table::new().width())
}

/// A cell; nothing known is a dash.
pub(super) fn cell(text: Option<&str>) -> Cell {
    match text {
        Some(text) => Cell::new(plain(text)),
        None => Cell::new("-").add_attribute(Attribute::Dim),
    }
}

/// What is ahead, what is behind, and what cannot be told.
pub(super) fn good(text: &str) -> Cell {
    Cell::new(plain(text)).fg(Color::Green)
}

pub(super) fn bad(text: &str) -> Cell {
    Cell::new(plain(text)).fg(Color::Red)
}

pub(super) fn unsure(text: &str) -> Cell {
    Cell::new(plain(text)).fg(Color::Yellow)
}

/// Text that cannot move the cursor, whatever a server sends.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Prints a table, without blanks at the ends of its lines.
pub(super) fn print(table: &Table) -> Result<(), Failure> {
    let text = table.to_string();
    let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
    exit::print(&lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_window_wraps_long_texts_and_loses_nothing() {
        let look = Look { terminal: true, colors: false };
        let mut table = look.table(&["SLUG", "NAME", "VERSION"]);
        let name = "An Application With A Rather Long Name That Nobody Can Remember";
        table.add_row([cell(Some("a-rather-long-slug-of-an-app")), cell(Some(name)), cell(None)]);
        for width in [40, 60, 200] {
            table.set_width(width);
            let text = table.to_string();
            assert!(text.lines().all(|line| line.chars().count() <= width as usize), "{text}");
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(name.split(' ').all(|word| words.contains(&word)), "{text}");
        }
    }

    #[test]
    fn elsewhere_a_row_is_one_line_and_nothing_moves_the_cursor() {
        let look = Look { terminal: false, colors: false };
        let mut table = look.table(&["NAME"]);
        table.add_row([cell(Some(&"long ".repeat(100)))]);
        table.add_row([cell(Some("a\u{1b}[2Jb\nc"))]);
        let text = table.to_string();
        assert_eq!(text.lines().count(), 3);
        assert!(!text.contains('\u{1b}'));
    }
}

//! The rows of the public table of titles.

use appstitch_budget::Budget;

use super::{
    html::{Piece, Pieces},
    html_references::decode,
};
use crate::FileError;

/// The columns of a row: title, source and host.
pub(super) type Columns = [Option<String>; 3];

/// The most bytes of a cell. The rest of a longer one is cut; its row is no row of the table.
const MAX_CELL_BYTES: usize = 4 << 10;

/// How many bytes are read per step.
const BYTES_PER_STEP: usize = 32;

/// Calls `each` for every row that has a cell of the table.
pub(super) fn each_row(
    html: &str,
    budget: &mut Budget,
    each: &mut dyn FnMut(Columns, &mut Budget) -> Result<(), FileError>,
) -> Result<(), FileError> {
    budget.step((html.len() / BYTES_PER_STEP) as u64)?;
    let mut table = Table::default();
    for piece in Pieces::new(html) {
        budget.step(1)?;
        if let Some(row) = table.take(&piece) {
            each(row, budget)?;
        }
    }
    // The page may end in a row.
    table.finish_row().map_or(Ok(()), |row| each(row, budget))
}

/// The row and the cell that are being read.
#[derive(Default)]
struct Table {
    in_row: bool,
    columns: Columns,
    cell: Option<Cell>,
}

struct Cell {
    place: usize,
    text: String,
}

impl Table {
    /// Takes a piece; returns the row that ends with it.
    fn take(&mut self, piece: &Piece<'_>) -> Option<Columns> {
        let is =
            |name: &str, names: &[&str]| names.iter().any(|own| name.eq_ignore_ascii_case(own));
        match *piece {
            Piece::Text(text) => {
                if let Some(cell) = &mut self.cell {
                    cell.add(text);
                }
            }
            Piece::Start { name, .. } if is(name, &["tr"]) => {
                let row = self.finish_row();
                self.in_row = true;
                return row;
            }
            Piece::Start { name, headers } if is(name, &["td", "th"]) => {
                self.finish_cell();
                let headers = headers.filter(|_| self.in_row && is(name, &["td"]));
                self.cell =
                    headers.and_then(place).map(|place| Cell { place, text: String::new() });
            }
            Piece::End { name } if is(name, &["td", "th"]) => self.finish_cell(),
            Piece::End { name } if is(name, &["tr", "tbody", "thead", "table"]) => {
                return self.finish_row();
            }
            Piece::Start { .. } | Piece::End { .. } => {}
        }
        None
    }

    fn finish_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        let text = decode(&cell.text).split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(column) = self.columns.get_mut(cell.place) {
            *column = Some(text).filter(|text| !text.is_empty() && text != "--");
        }
    }

    /// The row so far. Rows without a cell, such as the table's header, are left out.
    fn finish_row(&mut self) -> Option<Columns> {
        self.finish_cell();
        self.in_row = false;
        let columns = std::mem::take(&mut self.columns);
        columns.iter().any(Option::is_some).then_some(columns)
    }
}

impl Cell {
    fn add(&mut self, text: &str) {
        let room = MAX_CELL_BYTES.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }
}

/// The column of a cell. Its `headers` attribute ends with the number of the column.
fn place(headers: &str) -> Option<usize> {
    let number: usize = headers.rsplit("__").next()?.parse().ok()?;
    number.checked_sub(1).filter(|place| *place < Columns::default().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(html: &str) -> Vec<Columns> {
        let mut rows = Vec::new();
        let each = &mut |row, _: &mut Budget| {
            rows.push(row);
            Ok(())
        };
        each_row(html, &mut Budget::default(), each).unwrap();
        rows
    }

    fn row(title: &str, source: &str) -> Columns {
        [Some(title.to_owned()), Some(source.to_owned()), None]
    }

    #[test]
    fn rows_are_found_with_and_without_end_tags() {
        let cell = |number: u8, text: &str| format!("<td headers='r__{number}'>{text}");
        for html in [
            format!("<tr>{}</td>{}</td></tr>", cell(1, "A &amp; B"), cell(2, "<b>J</b>amf")),
            format!("<TR>{}{}<tr><th>x", cell(1, " A\n&#38;&nbsp;<p>B</p>"), cell(2, "Jamf")),
            format!("<tr>{}{}{}", cell(1, "A &#x26; B"), cell(2, "Jamf"), cell(3, "--")),
            format!(
                "<td headers='r__1'>no row<tr>{}{}<table>",
                cell(1, "A &amp; B"),
                cell(2, "Jamf")
            ),
        ] {
            assert_eq!(rows(&html), [row("A & B", "Jamf")], "{html}");
        }
        assert_eq!(rows("<tr><td>1<td headers='9'>2<td headers='x'>3</table>"), [] as [Columns; 0]);
    }

    #[test]
    fn a_cell_is_cut() {
        let long = format!("<tr><td headers=1>{}<td headers=2>b", "é".repeat(1 << 20));
        assert_eq!(rows(&long)[0][0].as_ref().unwrap().len(), MAX_CELL_BYTES);
    }

    #[test]
    fn deep_pages_and_tags_with_many_attributes_take_one_pass() {
        let deep = "<div>".repeat(2_000_000);
        let wide = format!("<td {}", "a=1 ".repeat(1_000_000));
        let brackets = "<".repeat(1_000_000);
        let table = "<tr><td headers=1>a<td headers=2>b</table>";
        for page in [deep, wide + ">", brackets] {
            assert_eq!(rows(&format!("{page}{table}")).len(), 1);
        }
    }
}

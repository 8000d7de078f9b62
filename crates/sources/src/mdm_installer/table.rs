//! The rows of the public table of titles, in one pass and without a tree: a page from outside may
//! have millions of elements and any nesting.

use appstitch_budget::Budget;
use html5gum::{
    Span, State, Tokenizer,
    emitters::callback::{CallbackEmitter, CallbackEvent},
};

use crate::parsed_file::FileError;

/// The columns of a row: title, source and host.
pub(super) type Columns = [Option<String>; 3];

/// The most bytes of a cell. The rest of a longer one is cut; its row is not one of the table.
const MAX_CELL_BYTES: usize = 4 << 10;

/// How many bytes are read per step. The shortest tag has three.
const BYTES_PER_STEP: usize = 4;

pub(super) fn each_row(
    html: &str,
    budget: &mut Budget,
    each: &mut dyn FnMut(Columns, &mut Budget) -> Result<(), FileError>,
) -> Result<(), FileError> {
    budget.step((html.len() / BYTES_PER_STEP) as u64)?;
    let mut table = Table::default();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| table.take(event));
    let mut tokenizer = Tokenizer::new_with_emitter(html, emitter);
    while let Some(Ok(token)) = tokenizer.next() {
        match token {
            Token::Row(row) => each(row, budget)?,
            Token::Raw(state) => tokenizer.set_state(state),
        }
    }
    drop(tokenizer);
    // The page may end in a row.
    table.finish_row().map_or(Ok(()), |row| each(row, budget))
}

enum Token {
    Row(Columns),
    /// An element begins that has no tags inside.
    Raw(State),
}

#[derive(Default)]
struct Table {
    in_row: bool,
    columns: Columns,
    cell: Option<Cell>,
    tag: Vec<u8>,
    /// The `headers` attribute of the tag.
    headers: Option<Vec<u8>>,
    is_headers: bool,
    in_raw: bool,
    /// How many drawings (`svg`, `math`) are open.
    drawings: u32,
}

struct Cell {
    column: usize,
    text: String,
}

impl Table {
    fn take(&mut self, event: CallbackEvent<'_>) -> Option<Token> {
        match event {
            CallbackEvent::String { value } if !self.in_raw => {
                if let Some(cell) = &mut self.cell {
                    cell.add(&String::from_utf8_lossy(value));
                }
                None
            }
            CallbackEvent::OpenStartTag { name } => {
                self.tag.clear();
                self.tag.extend_from_slice(name);
                self.headers = None;
                None
            }
            CallbackEvent::AttributeName { name } => {
                // The first of several counts.
                self.is_headers = name == b"headers" && self.headers.is_none();
                if self.is_headers {
                    self.headers = Some(Vec::new());
                }
                None
            }
            CallbackEvent::AttributeValue { value } => {
                if self.is_headers {
                    self.headers = Some(value.to_owned());
                }
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start(self_closing),
            CallbackEvent::EndTag { name } => self.end(name).map(Token::Row),
            _ => None,
        }
    }

    fn start(&mut self, self_closing: bool) -> Option<Token> {
        match &self.tag[..] {
            b"tr" => {
                let row = self.finish_row();
                self.in_row = true;
                return row.map(Token::Row);
            }
            name @ (b"td" | b"th") => {
                let headers = self.headers.as_deref().filter(|_| self.in_row && name == b"td");
                let column = headers.and_then(column);
                self.finish_cell();
                self.cell = column.map(|column| Cell { column, text: String::new() });
            }
            b"svg" | b"math" => self.drawings += u32::from(!self_closing),
            // In drawings, `<title/>` and `<style/>` are elements like others.
            name if self.drawings == 0 => {
                let state = raw_state(name)?;
                self.in_raw = true;
                return Some(Token::Raw(state));
            }
            _ => {}
        }
        None
    }

    fn end(&mut self, name: &[u8]) -> Option<Columns> {
        self.in_raw = false;
        match name {
            b"svg" | b"math" => self.drawings = self.drawings.saturating_sub(1),
            b"td" | b"th" => self.finish_cell(),
            b"tr" | b"tbody" | b"thead" | b"table" => return self.finish_row(),
            _ => {}
        }
        None
    }

    fn finish_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        let text = cell.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(column) = self.columns.get_mut(cell.column) {
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
fn column(headers: &[u8]) -> Option<usize> {
    let headers = std::str::from_utf8(headers).ok()?;
    let number: usize = headers.rsplit("__").next()?.parse().ok()?;
    number.checked_sub(1).filter(|column| *column < Columns::default().len())
}

fn raw_state(name: &[u8]) -> Option<State> {
    match name {
        b"script" => Some(State::ScriptData),
        b"textarea" | b"title" => Some(State::RcData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
        _ => None,
    }
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
    fn only_tags_of_the_page_are_tags() {
        let table = "<tr><td headers=1>A<td headers=2>Jamf</tr>";
        for html in [
            format!("<script>if (a</tr>) '<tr><td headers=1>x'</SCRIPT>{table}"),
            format!("<!-- <tr><td headers=1>x --><?x?><!-->{table}"),
            format!("<svg><title/><style/></svg><style>a<tr></style>{table}"),
            "<tr><td headers=1>A<style>x</style><svg><title/></svg><td headers=2>Jamf".to_owned(),
        ] {
            assert_eq!(rows(&html), [row("A", "Jamf")], "{html}");
        }
        assert_eq!(rows("<tr><td headers=1>1 < 2<td headers=2>a")[0][0].as_deref(), Some("1 < 2"));
    }

    #[test]
    fn the_first_headers_attribute_counts_in_every_spelling() {
        for tag in [
            "<td headers='a__1'>",
            "<td a headers = a__1>",
            r#"<td class="x>y" HEADERS="a__1" headers="b__3"/>"#,
            r#"<td =x headers="a__1">"#,
        ] {
            assert_eq!(rows(&format!("<tr>{tag}A<td headers=2>B")), [row("A", "B")], "{tag}");
        }
        assert_eq!(rows("<tr><td headers='' headers=1>A<td headers=2>B")[0][0], None);
    }

    #[test]
    fn references_are_characters() {
        for (text, decoded) in [
            ("A &amp; B", "A & B"),
            ("&#65;&#x42;&#X43;", "ABC"),
            ("&amp;amp;", "&amp;"),
            ("&unknown; &; &", "&unknown; &; &"),
            ("Garc&iacute;a &times; &#150;", "García × –"),
        ] {
            let html = format!("<tr><td headers=1>{text}<td headers=2>b");
            assert_eq!(rows(&html)[0][0].as_deref(), Some(decoded));
        }
    }

    #[test]
    fn a_page_that_is_cut_ends() {
        let page = "<tr><td headers=\"1\">a<!-- b --><script>c</script> é</td>";
        for end in (0..page.len()).filter(|end| page.is_char_boundary(*end)) {
            assert!(rows(&page[..end]).len() < 2, "{end}");
        }
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

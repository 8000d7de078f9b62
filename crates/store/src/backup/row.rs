//! Reads the rows of a file: arrays of JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

use super::{
    cell::{Cell, Row},
    table::{Kind, Table},
};

/// Reads the rows of a table. `positions` has the position of each column in the file; `None` if the file
/// does not have the column.
pub(crate) struct RowReader<'a> {
    pub(crate) table: &'a Table,
    pub(crate) positions: &'a [Option<usize>],
    pub(crate) width: usize,
}

impl RowReader<'_> {
    /// Reads a line of a file. The reason does not contain values: they may be secret.
    pub(crate) fn read(&self, line: &[u8]) -> Result<Row, String> {
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        let invalid =
            |error: serde_json::Error| format!("invalid row at column {}", error.column());
        let mut found = CellsSeed(self.width).deserialize(&mut deserializer).map_err(invalid)?;
        deserializer.end().map_err(invalid)?;
        let mut row = Row::with_capacity(self.positions.len());
        for (column, position) in self.table.columns.iter().zip(self.positions) {
            let cell = position.and_then(|position| found.get_mut(position));
            let cell = cell.map_or(Cell::Null, |cell| std::mem::replace(cell, Cell::Null));
            let cell = match (column.kind, cell) {
                (Kind::Bytes, Cell::Text(text)) => Cell::Bytes(text.into_bytes().into()),
                (_, cell) => cell,
            };
            column.check(&cell).map_err(|why| format!("{}: {why}", column.name))?;
            row.push(cell);
        }
        Ok(row)
    }
}

/// Reads an array of exactly this many values. A longer one is not read to its end.
struct CellsSeed(usize);

impl<'de> DeserializeSeed<'de> for CellsSeed {
    type Value = Vec<Cell>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Cell>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for CellsSeed {
    type Value = Vec<Cell>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} values", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Vec<Cell>, A::Error> {
        let mut cells = Vec::with_capacity(self.0);
        while cells.len() < self.0 {
            let Some(cell) = values.next_element()? else {
                return Err(A::Error::invalid_length(cells.len(), &self));
            };
            cells.push(cell);
        }
        if values.next_element::<Cell>()?.is_some() {
            return Err(A::Error::invalid_length(self.0 + 1, &self));
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::backup::table::TABLES;

    fn documents() -> &'static Table {
        &TABLES[0]
    }

    fn read(line: &str) -> Result<Row, String> {
        let positions = [Some(0), Some(1), Some(2), Some(3)];
        RowReader { table: documents(), positions: &positions, width: 4 }.read(line.as_bytes())
    }

    #[test]
    fn every_value_comes_back() {
        for body in [&b"{\"a\":1}"[..], b"", b"\0\xff", &[1; 100], "é\u{0}".as_bytes()] {
            let row = vec![
                Cell::Text("a\0b".into()),
                Cell::Text(String::new()),
                Cell::Text("\u{2028}\"\\".into()),
                Cell::Bytes(Bytes::copy_from_slice(body)),
            ];
            let line = serde_json::to_string(&row).unwrap();
            assert!(!line.contains('\n'));
            assert_eq!(read(&line).unwrap(), row, "{line}");
        }
        let text = Cell::Bytes(Bytes::from_static(b"text"));
        assert_eq!(serde_json::to_string(&text).unwrap(), r#""text""#);
        let control = Cell::Bytes(Bytes::from_static(&[1; 3]));
        assert_eq!(serde_json::to_string(&control).unwrap(), r#"{"base64":"AQEB"}"#);
    }

    #[test]
    fn other_lines_are_rejected_without_their_values() {
        for line in [
            "",
            "[]",
            r#"["sesame","b","c"]"#,
            r#"["sesame","b","c","d","e"]"#,
            r#"["sesame","b","c",1]"#,
            r#"["sesame","b","c",null]"#,
            r#"[1,"sesame","c","d"]"#,
            r#"["sesame","b","c",["d"]]"#,
            r#"["sesame","b","c",{"base64":"!"}]"#,
            r#"["sesame","b","c",{"base64":"AA==","more":"x"}]"#,
            r#"["sesame","b","c",1.5]"#,
            r#"["sesame","b","c","d"] x"#,
            r#"["sesame","b","c","d"#,
        ] {
            let why = read(line).unwrap_err();
            assert!(!why.contains("sesame"), "{line}: {why}");
        }
    }

    #[test]
    fn values_are_checked() {
        let state = TABLES.iter().find(|table| table.name == "source_state").unwrap();
        let positions = [Some(0), Some(1), Some(2), None];
        let reader = RowReader { table: state, positions: &positions, width: 3 };
        let row = reader.read(br#"["a","2026-01-02T03:04:05Z",null]"#).unwrap();
        assert_eq!(row.last(), Some(&Cell::Null), "a column that the file does not have");
        assert!(reader.read(br#"["a","yesterday",null]"#).unwrap_err().contains("received_at"));
    }
}

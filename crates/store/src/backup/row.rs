//! The values of a row, and how they are written in a backup.
//!
//! A row is an array of JSON. Bytes that are UTF-8 are a string, so that people can read a backup;
//! other bytes, and those that would be longer as a string, are `{"base64":"…"}`.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde::{
    Deserialize, Serialize, Serializer,
    de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};

use super::table::{Kind, Table};

/// The key of an object with bytes.
const BASE64: &str = "base64";

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Flag(bool),
    Number(i64),
    Text(String),
    Bytes(Bytes),
}

/// The values of one row, in the order of the table's columns.
pub(crate) type Row = Vec<Cell>;

impl Cell {
    /// The bytes that it takes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Flag(_) | Self::Number(_) => size_of::<Self>(),
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A text or NULL.
    pub(crate) fn optional(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if !is_longer_escaped(bytes) => serializer.serialize_str(text),
                _ => {
                    let mut map = serializer.serialize_map(Some(1))?;
                    map.serialize_entry(BASE64, &STANDARD.encode(bytes))?;
                    map.end()
                }
            },
        }
    }
}

/// Whether bytes are longer as a JSON string than in Base64. Control characters take six bytes each.
fn is_longer_escaped(bytes: &[u8]) -> bool {
    let escapes = bytes.iter().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 1,
        0..0x20 => 5,
        _ => 0,
    });
    escapes.sum::<usize>() > bytes.len() / 3
}

/// Reads the rows of a table. `places` has the place of each column in the file; `None` if the file
/// does not have the column.
pub(crate) struct RowReader<'a> {
    pub(crate) table: &'a Table,
    pub(crate) places: &'a [Option<usize>],
    /// How many values a row of the file has.
    pub(crate) width: usize,
}

impl RowReader<'_> {
    /// Reads a line of a file. The reason does not contain values: they may be secret.
    pub(crate) fn read(&self, line: &[u8]) -> Result<Row, String> {
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        let told = |error: serde_json::Error| format!("invalid row at column {}", error.column());
        let mut found = CellsSeed(self.width).deserialize(&mut deserializer).map_err(told)?;
        deserializer.end().map_err(told)?;
        let mut row = Row::with_capacity(self.places.len());
        for (column, place) in self.table.columns.iter().zip(self.places) {
            let cell = place.and_then(|place| found.get_mut(place));
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

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Cell, E> {
        Ok(Cell::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Cell, E> {
        Ok(Cell::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Cell, E> {
        i64::try_from(number).map(Cell::Number).map_err(|_| E::custom("the number is too large"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell, E> {
        Ok(Cell::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Cell, E> {
        Ok(Cell::Text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Cell, A::Error> {
        let invalid = || A::Error::custom("expected base64");
        let entry: Option<(String, String)> = entries.next_entry()?;
        let Some((key, encoded)) = entry else { return Err(invalid()) };
        if key != BASE64 || entries.next_key::<String>()?.is_some() {
            return Err(invalid());
        }
        Ok(Cell::Bytes(STANDARD.decode(encoded).map_err(|_| invalid())?.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::table::TABLES;

    fn documents() -> &'static Table {
        &TABLES[0]
    }

    fn read(line: &str) -> Result<Row, String> {
        let places = [Some(0), Some(1), Some(2), Some(3)];
        RowReader { table: documents(), places: &places, width: 4 }.read(line.as_bytes())
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
        let places = [Some(0), Some(1), Some(2), None];
        let reader = RowReader { table: state, places: &places, width: 3 };
        let row = reader.read(br#"["a","2026-01-02T03:04:05Z",null]"#).unwrap();
        assert_eq!(row.last(), Some(&Cell::Null), "a column that the file does not have");
        assert!(reader.read(br#"["a","yesterday",null]"#).unwrap_err().contains("received_at"));
    }
}

//! One value of a row, and how it is written in a backup.
//!
//! Bytes that are UTF-8 are a string of JSON, so that people can read a backup; other bytes, and those
//! that would be longer as a string, are `{"base64":"…"}`.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde::{
    Deserialize, Serialize, Serializer,
    de::{Deserializer, Error, MapAccess, Visitor},
    ser::SerializeMap,
};

/// The key of an object with bytes.
const BASE64: &str = "base64";

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
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Flag(_) | Self::Number(_) => size_of::<Self>(),
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

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

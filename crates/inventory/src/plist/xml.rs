//! Property lists as XML.
//!
//! Their XML is simple: no attributes that matter, no mixed content. Entities cannot be declared: a
//! document type with declarations is refused, so nothing expands.

mod scanner;

use std::iter;

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, MapAccess, SeqAccess, Visitor,
        value::{Error, MapDeserializer, SeqDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};

use self::scanner::{Scanner, Tag};
use super::{Depth, FORMAT, PLAIN_VALUE, fault};
use crate::{collector::Collector, error::InventoryError, tree::read_document};

pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    let mut reader = Reader { scanner: Scanner::new(text), depth: Depth::default() };
    let invalid = |collector: &Collector<'_>, error: Error, reader: &Reader<'_>| {
        collector.error(FORMAT, format!("{error} (line {})", reader.scanner.line()))
    };
    while !reader.scanner.is_at_end() {
        match reader.scanner.tag() {
            Err(error) => return Err(invalid(collector, error, &reader)),
            Ok(Tag::Open("plist")) => {}
            Ok(tag) => {
                let found = format!("it is XML with the element <{}>", tag.name());
                return Err(InventoryError::Unrecognized { found });
            }
        }
        let is_entries = read_document(Value { reader: &mut reader, tag: None }, collector)
            .map_err(|error| invalid(collector, error, &reader))?;
        if !is_entries {
            return Err(InventoryError::Unrecognized { found: PLAIN_VALUE.to_owned() });
        }
        reader.scanner.close("plist").map_err(|error| invalid(collector, error, &reader))?;
    }
    Ok(())
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    depth: Depth,
}

impl<'a> Reader<'a> {
    fn value<'de, V: Visitor<'de>>(&mut self, tag: Tag<'a>, visitor: V) -> Result<V::Value, Error> {
        match tag {
            Tag::Open("dict") => self.nested(|reader| visitor.visit_map(Inside(reader))),
            Tag::Open("array") => self.nested(|reader| visitor.visit_seq(Inside(reader))),
            Tag::Empty("dict") => {
                visitor.visit_map(MapDeserializer::new(iter::empty::<((), ())>()))
            }
            Tag::Empty("array") => visitor.visit_seq(SeqDeserializer::new(iter::empty::<()>())),
            Tag::Empty("true") => visitor.visit_bool(true),
            Tag::Empty("false") => visitor.visit_bool(false),
            Tag::Open(name @ ("true" | "false")) => {
                self.scanner.close(name)?;
                visitor.visit_bool(name == "true")
            }
            // The spelling of numbers is kept, because some of them are versions.
            Tag::Open(name @ ("string" | "integer" | "real" | "date" | "data")) => {
                let text = self.scanner.text()?;
                self.scanner.close(name)?;
                visitor.visit_str(&text)
            }
            Tag::Empty("string" | "data") => visitor.visit_str(""),
            other => Err(fault(format_args!("unexpected <{}>", other.name()))),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.depth.enter()?;
        let value = read(self)?;
        self.depth.leave();
        Ok(value)
    }
}

/// A value, of which the tag may have been read already.
struct Value<'r, 'a> {
    reader: &'r mut Reader<'a>,
    tag: Option<Tag<'a>>,
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let tag = self.tag.map_or_else(|| self.reader.scanner.tag(), Ok)?;
        self.reader.value(tag, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// The inside of a dictionary or an array, up to its end.
struct Inside<'r, 'a>(&'r mut Reader<'a>);

impl<'de> MapAccess<'de> for Inside<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        match self.0.scanner.tag()? {
            Tag::Close("dict") => Ok(None),
            Tag::Empty("key") => seed.deserialize(StrDeserializer::new("")).map(Some),
            Tag::Open("key") => {
                let key = self.0.scanner.text()?;
                self.0.scanner.close("key")?;
                seed.deserialize(StrDeserializer::new(&key)).map(Some)
            }
            other => Err(fault(format_args!("expected <key>, found <{}>", other.name()))),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Value { reader: self.0, tag: None })
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        match self.0.scanner.tag()? {
            Tag::Close("array") => Ok(None),
            tag => seed.deserialize(Value { reader: self.0, tag: Some(tag) }).map(Some),
        }
    }
}

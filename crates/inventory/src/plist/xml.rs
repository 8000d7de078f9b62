//! Property lists as XML.
//!
//! Their XML is simple: no attributes that matter, no mixed content. Entities cannot be declared: a
//! document type with declarations is refused, so nothing expands.

mod scanner;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor, value::StrDeserializer},
    forward_to_deserialize_any,
};

use self::scanner::{Scanner, Tag};
use super::{FORMAT, fault::Fault};
use crate::{InventoryError, collector::Collector, tree::read_document};

/// How deep values may be nested, as in JSON.
const MAX_DEPTH: u32 = 128;

/// Reads all property lists of a text.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    let mut reader = Reader { scanner: Scanner::new(text), depth: 0 };
    let invalid = |collector: &Collector<'_>, fault: Fault, reader: &Reader<'_>| {
        collector.error(FORMAT, format!("{fault} (line {})", reader.scanner.line()))
    };
    while !reader.scanner.is_at_end() {
        match reader.scanner.tag() {
            Err(fault) => return Err(invalid(collector, fault, &reader)),
            Ok(Tag::Open("plist")) => {}
            Ok(tag) => {
                let found = format!("it is XML with the element <{}>", tag.name());
                return Err(InventoryError::Unrecognized { found });
            }
        }
        let is_entries = read_document(&mut reader, collector)
            .map_err(|fault| invalid(collector, fault, &reader))?;
        if !is_entries {
            let found = "it has a plain value where a list or a dictionary is expected".to_owned();
            return Err(InventoryError::Unrecognized { found });
        }
        reader.scanner.close("plist").map_err(|fault| invalid(collector, fault, &reader))?;
    }
    Ok(())
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    depth: u32,
}

impl<'a> Reader<'a> {
    /// Reads the value that begins with a tag.
    fn value<'de, V: Visitor<'de>>(&mut self, tag: Tag<'a>, visitor: V) -> Result<V::Value, Fault> {
        match tag {
            Tag::Open("dict") => self.nested(|reader| visitor.visit_map(Inside(reader))),
            Tag::Open("array") => self.nested(|reader| visitor.visit_seq(Inside(reader))),
            Tag::Empty("dict") => visitor.visit_map(Nothing),
            Tag::Empty("array") => visitor.visit_seq(Nothing),
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
            other => Err(Fault(format!("unexpected <{}>", other.name()))),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault(format!("it is nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let tag = self.scanner.tag()?;
        self.value(tag, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// A value whose tag was read already.
struct Begun<'r, 'a>(&'r mut Reader<'a>, Tag<'a>);

impl<'de> Deserializer<'de> for Begun<'_, '_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.0.value(self.1, visitor)
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
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        match self.0.scanner.tag()? {
            Tag::Close("dict") => Ok(None),
            Tag::Empty("key") => seed.deserialize(StrDeserializer::new("")).map(Some),
            Tag::Open("key") => {
                let key = self.0.scanner.text()?;
                self.0.scanner.close("key")?;
                seed.deserialize(StrDeserializer::new(&key)).map(Some)
            }
            other => Err(Fault(format!("expected <key>, found <{}>", other.name()))),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        seed.deserialize(&mut *self.0)
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, '_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        match self.0.scanner.tag()? {
            Tag::Close("array") => Ok(None),
            tag => seed.deserialize(Begun(self.0, tag)).map(Some),
        }
    }
}

/// The inside of `<dict/>` or `<array/>`.
struct Nothing;

impl<'de> MapAccess<'de> for Nothing {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Result<Option<K::Value>, Fault> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, _: V) -> Result<V::Value, Fault> {
        Err(Fault::new("expected <key>"))
    }
}

impl<'de> SeqAccess<'de> for Nothing {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        _: T,
    ) -> Result<Option<T::Value>, Fault> {
        Ok(None)
    }
}

//! Binary property lists: objects that refer to each other by number.
//!
//! Objects may be shared, so a small file can describe a huge tree, or one that contains itself. So
//! the depth and the number of values are limited, and what is not needed is not visited. A long text
//! counts as several values, because it may be read as often as a short one.

mod objects;

use std::borrow::Cow;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

use self::objects::{Object, Objects};
use super::{FORMAT, fault::Fault};
use crate::{InventoryError, collector::Collector, tree::read_document};

const MAX_DEPTH: u32 = 128;
/// How many values are read. A real file of the largest size has fewer.
const MAX_VALUES: usize = 8_000_000;
/// This many bytes of a text count as one more value; fewer, if they have to be decoded.
const BYTES_PER_VALUE: usize = 32;
const DECODED_BYTES_PER_VALUE: usize = 4;

/// Whether a file is a binary property list.
pub(crate) fn is_binary(file: &[u8]) -> bool {
    file.starts_with(objects::MAGIC)
}

/// Reads the one property list of a file.
pub(crate) fn read(file: &[u8], collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    let result = Objects::new(file).and_then(|objects| {
        let mut reader = Reader { objects, depth: 0, values: 0 };
        let top = reader.objects.top();
        read_document(Value { reader: &mut reader, number: top }, collector)
    });
    match result {
        Ok(true) => Ok(()),
        Ok(false) => {
            let found = "it has a plain value where a list or a dictionary is expected".to_owned();
            Err(InventoryError::Unrecognized { found })
        }
        Err(Fault(why)) => Err(collector.error(FORMAT, why)),
    }
}

struct Reader<'a> {
    objects: Objects<'a>,
    depth: u32,
    values: usize,
}

/// An object by its number.
struct Value<'r, 'a> {
    reader: &'r mut Reader<'a>,
    number: usize,
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let reader = self.reader;
        let object = reader.objects.get(self.number)?;
        reader.count(&object)?;
        match object {
            Object::Other => visitor.visit_unit(),
            Object::Truth(truth) => visitor.visit_bool(truth),
            Object::Number(number) => visitor.visit_u64(number),
            Object::Text(Cow::Borrowed(text)) => visitor.visit_str(text),
            Object::Text(Cow::Owned(text)) => visitor.visit_str(&text),
            Object::Array(references) => reader.nested(|reader| {
                visitor.visit_seq(Inside { reader, keys: &[], values: references })
            }),
            Object::Dictionary { keys, values } => {
                reader.nested(|reader| visitor.visit_map(Inside { reader, keys, values }))
            }
        }
    }

    /// What is not needed is not visited.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

impl Reader<'_> {
    fn count(&mut self, object: &Object<'_>) -> Result<(), Fault> {
        let more = match object {
            Object::Text(Cow::Borrowed(text)) => text.len() / BYTES_PER_VALUE,
            Object::Text(Cow::Owned(text)) => text.len() / DECODED_BYTES_PER_VALUE,
            _ => 0,
        };
        self.values += 1 + more;
        if self.values > MAX_VALUES {
            return Err(Fault(format!("it has more than {MAX_VALUES} values or long texts")));
        }
        Ok(())
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

/// The references of an array or a dictionary that are not read yet.
struct Inside<'r, 'a> {
    reader: &'r mut Reader<'a>,
    keys: &'a [u8],
    values: &'a [u8],
}

impl<'a> Inside<'_, 'a> {
    fn next<'de, S: DeserializeSeed<'de>>(
        &mut self,
        take: impl FnOnce(&mut Self, usize) -> Option<&'a [u8]>,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let size = self.reader.objects.reference_size();
        let Some(reference) = take(self, size) else { return Ok(None) };
        let number = objects::number(reference);
        seed.deserialize(Value { reader: self.reader, number }).map(Some)
    }
}

fn split<'a>(list: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (first, rest) = list.split_at_checked(size)?;
    *list = rest;
    Some(first)
}

impl<'de> SeqAccess<'de> for Inside<'_, '_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        self.next(|inside, size| split(&mut inside.values, size), seed)
    }
}

impl<'de> MapAccess<'de> for Inside<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.next(|inside, size| split(&mut inside.keys, size), seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let value = self.next(|inside, size| split(&mut inside.values, size), seed)?;
        value.ok_or_else(|| Fault::new("a value is missing"))
    }
}

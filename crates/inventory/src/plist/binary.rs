//! Binary property lists: objects that refer to each other by number.
//!
//! Objects may be shared, so a small file can describe a huge tree, or one that contains itself. So
//! the depth and the number of values are limited, and values that are not needed are not visited. A long text
//! counts as several values, because it may be read as often as a short one.

mod objects;

use std::borrow::Cow;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor, value::Error},
    forward_to_deserialize_any,
};

use self::objects::{Object, Objects};
use super::{Depth, FORMAT, PLAIN_VALUE, fault};
use crate::{collector::Collector, error::InventoryError, tree::read_document};

/// How many values are read. A real file of the largest size has fewer.
const MAX_VALUES: usize = 8_000_000;
/// This many bytes of a text count as one more value; fewer, if they have to be decoded.
const BYTES_PER_VALUE: usize = 32;
const DECODED_BYTES_PER_VALUE: usize = 4;

pub(crate) fn is_binary(file: &[u8]) -> bool {
    file.starts_with(objects::MAGIC)
}

pub(crate) fn read(file: &[u8], collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    let result = Objects::new(file).and_then(|objects| {
        let mut reader = Reader { objects, depth: Depth::default(), values: 0 };
        let top = reader.objects.top();
        read_document(Value { reader: &mut reader, number: top }, collector)
    });
    match result {
        Ok(true) => Ok(()),
        Ok(false) => Err(InventoryError::Unrecognized { found: PLAIN_VALUE.to_owned() }),
        Err(error) => Err(collector.error(FORMAT, error.to_string())),
    }
}

struct Reader<'a> {
    objects: Objects<'a>,
    depth: Depth,
    values: usize,
}

struct Value<'r, 'a> {
    reader: &'r mut Reader<'a>,
    number: usize,
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
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

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

impl Reader<'_> {
    fn count(&mut self, object: &Object<'_>) -> Result<(), Error> {
        let more = match object {
            Object::Text(Cow::Borrowed(text)) => text.len() / BYTES_PER_VALUE,
            Object::Text(Cow::Owned(text)) => text.len() / DECODED_BYTES_PER_VALUE,
            _ => 0,
        };
        self.values += 1 + more;
        if self.values > MAX_VALUES {
            return Err(fault(format_args!("it has more than {MAX_VALUES} values or long texts")));
        }
        Ok(())
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.depth.enter()?;
        let value = read(self)?;
        self.depth.leave();
        Ok(value)
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
    ) -> Result<Option<S::Value>, Error> {
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
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.next(|inside, size| split(&mut inside.values, size), seed)
    }
}

impl<'de> MapAccess<'de> for Inside<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next(|inside, size| split(&mut inside.keys, size), seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.next(|inside, size| split(&mut inside.values, size), seed)?;
        value.ok_or_else(|| fault("a value is missing"))
    }
}

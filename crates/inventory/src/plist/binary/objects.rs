//! The objects of a binary property list, read where they are.

use std::borrow::Cow;

use serde::de::value::Error;

use crate::{fields::MAX_TEXT, plist::fault};

pub(super) const MAGIC: &[u8] = b"bplist00";
const TRAILER: usize = 32;
/// The largest number of up to eight bytes.
const MAX_NUMBER: u64 = i64::MAX.cast_unsigned();

pub(super) struct Objects<'a> {
    file: &'a [u8],
    offsets: &'a [u8],
    offset_size: usize,
    reference_size: usize,
    top: usize,
}

/// An object. References are in groups of bytes.
pub(super) enum Object<'a> {
    Truth(bool),
    Number(u64),
    Text(Cow<'a, str>),
    Array(&'a [u8]),
    Dictionary {
        keys: &'a [u8],
        values: &'a [u8],
    },
    /// Null, fractions, dates, data, sets: they say nothing about an app.
    Other,
}

/// A number of up to eight bytes; more are of no use, because nothing is that large.
pub(super) fn number(bytes: &[u8]) -> usize {
    let value = bytes.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
    usize::try_from(value).unwrap_or(usize::MAX)
}

impl<'a> Objects<'a> {
    pub(super) fn new(file: &'a [u8]) -> Result<Self, Error> {
        Self::of(file).ok_or_else(|| fault("its table of objects is damaged"))
    }

    fn of(file: &'a [u8]) -> Option<Self> {
        let (body, trailer) = file.split_at_checked(file.len().checked_sub(TRAILER)?)?;
        let size = |byte: u8| matches!(byte, 1..=8).then_some(usize::from(byte));
        let offset_size = size(*trailer.get(6)?)?;
        let reference_size = size(*trailer.get(7)?)?;
        let count = number(trailer.get(8..16)?);
        let top = number(trailer.get(16..24)?);
        let table = number(trailer.get(24..32)?);
        let length = count.checked_mul(offset_size)?;
        let offsets = body.get(table..table.checked_add(length)?)?;
        Some(Self { file: body, offsets, offset_size, reference_size, top })
    }

    pub(super) fn top(&self) -> usize {
        self.top
    }

    pub(super) fn reference_size(&self) -> usize {
        self.reference_size
    }

    pub(super) fn get(&self, number: usize) -> Result<Object<'a>, Error> {
        self.find(number).ok_or_else(|| fault(format_args!("its object {number} is damaged")))
    }

    fn find(&self, index: usize) -> Option<Object<'a>> {
        let begin = index.checked_mul(self.offset_size)?;
        let offset = number(self.offsets.get(begin..begin.checked_add(self.offset_size)?)?);
        let (marker, rest) = self.file.get(offset..)?.split_first()?;
        let size = marker & 0x0f;
        match marker >> 4 {
            0 if size == 8 => Some(Object::Truth(false)),
            0 if size == 9 => Some(Object::Truth(true)),
            1 if size <= 3 => {
                let value = number(rest.get(..1 << size)?);
                // A number of eight bytes has a sign.
                let number = u64::try_from(value).ok().filter(|number| *number <= MAX_NUMBER);
                Some(number.map_or(Object::Other, Object::Number))
            }
            5 | 7 => {
                let (length, rest) = length(size, rest)?;
                let bytes = rest.get(..length)?;
                Some(Object::Text(Cow::Borrowed(usable(bytes)?)))
            }
            6 => {
                let (length, rest) = length(size, rest)?;
                let bytes = rest.get(..length.checked_mul(2)?)?;
                // A unit is a byte of the text or more.
                if length > MAX_TEXT {
                    return Some(Object::Text(Cow::Borrowed("")));
                }
                let pairs = bytes.chunks_exact(2);
                let units: Vec<u16> =
                    pairs.map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
                Some(Object::Text(Cow::Owned(String::from_utf16(&units).ok()?)))
            }
            0xa => {
                let (count, rest) = length(size, rest)?;
                Some(Object::Array(rest.get(..count.checked_mul(self.reference_size)?)?))
            }
            0xd => {
                let (count, rest) = length(size, rest)?;
                let bytes = count.checked_mul(self.reference_size)?;
                let (keys, rest) = rest.split_at_checked(bytes)?;
                Some(Object::Dictionary { keys, values: rest.get(..bytes)? })
            }
            _ => Some(Object::Other),
        }
    }
}

/// The length of an object, and what follows. A length of 15 or more is a separate object.
fn length(size: u8, rest: &[u8]) -> Option<(usize, &[u8])> {
    if size < 0x0f {
        return Some((usize::from(size), rest));
    }
    let (marker, rest) = rest.split_first()?;
    let bytes = match marker {
        0x10..=0x13 => 1_usize << (marker & 0x0f),
        _ => return None,
    };
    let (digits, rest) = rest.split_at_checked(bytes)?;
    Some((number(digits), rest))
}

/// A text of a usable length; a longer one is as good as none.
fn usable(bytes: &[u8]) -> Option<&str> {
    if bytes.len() > MAX_TEXT {
        return Some("");
    }
    std::str::from_utf8(bytes).ok()
}

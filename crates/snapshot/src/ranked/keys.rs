//! The keys of all apps in one buffer, with the places where their words start.

use std::ops::Range;

use appstitch_stitching::{SearchKey, WordStart};
use appstitch_types::search::SearchField;

use crate::bits::Bits;

/// Bytes below this end a key and name its field. They are never part of a key.
pub(super) const FIELDS_END: u8 = 0x10;

/// The keys of all apps, app after app.
#[derive(Default)]
pub(crate) struct KeyBuffer {
    text: Vec<u8>,
    /// Words that start after a blank or punctuation.
    full: Bits,
    /// Words that start in whatever way.
    any: Bits,
    /// The start of each app's keys, and the end of the last one's.
    starts: Vec<usize>,
}

impl KeyBuffer {
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds the keys of the next app.
    pub(crate) fn push(&mut self, keys: &[(SearchField, SearchKey)]) {
        for (field, key) in keys {
            for (at, start) in &key.starts {
                let at = self.text.len() + at;
                self.any.set(at);
                if *start == WordStart::Full {
                    self.full.set(at);
                }
            }
            self.text.extend_from_slice(key.text.as_bytes());
            self.text.push(*field as u8);
        }
        self.starts.push(self.text.len());
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.full.shrink_to_fit();
        self.any.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    pub(crate) fn size(&self) -> usize {
        self.text.capacity()
            + self.full.size()
            + self.any.size()
            + self.starts.capacity() * size_of::<usize>()
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The places where words start, in order.
    pub(crate) fn word_starts(&self) -> impl Iterator<Item = usize> {
        self.any.numbers()
    }

    /// The places where words start after a blank or punctuation, in order.
    pub(crate) fn full_starts(&self) -> impl Iterator<Item = usize> {
        self.full.numbers()
    }

    /// Whether a word starts at a place in the text, in whatever way.
    #[inline]
    pub(crate) fn is_start(&self, place: usize) -> bool {
        self.any.has(place)
    }

    /// Whether a key ends before a place in the text.
    #[inline]
    pub(crate) fn is_key_end(&self, place: usize) -> bool {
        self.text[place] < FIELDS_END
    }

    #[inline]
    pub(crate) fn field_at(&self, place: usize) -> SearchField {
        let end = self.text[place..].iter().find(|byte| **byte < FIELDS_END);
        end.map_or(SearchField::Vendor, |byte| field(*byte))
    }

    /// The app that a place in the text belongs to.
    pub(crate) fn app_at(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start <= place) - 1
    }

    /// The same for a place that does not belong to an app before `first`. It takes longer the farther
    /// away the app is, and is quick if it is near.
    #[inline]
    pub(crate) fn app_from(&self, first: usize, place: usize) -> usize {
        let ends = &self.starts[first + 1..];
        let mut near = 1;
        while ends.get(near).is_some_and(|end| *end <= place) {
            near *= 2;
        }
        let from = near / 2;
        let ends = &ends[from..ends.len().min(near + 1)];
        first + from + ends.partition_point(|end| *end <= place)
    }

    pub(crate) fn app(&self, app: usize) -> AppKeys<'_> {
        let (start, end) = (self.starts[app], self.starts[app + 1]);
        AppKeys { buffer: self, text: &self.text[start..end], offset: start }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct AppKeys<'a> {
    buffer: &'a KeyBuffer,
    pub(crate) text: &'a [u8],
    /// Where the app's text starts in the buffer.
    offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) field: SearchField,
}

impl<'a> AppKeys<'a> {
    /// The end of the text in the buffer.
    pub(crate) fn end(self) -> usize {
        self.offset + self.text.len()
    }

    /// Whether a word starts here after a blank or punctuation.
    #[inline]
    pub(crate) fn is_full_start(self, at: usize) -> bool {
        self.buffer.full.has(self.offset + at)
    }

    /// The places where words start after a blank or punctuation, in order.
    pub(crate) fn full_starts(self) -> impl Iterator<Item = usize> + use<'a> {
        let (offset, end) = (self.offset, self.end());
        self.buffer.full.numbers_within(offset..end).map(move |place| place - offset)
    }

    /// Whether a word starts here, in whatever way.
    #[inline]
    pub(crate) fn is_start(self, at: usize) -> bool {
        self.buffer.is_start(self.offset + at)
    }

    #[inline]
    pub(crate) fn is_key_start(self, at: usize) -> bool {
        at == 0 || self.text[at - 1] < FIELDS_END
    }

    /// Whether a key ends before this byte.
    #[inline]
    pub(crate) fn is_key_end(self, at: usize) -> bool {
        self.text[at] < FIELDS_END
    }

    /// The field of the key that contains this place.
    #[inline]
    pub(crate) fn field_at(self, at: usize) -> SearchField {
        self.buffer.field_at(self.offset + at)
    }

    pub(crate) fn place(self) -> (&'a KeyBuffer, usize) {
        (self.buffer, self.offset)
    }

    /// The key of the vendor, which is the last one.
    pub(crate) fn vendor(self) -> Option<Key> {
        let (last, before) = self.text.split_last()?;
        let field = field(*last);
        let start = before.iter().rposition(|byte| *byte < FIELDS_END).map_or(0, |end| end + 1);
        (field == SearchField::Vendor).then_some(Key { start, end: before.len(), field })
    }

    pub(crate) fn keys(self) -> impl Iterator<Item = Key> + use<'a> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let length = self.text[start..].iter().position(|byte| *byte < FIELDS_END)?;
            let end = start + length;
            let key = Key { start, end, field: field(self.text[end]) };
            start = end + 1;
            Some(key)
        })
    }

    /// The words of a key between blanks and punctuation.
    pub(crate) fn words(self, key: Key) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let mut start = key.start;
        std::iter::from_fn(move || {
            if start >= key.end {
                return None;
            }
            let mut end = start + 1;
            while end < key.end && !self.is_full_start(end) {
                end += 1;
            }
            let word = start..end;
            start = end;
            Some(word)
        })
    }
}

fn field(byte: u8) -> SearchField {
    let field = SearchField::ALL.get(usize::from(byte));
    field.copied().unwrap_or(SearchField::Vendor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_words_are_read_as_they_were_written() {
        let mut buffer = KeyBuffer::new();
        let keys = [
            (SearchField::Name, SearchKey::of("Google Chrome")),
            (SearchField::BundleId, SearchKey::of("com.google.Chrome")),
        ];
        buffer.push(&[(SearchField::Slug, SearchKey::of("other"))]);
        buffer.push(&keys);
        assert_eq!((buffer.app_at(5), buffer.app_at(6)), (0, 1));
        let app = buffer.app(1);
        let read: Vec<Key> = app.keys().collect();
        assert_eq!(read[0], Key { start: 0, end: 12, field: SearchField::Name });
        assert_eq!(read[1].field, SearchField::BundleId);
        let words: Vec<&[u8]> = app.words(read[1]).map(|word| &app.text[word]).collect();
        assert_eq!(words, [&b"com"[..], b"google", b"chrome"]);
        assert!(app.is_key_start(0) && app.is_key_start(13) && !app.is_key_start(6));
        assert!(app.is_full_start(6) && app.is_key_end(12));
        assert_eq!(app.field_at(20), SearchField::BundleId);
        assert_eq!(app.vendor(), None);
    }

    #[test]
    fn the_app_of_a_place_is_found_from_every_app_before_it() {
        let mut buffer = KeyBuffer::new();
        for number in 0..40 {
            let name = "a".repeat(1 + number % 3);
            let vendor = (SearchField::Vendor, SearchKey::of("Vendor"));
            buffer.push(&[(SearchField::Name, SearchKey::of(&name)), vendor]);
        }
        for place in 0..buffer.text().len() {
            let app = buffer.app_at(place);
            for first in 0..=app {
                assert_eq!(buffer.app_from(first, place), app, "{place} from {first}");
            }
            let keyed = buffer.app(app);
            let vendor = keyed.keys().find(|key| key.field == SearchField::Vendor);
            assert_eq!(keyed.vendor(), vendor);
        }
    }
}

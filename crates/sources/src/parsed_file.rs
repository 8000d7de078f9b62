//! The entries of an upstream's file.

use std::{collections::HashSet, fmt, io::Read};

use bytes::Bytes;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;

/// One entry of an upstream, as upstream wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamEntry {
    /// Identifies the entry within its source.
    pub key: String,
    /// The entry's bytes. Clones share them.
    pub body: Bytes,
}

/// A rejected entry, or a problem of an accepted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The entry.
    pub what: String,
    /// The reason.
    pub why: String,
}

/// The entries of an upstream's file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedFile {
    /// The accepted entries; keys are unique.
    pub entries: Vec<UpstreamEntry>,
    /// The rejected entries.
    pub refused: Vec<Refused>,
    /// Problems of accepted entries.
    pub notes: Vec<Refused>,
}

/// A file that cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// The unpacked file exceeds the limit.
    #[error("the file is larger than {limit} bytes when unpacked")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The file is not in the upstream's format.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

impl ParsedFile {
    pub(crate) fn take(&mut self, document: UpstreamEntry) {
        self.entries.push(document);
    }

    /// Adds a document unless an earlier one has the same key.
    pub(crate) fn take_once(&mut self, document: UpstreamEntry) {
        if self.entries.iter().any(|taken| taken.key == document.key) {
            self.refuse(&document.key, "duplicate key; the first entry is used");
        } else {
            self.take(document);
        }
    }

    pub(crate) fn refuse(&mut self, what: &str, why: &str) {
        self.refused.push(Refused { what: what.to_owned(), why: why.to_owned() });
    }

    pub(crate) fn note(&mut self, what: &str, why: &str) {
        self.notes.push(Refused { what: what.to_owned(), why: why.to_owned() });
    }
}

/// Makes one document per entry of a JSON array. `key` reads the key from an entry, and the
/// entry is kept verbatim. The array is read entry by entry, so that a large file is never in
/// memory as a whole.
pub(crate) fn stream_entries(
    json: &mut dyn Read,
    key: &dyn Fn(&str) -> Result<String, String>,
) -> Result<ParsedFile, serde_json::Error> {
    struct Entries<'a> {
        keys: KeyedEntries<'a>,
    }
    impl<'de> Visitor<'de> for Entries<'_> {
        type Value = ParsedFile;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a JSON array")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<ParsedFile, A::Error> {
            while let Some(entry) = entries.next_element::<Box<RawValue>>()? {
                self.keys.take(entry.get());
            }
            Ok(self.keys.parsed)
        }
    }
    let buffered = std::io::BufReader::with_capacity(BUFFER, json);
    let mut deserializer = serde_json::Deserializer::from_reader(buffered);
    let parsed = deserializer.deserialize_seq(Entries { keys: KeyedEntries::new(key) })?;
    deserializer.end()?;
    Ok(parsed)
}

/// How many bytes of a file are read at a time.
const BUFFER: usize = 64 << 10;

/// Makes one document per JSON entry. `key` reads the key from an entry, and the entry is kept
/// verbatim.
pub(crate) fn json_entries(
    entries: Vec<&RawValue>,
    key: impl Fn(&str) -> Result<String, String>,
) -> ParsedFile {
    let mut keyed = KeyedEntries::new(&key);
    for entry in entries {
        keyed.take(entry.get());
    }
    keyed.parsed
}

/// Collects entries and rejects duplicate keys.
struct KeyedEntries<'a> {
    key: &'a dyn Fn(&str) -> Result<String, String>,
    keys: HashSet<String>,
    count: usize,
    parsed: ParsedFile,
}

impl<'a> KeyedEntries<'a> {
    fn new(key: &'a dyn Fn(&str) -> Result<String, String>) -> Self {
        Self { key, keys: HashSet::new(), count: 0, parsed: ParsedFile::default() }
    }

    fn take(&mut self, text: &str) {
        self.count += 1;
        let what = format!("entry {}", self.count);
        let (keys, parsed) = (&mut self.keys, &mut self.parsed);
        match (self.key)(text) {
            Err(why) => parsed.refuse(&what, &why),
            Ok(key) if !keys.insert(key.clone()) => {
                parsed.refuse(&what, &format!("duplicate key '{key}'; the first entry is used"));
            }
            Ok(key) => {
                parsed.take(UpstreamEntry { key, body: Bytes::copy_from_slice(text.as_bytes()) });
            }
        }
    }
}

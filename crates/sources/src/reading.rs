//! What came out of an upstream's file.

use std::collections::HashSet;

use bytes::Bytes;
use serde_json::value::RawValue;
use thiserror::Error;

/// One entry of an upstream, as upstream wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What tells it from the other entries of its source.
    pub key: String,
    /// The entry's bytes; a clone shares them.
    pub body: Bytes,
}

/// An entry that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Which entry.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

/// The entries of an upstream's file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// What was taken, each key once.
    pub documents: Vec<Document>,
    /// What was not.
    pub refused: Vec<Refused>,
}

/// A file that cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl Reading {
    pub(crate) fn take(&mut self, document: Document) {
        self.documents.push(document);
    }

    /// Takes a document unless its key was taken already.
    pub(crate) fn take_once(&mut self, document: Document) {
        if self.documents.iter().any(|taken| taken.key == document.key) {
            self.refuse(&document.key, "it is given twice: the first one stands");
        } else {
            self.take(document);
        }
    }

    pub(crate) fn refuse(&mut self, what: &str, why: &str) {
        self.refused.push(Refused { what: what.to_owned(), why: why.to_owned() });
    }
}

/// One document per JSON entry, verbatim, under the key that a function reads from it.
pub(crate) fn json_entries(
    entries: Vec<&RawValue>,
    key: impl Fn(&str) -> Result<String, String>,
) -> Reading {
    let mut reading = Reading::default();
    let mut keys = HashSet::new();
    for (number, entry) in (1_usize..).zip(entries) {
        let text = entry.get();
        let what = format!("entry {number}");
        match key(text) {
            Err(why) => reading.refuse(&what, &why),
            Ok(key) if !keys.insert(key.clone()) => {
                reading.refuse(&what, &format!("{key} is given twice: the first one stands"));
            }
            Ok(key) => {
                reading.take(Document { key, body: Bytes::copy_from_slice(text.as_bytes()) });
            }
        }
    }
    reading
}

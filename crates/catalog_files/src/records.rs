//! Every record of a revision: a header line, then one record per line, in the order of slugs.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::index::{Index, SCHEMA};

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header<'a> {
    appstitch: &'a str,
    schema: u32,
    revision: &'a str,
    apps: u64,
}

const KIND: &str = "catalog";

/// Every record of a revision, one JSON text per app.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Records {
    pub revision: String,
    /// The slugs in ascending order, each with its record.
    pub(crate) lines: Vec<(String, Box<str>)>,
}

#[derive(Debug, Error)]
pub enum RecordsError {
    #[error("it is not UTF-8")]
    Encoding,
    #[error("its first line is not the header of a catalog")]
    Header,
    #[error("it belongs to revision {found}, not to {wanted}")]
    Revision { found: String, wanted: String },
    #[error("line {0} is not a record")]
    Line(usize),
    #[error("line {0} is not in the order of slugs")]
    Order(usize),
    #[error("it has {found} records, not {wanted}")]
    Count { found: usize, wanted: u64 },
}

impl Records {
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The slugs and records, in the order of slugs.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().map(|(slug, record)| (slug.as_str(), &**record))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let apps = self.lines.len() as u64;
        let header = Header { appstitch: KIND, schema: SCHEMA, revision: &self.revision, apps };
        // Texts and numbers can always be written.
        let header = serde_json::to_string(&header).unwrap_or_default();
        let length = self.lines.iter().map(|(_, record)| record.len() + 1).sum::<usize>();
        let mut text = String::with_capacity(header.len() + 1 + length);
        for line in std::iter::once(header.as_str()).chain(self.iter().map(|(_, record)| record)) {
            text.push_str(line);
            text.push('\n');
        }
        text.into_bytes()
    }

    /// Reads the unpacked file that an index names.
    pub fn read(bytes: &[u8], index: &Index) -> Result<Self, RecordsError> {
        let text = str::from_utf8(bytes).map_err(|_| RecordsError::Encoding)?;
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let header: Header<'_> = serde_json::from_str(header).map_err(|_| RecordsError::Header)?;
        if header.appstitch != KIND {
            return Err(RecordsError::Header);
        }
        if header.revision != index.revision {
            let (found, wanted) = (header.revision.to_owned(), index.revision.clone());
            return Err(RecordsError::Revision { found, wanted });
        }
        let mut records = Self { revision: index.revision.clone(), lines: Vec::new() };
        for (number, line) in (2..).zip(lines) {
            let slug = slug_of(line).ok_or(RecordsError::Line(number))?;
            if records.lines.last().is_some_and(|(last, _)| *last >= slug) {
                return Err(RecordsError::Order(number));
            }
            records.lines.push((slug, line.into()));
        }
        if records.lines.len() as u64 != index.apps || header.apps != index.apps {
            return Err(RecordsError::Count { found: records.lines.len(), wanted: index.apps });
        }
        Ok(records)
    }
}

/// The slug of a record in JSON; `None` if it has none.
pub(crate) fn slug_of(record: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Slug {
        slug: String,
    }
    let Slug { slug } = serde_json::from_str(record).ok()?;
    (!slug.is_empty()).then_some(slug)
}

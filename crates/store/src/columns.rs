//! The values of a row, whatever engine it is from, and how times and counts are stored.

use bytes::Bytes;
use jiff::Timestamp;

use crate::error::StoreError;

pub(crate) trait Columns {
    fn text(&self, column: usize) -> Result<String, StoreError>;
    fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError>;
    fn bytes(&self, column: usize) -> Result<Bytes, StoreError>;
    fn optional_bytes(&self, column: usize) -> Result<Option<Bytes>, StoreError>;
    fn number(&self, column: usize) -> Result<i64, StoreError>;
    fn optional_number(&self, column: usize) -> Result<Option<i64>, StoreError>;
    fn flag(&self, column: usize) -> Result<bool, StoreError>;

    /// A number that must not be negative.
    fn count(&self, what: &'static str, column: usize) -> Result<u64, StoreError> {
        unsigned(what, self.number(column)?)
    }

    fn optional_count(&self, what: &'static str, column: usize) -> Result<Option<u64>, StoreError> {
        self.optional_number(column)?.map(|number| unsigned(what, number)).transpose()
    }

    /// A time that is stored as a text.
    fn time(&self, column: usize) -> Result<Timestamp, StoreError> {
        time(&self.text(column)?)
    }

    fn optional_time(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.optional_text(column)?.as_deref().map(time).transpose()
    }

    /// A time that is stored as milliseconds since 1970.
    fn moment(&self, column: usize) -> Result<Timestamp, StoreError> {
        moment(self.number(column)?)
    }

    fn optional_moment(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.optional_number(column)?.map(moment).transpose()
    }

    fn status(&self, column: usize) -> Result<Option<u16>, StoreError> {
        let invalid =
            |status: i64| StoreError::Unreadable { what: "status", value: status.to_string() };
        let status = self.optional_number(column)?;
        status.map(|status| u16::try_from(status).map_err(|_| invalid(status))).transpose()
    }
}

/// Numbers are far below `i64::MAX`, so the fallback is never used.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Integers of databases are signed; stored numbers must not be negative.
fn unsigned(what: &'static str, number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Unreadable { what, value: number.to_string() })
}

fn time(text: &str) -> Result<Timestamp, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { what: "time", value: text.to_owned() })
}

fn moment(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds)
        .map_err(|_| StoreError::Unreadable { what: "time", value: milliseconds.to_string() })
}

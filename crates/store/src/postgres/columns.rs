//! Reads single values of a row: texts, bytes, times and counts.

use bytes::Bytes;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::text;
use crate::StoreError;

/// The values of a row, by the number of their column.
pub(super) trait Columns {
    fn text(&self, column: usize) -> Result<String, StoreError>;
    fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError>;
    fn bytes(&self, column: usize) -> Result<Bytes, StoreError>;
    fn optional_bytes(&self, column: usize) -> Result<Option<Bytes>, StoreError>;
    /// A number that must not be negative.
    fn count(&self, what: &'static str, column: usize) -> Result<u64, StoreError>;
    fn optional_count(&self, what: &'static str, column: usize) -> Result<Option<u64>, StoreError>;
    /// A time that is stored as a text.
    fn time(&self, column: usize) -> Result<Timestamp, StoreError>;
    fn optional_time(&self, column: usize) -> Result<Option<Timestamp>, StoreError>;
    /// A time that is stored as milliseconds since 1970.
    fn moment(&self, column: usize) -> Result<Timestamp, StoreError>;
    fn optional_moment(&self, column: usize) -> Result<Option<Timestamp>, StoreError>;
    fn status(&self, column: usize) -> Result<Option<u16>, StoreError>;
}

impl Columns for Row {
    fn text(&self, column: usize) -> Result<String, StoreError> {
        Ok(text::read(self.try_get(column)?))
    }

    fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        Ok(self.try_get::<_, Option<&str>>(column)?.map(text::read))
    }

    fn bytes(&self, column: usize) -> Result<Bytes, StoreError> {
        Ok(Bytes::copy_from_slice(self.try_get(column)?))
    }

    fn optional_bytes(&self, column: usize) -> Result<Option<Bytes>, StoreError> {
        Ok(self.try_get::<_, Option<&[u8]>>(column)?.map(Bytes::copy_from_slice))
    }

    fn count(&self, what: &'static str, column: usize) -> Result<u64, StoreError> {
        unsigned(what, self.try_get(column)?)
    }

    fn optional_count(&self, what: &'static str, column: usize) -> Result<Option<u64>, StoreError> {
        let number: Option<i64> = self.try_get(column)?;
        number.map(|number| unsigned(what, number)).transpose()
    }

    fn time(&self, column: usize) -> Result<Timestamp, StoreError> {
        time(self.try_get(column)?)
    }

    fn optional_time(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.try_get::<_, Option<&str>>(column)?.map(time).transpose()
    }

    fn moment(&self, column: usize) -> Result<Timestamp, StoreError> {
        moment(self.try_get(column)?)
    }

    fn optional_moment(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.try_get::<_, Option<i64>>(column)?.map(moment).transpose()
    }

    fn status(&self, column: usize) -> Result<Option<u16>, StoreError> {
        let status: Option<i32> = self.try_get(column)?;
        let invalid =
            |status: i32| StoreError::Unreadable { what: "status", value: status.to_string() };
        status.map(|status| u16::try_from(status).map_err(|_| invalid(status))).transpose()
    }
}

fn time(text: &str) -> Result<Timestamp, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { what: "time", value: text.to_owned() })
}

fn moment(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds)
        .map_err(|_| StoreError::Unreadable { what: "time", value: milliseconds.to_string() })
}

fn unsigned(what: &'static str, number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Unreadable { what, value: number.to_string() })
}

/// Numbers are far below `i64::MAX`, so the fallback is never used.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

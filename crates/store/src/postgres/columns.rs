//! The values of a PostgreSQL row.

use bytes::Bytes;
use tokio_postgres::Row;

use super::text;
use crate::{columns::Columns, error::StoreError};

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

    fn number(&self, column: usize) -> Result<i64, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn optional_number(&self, column: usize) -> Result<Option<i64>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn flag(&self, column: usize) -> Result<bool, StoreError> {
        Ok(self.try_get(column)?)
    }
}

//! JSON: one document, several after one another, or one per line.

use memchr::memchr_iter;
use serde_json::Deserializer;

use crate::{InventoryError, collector::Collector, tree::read_document};

const FORMAT: &str = "JSON";

/// Reads all documents of a text.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    collector.expect_apps(memchr_iter(b'{', text.as_bytes()).count());
    let mut deserializer = Deserializer::from_str(text);
    // It is at the end if only white space is left.
    while deserializer.end().is_err() {
        let is_entries = read_document(&mut deserializer, collector)
            .map_err(|error| collector.error(FORMAT, error.to_string()))?;
        if !is_entries {
            let found = "it has a plain value where a list or an object is expected".to_owned();
            return Err(InventoryError::Unrecognized { found });
        }
    }
    Ok(())
}

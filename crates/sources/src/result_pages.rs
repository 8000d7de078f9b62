//! Pages of results, as several web APIs send them: an object whose `results` is an array.

use appstitch_budget::Budget;

use crate::{FileError, json_stream::JsonStream};

/// What is called for each result: its text, or why it cannot be used.
pub(crate) type EachResult<'f> =
    dyn FnMut(Result<&str, String>, &mut Budget) -> Result<(), FileError> + 'f;

/// Reads one page.
pub(crate) fn read_page(
    stream: &mut JsonStream<'_>,
    budget: &mut Budget,
    each: &mut EachResult<'_>,
) -> Result<(), FileError> {
    let mut has_results = false;
    stream.members(budget, &mut |stream, key, budget| {
        if key != "results" {
            return stream.skip(budget);
        }
        if std::mem::replace(&mut has_results, true) {
            return Err(FileError::unreadable("duplicate field `results`"));
        }
        stream.elements(budget, &mut |stream, budget| each(stream.value(budget)?, budget))
    })?;
    if has_results { Ok(()) } else { Err(FileError::unreadable("missing field `results`")) }
}

//! Why a file is refused.

use appstitch_budget::{Exceeded, shortened};
use thiserror::Error;

/// What is accepted, for a file that is not understood.
const ACCEPTED: &str = "send the output of system_profiler, osquery, brew or mas, an answer of Jamf \
                        Pro, Fleet, Intune or Kandji, a report of Munki, or a CSV table with a \
                        column 'name' or 'bundle_id'";

/// Why a file is refused. The text says what was found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InventoryError {
    /// There is nothing in it.
    #[error("The file is empty; {ACCEPTED}")]
    Empty,
    /// It is larger than this many bytes.
    #[error("The file is larger than {0} bytes uncompressed; send fewer Macs at a time")]
    TooLarge(usize),
    /// It reaches another limit.
    #[error("The file is too much for one request: {0}{hint}", hint = hint(*.0))]
    TooMuch(#[from] Exceeded),
    /// The compression is damaged.
    #[error("The file is damaged: it cannot be uncompressed ({0}); send it again")]
    Damaged(String),
    /// It is neither UTF-8 nor UTF-16.
    #[error("The file is not text: {found}; {ACCEPTED}")]
    NotText {
        /// What it begins with.
        found: String,
    },
    /// It begins like a format, but is not valid.
    #[error("The file is not a valid {format}: {why}; check that it is complete")]
    Invalid {
        /// What it begins like.
        format: &'static str,
        /// What is wrong.
        why: String,
    },
    /// It is valid, but there are no apps in it.
    #[error("The file is not a list of installed apps: {found}; {ACCEPTED}")]
    Unrecognized {
        /// What was found instead.
        found: String,
    },
}

/// What to do about a limit.
fn hint(exceeded: Exceeded) -> &'static str {
    // The limit of a pool says it itself.
    if exceeded.may_pass() { "" } else { "; send fewer Macs at a time" }
}

/// How many bytes of a text a message quotes.
const QUOTED_BYTES: usize = 40;

/// What is needed of a text to quote it, and to see whether it is longer.
pub(crate) fn beginning(text: &str) -> &str {
    let text = text.trim();
    &text[..text.floor_char_boundary(QUOTED_BYTES + 1)]
}

/// A text of the file as a message quotes it.
pub(crate) fn quoted(text: &str) -> String {
    // A text may be as long as the file, so only what is kept is copied.
    let kept = beginning(text).chars().filter(|character| !character.is_control());
    shortened(kept.collect(), QUOTED_BYTES)
}

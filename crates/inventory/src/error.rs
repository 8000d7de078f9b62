use appstitch_budget::{Exceeded, shortened};
use thiserror::Error;

const ACCEPTED: &str = "send the output of system_profiler, osquery, brew or mas, an answer of Jamf \
                        Pro, Fleet, Intune or Kandji, a report of Munki, or a CSV table with a \
                        column 'name' or 'bundle_id'";

/// The text says what was found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InventoryError {
    #[error("The file is empty; {ACCEPTED}")]
    Empty,
    #[error("The file is larger than {0} bytes uncompressed; send fewer Macs at a time")]
    TooLarge(usize),
    #[error("The file is too much for one request: {0}{hint}", hint = hint(*.0))]
    TooMuch(#[from] Exceeded),
    #[error("The file is damaged: it cannot be uncompressed ({0}); send it again")]
    Damaged(String),
    #[error("The file is not text: {found}; {ACCEPTED}")]
    NotText { found: String },
    #[error("The file is not a valid {format}: {why}; check that it is complete")]
    Invalid { format: &'static str, why: String },
    #[error("The file is not a list of installed apps: {found}; {ACCEPTED}")]
    Unrecognized { found: String },
}

fn hint(exceeded: Exceeded) -> &'static str {
    // The limit of a pool says it itself.
    if exceeded.may_pass() { "" } else { "; send fewer Macs at a time" }
}

const QUOTED_BYTES: usize = 40;

/// What is needed of a text to quote it, and to see whether it is longer.
pub(crate) fn beginning(text: &str) -> &str {
    let text = text.trim();
    &text[..text.floor_char_boundary(QUOTED_BYTES + 1)]
}

pub(crate) fn quoted(text: &str) -> String {
    // A text may be as long as the file, so only what is kept is copied.
    let kept = beginning(text).chars().filter(|character| !character.is_control());
    shortened(kept.collect(), QUOTED_BYTES)
}

//! An identifier with a listing, asked for together with others. An answer without it is incomplete.

/// Apple's own developer tools. They are in the store of every country since there is one.
const WELL_KNOWN: &str = "com.apple.dt.xcode";

/// Which identifier tells whether an answer to several is complete.
#[derive(Debug)]
pub(super) enum Canary {
    /// Its listing is known from this run or an earlier one.
    Listed(String),
    /// It should have one. It is asked for alone before a missing answer counts.
    Supposed,
    /// There is none: answers are taken as they are.
    Absent,
}

impl Canary {
    pub(super) fn key(&self) -> Option<&str> {
        match self {
            Self::Listed(key) => Some(key),
            Self::Supposed => Some(WELL_KNOWN),
            Self::Absent => None,
        }
    }

    /// The canary after this one was asked for alone and had no listing.
    pub(super) fn lost(&self) -> Self {
        match self {
            Self::Listed(key) if key != WELL_KNOWN => Self::Supposed,
            _ => Self::Absent,
        }
    }
}

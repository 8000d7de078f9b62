//! The filters of a request, and what they select.

use appstitch_types::{InstallMethod, Source};

use crate::value_index::ValueRows;

#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only rows of this vendor, ignoring case.
    pub vendor: Option<String>,
    pub source: Option<String>,
    pub exclude_source: Option<String>,
    pub deprecated: Option<bool>,
    /// Exact filters. They are apart from the others, so that requests without them do not pay for
    /// them.
    pub exact: Option<Box<ExactFilter>>,
}

/// Filters for values that few rows have.
#[derive(Debug, Clone, Default)]
pub struct ExactFilter {
    /// Only rows with this bundle identifier, ignoring case.
    pub bundle_id: Option<String>,
    /// Only rows with this Team ID, ignoring case.
    pub team_id: Option<String>,
    pub install_method: Option<String>,
}

/// A filter resolved against a listing. Filters that select the same way have equal selections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    Nothing,
    Rows {
        vendor: Option<u32>,
        include: Option<Source>,
        exclude: Option<Source>,
        deprecated: Option<bool>,
        exact: Option<ExactSelection>,
    },
}

impl Selection {
    pub(crate) const EVERYTHING: Self =
        Self::Rows { vendor: None, include: None, exclude: None, deprecated: None, exact: None };

    /// Whether no filter excludes anything.
    pub fn is_everything(self) -> bool {
        self == Self::EVERYTHING
    }
}

/// Exact filters resolved against a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ExactSelection {
    pub(super) bundle_id: Option<ValueRows>,
    pub(super) team_id: Option<ValueRows>,
    pub(super) method: Option<InstallMethod>,
}

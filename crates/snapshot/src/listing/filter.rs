//! The filters of a request, and what they select.

use appstitch_catalog::{InstallMethod, Source};

use crate::value_index::ValueRows;

/// The filters of a request.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only rows of this vendor, ignoring case.
    pub vendor: Option<String>,
    /// Only rows with this source.
    pub source: Option<String>,
    /// Only rows without this source.
    pub exclude_source: Option<String>,
    /// Only deprecated rows, or only others.
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
    /// Only rows with this install method.
    pub install_method: Option<String>,
}

/// A filter resolved against a listing. Filters that select the same way have equal selections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// No rows.
    Nothing,
    /// Every matching row.
    Rows {
        /// The id of a vendor.
        vendor: Option<u32>,
        /// A source that rows must have.
        include: Option<Source>,
        /// A source that rows must not have.
        exclude: Option<Source>,
        /// Whether rows must be deprecated, or must not be.
        deprecated: Option<bool>,
        /// Exact filters, if there is one.
        exact: Option<ExactSelection>,
    },
}

impl Selection {
    /// Whether it is every row of the listing.
    #[must_use]
    pub fn is_everything(self) -> bool {
        let everything = Self::Rows {
            vendor: None,
            include: None,
            exclude: None,
            deprecated: None,
            exact: None,
        };
        self == everything
    }
}

/// Exact filters resolved against a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ExactSelection {
    /// The rows of a bundle identifier.
    pub(super) bundle_id: Option<ValueRows>,
    /// The rows of a Team ID.
    pub(super) team_id: Option<ValueRows>,
    /// The install method that rows must have.
    pub(super) method: Option<InstallMethod>,
}

impl Selection {
    #[cfg(test)]
    pub(crate) const EVERYTHING: Self =
        Self::Rows { vendor: None, include: None, exclude: None, deprecated: None, exact: None };
}

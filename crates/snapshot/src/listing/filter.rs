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
        /// The rows of a bundle identifier.
        bundle_id: Option<ValueRows>,
        /// The rows of a Team ID.
        team_id: Option<ValueRows>,
        /// The install method that rows must have.
        method: Option<InstallMethod>,
    },
}

impl Selection {
    #[cfg(test)]
    pub(crate) const EVERYTHING: Self = Self::Rows {
        vendor: None,
        include: None,
        exclude: None,
        deprecated: None,
        bundle_id: None,
        team_id: None,
        method: None,
    };
}

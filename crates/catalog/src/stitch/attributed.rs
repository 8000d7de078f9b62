//! Values with the source they come from.

use crate::StoreListingSource;

/// A value and the token of its source.
pub(super) type Attributed<T> = Option<(&'static str, T)>;

/// Store listings have a name, but are not a source token.
pub(super) const LISTING: &str = StoreListingSource::NAME;

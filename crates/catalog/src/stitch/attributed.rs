//! Values with the source they come from.

/// A value and the token of its source.
pub(super) type Attributed<T> = Option<(&'static str, T)>;

/// The name of the store's payload, which is not a source token.
pub(super) const LISTING: &str = "store_listing";

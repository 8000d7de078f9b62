//! Case-insensitive comparison over the whole of Unicode.

use unicase::UniCase;

/// The text with all differences of case removed: two texts are the same ignoring case
/// exactly when their folded forms are equal.
///
/// ```
/// use appstitch_catalog::fold_case;
///
/// assert_eq!(fold_case("STRASSE"), fold_case("Straße"));
/// ```
#[must_use]
pub fn fold_case(text: &str) -> String {
    UniCase::new(text).to_folded_case()
}

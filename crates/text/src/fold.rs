//! Case-insensitive comparison for all of Unicode.

use unicase::UniCase;

/// Folds the case of a text: two texts are equal ignoring case exactly when their folded forms
/// are equal.
///
/// ```
/// use appstitch_text::fold_case;
///
/// assert_eq!(fold_case("STRASSE"), fold_case("Straße"));
/// ```
pub fn fold_case(text: &str) -> String {
    UniCase::new(text).to_folded_case()
}

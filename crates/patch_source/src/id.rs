//! The identifier of a title.

use std::borrow::Cow;

/// A slug as an identifier. Letters, digits, `.`, `_` and `-` are safe in the addresses that Jamf makes;
/// `@` and `+` are spelled out. Two slugs can have one identifier: [`crate::choose()`] sees to that.
pub fn title_id(slug: &str) -> Cow<'_, str> {
    if slug.contains(['@', '+']) {
        slug.replace('@', "-at-").replace('+', "-plus-").into()
    } else {
        slug.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_special_characters_are_spelled_out() {
        for (slug, id) in [
            ("firefox@nightly", "firefox-at-nightly"),
            ("notepad++", "notepad-plus--plus-"),
            ("app.name_1-x", "app.name_1-x"),
        ] {
            assert_eq!(title_id(slug), id);
        }
    }
}

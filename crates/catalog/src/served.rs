//! Validation of served text fields.
//!
//! Raw payloads keep whatever upstream wrote. The fields of an `App` are plain text: no shell
//! expressions, no HTML and no placeholders.

use crate::BrokenRule;

/// Placeholders that upstreams write instead of a value.
const SENTINELS: [&str; 7] = ["latest", ":latest", "no_check", ":no_check", "null", "none", "n/a"];

/// In characters.
const MAX_LENGTH: usize = 512;

/// Checks that a field is non-empty plain text within the length limit.
pub(crate) fn check_text(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    if text.trim().is_empty() {
        return Err(BrokenRule::Empty(field));
    }
    if text.chars().nth(MAX_LENGTH).is_some() {
        return Err(BrokenRule::TooLong(field, MAX_LENGTH));
    }
    match foreign_part(text) {
        Some(what) => Err(BrokenRule::NotPlain(field, what)),
        None => Ok(()),
    }
}

/// Like [`check_text`], but also rejects placeholders and shell pipes: for versions and
/// identifiers.
pub(crate) fn check_value(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    check_text(field, text)?;
    if is_sentinel(text) {
        return Err(BrokenRule::Sentinel(field, text.to_owned()));
    }
    if text.contains('|') {
        return Err(BrokenRule::NotPlain(field, "a shell pipe"));
    }
    Ok(())
}

/// Whether the text is a placeholder instead of a value.
pub(crate) fn is_sentinel(text: &str) -> bool {
    SENTINELS.iter().any(|sentinel| text.trim().eq_ignore_ascii_case(sentinel))
}

/// Whether a shell would expand the text.
pub(crate) fn is_shell_expression(text: &str) -> bool {
    text.contains(['$', '`'])
}

fn foreign_part(text: &str) -> Option<&'static str> {
    if is_shell_expression(text) {
        Some("a shell expression")
    } else if text.chars().any(char::is_control) {
        Some("a control character")
    } else if has_html_tag(text) {
        Some("HTML")
    } else {
        None
    }
}

fn has_html_tag(text: &str) -> bool {
    text.split('<').skip(1).any(|rest| {
        rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/' || first == '!')
            && rest.contains('>')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_pass() {
        for text in ["Firefox", "AT&T", "a < b", "C++ <3", "Ärger", "50 % off", "Q|A"] {
            assert_eq!(check_text("name", text), Ok(()), "{text}");
        }
    }

    #[test]
    fn shell_html_blank_and_control_characters_do_not() {
        for text in ["", "  ", "${name}", "$(date)", "`date`", "<b>Bold</b>", "a\u{7}b", "a\nb"] {
            assert!(check_text("name", text).is_err(), "{text:?} should be rejected");
        }
        assert!(check_text("name", &"ä".repeat(512)).is_ok());
        assert!(check_text("name", &"ä".repeat(513)).is_err());
    }

    #[test]
    fn a_stand_in_is_no_value() {
        for text in ["latest", "LATEST", ":no_check", "n/a", "1.0|2.0"] {
            assert!(check_value("current_version", text).is_err(), "{text:?} should be rejected");
        }
    }
}

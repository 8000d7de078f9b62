//! Validation of served text fields.
//!
//! Raw payloads keep whatever upstream wrote. Everything else is plain text by the text rule (see
//! [`rule`]), without shell expressions and without placeholders.

use appstitch_types::BrokenRule;

use crate::rule;

/// Placeholders that upstreams write instead of a value.
const SENTINELS: [&str; 7] = ["latest", ":latest", "no_check", ":no_check", "null", "none", "n/a"];

/// In characters.
const MAX_LENGTH: usize = 512;

/// The normal form of a text for people, such as a name; an error if it is empty, too long or not
/// plain text.
pub fn text(field: &'static str, text: &str) -> Result<String, BrokenRule> {
    let normal = rule::normal_form(text).map_err(|what| BrokenRule::NotPlain(field, what))?;
    check_plain(field, &normal)?;
    Ok(normal.into_owned())
}

/// Like [`text()`], but also rejects placeholders and shell pipes: for versions and identifiers.
pub fn value(field: &'static str, given: &str) -> Result<String, BrokenRule> {
    let normal = text(field, given)?;
    check_is_value(field, &normal)?;
    Ok(normal)
}

/// Checks a text that is served unchanged or not at all, such as the name of a file.
pub fn check_text(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    rule::check_exact(text).map_err(|what| BrokenRule::NotPlain(field, what))?;
    check_plain(field, text)
}

/// Like [`check_text`], but also rejects placeholders and shell pipes: for versions and
/// identifiers.
pub fn check_value(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    check_text(field, text)?;
    check_is_value(field, text)
}

fn check_plain(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    if text.trim().is_empty() {
        return Err(BrokenRule::Empty(field));
    }
    if text.chars().nth(MAX_LENGTH).is_some() {
        return Err(BrokenRule::TooLong(field, MAX_LENGTH));
    }
    if is_shell_expression(text) {
        return Err(BrokenRule::NotPlain(field, "a shell expression"));
    }
    Ok(())
}

fn check_is_value(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    if is_sentinel(text) {
        return Err(BrokenRule::Sentinel(field, text.to_owned()));
    }
    if text.contains('|') {
        return Err(BrokenRule::NotPlain(field, "a shell pipe"));
    }
    Ok(())
}

pub(crate) fn is_sentinel(text: &str) -> bool {
    is_trimmed_sentinel(text.trim())
}

/// `is_sentinel` for a text without blanks around it.
pub fn is_trimmed_sentinel(text: &str) -> bool {
    const LONGEST: usize = ":no_check".len();
    text.len() <= LONGEST && SENTINELS.iter().any(|sentinel| text.eq_ignore_ascii_case(sentinel))
}

pub fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        // Most texts have none, which takes no look at whole characters.
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// Whether the text is a literal value of a label: plain characters that a shell does not expand.
pub fn is_literal(value: &str) -> bool {
    !value.is_empty() && !is_shell_expression(value) && rule::check_characters(value).is_ok()
}

pub fn is_shell_expression(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | b'`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_pass() {
        for name in ["Firefox", "AT&T", "a < b", "C++ <3", "Ärger", "50 % off", "Q|A"] {
            assert_eq!(check_text("name", name), Ok(()), "{name}");
            assert_eq!(text("name", name).as_deref(), Ok(name));
        }
    }

    #[test]
    fn shell_html_blank_and_control_characters_do_not() {
        for text in ["", "  ", "${name}", "$(date)", "`date`", "<b>Bold</b>", "a\u{7}b", "a\nb"] {
            assert!(check_text("name", text).is_err(), "{text:?} should be rejected");
            assert!(super::text("name", text).is_err(), "{text:?} should be rejected");
        }
        assert_eq!(text("name", "\u{200b}\u{2060}"), Err(BrokenRule::Empty("name")));
        assert_eq!(
            text("name", "a\u{1fef}b"),
            Err(BrokenRule::NotPlain("name", "a shell expression")),
            "the accent is composed to a backtick"
        );
        assert!(check_text("name", &"ä".repeat(512)).is_ok());
        assert!(check_text("name", &"ä".repeat(513)).is_err());
    }

    #[test]
    fn no_stand_in_has_a_digit() {
        let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        assert!(!SENTINELS.iter().any(|sentinel| has_digit(sentinel)));
    }

    #[test]
    fn a_stand_in_is_no_value() {
        for text in ["latest", "LATEST", ":no_check", "n/a", "1.0|2.0"] {
            assert!(check_value("current_version", text).is_err(), "{text:?} should be rejected");
        }
    }
}

//! Markup and script in a text. Nobody should have to escape a name before showing it, but somebody
//! forgets.

/// Addresses that run code when a page follows them.
const SCRIPTS: [&str; 3] = ["javascript:", "vbscript:", "data:text/html"];

pub(super) fn find(text: &str) -> Option<&'static str> {
    if has_tag(text) {
        Some("HTML")
    } else if has_entity(text) {
        Some("an HTML entity")
    } else if text.contains(':') && has_script(text) {
        Some("a script address")
    } else {
        None
    }
}

/// Whether a tag begins. Browsers do not need its end.
fn has_tag(text: &str) -> bool {
    let begins = |first: char| first.is_ascii_alphabetic() || matches!(first, '/' | '!' | '?');
    text.split('<').skip(1).any(|rest| rest.starts_with(begins))
}

/// Whether there is an entity: `&lt;`, `&#60;` or `&#x3c;`. Browsers do not need the semicolon of a
/// number.
fn has_entity(text: &str) -> bool {
    text.split('&').skip(1).any(|rest| match rest.strip_prefix('#') {
        Some(number) => {
            let is_digit = |digit: char| digit.is_ascii_digit();
            let is_hexadecimal = |digit: char| digit.is_ascii_hexdigit();
            let hexadecimal = number.strip_prefix(['x', 'X']);
            number.starts_with(is_digit)
                || hexadecimal.is_some_and(|digits| digits.starts_with(is_hexadecimal))
        }
        None => rest.split_once(';').is_some_and(|(name, _)| {
            (2..=32).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }),
    })
}

/// Whether the text is an address that runs code. Elsewhere in a text, it does nothing.
fn has_script(text: &str) -> bool {
    let visible = || text.chars().filter(|next| !next.is_whitespace());
    let begins = |script: &str| {
        let start = visible().take(script.len()).map(|next| next.to_ascii_lowercase());
        start.eq(script.chars())
    };
    SCRIPTS.into_iter().any(begins)
}

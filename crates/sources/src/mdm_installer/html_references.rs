//! Character references in the text of a page, such as `&amp;`.

use std::borrow::Cow;

/// The named references that occur in names of products and companies.
const NAMES: [(&str, char); 42] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("deg", '°'),
    ("micro", 'µ'),
    ("middot", '·'),
    ("plus", '+'),
    ("num", '#'),
    ("comma", ','),
    ("period", '.'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hyphen", '‐'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("hellip", '…'),
    ("bull", '•'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("szlig", 'ß'),
    ("Eacute", 'É'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("aacute", 'á'),
    ("agrave", 'à'),
    ("ccedil", 'ç'),
    ("ntilde", 'ñ'),
    ("oslash", 'ø'),
    ("aring", 'å'),
    ("aelig", 'æ'),
];

/// The longest name or number of a reference, in bytes.
const LONGEST: usize = 10;

/// The text with its references replaced. What is no known reference stays as it is.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        let reference = after.bytes().take(LONGEST + 1).position(|byte| byte == b';');
        let found = reference.and_then(|end| Some((character(&after[..end])?, end + 1)));
        let (character, end) = found.unwrap_or(('&', 0));
        decoded.push(character);
        rest = &after[end..];
    }
    decoded.push_str(rest);
    decoded.into()
}

fn character(reference: &str) -> Option<char> {
    let Some(number) = reference.strip_prefix('#') else {
        let named = NAMES.iter().find(|(name, _)| *name == reference);
        return named.map(|(_, character)| *character);
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok().filter(|_| is_number(digits)),
        None => number.parse().ok().filter(|_| is_number(number)),
    };
    code.and_then(char::from_u32).filter(|character| *character != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_references_are_replaced_and_others_stay() {
        for (text, decoded) in [
            ("plain", "plain"),
            ("A &amp; B", "A & B"),
            ("&#65;&#x42;&#X43;", "ABC"),
            ("&amp;amp;", "&amp;"),
            ("&unknown; &; &", "&unknown; &; &"),
            ("&#xD800;&#0;&#+1;&#99999999999;", "&#xD800;&#0;&#+1;&#99999999999;"),
            ("caf&eacute;", "café"),
            ("&éé;", "&éé;"),
        ] {
            assert_eq!(decode(text), decoded);
        }
    }
}

//! Character references in the text of a page, such as `&amp;`.

use std::borrow::Cow;

/// The named references that occur in names of products and companies: those of Latin-1, and
/// punctuation.
const NAMES: [(&str, char); 135] = [
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
    ("iexcl", '¡'),
    ("cent", '¢'),
    ("pound", '£'),
    ("curren", '¤'),
    ("yen", '¥'),
    ("brvbar", '¦'),
    ("sect", '§'),
    ("uml", '¨'),
    ("ordf", 'ª'),
    ("laquo", '«'),
    ("not", '¬'),
    ("shy", '\u{ad}'),
    ("macr", '¯'),
    ("plusmn", '±'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("acute", '´'),
    ("para", '¶'),
    ("cedil", '¸'),
    ("sup1", '¹'),
    ("ordm", 'º'),
    ("raquo", '»'),
    ("frac14", '¼'),
    ("frac12", '½'),
    ("frac34", '¾'),
    ("iquest", '¿'),
    ("Agrave", 'À'),
    ("Aacute", 'Á'),
    ("Acirc", 'Â'),
    ("Atilde", 'Ã'),
    ("Aring", 'Å'),
    ("AElig", 'Æ'),
    ("Ccedil", 'Ç'),
    ("Egrave", 'È'),
    ("Ecirc", 'Ê'),
    ("Euml", 'Ë'),
    ("Igrave", 'Ì'),
    ("Iacute", 'Í'),
    ("Icirc", 'Î'),
    ("Iuml", 'Ï'),
    ("ETH", 'Ð'),
    ("Ntilde", 'Ñ'),
    ("Ograve", 'Ò'),
    ("Oacute", 'Ó'),
    ("Ocirc", 'Ô'),
    ("Otilde", 'Õ'),
    ("times", '×'),
    ("Oslash", 'Ø'),
    ("Ugrave", 'Ù'),
    ("Uacute", 'Ú'),
    ("Ucirc", 'Û'),
    ("Yacute", 'Ý'),
    ("THORN", 'Þ'),
    ("acirc", 'â'),
    ("atilde", 'ã'),
    ("ecirc", 'ê'),
    ("euml", 'ë'),
    ("igrave", 'ì'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iuml", 'ï'),
    ("eth", 'ð'),
    ("ograve", 'ò'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("otilde", 'õ'),
    ("divide", '÷'),
    ("ugrave", 'ù'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
    ("yacute", 'ý'),
    ("thorn", 'þ'),
    ("yuml", 'ÿ'),
    ("OElig", 'Œ'),
    ("oelig", 'œ'),
    ("Scaron", 'Š'),
    ("scaron", 'š'),
    ("Yuml", 'Ÿ'),
    ("euro", '€'),
    ("thinsp", '\u{2009}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("sbquo", '‚'),
    ("bdquo", '„'),
    ("colon", ':'),
    ("semi", ';'),
    ("excl", '!'),
    ("quest", '?'),
    ("lpar", '('),
    ("rpar", ')'),
    ("sol", '/'),
];

/// What browsers show for the numbers 128 to 159: the characters of Windows-1252.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
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
    let shown =
        code.and_then(|code| WINDOWS_1252.get(usize::try_from(code.checked_sub(128)?).ok()?));
    let character = shown.copied().or_else(|| code.and_then(char::from_u32));
    character.filter(|character| *character != '\0')
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
            ("Garc&iacute;a &times; &#150;", "García × –"),
            ("&éé;", "&éé;"),
        ] {
            assert_eq!(decode(text), decoded);
        }
    }
}

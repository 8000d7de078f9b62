//! `If-None-Match`, compared weakly as RFC 9110 has it.

use ring::digest::{SHA256, digest};

use crate::message::HeaderField;

/// The token inside the entity tag of something that has one by its content.
pub(crate) fn tag_of(body: &[u8]) -> String {
    let hash = digest(&SHA256, body);
    let start = std::array::from_fn(|position| hash.as_ref()[position]);
    format!("{:016x}", u64::from_be_bytes(start))
}

pub(crate) fn already_has(if_none_match: &HeaderField<'_>, token: &str) -> bool {
    if_none_match.value().is_some_and(|value| matches_any(value, token.as_bytes()))
}

/// Whether a list names the token or holds a `*`. A malformed list counts up to its
/// first error.
fn matches_any(value: &[u8], token: &[u8]) -> bool {
    if value == b"*" {
        return true;
    }
    let mut rest = value;
    loop {
        rest = rest.trim_ascii_start();
        if let Some(behind) = rest.strip_prefix(b",") {
            rest = behind;
            continue;
        }
        if let Some(behind) = rest.strip_prefix(b"*") {
            // A star among tags is malformed, unless it came in a separate field.
            return behind.trim_ascii().is_empty();
        }
        let opaque = rest.strip_prefix(b"W/").unwrap_or(rest);
        let Some(opaque) = opaque.strip_prefix(b"\"") else {
            return false;
        };
        let Some(end) = opaque.iter().position(|byte| *byte == b'"') else {
            return false;
        };
        if &opaque[..end] == token {
            return true;
        }
        rest = opaque[end + 1..].trim_ascii_start();
        if !rest.is_empty() && !rest.starts_with(b",") {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(value: &str) -> bool {
        matches_any(value.as_bytes(), b"abc")
    }

    #[test]
    fn one_several_and_any_tag_match() {
        for value in [
            "*", " * ", "W/\"abc\"", "\"abc\"", "\"x\", W/\"abc\"", "\"x\",\"abc\",\"y\"",
            ",, \"abc\"", "\"a,b\", \"abc\"", "\t\"abc\"\t",
        ] {
            assert!(matches(value), "{value} should match");
        }
    }

    #[test]
    fn other_tags_and_broken_lists_do_not() {
        for value in [
            "", "abc", "W/abc", "w/\"abc\"", "\"ab\"", "\"abcd\"", "\"abc", "\"x\" \"abc\"",
            "*, \"x\"", "\"W/\"abc\"\"",
        ] {
            assert!(!matches(value), "{value} should not match");
        }
    }

    fn tag() -> impl Strategy<Value = String> {
        // Every character that RFC 9110 allows in an entity tag, commas and spaces' neighbours included.
        "[!#-~]{0,8}"
    }

    proptest! {
        #[test]
        fn a_list_matches_exactly_when_it_names_the_token(
            tags in prop::collection::vec((any::<bool>(), tag()), 0..6),
            token in tag(),
            gap in "[ \t]{0,2},[ \t]{0,2}",
        ) {
            let spelled: Vec<String> = tags
                .iter()
                .map(|(weak, tag)| format!("{}\"{tag}\"", if *weak { "W/" } else { "" }))
                .collect();
            let value = spelled.join(&gap);
            let named = tags.iter().any(|(_, tag)| *tag == token);
            prop_assert_eq!(matches_any(value.as_bytes(), token.as_bytes()), named);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(value in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = matches_any(&value, b"abc");
        }
    }
}

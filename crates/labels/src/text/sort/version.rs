//! The order of versions: numbers by value, `~` before everything, letters before other
//! characters, and a suffix such as `.tar.gz` only if the rest is equal.

use std::cmp::Ordering;

pub(super) fn compare(left: &str, right: &str) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let by_rank = rank(left).cmp(&rank(right));
    if by_rank != Ordering::Equal {
        return by_rank;
    }
    let (left_body, right_body) = (without_suffix(left), without_suffix(right));
    if left_body == right_body {
        return left.cmp(right);
    }
    numbers_and_text(left_body, right_body).then_with(|| left.cmp(right))
}

/// Nothing, `.`, `..` and hidden files come first.
fn rank(text: &str) -> u8 {
    match text {
        "" => 0,
        "." => 1,
        ".." => 2,
        hidden if hidden.starts_with('.') => 3,
        _ => 4,
    }
}

/// The text before its last parts that each start with a dot and a letter.
fn without_suffix(text: &str) -> &str {
    let mut end = text.len();
    while let Some((before, part)) = text.get(..end).and_then(|text| text.rsplit_once('.')) {
        let mut characters = part.chars();
        let first = characters.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '~');
        if before.is_empty()
            || !first
            || !characters.all(|it| it.is_ascii_alphanumeric() || it == '~')
        {
            break;
        }
        end = before.len();
    }
    text.get(..end).unwrap_or(text)
}

fn numbers_and_text(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    while !left.is_empty() || !right.is_empty() {
        let (left_text, left_rest) = split(left, |it| !it.is_ascii_digit());
        let (right_text, right_rest) = split(right, |it| !it.is_ascii_digit());
        let (left_number, left_after) = split(left_rest, |it| it.is_ascii_digit());
        let (right_number, right_after) = split(right_rest, |it| it.is_ascii_digit());
        let ordering = text(left_text, right_text).then_with(|| number(left_number, right_number));
        if ordering != Ordering::Equal {
            return ordering;
        }
        (left, right) = (left_after, right_after);
    }
    Ordering::Equal
}

fn split(text: &str, belongs: fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|it| !belongs(it)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn text(left: &str, right: &str) -> Ordering {
    let weight = |it: char| match it {
        '~' => -1,
        letter if letter.is_ascii_alphabetic() => i64::from(u32::from(letter)),
        other => i64::from(u32::from(other)) + 256,
    };
    let (mut left, mut right) = (left.chars(), right.chars());
    loop {
        // The end of the text weighs more than `~` and less than everything else.
        let pair = (left.next(), right.next());
        let ordering = pair.0.map_or(0, weight).cmp(&pair.1.map_or(0, weight));
        if ordering != Ordering::Equal || pair == (None, None) {
            return ordering;
        }
    }
}

fn number(left: &str, right: &str) -> Ordering {
    let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
    left.len().cmp(&right.len()).then(left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_an_order() {
        let ordered = [
            "", ".hidden", "1.0~rc1", "1.0", "1.0a", "1.0-2", "1.0.1", "1.9", "1.10", "1.10b",
            "App 9", "App 10", "a-1.dmg", "a-1.2.dmg", "a-1.10.tar.gz",
        ];
        for pair in ordered.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
    }
}

//! Counts and lists in messages: "1 app", "2 apps", "A, B or C".

use std::fmt::Display;

/// A number with a noun, in the plural unless it is one.
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    if number == "1" {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        Some(start) if !start.ends_with(['a', 'o']) => format!("{number} {start}ies"),
        _ if noun.ends_with('s') => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// `is` for one, otherwise `are`.
pub fn is_or_are(number: u64) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// Alternatives: "A", "A or B", "A, B or C".
pub fn any_of(items: &[impl AsRef<str>]) -> String {
    joined(items, "or")
}

/// Things that belong together: "A", "A and B", "A, B and C".
pub fn all_of(items: &[impl AsRef<str>]) -> String {
    joined(items, "and")
}

fn joined(items: &[impl AsRef<str>], word: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(["0 apps", "1 app", "2 apps"], [0_u64, 1, 2].map(|count| counted(count, "app")));
        assert_eq!(
            ["2 entries", "2 days", "2 addresses"],
            ["entry", "day", "address"].map(|noun| counted(2, noun))
        );
        assert_eq!(["are", "is", "are"], [0, 1, 21].map(is_or_are));
    }

    #[test]
    fn the_last_two_items_are_joined_by_a_word() {
        let items = ["a", "b", "c"];
        assert_eq!(
            ["", "a", "a or b", "a, b or c"],
            [0, 1, 2, 3].map(|count| any_of(&items[..count])).each_ref().map(String::as_str)
        );
        assert_eq!(all_of(&items), "a, b and c");
    }
}

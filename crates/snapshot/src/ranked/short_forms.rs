//! Short forms of names that no rule can find: initials, former names, names of commands.
//!
//! `short_forms.txt` has them, each with its reason.

use std::sync::LazyLock;

static SHORT_FORMS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("short_forms.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| parts(line).map(|[short, long, _]| (short, long))).collect()
});

/// The short form, what it stands for, and the reason.
fn parts(line: &str) -> Option<[&str; 3]> {
    let mut parts = line.split('|').map(str::trim);
    Some([parts.next()?, parts.next()?, parts.next()?])
}

/// The words with what one of them stands for instead of it, in every way.
pub(super) fn written_out<'a>(words: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut all = Vec::new();
    for (short, long) in &*SHORT_FORMS {
        if let Some(place) = words.iter().position(|word| word == short) {
            let (before, after) = (&words[..place], &words[place + 1..]);
            all.push([before, &long.split(' ').collect::<Vec<_>>(), after].concat());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use appstitch_stitching::SearchKey;

    use super::*;

    #[test]
    fn every_line_has_a_word_its_meaning_and_a_reason() {
        let lines = include_str!("short_forms.txt").lines().filter(|line| !line.starts_with('#'));
        let all: Vec<[&str; 3]> = lines.map(|line| parts(line).expect(line)).collect();
        assert!(all.is_sorted(), "sorted");
        for [short, long, reason] in all {
            for word in long.split(' ').chain([short]) {
                assert_eq!(SearchKey::of(word).text, word, "the form in which it is compared");
            }
            assert!(!reason.is_empty(), "{short}");
        }
    }

    #[test]
    fn a_word_is_written_out_wherever_it_is() {
        assert_eq!(written_out(&["ff", "esr"]), [["firefox", "esr"]]);
        assert_eq!(written_out(&["ps"]), [vec!["adobe", "photoshop"], vec!["powershell"]]);
        assert!(written_out(&["firefox"]).is_empty());
    }
}

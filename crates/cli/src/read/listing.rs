//! Messages that all lists share: there are more rows, or nothing matches.

use crate::exit::Failure;

/// The filters of a command, as the user typed them.
#[derive(Debug, Default)]
pub(super) struct Filters(Vec<String>);

impl Filters {
    pub(super) fn of<'a>(
        given: impl IntoIterator<Item = (&'static str, Option<&'a String>)>,
    ) -> Self {
        let given = given.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        Self(given.map(|(flag, value)| format!("{flag} '{value}'")).collect())
    }

    /// With a filter that has no value.
    pub(super) fn with_flag(mut self, flag: &'static str, given: bool) -> Self {
        if given {
            self.0.push(flag.to_owned());
        }
        self
    }

    /// Says that no app matches a text and the filters.
    pub(super) fn nothing_for(&self, text: &str) -> Failure {
        let with = if self.0.is_empty() { "" } else { " with " };
        Failure::answer(format!("No apps match '{text}'{with}{}", self.0.join(" ")))
    }

    /// Says why a list has no rows. Filters that match nothing are a negative answer; a page
    /// after the last one and an empty catalog are not.
    pub(super) fn nothing(&self, offset: u64, total: Option<u64>) -> Result<(), Failure> {
        match (offset, total) {
            (1.., Some(total @ 1..)) => eprintln!("No apps at offset {offset}; {total} match"),
            (1.., None) => eprintln!("No apps at offset {offset}"),
            _ if self.0.is_empty() => {
                eprintln!("The catalog has no apps\nhint: fill it with `appstitch refresh`");
            }
            _ => return Err(Failure::answer(format!("No apps match {}", self.0.join(" ")))),
        }
        Ok(())
    }
}

/// A note if there are rows after the ones shown.
pub(super) fn more(offset: u64, shown: u64, total: Option<u64>, flags: &str) -> Option<String> {
    let total = total?;
    if shown == 0 || offset.saturating_add(shown) >= total {
        return None;
    }
    let range = match offset {
        0 => shown.to_string(),
        _ => format!("{} to {}", offset + 1, offset + shown),
    };
    Some(format!("showing {range} of {total}; use {flags}"))
}

pub(super) fn note_more(offset: u64, shown: usize, total: Option<u64>, flags: &str) {
    if let Some(note) = more(offset, shown as u64, total, flags) {
        eprintln!("{note}");
    }
}

pub(super) const PAGE_FLAGS: &str = "--offset, --limit or --all";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_that_there_is_more_and_only_then() {
        let more = |offset, shown, total| more(offset, shown, total, PAGE_FLAGS);
        assert_eq!(
            more(0, 100, Some(5273)).unwrap(),
            "showing 100 of 5273; use --offset, --limit or --all"
        );
        assert_eq!(
            more(100, 100, Some(5273)).unwrap(),
            "showing 101 to 200 of 5273; use --offset, --limit or --all"
        );
        for (offset, shown, total) in
            [(0, 100, Some(100)), (5200, 73, Some(5273)), (0, 0, Some(5)), (0, 100, None)]
        {
            assert_eq!(more(offset, shown, total), None);
        }
    }

    #[test]
    fn only_filters_that_match_nothing_are_a_negative_answer() {
        let vendor = "No Such".to_owned();
        let filters = Filters::of([("--vendor", Some(&vendor)), ("--source", None)])
            .with_flag("--deprecated", true)
            .with_flag("--not-deprecated", false);
        for (offset, total) in [(0, Some(0)), (0, None), (9, Some(0))] {
            let failure = filters.nothing(offset, total).unwrap_err();
            assert_eq!(failure.code, crate::exit::NO);
            assert_eq!(failure.to_string(), "No apps match --vendor 'No Such' --deprecated");
        }
        for (offset, total) in [(9, Some(4)), (9, None)] {
            assert!(filters.nothing(offset, total).is_ok(), "a page after the last one");
        }
        assert!(Filters::default().nothing(0, Some(0)).is_ok(), "an empty catalog");
        let of_text = |filters: &Filters| filters.nothing_for("bird").to_string();
        assert_eq!(of_text(&Filters::default()), "No apps match 'bird'");
        let filters = Filters::of([("--vendor", Some(&vendor))]);
        assert_eq!(of_text(&filters), "No apps match 'bird' with --vendor 'No Such'");
    }
}

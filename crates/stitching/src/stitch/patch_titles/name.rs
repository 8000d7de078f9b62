//! The readings of a title's name: as it is written, without its number, without the maker.

use appstitch_text::normal_name::normal;

use super::{evidence::Clue, facts::Facts};
use crate::{
    bounds::{NAME_BYTES, NAME_WORDS},
    documents::PatchTitle,
    stitch::likeness::DISTINCTIVE,
    variant::is_like_a_major,
};

/// Words for the system, at the end of a name.
const SYSTEMS: [&str; 4] = [" for Mac", " for macOS", " for OS X", " (Mac)"];

/// Words at the end of a name that an app's name often lacks.
const DELIVERIES: [&str; 3] = ["App", "Client", "Desktop"];

/// The most words of a maker in a name.
const MAKER_WORDS: usize = 3;

/// One way to read a name.
pub(super) struct Form {
    /// The normal name to look for.
    pub(super) name: String,
    /// The number that was left out.
    pub(super) number: Option<String>,
    /// The number that is part of the name.
    pub(super) written_number: Option<String>,
    /// The normal name of the maker, which was left out or put before the name.
    maker: Option<String>,
    /// Whether publisher and version must speak for it.
    pub(super) needs_release: bool,
    /// Whether the app's name has a number behind it.
    pub(super) is_stem_of_the_app: bool,
}

pub(super) struct Reading<'a> {
    words: Vec<&'a str>,
    publisher: Option<&'a str>,
    /// The position of the word that is a number.
    number: Option<usize>,
}

impl<'a> Reading<'a> {
    pub(super) fn of(title: &'a PatchTitle) -> Self {
        let name = &title.name[..title.name.floor_char_boundary(NAME_BYTES)];
        let name = SYSTEMS.iter().find_map(|system| name.strip_suffix(system)).unwrap_or(name);
        let words: Vec<&str> = name.split_whitespace().take(NAME_WORDS).collect();
        let number = number_word(&words);
        Self { words, publisher: title.publisher.as_deref(), number }
    }

    pub(super) fn number(&self) -> Option<&'a str> {
        self.number.map(|position| self.words[position])
    }

    /// The readings, the closest ones first.
    pub(super) fn forms(&self) -> Vec<Form> {
        let plain = &self.words[..];
        let unnumbered = self.number.map(|number| {
            let mut words = self.words.clone();
            words.remove(number);
            words
        });
        let without_delivery =
            plain.split_last().filter(|(last, rest)| DELIVERIES.contains(last) && !rest.is_empty());
        let mut forms = vec![self.form(plain, None)];
        forms.extend(unnumbered.iter().map(|words| self.form(words, self.number())));
        forms.extend(self.with_makers(plain, None));
        if let Some(words) = &unnumbered {
            forms.extend(self.with_makers(words, self.number()));
        } else {
            forms.push(Form { is_stem_of_the_app: true, ..self.form(plain, None) });
        }
        if let Some((_, rest)) = without_delivery {
            forms.push(Form { needs_release: true, ..self.form(rest, None) });
        }
        // Names of one or two letters match too many apps.
        forms.retain(|form| form.name.chars().count() >= 3);
        forms
    }

    fn form(&self, words: &[&str], number: Option<&str>) -> Form {
        Form {
            name: normal(&words.concat()),
            number: number.map(str::to_owned),
            written_number: self.number().filter(|_| number.is_none()).map(str::to_owned),
            maker: None,
            needs_release: false,
            is_stem_of_the_app: false,
        }
    }

    /// The name without the maker's words before it, and with those of the publisher.
    fn with_makers(&self, words: &[&str], number: Option<&str>) -> Vec<Form> {
        let mut forms = Vec::new();
        for count in (1..=MAKER_WORDS).filter(|count| *count < words.len()) {
            let (maker, rest) = words.split_at(count);
            let form = self.form(rest, number);
            forms.push(Form { maker: Some(normal(&maker.concat())), ..form });
        }
        let publisher: Vec<&str> =
            self.publisher.unwrap_or_default().split_whitespace().take(MAKER_WORDS).collect();
        for count in 1..=publisher.len() {
            let maker = &publisher[..count];
            let form = self.form(&[maker, words].concat(), number);
            forms.push(Form { maker: Some(normal(&maker.concat())), ..form });
        }
        forms
    }
}

impl Form {
    /// What the name says for an app that has it; `None` if its maker is not the app's.
    pub(super) fn clue(&self, facts: &Facts) -> Option<Clue> {
        match &self.maker {
            Some(maker) => facts.is_made_by(maker).then_some(Clue::NameWithMaker),
            None if self.name.chars().count() >= DISTINCTIVE => Some(Clue::Name),
            None => Some(Clue::ShortName),
        }
    }
}

/// The position of the word that is a number: the last one, as in `Sample 8`, `Sample 10.1` or `Sample
/// 25H2`, or the only one that is a major version, as in `Sample 12 Viewer`.
fn number_word(words: &[&str]) -> Option<usize> {
    let last = words.len().checked_sub(1).filter(|last| *last > 0)?;
    if words[last].starts_with(|first: char| first.is_ascii_digit()) {
        return Some(last);
    }
    let is_major = |word: &&str| {
        let mut parts = word.split('.');
        parts.next().and_then(|part| part.parse().ok()).is_some_and(is_like_a_major)
            && parts.all(|part| part.parse::<u16>().is_ok())
    };
    let mut numbers = (1..last).filter(|position| is_major(&words[*position]));
    let first = numbers.next()?;
    numbers.next().is_none().then_some(first)
}

/// A normal name without the number at its end, and the number.
pub(super) fn number_behind(name: &str) -> Option<(&str, &str)> {
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    (stem.len() >= 3 && stem.len() < name.len()).then(|| name.split_at(stem.len()))
}

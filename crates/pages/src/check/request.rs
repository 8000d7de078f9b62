//! What the form of `/check` asks for, besides the list itself.

use appstitch_catalog::{
    fold_case,
    inventory::{CheckedApp, Verdict},
};

use super::verdict::needs_attention;
use crate::{InvalidAddress, address::filled};

/// Which answers are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    /// All.
    #[default]
    All,
    /// Those that somebody has to look at.
    Attention,
    /// Those with a verdict.
    Only(Verdict),
}

impl Shown {
    /// How the form names it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Attention => "attention",
            Self::Only(verdict) => verdict.word(),
        }
    }
}

/// What the form asks for, besides the list itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckForm {
    /// Which answers.
    pub shown: Shown,
    /// Only apps whose name, bundle identifier, Mac or slug contains this, ignoring case.
    pub text: Option<String>,
    /// Whether apps with similar names are suggested.
    pub suggest: bool,
    /// Whether the answer is a file for spreadsheets.
    pub csv: bool,
}

/// The longest filter, in characters.
const LONGEST_TEXT: usize = 200;

impl CheckForm {
    /// The fields, in the order of [`Self::read`].
    pub const FIELDS: [&str; 4] = ["verdict", "q", "suggest", "format"];

    /// Reads the values of the fields. An empty value is none.
    pub fn read(values: [Option<String>; 4]) -> Result<Self, InvalidAddress> {
        let [shown, text, suggest, format] = values.map(filled);
        let shown = match shown.as_deref() {
            None => Shown::All,
            Some("attention") => Shown::Attention,
            Some(word) => Shown::Only(Verdict::from_word(word).ok_or_else(|| {
                InvalidAddress::word("verdict", word, &Verdict::ALL.map(Verdict::word))
            })?),
        };
        let csv = match format.as_deref() {
            None | Some("html") => false,
            Some("csv") => true,
            Some(other) => return Err(InvalidAddress::word("format", other, &["html", "csv"])),
        };
        let text = text.map(|text| text.chars().take(LONGEST_TEXT).collect());
        Ok(Self { shown, text, suggest: suggest.is_some(), csv })
    }

    /// Whether an answer is wanted.
    #[must_use]
    pub fn wants(&self, app: &CheckedApp) -> bool {
        let is_shown = match self.shown {
            Shown::All => true,
            Shown::Attention => needs_attention(app.verdict),
            Shown::Only(verdict) => app.verdict == verdict,
        };
        is_shown
            && self.text.as_deref().is_none_or(|text| {
                let text = fold_case(text);
                let own = [&app.name, &app.bundle_id, &app.host, &app.slug];
                own.into_iter().flatten().any(|own| fold_case(own).contains(&text))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: [&str; 4]) -> Result<CheckForm, InvalidAddress> {
        CheckForm::read(values.map(|value| Some(value.to_owned())))
    }

    #[test]
    fn fields_are_read_or_told_by_name() {
        assert_eq!(read(["", " ", "", "html"]), Ok(CheckForm::default()));
        let form = read(["outdated", "fox", "on", "csv"]).unwrap();
        assert_eq!(form.shown, Shown::Only(Verdict::Outdated));
        assert_eq!((form.text.as_deref(), form.suggest, form.csv), (Some("fox"), true, true));
        assert!(read(["old", "", "", ""]).is_err_and(|error| error.0.contains("verdict")));
        assert!(read(["", "", "", "xml"]).is_err_and(|error| error.0.contains("format")));
    }
}

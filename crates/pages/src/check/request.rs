//! What the form of `/check` asks for, besides the list itself.

use appstitch_text::fold_case;
use appstitch_types::inventory::{CheckedApp, Verdict};

use super::verdict::{Shown, needs_attention};
use crate::address::{InvalidAddress, filled};

/// What the form asks for, besides the list itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckForm {
    pub shown: Shown,
    /// Only apps whose name, bundle identifier, Mac or slug contains this, ignoring case.
    pub text: Option<String>,
    /// Whether apps with similar names are suggested.
    pub suggest: bool,
    pub order: CheckOrder,
    /// The pasted list, if it is short enough to be on the page again.
    pub list: Option<String>,
    /// Whether the answer is a file for spreadsheets.
    pub csv: bool,
}

appstitch_types::words! {
    /// The order of the verdicts on the page.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum CheckOrder {
        /// What somebody has to look at first.
        #[default]
        Attention = "attention",
        Name = "name",
        /// Each Mac for itself.
        Mac = "mac",
    }
}

/// The longest list that the page keeps, in bytes.
pub const LONGEST_KEPT_LIST: usize = 6_000;

/// The longest filter, in characters.
const LONGEST_TEXT: usize = 200;

impl CheckForm {
    /// Reads the fields by their names. An empty value is none.
    pub fn read(field: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidAddress> {
        let value = |name: &str| filled(field(name));
        let shown = match value("verdict").as_deref() {
            None => Shown::All,
            Some("attention") => Shown::Attention,
            Some(word) => Shown::Only(Verdict::from_word(word).ok_or_else(|| {
                InvalidAddress::word("verdict", word, &Verdict::ALL.map(Verdict::word))
            })?),
        };
        let csv = match value("format").as_deref() {
            None | Some("html") => false,
            Some("csv") => true,
            Some(other) => return Err(InvalidAddress::word("format", other, &["html", "csv"])),
        };
        let text = value("q").map(|text| text.chars().take(LONGEST_TEXT).collect());
        let order = match value("order") {
            None => CheckOrder::default(),
            Some(word) => CheckOrder::from_word(&word).ok_or_else(|| {
                InvalidAddress::word("order", &word, &CheckOrder::ALL.map(CheckOrder::word))
            })?,
        };
        let list = value("list").filter(|list| list.len() <= LONGEST_KEPT_LIST);
        Ok(Self { shown, text, suggest: value("suggest").is_some(), order, list, csv })
    }

    pub fn wants(&self, app: &CheckedApp) -> bool {
        let is_shown = match self.shown {
            Shown::All => true,
            Shown::Attention => needs_attention(app.verdict),
            Shown::Only(verdict) => app.verdict == verdict,
        };
        is_shown
            && self.text.as_deref().is_none_or(|text| {
                let text = fold_case(text);
                let fields = [&app.name, &app.bundle_id, &app.host, &app.slug];
                fields.into_iter().flatten().any(|field| fold_case(field).contains(&text))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: [&str; 4]) -> Result<CheckForm, InvalidAddress> {
        let names = ["verdict", "q", "suggest", "format"];
        CheckForm::read(|name| {
            let position = names.iter().position(|known| *known == name)?;
            Some(values[position].to_owned())
        })
    }

    #[test]
    fn fields_are_read_or_reported_by_name() {
        assert_eq!(read(["", " ", "", "html"]), Ok(CheckForm::default()));
        let form = read(["outdated", "fox", "on", "csv"]).unwrap();
        assert_eq!(form.shown, Shown::Only(Verdict::Outdated));
        assert_eq!((form.text.as_deref(), form.suggest, form.csv), (Some("fox"), true, true));
        assert!(read(["old", "", "", ""]).is_err_and(|error| error.0.contains("verdict")));
        let with = |name: &'static str, value: &'static str| {
            CheckForm::read(move |wanted| (wanted == name).then(|| value.to_owned()))
        };
        assert_eq!(with("order", "mac").unwrap().order, CheckOrder::Mac);
        assert!(with("order", "size").is_err_and(|error| error.0.contains("order")));
        assert_eq!(with("list", "Zoom").unwrap().list.as_deref(), Some("Zoom"));
        assert!(read(["", "", "", "xml"]).is_err_and(|error| error.0.contains("format")));
    }
}

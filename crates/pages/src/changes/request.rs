//! What an address of `/changes` asks for, if a browser opens it.

use appstitch_catalog::{ChangeKind, RECORD_FIELDS};
use appstitch_snapshot::ChangeFilter;

use crate::{
    InvalidAddress,
    address::{Address, filled},
};

/// What an address of `/changes` asks for.
#[derive(Debug, Clone, Default)]
pub struct ChangesPageRequest {
    pub(super) filter: ChangeFilter,
    /// Only changes with a lower number.
    pub(super) before: Option<u64>,
    /// Only changes after this position.
    pub(super) since: Option<String>,
}

impl ChangesPageRequest {
    /// The parameters, in the order of [`Self::read`].
    pub const PARAMETERS: [&str; 6] = ["vendor", "slug", "kind", "field", "since", "before"];

    /// Reads the values of the parameters. An empty value is none.
    pub fn read(values: [Option<String>; 6]) -> Result<Self, InvalidAddress> {
        let [vendor, slug, kind, field, since, before] = values.map(filled);
        let kind = kind.map(|word| {
            let known = ChangeKind::ALL.map(ChangeKind::word);
            let kind = ChangeKind::from_word(&word);
            kind.ok_or_else(|| InvalidAddress::word("kind", &word, &known))
        });
        if let Some(field) = field.as_deref().filter(|field| !RECORD_FIELDS.contains(field)) {
            return Err(InvalidAddress::word("field", field, &RECORD_FIELDS));
        }
        let before = before.map(|text| {
            let known = ["the number of a change"];
            text.parse().map_err(|_| InvalidAddress::word("before", &text, &known))
        });
        let filter = ChangeFilter { vendor, slug, kind: kind.transpose()?, field };
        Ok(Self { filter, before: before.transpose()?, since })
    }

    /// The position that the changes come after, as the client wrote it.
    #[must_use]
    pub fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    #[must_use]
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    fn address(&self) -> Address {
        let ChangeFilter { vendor, slug, kind, field } = &self.filter;
        let own = |text: &Option<String>| text.clone().unwrap_or_default();
        Address::new("/changes")
            .with("vendor", own(vendor))
            .with("slug", own(slug))
            .with("kind", kind.map(ChangeKind::word).unwrap_or_default())
            .with("field", own(field))
            .with("since", own(&self.since))
            .with("before", self.before.map(|seq| seq.to_string()).unwrap_or_default())
    }

    /// The address of the page that ends before a change; of the newest page without one.
    pub(super) fn before(&self, before: Option<u64>) -> Address {
        Self { before, ..self.clone() }.address()
    }

    /// Where programs get the same changes. A browser gets JSON there only if the address says so.
    pub(super) fn json_path(&self) -> String {
        self.before(None).with("format", "json").to_string()
    }

    /// Where the same changes are for spreadsheets.
    pub(super) fn csv_path(&self) -> String {
        self.address().at("/changes.csv").to_string()
    }

    pub(super) fn is_filtered(&self) -> bool {
        self.filter != ChangeFilter::default() || self.since.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<ChangesPageRequest, InvalidAddress> {
        ChangesPageRequest::read(ChangesPageRequest::PARAMETERS.map(|name| {
            let own = pairs.iter().find(|(own, _)| *own == name);
            own.map(|(_, value)| (*value).to_owned())
        }))
    }

    #[test]
    fn an_address_is_read_and_written_in_one_form() {
        assert_eq!(read(&[("vendor", ""), ("kind", " ")]).unwrap().name(), "/changes");
        let all = read(&[("kind", "added"), ("field", "name"), ("before", "07"), ("slug", "a+b")]);
        let all = all.unwrap();
        assert_eq!(all.name(), "/changes?slug=a%2Bb&kind=added&field=name&before=7");
        assert_eq!(all.json_path(), "/changes?slug=a%2Bb&kind=added&field=name&format=json");
        for wrong in [("kind", "new"), ("field", "<b>"), ("before", "x"), ("before", "-1")] {
            let InvalidAddress(text) = read(&[wrong]).unwrap_err();
            assert!(text.contains(wrong.0) && text.contains(wrong.1), "{text}");
        }
    }
}

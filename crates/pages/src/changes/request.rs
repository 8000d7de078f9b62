//! What an address of `/changes` asks for, if a browser opens it.

use appstitch_snapshot::ChangeFilter;
use appstitch_types::{ChangeKind, RECORD_FIELDS};

use crate::address::{Address, InvalidAddress, filled};

#[derive(Debug, Clone, Default)]
pub struct ChangesPageRequest {
    pub(super) filter: ChangeFilter,
    /// Only changes with a lower number.
    pub(super) before: Option<u64>,
    /// Only changes after this position.
    pub(super) since: Option<String>,
}

impl ChangesPageRequest {
    /// Reads the parameters by their names. An empty value is none.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidAddress> {
        let value = |name: &str| filled(parameter(name));
        let kind = value("kind").map(|word| {
            let known = ChangeKind::ALL.map(ChangeKind::word);
            let kind = ChangeKind::from_word(&word);
            kind.ok_or_else(|| InvalidAddress::word("kind", &word, &known))
        });
        let field = value("field");
        if let Some(field) = field.as_deref().filter(|field| !RECORD_FIELDS.contains(field)) {
            return Err(InvalidAddress::word("field", field, &RECORD_FIELDS));
        }
        let before = value("before").map(|text| {
            let known = ["the number of a change"];
            text.parse().map_err(|_| InvalidAddress::word("before", &text, &known))
        });
        let (vendor, slug) = (value("vendor"), value("slug"));
        let filter = ChangeFilter { vendor, slug, kind: kind.transpose()?, field };
        Ok(Self { filter, before: before.transpose()?, since: value("since") })
    }

    /// The position that the changes come after, as the client wrote it.
    pub fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    fn address(&self) -> Address {
        let ChangeFilter { vendor, slug, kind, field } = &self.filter;
        let value = |text: &Option<String>| text.clone().unwrap_or_default();
        Address::new("/changes")
            .with("vendor", value(vendor))
            .with("slug", value(slug))
            .with("kind", kind.map(ChangeKind::word).unwrap_or_default())
            .with("field", value(field))
            .with("since", value(&self.since))
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
        ChangesPageRequest::read(|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        })
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

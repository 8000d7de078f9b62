//! What an address of `/drift` asks for.

use appstitch_snapshot::{DriftOrder, DriftSelection};
use appstitch_types::{DriftRole, DriftScope, Source};

use crate::address::{Address, InvalidAddress, filled, page_number};

#[derive(Debug, Clone, Default)]
pub struct DriftRequest {
    pub(super) selection: DriftSelection,
    pub(super) scope: DriftScope,
    pub(super) page: usize,
}

impl DriftRequest {
    /// The laggard of apps whose versions have no known order.
    pub(super) const UNKNOWN: &str = "unknown";

    /// Reads the parameters by their names. An empty value is none.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidAddress> {
        let value = |name: &str| filled(parameter(name));
        let include = value("include").unwrap_or_default();
        let scope = DriftScope::read(&include).map_err(|unknown| {
            InvalidAddress::word("include", unknown, &DriftScope::ON_REQUEST.map(Source::token))
        })?;
        let known = sources(scope);
        let source_of = |name: &str| match value(name) {
            Some(value) if !known.contains(&value.as_str()) => {
                Err(InvalidAddress::word(name, &value, &known))
            }
            value => Ok(value),
        };
        let unordered = value("laggard").as_deref() == Some(Self::UNKNOWN);
        let (order, reversed) =
            value("sort").as_deref().map_or(Ok(Default::default()), read_sort)?;
        Ok(Self {
            selection: DriftSelection {
                vendor: value("vendor"),
                laggard: if unordered { None } else { source_of("laggard")? },
                unordered,
                leader: source_of("leader")?,
                source: source_of("source")?,
                text: value("q"),
                order,
                reversed,
            },
            scope,
            page: page_number(value("page").as_deref())?,
        })
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    pub(super) fn address(&self) -> Address {
        let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
            &self.selection;
        let value = |text: &Option<String>| text.clone().unwrap_or_default();
        let laggard = if *unordered { Self::UNKNOWN.to_owned() } else { value(laggard) };
        let page = if self.page <= 1 { String::new() } else { self.page.to_string() };
        Address::new("/drift")
            .with("q", value(text))
            .with("vendor", value(vendor))
            .with("laggard", laggard)
            .with("leader", value(leader))
            .with("source", value(source))
            .with("include", self.include())
            .with("sort", self.sort_word())
            .with("page", page)
    }

    /// The address of the same rows in another order.
    pub(super) fn sorted(&self, order: DriftOrder, reversed: bool) -> Address {
        let selection = DriftSelection { order, reversed, ..self.selection.clone() };
        Self { selection, page: 1, ..self.clone() }.address()
    }

    /// The address of all apps in which a source lags, or leads.
    pub(super) fn filtered(&self, laggard: Option<&str>, leader: Option<&str>) -> Address {
        let plain = Self { scope: self.scope, ..Self::default() }.address();
        plain
            .with("laggard", laggard.unwrap_or_default())
            .with("leader", leader.unwrap_or_default())
    }

    /// How the rows are sorted, as it is written; empty for the usual order.
    pub(super) fn sort_word(&self) -> String {
        let DriftSelection { order, reversed, .. } = self.selection;
        match (order, reversed) {
            (DriftOrder::Gap, false) => String::new(),
            (order, false) => order.word().to_owned(),
            (order, true) => format!("-{}", order.word()),
        }
    }

    /// The list of further sources, as it is written.
    pub(super) fn include(&self) -> String {
        self.scope.further().collect::<Vec<_>>().join(",")
    }

    pub(super) fn sources(&self) -> Vec<&'static str> {
        sources(self.scope)
    }

    /// Whether some apps are left out.
    pub(super) fn is_filtered(&self) -> bool {
        let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
            &self.selection;
        *unordered || [vendor, laggard, leader, source, text].iter().any(|filter| filter.is_some())
    }

    /// Whether the address asks for nothing special.
    pub(super) fn is_plain(&self) -> bool {
        self.name() == "/drift"
    }
}

fn sources(scope: DriftScope) -> Vec<&'static str> {
    let is_always = |source: &Source| source.describe().drift == DriftRole::Always;
    let always = Source::ALL.into_iter().filter(is_always).map(Source::token);
    always.chain(scope.further()).collect()
}

fn read_sort(word: &str) -> Result<(DriftOrder, bool), InvalidAddress> {
    let (name, reversed) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
    let order = DriftOrder::from_word(name).ok_or_else(|| {
        InvalidAddress::word("sort", word, &DriftOrder::ALL.map(DriftOrder::word))
    })?;
    Ok((order, reversed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<DriftRequest, InvalidAddress> {
        DriftRequest::read(|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn an_address_is_read_and_written_in_one_form() {
        for (pairs, expected) in [
            (&[][..], "/drift"),
            (&[("q", " "), ("vendor", ""), ("sort", "gap"), ("page", "1")], "/drift"),
            (&[("sort", "-gap"), ("q", "a b")], "/drift?q=a%20b&sort=-gap"),
            (&[("laggard", "unknown"), ("page", "2")], "/drift?laggard=unknown&page=2"),
            (
                &[("include", "store_listing, mdm_installer"), ("leader", "mdm_installer")],
                "/drift?leader=mdm_installer&include=mdm_installer%2Cstore_listing",
            ),
        ] {
            assert_eq!(read(pairs).unwrap().name(), expected, "{pairs:?}");
        }
    }

    #[test]
    fn what_does_not_exist_is_reported() {
        for (name, value) in [
            ("sort", "size"),
            ("sort", "-"),
            ("laggard", "brew"),
            // It is compared on request only.
            ("leader", "mdm_installer"),
            ("source", "<b>"),
            ("include", "recipe_index"),
            ("page", "0"),
        ] {
            let InvalidAddress(text) = read(&[(name, value)]).unwrap_err();
            assert!(text.contains(name) && text.contains(value), "{text}");
        }
    }
}

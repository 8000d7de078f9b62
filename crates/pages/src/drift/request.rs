//! What an address of `/drift` asks for.

use appstitch_catalog::DriftScope;
use appstitch_snapshot::{DriftOrder, DriftSelection};

use crate::{
    InvalidAddress,
    address::{Address, filled, page_number},
};

/// What an address of `/drift` asks for.
#[derive(Debug, Clone, Default)]
pub struct DriftRequest {
    pub(super) selection: DriftSelection,
    pub(super) scope: DriftScope,
    pub(super) page: usize,
}

impl DriftRequest {
    /// The parameters, in the order of [`Self::read`].
    pub const PARAMETERS: [&str; 8] =
        ["q", "vendor", "laggard", "leader", "source", "include", "sort", "page"];

    /// The laggard of apps whose versions have no known order.
    pub(super) const UNKNOWN: &str = "unknown";

    /// Reads the values of the parameters. An empty value is none.
    pub fn read(values: [Option<String>; 8]) -> Result<Self, InvalidAddress> {
        let [text, vendor, laggard, leader, source, include, sort, page] = values.map(filled);
        let include = include.unwrap_or_default();
        let scope = DriftScope::read(&include).map_err(|unknown| {
            InvalidAddress::word("include", unknown, &["mdm_installer", "store_listing"])
        })?;
        let known = sources(scope);
        let source_of = |name: &str, value: Option<String>| match value {
            Some(value) if !known.contains(&value.as_str()) => {
                Err(InvalidAddress::word(name, &value, &known))
            }
            value => Ok(value),
        };
        let unordered = laggard.as_deref() == Some(Self::UNKNOWN);
        let laggard = laggard.filter(|_| !unordered);
        let (order, reversed) = sort.as_deref().map_or(Ok((DriftOrder::Name, false)), read_sort)?;
        Ok(Self {
            selection: DriftSelection {
                vendor,
                laggard: source_of("laggard", laggard)?,
                unordered,
                leader: source_of("leader", leader)?,
                source: source_of("source", source)?,
                text,
                order,
                reversed,
            },
            scope,
            page: page_number(page.as_deref())?,
        })
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    #[must_use]
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    pub(super) fn address(&self) -> Address {
        let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
            &self.selection;
        let own = |text: &Option<String>| text.clone().unwrap_or_default();
        let laggard = if *unordered { Self::UNKNOWN.to_owned() } else { own(laggard) };
        let page = if self.page <= 1 { String::new() } else { self.page.to_string() };
        Address::new("/drift")
            .with("q", own(text))
            .with("vendor", own(vendor))
            .with("laggard", laggard)
            .with("leader", own(leader))
            .with("source", own(source))
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
            (DriftOrder::Name, false) => String::new(),
            (order, false) => order.word().to_owned(),
            (order, true) => format!("-{}", order.word()),
        }
    }

    /// The list of further sources, as it is written.
    pub(super) fn include(&self) -> String {
        self.scope.further().collect::<Vec<_>>().join(",")
    }

    /// The sources that are compared.
    pub(super) fn sources(&self) -> Vec<&'static str> {
        sources(self.scope)
    }

    /// Whether some apps are left out.
    pub(super) fn is_filtered(&self) -> bool {
        let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
            &self.selection;
        *unordered || [vendor, laggard, leader, source, text].iter().any(|own| own.is_some())
    }

    /// Whether the address asks for nothing special.
    pub(super) fn is_plain(&self) -> bool {
        self.name() == "/drift"
    }
}

fn sources(scope: DriftScope) -> Vec<&'static str> {
    ["label_tool", "cask_catalog"].into_iter().chain(scope.further()).collect()
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
        DriftRequest::read(DriftRequest::PARAMETERS.map(|name| {
            let own = pairs.iter().find(|(own, _)| *own == name);
            own.map(|(_, value)| (*value).to_owned())
        }))
    }

    #[test]
    fn an_address_is_read_and_written_in_one_form() {
        for (pairs, expected) in [
            (&[][..], "/drift"),
            (&[("q", " "), ("vendor", ""), ("sort", "name"), ("page", "1")], "/drift"),
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
    fn what_does_not_exist_is_told() {
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

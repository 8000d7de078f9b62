//! What an address of `/apps` asks for, if a browser opens it.

use appstitch_snapshot::{Browsing, Filter};
use appstitch_types::Source;

use crate::address::{Address, InvalidAddress, filled, page_number};

#[derive(Debug, Clone, Default)]
pub struct AppsRequest {
    pub(super) vendor: Option<String>,
    pub(super) source: Option<String>,
    pub(super) deprecated: Option<bool>,
    /// Only apps whose sources disagree.
    pub(super) drifting: bool,
    pub(super) without_version: bool,
    pub(super) page: usize,
}

impl AppsRequest {
    /// The value of `drift` and of `version`.
    pub(super) const DRIFTING: &str = "yes";
    pub(super) const NO_VERSION: &str = "none";

    /// Reads the parameters by their names. An empty value is none.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidAddress> {
        let value = |name: &str| filled(parameter(name));
        let source = value("source");
        let known = Source::ALL.map(Source::token);
        if let Some(source) = source.as_deref().filter(|source| !known.contains(source)) {
            return Err(InvalidAddress::word("source", source, &known));
        }
        let deprecated = match value("deprecated").as_deref() {
            None => None,
            Some("true" | "1") => Some(true),
            Some("false" | "0") => Some(false),
            Some(other) => {
                return Err(InvalidAddress::word("deprecated", other, &["true", "false"]));
            }
        };
        let is_set = |name: &str, word: &str| match value(name) {
            Some(value) if value != word => Err(InvalidAddress::word(name, &value, &[word])),
            value => Ok(value.is_some()),
        };
        Ok(Self {
            vendor: value("vendor"),
            source,
            deprecated,
            drifting: is_set("drift", Self::DRIFTING)?,
            without_version: is_set("version", Self::NO_VERSION)?,
            page: page_number(value("page").as_deref())?,
        })
    }

    /// The address in one form, whatever the client wrote: what the page depends on.
    pub fn name(&self) -> String {
        self.address().to_string()
    }

    pub(super) fn address(&self) -> Address {
        let word = |is_set: bool, word: &'static str| if is_set { word } else { "" };
        let page = if self.page <= 1 { String::new() } else { self.page.to_string() };
        self.for_programs()
            .with("drift", word(self.drifting, Self::DRIFTING))
            .with("version", word(self.without_version, Self::NO_VERSION))
            .with("page", page)
    }

    /// The address with the filters that programs have, too.
    pub(super) fn for_programs(&self) -> Address {
        let value = |text: &Option<String>| text.clone().unwrap_or_default();
        Address::new("/apps")
            .with("vendor", value(&self.vendor))
            .with("source", value(&self.source))
            .with("deprecated", self.deprecated.map_or("", deprecated_word))
    }

    pub(super) fn browsing(&self) -> Browsing {
        Browsing {
            filter: Filter {
                vendor: self.vendor.clone(),
                source: self.source.clone(),
                deprecated: self.deprecated,
                ..Filter::default()
            },
            drifting: self.drifting,
            without_version: self.without_version,
        }
    }

    pub(super) fn is_filtered(&self) -> bool {
        Self { page: 1, ..self.clone() }.name() != "/apps"
    }
}

pub(super) fn deprecated_word(deprecated: bool) -> &'static str {
    if deprecated { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<AppsRequest, InvalidAddress> {
        AppsRequest::read(|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn an_address_is_read_and_written_in_one_form() {
        assert_eq!(
            read(&[("vendor", " "), ("source", ""), ("page", "1")]).unwrap().name(),
            "/apps"
        );
        let all = read(&[
            ("page", "2"),
            ("drift", "yes"),
            ("version", "none"),
            ("deprecated", "0"),
            ("source", "label_tool"),
            ("vendor", "A & B"),
        ]);
        assert_eq!(
            all.unwrap().name(),
            "/apps?vendor=A%20%26%20B&source=label_tool&deprecated=false&drift=yes&version=none&page=2"
        );
        assert_eq!(
            read(&[("source", "store_listing")]).unwrap().name(),
            "/apps?source=store_listing"
        );
        for wrong in [
            ("source", "brew"),
            ("deprecated", "maybe"),
            ("drift", "no"),
            ("version", "1"),
            ("page", "0"),
        ] {
            let InvalidAddress(text) = read(&[wrong]).unwrap_err();
            assert!(text.contains(wrong.0) && text.contains(wrong.1), "{text}");
        }
    }
}

//! The URLs of the upstreams.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, anyhow, bail};
use appstitch_catalog::has_credentials;
use appstitch_sources::Upstream;
use reqwest::Url;
use serde::Deserialize;

use crate::exit::Failure;

/// The built-in URLs.
const UPSTREAMS: &str = include_str!("../upstreams.toml");

/// The URLs of each source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    sources: BTreeMap<String, Vec<String>>,
}

/// Every URL with its source.
pub(crate) struct UpstreamConfig(Vec<(Upstream, String)>);

impl UpstreamConfig {
    /// Reads a configuration file, or the built-in one.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, Failure> {
        let (name, text) = match file {
            None => ("the built-in configuration".to_owned(), UPSTREAMS.to_owned()),
            Some(file) => {
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read {name}"))
                    .map_err(Failure::wrong_use)?;
                (name, text)
            }
        };
        Self::parse(&text)
            .with_context(|| format!("invalid configuration in {name}"))
            .map_err(Failure::wrong_use)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let file: ConfigFile = toml::from_str(text).map_err(|error| explain(text, error))?;
        let mut addresses = Vec::new();
        for (token, list) in file.sources {
            let upstream =
                Upstream::from_token(&token).ok_or_else(|| anyhow!("unknown source '{token}'"))?;
            // The URL is not printed here either.
            if list.iter().any(|address| has_password(address)) {
                bail!(
                    "{token}: URLs with a user name or password are not supported, because they \
                     are printed and stored"
                );
            }
            addresses.extend(list.into_iter().map(|address| (upstream, address)));
        }
        addresses.sort();
        addresses.dedup();
        Ok(Self(addresses))
    }

    pub(crate) fn addresses(&self) -> impl Iterator<Item = (Upstream, &str)> {
        self.0.iter().map(|(upstream, address)| (*upstream, address.as_str()))
    }
}

/// Whether a URL has a user name or password, as written or as it is understood.
fn has_password(address: &str) -> bool {
    let has_user = |url: Url| !url.username().is_empty() || url.password().is_some();
    has_credentials(address) || Url::parse(address).is_ok_and(has_user)
}

/// Why the file is invalid. The message quotes the file, so it is left out if it may have a password.
fn explain(text: &str, error: toml::de::Error) -> anyhow::Error {
    if !text.contains('@') {
        return error.into();
    }
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    anyhow!("line {} is invalid", before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_addresses_can_be_read() {
        let config = UpstreamConfig::parse(UPSTREAMS).unwrap();
        assert!(config.addresses().count() >= 4);
        assert!(config.addresses().all(|(_, address)| address.starts_with("https://")));
    }

    #[test]
    fn a_source_nobody_knows_is_told() {
        let error = UpstreamConfig::parse("[sources]\ncask = []").map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("'cask'"), "{error}");
    }

    #[test]
    fn a_password_is_rejected_and_not_printed() {
        for value in [
            "[\"https://user:sesame@example.com/cask.json\"]",
            "[\"https:user:sesame@example.com/cask.json\"]",
            "\"https://user:sesame@example.com/cask.json\"",
            "[\"https://user:sesame@example.com/cask.json\"",
            "[\"https://example.com/a.json\", \"https://user:sesame@example.com/b.json\"",
        ] {
            let text = format!("[sources]\ncask_catalog = {value}");
            let error = UpstreamConfig::parse(&text).map(|_| ()).unwrap_err();
            assert!(!format!("{error:?}").contains("sesame"), "{error:?}");
        }
        let error = UpstreamConfig::parse("[sources]\ncask_catalog = 1").map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("cask_catalog = 1"), "{error}");
    }
}

//! The URLs of the upstreams.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, anyhow};
use appstitch_sources::Upstream;
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
        let file: ConfigFile = toml::from_str(text)?;
        let mut addresses = Vec::new();
        for (token, list) in file.sources {
            let upstream =
                Upstream::from_token(&token).ok_or_else(|| anyhow!("unknown source '{token}'"))?;
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
}

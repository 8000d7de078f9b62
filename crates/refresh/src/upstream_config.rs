use std::{collections::BTreeMap, io, path::Path};

use appstitch_sources::Upstream;
use appstitch_types::has_credentials;
use serde::Deserialize;
use thiserror::Error;
use url::Url;

const UPSTREAMS: &str = include_str!("../upstreams.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    sources: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("cannot read {name}: {error}")]
    Read { name: String, error: io::Error },
    #[error("invalid configuration in {name}: {why}")]
    Invalid { name: String, why: String },
}

#[derive(Debug, Clone)]
pub struct UpstreamConfig(Vec<(Upstream, String)>);

impl UpstreamConfig {
    pub fn read(file: Option<&Path>) -> Result<Self, ConfigError> {
        let (name, text) = match file {
            None => ("the built-in configuration".to_owned(), UPSTREAMS.to_owned()),
            Some(file) => {
                let name = file.display().to_string();
                match std::fs::read_to_string(file) {
                    Ok(text) => (name, text),
                    Err(error) => return Err(ConfigError::Read { name, error }),
                }
            }
        };
        Self::parse(&text).map_err(|why| ConfigError::Invalid { name, why })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: ConfigFile = toml::from_str(text).map_err(|error| explain(text, &error))?;
        let mut addresses = Vec::new();
        for (token, list) in file.sources {
            let upstream = Upstream::from_token(&token)
                .ok_or_else(|| format!("unknown source '{}'", token.escape_debug()))?;
            // The URL is not printed here either.
            if list.iter().any(|address| has_password(address)) {
                return Err(format!(
                    "{token}: URLs with a user name or password are not supported, because they \
                     are printed and stored"
                ));
            }
            addresses.extend(list.into_iter().map(|address| (upstream, address)));
        }
        addresses.sort();
        addresses.dedup();
        Ok(Self(addresses))
    }

    pub fn addresses(&self) -> impl Iterator<Item = (Upstream, &str)> {
        self.0.iter().map(|(upstream, address)| (*upstream, address.as_str()))
    }
}

/// Whether a URL has a user name or password, as written or as it is understood.
fn has_password(address: &str) -> bool {
    let has_user = |url: Url| !url.username().is_empty() || url.password().is_some();
    has_credentials(address) || Url::parse(address).is_ok_and(has_user)
}

/// Why the file is invalid. The message quotes the file, so it is left out if it may have a password.
fn explain(text: &str, error: &toml::de::Error) -> String {
    if !text.contains('@') {
        return error.to_string();
    }
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {} is invalid", before.matches('\n').count() + 1)
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
        let error = UpstreamConfig::parse("[sources]\ncask = []").unwrap_err();
        assert!(error.contains("'cask'"), "{error}");
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
            let error = UpstreamConfig::parse(&text).unwrap_err();
            assert!(!error.contains("sesame"), "{error}");
        }
        let error = UpstreamConfig::parse("[sources]\ncask_catalog = 1").unwrap_err();
        assert!(error.contains("cask_catalog = 1"), "{error}");
    }
}

//! The configuration: where the sources are, and how often they are asked.

mod file;
mod interval;
mod section;
mod titles;

use std::{collections::BTreeMap, io, path::Path, time::Duration};

use appstitch_sources::Upstream;
use thiserror::Error;

pub use interval::{SHORTEST_INTERVAL, parse_duration};
pub use titles::{SecretError, SecretPlace, TitlesSettings};

use crate::store_lookup::StoreLookup;

const UPSTREAMS: &str = include_str!("../upstreams.toml");

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("cannot read {name}: {error}")]
    Read { name: String, error: io::Error },
    #[error("invalid configuration in {name}: {why}")]
    Invalid { name: String, why: String },
}

/// What a configuration file says, or the built-in one.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    addresses: Vec<(Upstream, String)>,
    intervals: BTreeMap<Upstream, Duration>,
    titles: Option<TitlesSettings>,
    lookup: Option<StoreLookup>,
    patch_lists: BTreeMap<String, Vec<String>>,
}

impl UpstreamConfig {
    pub fn read(file: Option<&Path>) -> Result<Self, ConfigError> {
        let Some(file) = file else {
            let name = "the built-in configuration".to_owned();
            return Self::built_in().map_err(|why| ConfigError::Invalid { name, why });
        };
        let name = file.display().to_string();
        match std::fs::read_to_string(file) {
            Ok(text) => Self::parse(&text, file).map_err(|why| ConfigError::Invalid { name, why }),
            Err(error) => Err(ConfigError::Read { name, error }),
        }
    }

    fn built_in() -> Result<Self, String> {
        file::read(UPSTREAMS, Path::new(""))
    }

    /// Reads the text of a file. Without `[sources]`, the built-in ones apply.
    fn parse(text: &str, file: &Path) -> Result<Self, String> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let config = file::read(text, folder)?;
        if file::names_sources(text) {
            return Ok(config);
        }
        let built_in = Self::built_in()?;
        Ok(Self {
            addresses: built_in.addresses,
            lookup: config.lookup.or(built_in.lookup),
            ..config
        })
    }

    pub fn addresses(&self) -> impl Iterator<Item = (Upstream, &str)> {
        self.addresses.iter().map(|(upstream, address)| (*upstream, address.as_str()))
    }

    /// The server whose titles are read; `None` if there is none.
    pub fn titles(&self) -> Option<&TitlesSettings> {
        self.titles.as_ref()
    }

    /// The store that is asked for listings; `None` if there is none.
    pub fn lookup(&self) -> Option<&StoreLookup> {
        self.lookup.as_ref()
    }

    /// Lists of slugs by name, for those who serve patches.
    pub fn patch_lists(&self) -> &BTreeMap<String, Vec<String>> {
        &self.patch_lists
    }

    /// What is fetched at all.
    pub fn upstreams(&self) -> impl Iterator<Item = Upstream> {
        Upstream::ALL.into_iter().filter(|upstream| self.fetches(*upstream))
    }

    pub fn fetches(&self, upstream: Upstream) -> bool {
        let is_asked_for = match upstream {
            Upstream::MdmInstaller | Upstream::PatchTitles => self.titles.is_some(),
            Upstream::StoreListing => self.lookup.is_some(),
            _ => false,
        };
        is_asked_for || self.addresses.iter().any(|(known, _)| *known == upstream)
    }

    /// Whether the file says how often something is fetched, so that a server refreshes by itself.
    pub fn has_intervals(&self) -> bool {
        !self.intervals.is_empty()
    }

    /// The time from one refresh of a source to the next. `usual` is for sources about which the file
    /// says nothing. Titles and listings seldom change and take many requests.
    pub fn every(&self, upstream: Upstream, usual: Option<Duration>) -> Duration {
        let usual = usual.unwrap_or(HOUR);
        self.intervals.get(&upstream).copied().unwrap_or(match upstream {
            Upstream::MdmInstaller | Upstream::PatchTitles | Upstream::StoreListing => {
                usual.max(DAY)
            }
            _ => usual,
        })
    }
}

#[cfg(test)]
mod tests;

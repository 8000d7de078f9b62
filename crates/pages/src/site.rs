//! What every page is made from.

use std::cell::OnceCell;

use appstitch_catalog::{SourceStatus, SourceStatusResponse, search::SearchResponse};
use appstitch_feeds::Links;
use appstitch_snapshot::{Filter, Snapshot};
use bytes::Bytes;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::{Assets, Frame, PageError, Section, assets::hexadecimal};

/// How many characters of a query are used, as in `/search`.
const LONGEST_QUERY: usize = 200;

/// Stands for the address of the service where that is not known. The script of the pages puts the
/// real one in its place.
const PLACEHOLDER: &str = "https://your-server";

/// A revision of the catalog with everything else that pages show.
pub struct Site<'a> {
    /// The catalog.
    pub snapshot: &'a Snapshot,
    /// Where the world reaches the service.
    pub links: &'a Links,
    /// The version of the program.
    pub version: &'static str,
    /// The JSON of the sources' state, as it is served.
    status: Bytes,
    /// The same, read on first use.
    sources: OnceCell<Vec<SourceStatus>>,
}

impl<'a> Site<'a> {
    /// The site of a snapshot. `status` is the JSON of a [`SourceStatusResponse`].
    #[must_use]
    pub fn new(snapshot: &'a Snapshot, status: Bytes, links: &'a Links) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self { snapshot, links, version, status, sources: OnceCell::new() }
    }

    /// Names everything that pages depend on besides their address: two sites with the same tag have
    /// the same pages.
    #[must_use]
    pub fn tag(&self) -> String {
        let assets = Assets::get();
        let mut hash = Sha256::new();
        for part in [
            self.snapshot.token(),
            self.snapshot.journal().epoch(),
            self.version,
            &self.links.reference("/"),
            &assets.style.name,
            &assets.script.name,
        ] {
            hash.update(part);
            hash.update([0]);
        }
        hash.update(&self.status);
        hexadecimal(&hash.finalize()[..12])
    }

    /// The address of a path, for texts that leave the service.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        self.links.absolute(path).unwrap_or_else(|| format!("{PLACEHOLDER}{path}"))
    }

    /// The state of the sources.
    #[must_use]
    pub fn sources(&self) -> &[SourceStatus] {
        self.sources.get_or_init(|| {
            // It is our own JSON, so it can always be read.
            let read = serde_json::from_slice::<SourceStatusResponse>(&self.status);
            read.map(|response| response.sources).unwrap_or_default()
        })
    }

    /// The state of one source.
    #[must_use]
    pub fn source(&self, token: &str) -> Option<&SourceStatus> {
        self.sources().iter().find(|status| status.source == token)
    }

    /// When the newest data was received; `None` if never.
    #[must_use]
    pub fn as_of(&self) -> Option<Timestamp> {
        self.sources().iter().filter_map(|status| status.received_at).max()
    }

    /// The apps that match a query, best first. A query that is too long is cut.
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<SearchResponse, PageError> {
        let query: String = query.chars().take(LONGEST_QUERY).collect();
        let found = self.snapshot.find_apps(&query, &Filter::default(), limit, offset)?;
        Ok(serde_json::from_slice(&found.body())?)
    }

    /// The frame of a page: everything around its content.
    #[must_use]
    pub fn frame(&self, section: Section, title: impl Into<String>, path: &str) -> Frame {
        Frame::new(self, section, title.into(), path)
    }
}

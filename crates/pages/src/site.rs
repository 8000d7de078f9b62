//! What every page is made from.

use std::cell::OnceCell;

use appstitch_feeds::Links;
use appstitch_snapshot::{Filter, Snapshot};
use appstitch_types::{SourceStatus, SourceStatusResponse, search::SearchResponse};
use bytes::Bytes;
use jiff::Timestamp;
use ring::digest::{Context, SHA256};
use thiserror::Error;

use crate::{
    assets::{Assets, hexadecimal},
    frame::{Frame, Section},
};

/// How many characters of a query are used, as in `/search`.
const LONGEST_QUERY: usize = 200;

/// Stands for the address of the service where that is not known. The script of the pages puts the
/// real one in its place.
const PLACEHOLDER: &str = "https://your-server";

/// A revision of the catalog with everything else that pages show.
pub struct Site<'a> {
    pub snapshot: &'a Snapshot,
    /// The public address.
    pub links: &'a Links,
    pub version: &'static str,
    /// The public keys of the catalog's files: the one that signs, and the one that will.
    pub(crate) keys: Vec<String>,
    /// The JSON of the sources' state, as it is served.
    status: Bytes,
    /// The same, read on first use.
    sources: OnceCell<Vec<SourceStatus>>,
}

/// A page that cannot be made. Both cases are faults of ours.
#[derive(Debug, Error)]
pub enum PageError {
    #[error("cannot fill a template: {0}")]
    Template(#[from] askama::Error),
    /// Something served cannot be read back.
    #[error("cannot read what is served: {0}")]
    Served(#[from] serde_json::Error),
}

impl<'a> Site<'a> {
    /// The site of a snapshot. `status` is the JSON of a [`SourceStatusResponse`].
    pub fn new(snapshot: &'a Snapshot, status: Bytes, links: &'a Links) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self { snapshot, links, version, keys: Vec::new(), status, sources: OnceCell::new() }
    }

    /// The same, with the public keys of the catalog's files.
    #[must_use]
    pub fn signed_with(self, keys: Vec<String>) -> Self {
        Self { keys, ..self }
    }

    /// Names everything that pages depend on besides their address: two sites with the same tag have
    /// the same pages.
    pub fn tag(&self) -> String {
        let assets = Assets::get();
        let mut hash = Context::new(&SHA256);
        for part in [
            self.snapshot.token(),
            self.snapshot.journal().epoch(),
            self.version,
            &self.links.reference("/"),
            &assets.style.name,
            &assets.script.name,
        ] {
            hash.update(part.as_bytes());
            hash.update(&[0]);
        }
        self.keys.iter().for_each(|key| hash.update(key.as_bytes()));
        hash.update(self.status.as_ref());
        hexadecimal(&hash.finish().as_ref()[..12])
    }

    /// The address of a path, for texts that leave the service.
    pub(crate) fn address(&self, path: &str) -> String {
        self.links.absolute(path).unwrap_or_else(|| format!("{PLACEHOLDER}{path}"))
    }

    pub fn sources(&self) -> &[SourceStatus] {
        self.sources.get_or_init(|| {
            // The service wrote it, so it can always be read.
            let read = serde_json::from_slice::<SourceStatusResponse>(&self.status);
            read.map(|response| response.sources).unwrap_or_default()
        })
    }

    pub(crate) fn source(&self, token: &str) -> Option<&SourceStatus> {
        self.sources().iter().find(|status| status.source == token)
    }

    /// When the newest data was received; `None` if never.
    pub(crate) fn as_of(&self) -> Option<Timestamp> {
        self.sources().iter().filter_map(|status| status.received_at).max()
    }

    /// The apps that match a query, best first. A query that is too long is cut.
    pub(crate) fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<SearchResponse, PageError> {
        let query: String = query.chars().take(LONGEST_QUERY).collect();
        let found = self.snapshot.find_apps(&query, &Filter::default(), limit, offset)?;
        Ok(serde_json::from_slice(&found.body())?)
    }

    pub(crate) fn frame(&self, section: Section, title: impl Into<String>, path: &str) -> Frame {
        let canonical = self.links.reference(path);
        Frame::new(section, title.into(), canonical, self.version, self.as_of())
    }
}

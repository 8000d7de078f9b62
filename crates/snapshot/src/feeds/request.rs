//! Which feed is wanted, and what it is called.

use appstitch_feeds::{FeedFormat, encoded, page_path};
use ring::digest::{SHA256, digest};

use super::ArchivePart;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedScope {
    /// The whole catalog.
    Everything,
    Vendor(String),
    App(String),
    /// Sources that start or stop to lag.
    Drift,
    /// A part of the changes of a day.
    Archive(ArchivePart),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRequest {
    pub scope: FeedScope,
    pub format: FeedFormat,
    /// Whether it has every change, not only new versions and apps that come and go.
    pub all: bool,
}

/// What a feed is kept under: a hash, because vendors and slugs have any length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeedKey([u8; 16]);

impl FeedKey {
    pub(crate) fn of(request: &FeedRequest) -> Self {
        let hash = digest(&SHA256, request.path().as_bytes());
        Self(std::array::from_fn(|position| hash.as_ref()[position]))
    }
}

impl FeedRequest {
    pub fn path(&self) -> String {
        let ending = match self.format {
            FeedFormat::Atom => "atom",
            FeedFormat::Json => "json",
        };
        let all = if self.all { "?all=1" } else { "" };
        match &self.scope {
            FeedScope::Everything => format!("/feed.{ending}{all}"),
            FeedScope::Vendor(vendor) => {
                format!("/vendors/{}/feed.{ending}{all}", encoded(vendor))
            }
            FeedScope::App(slug) => format!("/apps/{}/feed.{ending}{all}", encoded(slug)),
            FeedScope::Drift => format!("/drift/feed.{ending}"),
            FeedScope::Archive(part) => format!("/feed/archive/{part}.{ending}{all}"),
        }
    }

    /// The name in the identifier of the feed. An archive is a part of the feed.
    pub fn name(&self) -> String {
        let all = if self.all { ":all" } else { "" };
        match &self.scope {
            FeedScope::Everything | FeedScope::Archive(_) => format!("catalog{all}"),
            FeedScope::Vendor(vendor) => format!("vendor:{vendor}{all}"),
            FeedScope::App(slug) => format!("app:{slug}{all}"),
            FeedScope::Drift => "drift".to_owned(),
        }
    }

    pub fn title(&self, about: &str) -> String {
        match &self.scope {
            FeedScope::Drift => format!("{about}: sources that lag"),
            _ if self.all => format!("{about}: all changes"),
            _ => format!("{about}: new versions"),
        }
    }
}

impl FeedScope {
    /// The path of the page about the same.
    pub fn page_path(&self) -> String {
        match self {
            Self::Everything | Self::Archive(_) => "/changes".to_owned(),
            Self::Vendor(vendor) => format!("/vendors/{}", encoded(vendor)),
            Self::App(slug) => page_path(slug),
            Self::Drift => "/drift".to_owned(),
        }
    }
}

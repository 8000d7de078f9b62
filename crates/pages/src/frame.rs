//! Everything around the content of a page.

use crate::{Assets, Moment, Site};

/// The part of the site that a page belongs to. The navigation marks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Search and apps.
    Apps,
    /// What changed.
    Changes,
    /// Who lags behind whom.
    Drift,
    /// Vendors.
    Vendors,
    /// The check of an inventory.
    Check,
    /// About the catalog.
    About,
    /// None of these.
    None,
}

/// The navigation, in order.
const NAVIGATION: [(Section, &str, &str); 6] = [
    (Section::Apps, "/", "Apps"),
    (Section::Changes, "/changes", "Changes"),
    (Section::Drift, "/drift", "Drift"),
    (Section::Vendors, "/vendors", "Vendors"),
    (Section::Check, "/check", "Check"),
    (Section::About, "/about", "About"),
];

/// A feed that a page announces to browsers and readers.
#[derive(Debug, Clone)]
pub struct FeedLink {
    /// What the feed is called.
    pub title: String,
    /// Its path, without `.atom` or `.json`.
    pub stem: String,
}

/// An entry of the navigation.
#[derive(Debug)]
pub(crate) struct NavigationItem {
    pub(crate) path: &'static str,
    pub(crate) title: &'static str,
    pub(crate) is_current: bool,
}

/// What the layout shows. A page's template has it in the field `frame`.
#[derive(Debug)]
pub struct Frame {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) section: Section,
    /// The address of the page without its host; absolute if the public address is known.
    pub(crate) canonical: String,
    pub(crate) json: Option<String>,
    pub(crate) feeds: Vec<FeedLink>,
    pub(crate) query: String,
    pub(crate) is_indexed: bool,
    pub(crate) assets: &'static Assets,
    pub(crate) version: &'static str,
    pub(crate) as_of: Option<Moment>,
}

impl Frame {
    pub(crate) fn new(site: &Site<'_>, section: Section, title: String, path: &str) -> Self {
        let catalog = FeedLink { title: "New versions".to_owned(), stem: "/feed".to_owned() };
        Self {
            title,
            description:
                "A catalog of macOS apps for Mac admins: versions, downloads and signers, \
                stitched from Installomator, Homebrew, AutoPkg, Jamf and the Mac App Store."
                    .to_owned(),
            section,
            canonical: site.links.reference(path),
            json: None,
            feeds: vec![catalog],
            query: String::new(),
            is_indexed: true,
            assets: Assets::get(),
            version: site.version,
            as_of: site.as_of().map(Moment),
        }
    }

    /// The same with a description for search engines, in one sentence.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The same with the path of the JSON that says the same as this page.
    #[must_use]
    pub fn with_json(mut self, path: impl Into<String>) -> Self {
        self.json = Some(path.into());
        self
    }

    /// The same with another feed, before the one of the catalog.
    #[must_use]
    pub fn with_feed(mut self, title: impl Into<String>, stem: impl Into<String>) -> Self {
        self.feeds.insert(0, FeedLink { title: title.into(), stem: stem.into() });
        self
    }

    /// The same with a text in the search box.
    #[must_use]
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// The same for a page that search engines should leave out.
    #[must_use]
    pub fn not_indexed(mut self) -> Self {
        self.is_indexed = false;
        self
    }

    pub(crate) fn navigation(&self) -> impl Iterator<Item = NavigationItem> {
        let section = self.section;
        NAVIGATION.into_iter().map(move |(own, path, title)| NavigationItem {
            path,
            title,
            is_current: own == section,
        })
    }
}

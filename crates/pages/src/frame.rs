//! Everything around the content of a page.

use jiff::Timestamp;

use crate::{assets::Assets, display::Moment};

/// The part of the site that a page belongs to. The navigation marks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Apps,
    Changes,
    /// Who lags behind whom.
    Drift,
    Vendors,
    Compare,
    Check,
    About,
    None,
}

const NAVIGATION: [(Section, &str, &str); 7] = [
    (Section::Apps, "/apps", "Apps"),
    (Section::Changes, "/changes", "Changes"),
    (Section::Drift, "/drift", "Drift"),
    (Section::Vendors, "/vendors", "Vendors"),
    (Section::Compare, "/compare", "Compare"),
    (Section::Check, "/check", "Check"),
    (Section::About, "/about", "About"),
];

/// A feed that a page announces to browsers and readers.
#[derive(Debug, Clone)]
pub(crate) struct FeedLink {
    pub(crate) title: String,
    /// Its path, without `.atom` or `.json`.
    pub(crate) stem: String,
}

#[derive(Debug)]
pub(crate) struct NavigationItem {
    pub(crate) path: &'static str,
    pub(crate) title: &'static str,
    pub(crate) is_current: bool,
}

/// What the layout shows. A page's template has it in the field `frame`.
#[derive(Debug)]
pub(crate) struct Frame {
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
    pub(crate) fn new(
        section: Section,
        title: String,
        canonical: String,
        version: &'static str,
        as_of: Option<Timestamp>,
    ) -> Self {
        let catalog = FeedLink { title: "New versions".to_owned(), stem: "/feed".to_owned() };
        Self {
            title,
            description:
                "A catalog of macOS apps for Mac admins: versions, downloads and signers, \
                stitched from Installomator, Homebrew, AutoPkg, Jamf and the Mac App Store."
                    .to_owned(),
            section,
            canonical,
            json: None,
            feeds: vec![catalog],
            query: String::new(),
            is_indexed: true,
            assets: Assets::get(),
            version,
            as_of: as_of.map(Moment),
        }
    }

    /// The same with a description for search engines, in one sentence.
    pub(crate) fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    pub(crate) fn with_json(mut self, path: impl Into<String>) -> Self {
        self.json = Some(path.into());
        self
    }

    /// The same with another feed, before the one of the catalog.
    pub(crate) fn with_feed(mut self, title: impl Into<String>, stem: impl Into<String>) -> Self {
        self.feeds.insert(0, FeedLink { title: title.into(), stem: stem.into() });
        self
    }

    /// The same with a text in the search box.
    pub(crate) fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// The same for a page that search engines should leave out.
    pub(crate) fn not_indexed(mut self) -> Self {
        self.is_indexed = false;
        self
    }

    pub(crate) fn navigation(&self) -> impl Iterator<Item = NavigationItem> {
        let section = self.section;
        NAVIGATION.into_iter().map(move |(item, path, title)| NavigationItem {
            path,
            title,
            is_current: item == section,
        })
    }
}

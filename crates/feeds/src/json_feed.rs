//! JSON Feed 1.1.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{entry::Entry, feed::Feed, line::line, links::Links};

const TITLE_BYTES: usize = 300;

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    title: String,
    /// Only addresses may stand here, so it is missing if the public one is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    home_page_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_url: Option<String>,
    authors: [Author; 1],
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Author {
    name: &'static str,
}

#[derive(Serialize)]
struct Item<'a> {
    id: &'a str,
    url: String,
    title: &'a str,
    content_text: &'a str,
    date_published: Timestamp,
    tags: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    _appstitch: Option<&'a RawValue>,
}

pub(crate) fn text(feed: &Feed, links: &Links) -> String {
    let document = Document {
        version: "https://jsonfeed.org/version/1.1",
        title: line(&feed.title, TITLE_BYTES),
        home_page_url: links.absolute(&feed.about),
        feed_url: links.absolute(&feed.path),
        authors: [Author { name: "appstitch" }],
        items: feed.entries.iter().map(|entry| item(entry, links)).collect(),
    };
    // Plain data with text keys can always be written.
    serde_json::to_string(&document).unwrap_or_default()
}

fn item<'a>(entry: &'a Entry, links: &Links) -> Item<'a> {
    Item {
        id: &entry.id,
        url: links.reference(&entry.path),
        title: &entry.title,
        content_text: &entry.summary,
        date_published: entry.at,
        tags: [entry.category],
        _appstitch: entry.data.as_deref(),
    }
}

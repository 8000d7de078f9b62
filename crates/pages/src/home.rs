//! `/`: the search, and the catalog at a glance.

mod hits;
mod news;
mod sources;

use askama::Template;

use crate::{
    display::Count,
    frame::{Frame, Section},
    site::{PageError, Site},
};
use hits::Hits;
use news::{NewApp, NewsGroup};
use sources::{Bar, SourceRow};

/// The number of changes, or of apps, that are listed.
const LISTED: usize = 14;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    apps: Count,
    hits: Option<Hits>,
    news: Vec<NewsGroup>,
    newest: Vec<NewApp>,
    bars: Vec<Bar>,
    sources: Vec<SourceRow>,
}

/// The front page; with a query, the apps that it finds. Pages of hits are counted from 1.
pub fn home(site: &Site<'_>, query: &str, page: usize) -> Result<String, PageError> {
    let query = query.trim();
    let apps = Count(site.snapshot.stats().total_apps);
    if !query.is_empty() {
        let hits = Hits::find(site, query, page)?;
        let frame = site
            .frame(Section::Apps, format!("Search: {query}"), "/")
            .with_json(hits.json_path())
            .with_query(query)
            .not_indexed();
        let (news, newest, bars, sources) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        return Ok(Home { frame, apps, hits: Some(hits), news, newest, bars, sources }.render()?);
    }
    let news = news::groups(site, LISTED);
    let newest = if news.is_empty() { news::newest(site, LISTED)? } else { Vec::new() };
    let frame = site.frame(Section::None, "Catalog of macOS apps", "/").with_json("/stats");
    let (bars, sources) = (sources::bars(site), sources::rows(site));
    Ok(Home { frame, apps, hits: None, news, newest, bars, sources }.render()?)
}

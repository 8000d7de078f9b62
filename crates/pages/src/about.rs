//! `/about`: what the catalog is, where it comes from, and how programs use it.

use askama::Template;

use crate::{
    display::{Count, Moment},
    frame::{Frame, Section},
    site::{PageError, Site},
    source_names::{source_about, source_home, source_noun, source_title},
};

#[derive(Template)]
#[template(path = "about.html")]
struct About {
    frame: Frame,
    apps: Count,
    sources: Vec<SourceLine>,
    /// The address of the service, for commands to copy.
    address: String,
    version: &'static str,
    key: Option<String>,
    next_key: Option<String>,
    revision: Option<Revision>,
}

struct SourceLine {
    token: String,
    title: String,
    home: Option<&'static str>,
    about: &'static str,
    noun: &'static str,
    documents: Count,
    apps: Count,
}

struct Revision {
    token: String,
    changed_at: Moment,
}

pub fn about(site: &Site<'_>) -> Result<String, PageError> {
    let sources = site.sources().iter().map(|status| SourceLine {
        token: status.source.clone(),
        title: source_title(&status.source).to_owned(),
        home: source_home(&status.source),
        about: source_about(&status.source),
        noun: source_noun(&status.source),
        documents: Count(status.documents),
        apps: Count(status.apps),
    });
    let frame = site
        .frame(Section::About, "About", "/about")
        .described("Where the catalog's data comes from, how it is matched, and how to use it from programs.")
        .with_json("/sources");
    let page = About {
        frame,
        apps: Count(site.snapshot.stats().total_apps),
        sources: sources.collect(),
        address: site.address(""),
        version: site.version,
        key: site.keys.first().cloned(),
        next_key: site.keys.get(1).cloned(),
        revision: site.snapshot.revision().map(|revision| Revision {
            token: site.snapshot.token().to_owned(),
            changed_at: Moment(revision.changed_at),
        }),
    };
    Ok(page.render()?)
}

//! The page of an app that left the catalog: when, and which versions it had.

use appstitch_feeds::{encoded, history_path};
use appstitch_types::{AliasKind, AppVersion, ChangeKind};
use askama::Template;

use crate::{
    address::app_page,
    display::Moment,
    frame::{Frame, Section},
    short::{self, short},
    site::{PageError, Site},
};

/// How many of its versions are listed.
const LISTED: usize = 20;

#[derive(Template)]
#[template(path = "former.html")]
struct FormerApp {
    frame: Frame,
    name: String,
    slug: String,
    left_at: Moment,
    heir: Option<Heir>,
    versions: Vec<Row>,
    history: String,
    changes: String,
    search: String,
}

struct Row {
    version: String,
    from: Option<Moment>,
    until: Option<Moment>,
}

/// The app that has the cask or the label of the former one now.
struct Heir {
    kind: &'static str,
    entry: String,
    path: String,
    name: String,
}

/// The page of an app that was in the catalog and left it; `None` if the journal knows none.
pub fn former_app(site: &Site<'_>, slug: &str) -> Result<Option<String>, PageError> {
    let Some(last) = site.snapshot.journal().of_app(slug).next_back() else { return Ok(None) };
    if last.kind() != ChangeKind::Removed {
        return Ok(None);
    }
    let name = last.fields().remove("name").and_then(|name| name.from.as_str().map(str::to_owned));
    let name = short(name.as_deref().unwrap_or(slug), short::NAME);
    let history = site.snapshot.history(slug).ok();
    let versions = history.map(|history| history.versions).unwrap_or_default();
    let row = |version: &AppVersion| Row {
        version: short(&version.version, short::VERSION),
        from: version.first_seen.map(Moment),
        until: version.until.map(Moment),
    };
    let page = FormerApp {
        frame: site.frame(Section::Apps, name.clone(), &app_page(slug)).not_indexed(),
        name,
        left_at: Moment(last.at()),
        heir: heir(site, slug)?,
        versions: versions.iter().take(LISTED).map(row).collect(),
        history: history_path(slug),
        changes: format!("/changes?slug={}", encoded(slug)),
        search: format!("/?q={}", encoded(slug)),
        slug: slug.to_owned(),
    };
    Ok(Some(page.render()?))
}

/// Nobody writes down where an entry went, but the slug of an app is the name of its label or cask.
fn heir(site: &Site<'_>, slug: &str) -> Result<Option<Heir>, PageError> {
    // A cask beside the label of another app with the same name has this slug.
    let token = slug.strip_suffix("-cask").unwrap_or(slug);
    for entry in [slug, token] {
        let Ok(found) = site.snapshot.find_alias(entry) else { continue };
        let heir = found.matches.iter().find_map(|found| match found.kind {
            AliasKind::Token | AliasKind::FormerToken => Some(("cask", found)),
            AliasKind::LabelName if entry == slug => Some(("label", found)),
            _ => None,
        });
        let Some((kind, found)) = heir else { continue };
        let Ok(position) = site.snapshot.find(&found.slug) else { continue };
        let name = short(&site.snapshot.app_name(position)?, short::NAME);
        let path = app_page(&found.slug);
        return Ok(Some(Heir { kind, entry: short(entry, short::NAME), path, name }));
    }
    Ok(None)
}

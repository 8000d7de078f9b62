//! `appstitch drift`: apps whose sources disagree on the newest version.

mod further;
mod versions;

use std::time::Duration;

use appstitch_client::{Client, DriftEntry, DriftQuery, DriftResponse, DriftScope, Slug, Source};
use futures_util::TryStreamExt;

use super::{
    deprecated::deprecated_among,
    listing::{PAGE_FLAGS, note_more},
    request::{client, failure, get, get_of_app, print_body, print_json},
};
use crate::{
    arguments::DriftArguments,
    exit::Failure,
    table::Look,
    words::{any_of, counted},
};

pub(crate) async fn run(arguments: DriftArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let look = Look::of(arguments.read.color);
    let found = match (&arguments.slug, arguments.watch) {
        (Some(slug), _) => of_app(&client, slug, &arguments, look).await?,
        (None, Some(seconds)) => return watch(&client, &arguments, seconds, look).await,
        (None, None) => of_catalog(&client, &arguments, look).await?,
    };
    if found && arguments.fail_on_drift {
        return Err(Failure::answer("Found drift"));
    }
    Ok(())
}

fn query(arguments: &DriftArguments) -> DriftQuery {
    DriftQuery {
        vendor: arguments.vendor.clone(),
        source: arguments.source.clone(),
        include: arguments.scope(),
        limit: arguments.page.limit,
        offset: arguments.page.offset,
    }
}

/// Shows the drift of one app; returns whether there is any.
async fn of_app(
    client: &Client,
    slug: &str,
    arguments: &DriftArguments,
    look: Look,
) -> Result<bool, Failure> {
    let scope = arguments.scope();
    let raw = get_of_app(client, slug, "/drift", &DriftQuery::app_pairs(scope)).await?;
    let entry: Option<DriftEntry> = raw.decode().map_err(failure)?;
    if arguments.read.json {
        print_body(&raw.body)?;
    } else if let Some(entry) = &entry {
        show(client, std::slice::from_ref(entry), scope, look).await?;
    } else {
        let slug = raw.canonical_slug.as_ref().map_or(slug, Slug::as_str);
        eprintln!(
            "No drift: {} of '{slug}' agree, or fewer than two state a version",
            further::compared(scope)
        );
        if let Some(hint) = further::hint(client, slug, scope).await? {
            eprintln!("hint: {hint}");
        }
    }
    Ok(entry.is_some())
}

/// Shows a page of drift, or all of it; returns whether there is any.
async fn of_catalog(
    client: &Client,
    arguments: &DriftArguments,
    look: Look,
) -> Result<bool, Failure> {
    let query = query(arguments);
    let (page, body) = if arguments.page.all {
        (all(client, query.clone()).await?, None)
    } else {
        let raw = get(client, "apps/drift", &query.pairs()).await?;
        (raw.decode().map_err(failure)?, Some(raw.body))
    };
    match (arguments.read.json, &body) {
        (true, Some(body)) => print_body(body)?,
        (true, None) => print_json(&page.entries)?,
        (false, _) => show(client, &page.entries, query.include, look).await?,
    }
    if let Some(no_match) = no_match(arguments, &page) {
        return Err(no_match);
    }
    let total = Some(page.total_with_drift);
    note_more(arguments.page.offset, page.entries.len(), total, PAGE_FLAGS);
    if !arguments.read.json {
        eprintln!("{}", summary(&page));
    }
    Ok(page.total_with_drift > 0)
}

async fn show(
    client: &Client,
    entries: &[DriftEntry],
    scope: DriftScope,
    look: Look,
) -> Result<(), Failure> {
    let slugs: Vec<&str> = entries.iter().map(|entry| entry.slug.as_str()).collect();
    versions::show(entries, &deprecated_among(client, &slugs).await, scope, look)
}

/// How many apps drift, of how many that were compared.
fn summary(page: &DriftResponse) -> String {
    let compared = counted(page.total_scanned, "compared app");
    let is_single = page.total_with_drift == 1 || page.total_scanned == 1;
    let verb = if is_single { "drifts" } else { "drift" };
    format!("{} of {compared} {verb}", page.total_with_drift)
}

/// All entries from an offset on, with the totals of the catalog.
async fn all(client: &Client, query: DriftQuery) -> Result<DriftResponse, Failure> {
    let whole = DriftResponse { total_scanned: 0, total_with_drift: 0, entries: Vec::new() };
    let pages = client.drift_pages(query).try_fold(whole, async |mut whole, page| {
        whole.entries.extend(page.entries);
        Ok(DriftResponse { entries: whole.entries, ..page })
    });
    pages.await.map_err(failure)
}

/// No drift is good news only if apps were compared. A misspelled filter compares none, and must
/// not look like good news to a script.
fn no_match(arguments: &DriftArguments, page: &DriftResponse) -> Option<Failure> {
    if let Some(source) = &arguments.source
        && page.total_with_drift == 0
        && let Some(hint) = compared_instead(source, arguments.scope())
    {
        let text = format!("No apps match --source '{source}': its versions are not compared");
        return Some(Failure::answer(text).hint(hint));
    }
    let vendor = arguments.vendor.as_ref()?;
    (page.total_scanned == 0).then(|| {
        Failure::answer(format!("No apps match --vendor '{vendor}' with two versions to compare"))
    })
}

/// Shows all drift, and again when it changes. An unchanged catalog costs an empty response.
async fn watch(
    client: &Client,
    arguments: &DriftArguments,
    seconds: u64,
    look: Look,
) -> Result<(), Failure> {
    let mut last: Option<Vec<DriftEntry>> = None;
    let mut ticks = tokio::time::interval(Duration::from_secs(seconds.max(1)));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = tokio::signal::ctrl_c() => return Ok(()),
        }
        let page = match all(client, query(arguments)).await {
            Ok(page) => page,
            // The first request must succeed. Later the server may be unavailable for a while.
            Err(failure) if last.is_none() => return Err(failure),
            Err(failure) => {
                eprintln!("{failure}\nchecking again in {}", counted(seconds, "second"));
                continue;
            }
        };
        if last.is_none()
            && let Some(no_match) = no_match(arguments, &page)
        {
            return Err(no_match);
        }
        if last.as_ref() == Some(&page.entries) {
            continue;
        }
        if arguments.read.json {
            print_json(&page.entries)?;
        } else {
            show(client, &page.entries, arguments.scope(), look).await?;
            let every = counted(seconds, "second");
            eprintln!("{}; checking every {every}", summary(&page));
        }
        last = Some(page.entries);
    }
}

/// What to write instead of a source that is not compared; `None` if it is.
fn compared_instead(source: &str, scope: DriftScope) -> Option<String> {
    // The store listing is a payload; records do not have it as a source.
    let title = Source::MdmInstaller.token();
    let tokens = [Source::LabelTool.token(), Source::CaskCatalog.token(), title];
    match source {
        _ if source == title => {
            (!scope.includes(Source::MdmInstaller)).then(|| format!("add --include {title}"))
        }
        _ if tokens.contains(&source) => None,
        _ if scope.includes(Source::MdmInstaller) => Some(format!("use {}", any_of(&tokens))),
        _ => Some(format!("use {}", any_of(&tokens[..2]))),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn reason(filters: &[&str], scanned: u64, drift: u64) -> Option<String> {
        let arguments = ["appstitch", "drift"].iter().chain(filters);
        let Some(Command::Drift(arguments)) = Arguments::parse_from(arguments).command else {
            panic!("not drift");
        };
        let page =
            DriftResponse { total_scanned: scanned, total_with_drift: drift, entries: Vec::new() };
        no_match(&arguments, &page).map(|failure| failure.to_string())
    }

    #[test]
    fn no_drift_is_good_news_unless_nothing_was_compared() {
        assert_eq!(reason(&[], 0, 0), None);
        assert_eq!(reason(&["--vendor", "Mozilla"], 3, 0), None);
        assert_eq!(reason(&["--source", "label_tool"], 3, 0), None);
        let unknown = reason(&["--vendor", "Mozilal"], 0, 0).unwrap();
        assert!(unknown.starts_with("No apps match --vendor 'Mozilal'"), "{unknown}");
        let unknown = reason(&["--source", "labeltool"], 3, 0).unwrap();
        assert!(unknown.ends_with("hint: use label_tool or cask_catalog"), "{unknown}");
        assert_eq!(reason(&["--source", "of_a_newer_server"], 3, 1), None);
        let left_out = reason(&["--source", "mdm_installer"], 3, 0).unwrap();
        assert!(left_out.ends_with("hint: add --include mdm_installer"), "{left_out}");
        let included = ["--include", "mdm_installer,store_listing", "--source"];
        assert_eq!(reason(&[&included[..], &["mdm_installer"]].concat(), 3, 0), None);
        let unknown = reason(&[&included[..], &["store_listing"]].concat(), 3, 0).unwrap();
        assert!(unknown.ends_with("use label_tool, cask_catalog or mdm_installer"), "{unknown}");
    }
}

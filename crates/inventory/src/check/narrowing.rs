//! Which of several records a row is.
//!
//! One bundle identifier can belong to several records: release channels, older major versions,
//! languages, ways of delivery. Each step keeps the records that fit, unless none does.

use appstitch_versions::Version;

use super::{
    channel::Channel, facts::CatalogApp, index::InstalledIndex, installed_version::Relation,
    relations::Relations, row::Row,
};

/// Keeps the records that fit best, the preferred one first.
pub(super) fn narrow(
    index: &InstalledIndex,
    row: &Row<'_>,
    positions: &[u32],
    relations: &mut Relations<'_, '_, '_>,
) -> Vec<u32> {
    let mut kept = positions.to_vec();
    if kept.len() > 1 {
        let app = |at: u32| index.app(at);
        if let Some(file) = row.file() {
            keep(&mut kept, |at| app(at).files.iter().any(|name| name == file));
        }
        by_channel(index, row, &mut kept, relations);
        keep(&mut kept, |at| !app(at).has_language);
        keep(&mut kept, |at| !app(at).has_edition);
        kept.sort_by_key(|at| preference(app(*at)));
    }
    kept
}

/// Keeps the positions that fit, unless none does.
fn keep(positions: &mut Vec<u32>, fits: impl Fn(u32) -> bool) {
    if positions.iter().any(|at| fits(*at)) {
        positions.retain(|at| fits(*at));
    }
}

/// The main record first, then those with a label, then those of a plain token.
fn preference(app: &CatalogApp) -> (bool, bool, bool, usize, &str) {
    (!app.is_main, !app.has_label, app.slug.contains('@'), app.slug.len(), &app.slug)
}

/// Keeps the records of the row's channel or major version.
fn by_channel(
    index: &InstalledIndex,
    row: &Row<'_>,
    kept: &mut Vec<u32>,
    relations: &mut Relations<'_, '_, '_>,
) {
    let app = |at: u32| index.app(at);
    let is_plain = |at: u32| app(at).channel.is_none() && app(at).major.is_none();
    if kept.iter().all(|at| is_plain(*at)) {
        return;
    }
    if let Some(channel) = row.channel()
        && kept.iter().any(|at| app(*at).channel == Some(channel))
    {
        kept.retain(|at| app(*at).channel == Some(channel));
        return;
    }
    // The version of a channel is installed, so that is what it is, unless the channel lags.
    let is_behind =
        kept.iter().any(|at| is_plain(*at) && matches!(relations.with(*at).0, Relation::Older(_)));
    let is_long_term = |at: u32| app(at).channel == Some(Channel::LongTerm);
    let is_line = |at: u32| app(at).major.is_some() || is_long_term(at);
    let mut same = kept.clone();
    same.retain(|at| {
        (!is_behind || is_line(*at)) && matches!(relations.with(*at).0, Relation::Same(_))
    });
    if !same.is_empty() {
        *kept = same;
        keep(kept, is_plain);
        return;
    }
    let Some(installed) = row.version.shown().and_then(major) else {
        keep(kept, is_plain);
        return;
    };
    let is_newest_major = |at: u32| newest_major(app(at)) == Some(installed.as_str());
    // The releases are 154.0 and 154.0.1, so 128.14 is of the long-term line.
    let has_minor_of_line = row.version.shown().is_some_and(has_minor)
        && kept.iter().all(|at| !is_plain(*at) || is_without_minor(app(*at)));
    let is_line_of_row = |at: &u32| {
        app(*at).major.as_deref() == Some(installed.as_str())
            || (is_long_term(*at) && is_newest_major(*at))
            || (is_long_term(*at)
                && has_minor_of_line
                && matches!(relations.with(*at).0, Relation::Older(_)))
    };
    let line: Vec<u32> = kept.iter().copied().filter(is_line_of_row).collect();
    let is_current_major = kept.iter().any(|at| is_plain(*at) && is_newest_major(*at));
    if !is_current_major && !line.is_empty() {
        *kept = line;
        return;
    }
    keep(kept, is_plain);
}

fn newest_major(app: &CatalogApp) -> Option<&str> {
    app.references.newest.as_deref().and_then(first_number)
}

fn major(version: &str) -> Option<String> {
    Version::parse(version).or_else(|| Version::parse(first_number(version)?))?;
    first_number(version).map(str::to_owned)
}

/// Whether the second number of a version is there and not zero.
fn has_minor(version: &str) -> bool {
    second_number(version).is_some_and(|number| !is_zero(number))
}

fn is_without_minor(app: &CatalogApp) -> bool {
    app.references.newest.as_deref().and_then(second_number).is_some_and(is_zero)
}

fn is_zero(number: &str) -> bool {
    number.bytes().all(|digit| digit == b'0')
}

/// The second number of a text that begins with numbers and dots.
fn second_number(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('.')?;
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    first_number(rest).filter(|number| is_number && rest.starts_with(number))
}

fn first_number(text: &str) -> Option<&str> {
    let start = text.find(|character: char| character.is_ascii_digit())?;
    let rest = &text[start..];
    let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Whether the row is another major version of the product than the record: one that is sold
/// separately, so that the newest one is not an update.
pub(super) fn is_other_major(
    index: &InstalledIndex,
    row: &Row<'_>,
    positions: &[u32],
    app: &CatalogApp,
) -> bool {
    let Some(installed) = row.version.shown().and_then(first_number) else { return false };
    if newest_major(app) == Some(installed) {
        return false;
    }
    // `Sample 5.app` is not an older version of Sample 6.
    let is_of_year = |number: &str| number.strip_prefix("20") == Some(installed);
    let is_numbered = row.numbers().any(|number| number == installed || is_of_year(number));
    // The catalog has records of older major versions, but none of this one.
    let has_records_of_majors =
        app.major.is_none() && positions.iter().any(|at| index.app(*at).major.is_some());
    is_numbered || has_records_of_majors
}

pub(super) fn has_newest_major(row: &Row<'_>, app: &CatalogApp) -> bool {
    row.version.shown().and_then(first_number) == newest_major(app)
}

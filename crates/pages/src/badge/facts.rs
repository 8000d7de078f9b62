//! The facts on badges.

use std::borrow::Cow;

use appstitch_snapshot::Snapshot;
use appstitch_stitching::{Agreement, Standing};
use appstitch_types::{
    App, AppSources, DriftRole, Source, VersionComparison, VersionOrder, inventory::Verdict,
};
use appstitch_versions::compare_versions;

use super::{
    color::Color,
    picture::{Badge, Picture, TableBadge, shortened},
    request::{BadgeRequest, Fact},
};
use crate::app::count_entries;
use crate::display::Count;

/// The text on the left of a badge about an app that nobody knows.
const UNKNOWN: &str = "app";

pub(super) fn catalog(snapshot: &Snapshot, request: &BadgeRequest<'_>) -> Badge {
    let message = Count(snapshot.stats().total_apps).of("app");
    Badge::new(request.label("catalog"), &message, Color::Blue)
}

pub(super) fn of_app(
    snapshot: &Snapshot,
    name: &str,
    fact: &Fact<'_>,
    request: &BadgeRequest<'_>,
) -> Picture {
    if let Some(bad) = [(&request.have, "have"), (&request.least_version, "minversion")]
        .into_iter()
        .find_map(|(given, name)| is_too_long(given.as_deref()).then_some(name))
    {
        return Picture::Flat(Badge::error(request.label(UNKNOWN), &format!("{bad} is too long")));
    }
    if request.least_version.as_deref().is_some_and(has_no_number) {
        return Picture::Flat(Badge::error(request.label(UNKNOWN), "minversion has no number"));
    }
    let Some(position) = snapshot.find_named(name) else {
        return Picture::Flat(Badge::error(request.label(UNKNOWN), "not found"));
    };
    // The service wrote the rows, so they can always be parsed.
    let Ok(app) = snapshot.read_app(position) else {
        return Picture::Flat(Badge::error(request.label(UNKNOWN), "not available"));
    };
    let sources = || snapshot.source_detail(position).unwrap_or_default();
    Picture::Flat(match fact {
        Fact::Version => version(&app, request),
        Fact::Current => current(snapshot, position, &app, request),
        Fact::SourceVersion(source) => of_source(&sources(), source, request),
        Fact::Drift => drift(&sources(), request),
        Fact::Sources => known_sources(&app, &sources(), request),
        Fact::Table => return table(&app, &sources(), request),
    })
}

fn is_too_long(version: Option<&str>) -> bool {
    version.is_some_and(|version| version.len() > VersionComparison::LONGEST)
}

fn has_no_number(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(|character: char| character.is_ascii_digit())
}

fn version(app: &App, request: &BadgeRequest<'_>) -> Badge {
    let label = request.label(&app.name);
    let Some(version) = &app.current_version else {
        return Badge::new(label, "no version", Color::LightGrey);
    };
    let color = below_least(version, request).unwrap_or_else(|| Color::of_version(version));
    Badge::new(label, version, color)
}

/// Red, if a version is lower than the one that is required.
fn below_least(version: &str, request: &BadgeRequest<'_>) -> Option<Color> {
    let least = request.least_version.as_deref().filter(|least| !least.trim().is_empty())?;
    let is_below = compare_versions(version, least).order == VersionOrder::Older;
    is_below.then_some(Color::Red)
}

/// The verdict is that of the check of installed apps.
fn current(snapshot: &Snapshot, position: u32, app: &App, request: &BadgeRequest<'_>) -> Badge {
    let label = request.label(&app.name);
    let Some(have) = request.have.as_deref().filter(|have| !have.trim().is_empty()) else {
        return Badge::error(label, "add ?have=VERSION");
    };
    let Some(newest) = &app.current_version else {
        return Badge::new(label, "no version", Color::LightGrey);
    };
    let checked = snapshot.check_version(position, have);
    let checked = checked.map(|checked| (checked.verdict, checked.newest_version));
    let (verdict, newest) = match checked {
        Some((verdict, Some(newest))) => (verdict, newest),
        // No source states a version, but a manual record has one.
        _ => (verdict_of(compare_versions(have, newest).order), newest.clone()),
    };
    match verdict {
        Verdict::Current | Verdict::SameReleaseOtherString => {
            Badge::new(label, "current", Color::Green)
        }
        Verdict::Outdated => Badge::new(label, &format!("{newest} available"), Color::Orange),
        Verdict::Newer => Badge::new(label, "newer", Color::Blue),
        _ => Badge::new(label, "cannot compare", Color::LightGrey),
    }
}

fn verdict_of(order: VersionOrder) -> Verdict {
    match order {
        VersionOrder::Same => Verdict::Current,
        VersionOrder::Older => Verdict::Outdated,
        VersionOrder::Newer => Verdict::Newer,
        VersionOrder::Unknown => Verdict::NotComparable,
    }
}

fn of_source(sources: &AppSources, source: &str, request: &BadgeRequest<'_>) -> Badge {
    let Some(known) = Source::from_token(source) else {
        return Badge::error(request.label("source"), "unknown source");
    };
    let label = request.label(known.describe().product);
    let agreement = Agreement::of(sources);
    match agreement.versions.iter().position(|stated| stated.source == source) {
        Some(position) => {
            let color = standing_color(&agreement, position, request);
            Badge::new(label, &agreement.versions[position].version, color)
        }
        None => Badge::new(label, "no version", Color::LightGrey),
    }
}

fn standing_color(agreement: &Agreement, position: usize, request: &BadgeRequest<'_>) -> Color {
    below_least(&agreement.versions[position].version, request).unwrap_or_else(|| {
        match agreement.standings()[position] {
            Standing::Alone | Standing::Newest => Color::Green,
            Standing::Behind => Color::Orange,
            Standing::Unordered | Standing::LeftOut => Color::LightGrey,
        }
    })
}

/// Whether the label and the cask are behind, as the page of the app says: a source of another kind can
/// state a newer version than both.
fn drift(sources: &AppSources, request: &BadgeRequest<'_>) -> Badge {
    let label = request.label("drift");
    let agreement = Agreement::of(sources);
    let Some(order) = agreement.order(Source::LabelTool, Source::CaskCatalog) else {
        return Badge::new(label, "not compared", Color::LightGrey);
    };
    let standings = agreement.standings();
    let is_behind = |source: Source| {
        let mut stated = agreement.versions.iter().zip(&standings);
        stated.any(|(stated, standing)| {
            stated.source == source.token() && *standing == Standing::Behind
        })
    };
    let (message, color) = match (is_behind(Source::LabelTool), is_behind(Source::CaskCatalog)) {
        (true, true) => ("label and cask behind", Color::Orange),
        (true, false) => ("label behind", Color::Orange),
        (false, true) => ("cask behind", Color::Orange),
        (false, false) if order == VersionOrder::Same => ("in step", Color::Green),
        (false, false) => ("differs", Color::LightGrey),
    };
    Badge::new(label, message, color)
}

fn known_sources(app: &App, sources: &AppSources, request: &BadgeRequest<'_>) -> Badge {
    // A record by hand can name sources without their payloads.
    let tokens = app.sources.union(sources.tokens()).iter().count();
    let known = tokens + usize::from(sources.store_listing.is_some());
    let message = format!("{known} of {} sources", Source::ALL.len());
    Badge::new(request.label("found in"), &message, Color::Blue)
}

fn table(app: &App, sources: &AppSources, request: &BadgeRequest<'_>) -> Picture {
    let agreement = Agreement::of(sources);
    let versions = &agreement.versions;
    let row = |source: Source| -> Option<Badge> {
        let name = source.describe().product;
        if let Some(position) = versions.iter().position(|stated| stated.source == source.token()) {
            let color = standing_color(&agreement, position, request);
            return Some(Badge::new(name, &versions[position].version, color));
        }
        let payload = sources.payload(source)?;
        let without_version: Cow<'static, str> = match source.describe().drift {
            DriftRole::Never => count_entries(source, payload).into(),
            DriftRole::Always | DriftRole::OnRequest => "no version".into(),
        };
        Some(Badge::new(name, &without_version, Color::LightGrey))
    };
    let rows: Vec<Badge> = Source::ALL.into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return Picture::Flat(version(app, request));
    }
    let title = shortened(request.label(&app.name));
    Picture::Table(TableBadge { name: shortened(&app.name), title, rows })
}

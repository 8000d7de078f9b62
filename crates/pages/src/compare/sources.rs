//! Two sources side by side: in which apps their versions differ, and which of them is behind.

use appstitch_types::{DriftEntry, DriftRole, DriftScope, Source, VersionOrder};
use appstitch_versions::compare_versions;
use askama::Template;

use crate::{
    address::app_page,
    chip::Chip,
    display::Count,
    frame::{Frame, Section},
    namesakes::Namesakes,
    short::short,
    site::{PageError, Site},
    source_names::source_title,
};

const LISTED: usize = 50;
/// The longest name or version that is shown, in characters.
const LONGEST: usize = 60;

#[derive(Template)]
#[template(path = "compare_sources.html")]
struct CompareSourcesPage {
    frame: Frame,
    /// The sources of which each can be compared with each other: token and name.
    choices: Vec<Choice>,
    fault: Option<String>,
    pair: Option<Pair>,
}

struct Choice {
    token: &'static str,
    title: &'static str,
}

/// Two sources, and how they differ.
struct Pair {
    first: Side,
    second: Side,
    unordered: Count,
    differing: Count,
    /// Whether more apps differ than are listed.
    has_more: bool,
    rows: Vec<Row>,
    /// The table of drift with both.
    drift: String,
}

struct Side {
    title: &'static str,
    apps: Count,
    /// The apps in which it is behind the other one.
    behind: Count,
    /// These apps in the table of drift.
    path: String,
}

/// An app in which both differ.
struct Row {
    path: String,
    name: String,
    slug: String,
    /// Set if another app in the table has the same name.
    shown_slug: Option<String>,
    first: Cell,
    second: Cell,
}

struct Cell {
    version: String,
    chip: Chip,
}

fn with_versions() -> impl Iterator<Item = &'static str> {
    let has_versions = |source: &Source| source.describe().drift != DriftRole::Never;
    Source::ALL.into_iter().filter(has_versions).map(Source::token)
}

/// The page that compares two sources, which are given by their tokens, separated by a comma.
pub fn compare_sources(site: &Site<'_>, list: &str) -> Result<String, PageError> {
    let named: Vec<&str> =
        list.split(',').map(str::trim).filter(|token| !token.is_empty()).take(3).collect();
    let known = |token: &str| with_versions().find(|known| *known == token);
    let (pair, fault) = match named[..] {
        [first, second] => match (known(first), known(second)) {
            (Some(first), Some(second)) if first == second => (None, Some(named_twice())),
            (Some(first), Some(second)) => (Some(Pair::of(site, first, second)), None),
            (None, _) => (None, Some(no_versions(first))),
            (_, None) => (None, Some(no_versions(second))),
        },
        [] => (None, None),
        _ => (None, Some(named_twice())),
    };
    let title = pair.as_ref().map_or_else(
        || "Compare sources".to_owned(),
        |pair| format!("{} and {}", pair.first.title, pair.second.title),
    );
    let frame = site.frame(Section::Compare, title, "/compare").not_indexed();
    let choices = with_versions().map(|token| Choice { token, title: source_title(token) });
    Ok(CompareSourcesPage { frame, choices: choices.collect(), fault, pair }.render()?)
}

fn named_twice() -> String {
    "Name two different sources.".to_owned()
}

fn no_versions(token: &str) -> String {
    if token == Source::RecipeIndex.token() {
        "Recipes state no versions, so there is nothing to compare.".to_owned()
    } else {
        format!("There is no source {}.", short(token, LONGEST))
    }
}

impl Pair {
    fn of(site: &Site<'_>, first: &'static str, second: &'static str) -> Self {
        let compared = [first, second].into_iter().filter_map(Source::from_token);
        let scope = compared.fold(DriftScope::default(), DriftScope::with);
        let mut behind = (0_u64, 0_u64, 0_u64);
        let mut rows = Vec::new();
        // Only apps whose sources disagree are looked at, and their number is small.
        for line in site.snapshot.drift_table(scope).lines() {
            let Some((row, order)) = Row::of(&line.entry, first, second) else { continue };
            match order {
                VersionOrder::Older => behind.0 += 1,
                VersionOrder::Newer => behind.1 += 1,
                VersionOrder::Unknown | VersionOrder::Same => behind.2 += 1,
            }
            if rows.len() < LISTED {
                rows.push(row);
            }
        }
        let namesakes = Namesakes::among(rows.iter().map(|row: &Row| (&*row.name, &*row.slug)));
        let slugs: Vec<_> = rows.iter().map(|row| namesakes.slug(&row.name, &row.slug)).collect();
        for (row, slug) in rows.iter_mut().zip(slugs) {
            row.shown_slug = slug;
        }
        let differing = behind.0 + behind.1 + behind.2;
        let include: Vec<&str> = scope.further().collect();
        let include = match include.join(",") {
            none if none.is_empty() => none,
            listed => format!("include={listed}&"),
        };
        let drift = |filter: &str| {
            let query = format!("{include}{filter}");
            let query = query.trim_end_matches('&');
            if query.is_empty() { "/drift".to_owned() } else { format!("/drift?{query}") }
        };
        let side = |token: &'static str, other: &str, behind: u64| Side {
            title: source_title(token),
            apps: Count(site.source(token).map_or(0, |status| status.apps)),
            behind: Count(behind),
            path: drift(&format!("laggard={token}&leader={other}")),
        };
        Self {
            first: side(first, second, behind.0),
            second: side(second, first, behind.1),
            unordered: Count(behind.2),
            differing: Count(differing),
            has_more: differing > rows.len() as u64,
            rows,
            drift: drift(""),
        }
    }
}

impl Row {
    /// The app, if both sources state a version and the versions differ, and how the first stands to
    /// the second.
    fn of(entry: &DriftEntry, first: &str, second: &str) -> Option<(Self, VersionOrder)> {
        let of = |token: &str| {
            entry
                .versions
                .iter()
                .find(|stated| stated.source == token)
                .map(|stated| &*stated.version)
        };
        let (one, other) = (of(first)?, of(second)?);
        let order = match (&entry.leader, &entry.laggard) {
            // If only two sources are compared, the entry has their order.
            (Some(leader), _) if entry.versions.len() == 2 && leader == first => {
                VersionOrder::Newer
            }
            (_, Some(laggard)) if entry.versions.len() == 2 && laggard == first => {
                VersionOrder::Older
            }
            _ => compare_versions(one, other).order,
        };
        let (left, right) = match order {
            VersionOrder::Same => return None,
            VersionOrder::Older => (Chip::BEHIND, Chip::NEWER),
            VersionOrder::Newer => (Chip::NEWER, Chip::BEHIND),
            VersionOrder::Unknown => (Chip::UNORDERED, Chip::UNORDERED),
        };
        let cell = |version: &str, chip: Chip| Cell { version: short(version, LONGEST), chip };
        let row = Self {
            path: app_page(&entry.slug),
            name: short(&entry.name, LONGEST),
            slug: entry.slug.clone(),
            shown_slug: None,
            first: cell(one, left),
            second: cell(other, right),
        };
        Some((row, order))
    }
}

//! The rows of a comparison: one for each fact that at least one of the apps has.

use appstitch_stitching::{Agreement, ParsedSources, collect_details};
use appstitch_types::{App, AppDetails, AppSources, Source};

use crate::{
    address::vendor_page,
    app::{architectures, source_entry},
    chip::Chip,
    display::Day,
    short::short,
    site::{PageError, Site},
};

/// The longest value that is shown, in characters.
const LONGEST: usize = 120;

pub(super) struct Compared {
    pub(super) app: App,
    details: AppDetails,
    sources: AppSources,
    agreement: Agreement,
    changed: Option<String>,
}

impl Compared {
    pub(super) fn read(site: &Site<'_>, position: u32) -> Result<Self, PageError> {
        let sources = site.snapshot.source_detail(position)?;
        let parsed = ParsedSources::of(&sources);
        let app = site.snapshot.read_app(position)?;
        let history = site.snapshot.history(app.slug.as_str()).ok();
        let newest = history.and_then(|history| history.versions.into_iter().next());
        let changed = newest.and_then(|newest| newest.first_seen);
        Ok(Self {
            // The page shows neither other names nor variants, so they are not read.
            details: collect_details(&app, &parsed, None, Vec::new()),
            agreement: parsed.agreement(),
            changed: changed.map(|at| Day::of(at).0.to_string()),
            sources,
            app,
        })
    }
}

/// Rows that belong together.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) rows: Vec<Row>,
}

/// One fact about every app.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) cells: Vec<Cell>,
    /// How its values are written.
    pub(super) class: &'static str,
}

/// One fact about one app.
#[derive(Default)]
pub(super) struct Cell {
    pub(super) text: Option<String>,
    pub(super) link: Option<String>,
    pub(super) chip: Option<Chip>,
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        Self { text: text.map(|text| short(&text, LONGEST)), ..Self::default() }
    }
}

pub(super) fn groups(apps: &[Compared]) -> Vec<Group> {
    let groups = [
        Group { title: "Versions", rows: versions(apps) },
        Group { title: "About", rows: about(apps) },
        Group { title: "Download", rows: download(apps) },
        Group { title: "On the Mac", rows: on_the_mac(apps) },
        Group { title: "Sources", rows: sources(apps) },
    ];
    groups.into_iter().filter(|group| !group.rows.is_empty()).collect()
}

fn row(
    apps: &[Compared],
    title: &'static str,
    class: &'static str,
    cell: impl Fn(&Compared) -> Cell,
) -> Option<Row> {
    let cells: Vec<Cell> = apps.iter().map(cell).collect();
    cells.iter().any(|cell| cell.text.is_some()).then_some(Row { title, cells, class })
}

fn versions(apps: &[Compared]) -> Vec<Row> {
    let newest = row(apps, "Newest", "version", |one| one.app.current_version.clone().into());
    let of_source = |source: Source| {
        row(apps, source.describe().product, "version", move |one| {
            let versions = &one.agreement.versions;
            let position = versions.iter().position(|stated| stated.source == source.token());
            Cell {
                text: position.map(|position| short(&versions[position].version, LONGEST)),
                chip: position.and_then(|position| Chip::of(one.agreement.standings()[position])),
                link: None,
            }
        })
    };
    let since = row(apps, "In the catalog since", "", |one| one.changed.clone().into());
    let released = row(apps, "Released", "", |one| {
        one.app.latest_release_date.map(|date| date.to_string()).into()
    });
    let rows = newest.into_iter().chain(Source::ALL.into_iter().filter_map(of_source));
    rows.chain(since).chain(released).collect()
}

fn about(apps: &[Compared]) -> Vec<Row> {
    [
        row(apps, "Vendor", "", |one| Cell {
            text: one.app.vendor.clone(),
            link: one.app.vendor.as_deref().map(vendor_page),
            chip: None,
        }),
        row(apps, "Description", "", |one| one.details.description.clone().into()),
        row(apps, "Deprecated", "", |one| {
            one.details.deprecation.as_ref().map(|_| "yes".to_owned()).into()
        }),
        row(apps, "Home page", "", |one| link(one.details.homepage.as_ref())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn download(apps: &[Compared]) -> Vec<Row> {
    [
        row(apps, "Install method", "version", |one| {
            one.app.install_method.map(|method| method.word().to_owned()).into()
        }),
        row(apps, "Download", "", |one| link(one.app.download_url.as_ref())),
        row(apps, "SHA-256", "version", |one| {
            one.app.sha256.as_ref().map(ToString::to_string).into()
        }),
        row(apps, "Team ID", "version", |one| {
            one.app.expected_team_id.as_ref().map(ToString::to_string).into()
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn on_the_mac(apps: &[Compared]) -> Vec<Row> {
    let list = |values: &Option<Vec<String>>| -> Cell {
        values.as_deref().filter(|values| !values.is_empty()).map(|values| values.join(", ")).into()
    };
    [
        row(apps, "Bundle ID", "version", |one| one.app.bundle_id.clone().into()),
        row(apps, "Requires", "", |one| {
            one.details
                .minimum_macos
                .as_ref()
                .map(|version| format!("macOS {version} or newer"))
                .into()
        }),
        row(apps, "Runs on", "", |one| {
            one.details.architectures.as_deref().map(architectures).into()
        }),
        row(apps, "Updates itself", "", |one| {
            one.details.updates_itself.filter(|updates| *updates).map(|_| "yes".to_owned()).into()
        }),
        row(apps, "Apps", "version", |one| list(&one.details.app_files)),
        row(apps, "Receipts", "version", |one| list(&one.details.package_receipts)),
        row(apps, "Quit before update", "version", |one| list(&one.details.blocking_processes)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sources(apps: &[Compared]) -> Vec<Row> {
    let of_source = |source: Source| {
        row(apps, source.describe().product, "", |one| {
            source_entry(&one.sources, source).map(|entry| entry.0).into()
        })
    };
    Source::ALL.into_iter().filter_map(of_source).collect()
}

fn link(url: Option<&appstitch_types::Uri>) -> Cell {
    let text = url.map(ToString::to_string);
    Cell { link: text.clone(), text: text.map(|text| short(&text, LONGEST)), chip: None }
}

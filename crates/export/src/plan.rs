//! The addresses of a revision that have files, and where the files are.
//!
//! A file is at the path of its address. Where other addresses are below a path, its response is in a
//! file `@index`, and the further pages of a list are in folders that begin with `@`, too: no name of an
//! app, a vendor or anything else begins with it. Names that cannot be names of files are left out.

mod target;

use std::collections::BTreeSet;

use appstitch_pages::{
    APPS_PER_PAGE, AppFile, Assets, DRIFT_PER_PAGE, VENDOR_APPS_PER_PAGE, VENDORS_PER_PAGE,
};
use appstitch_server::{Export, Exported, LocalService};
use appstitch_snapshot::{Filter, Snapshot, VendorEntry};
use appstitch_stitching::Agreement;
use appstitch_text::fold_case;
use appstitch_types::DriftScope;

use target::ExportedRoute;
pub(crate) use target::{PAGE, Plan, Target};

/// The sizes of the exported pages of lists: the default one, and the largest one, which clients use to
/// read everything.
const LIST_LIMITS: [usize; 2] = [100, 1000];

/// The files of the pages of apps.
const APP_PAGES: &str = "apps/@{}.html";

const BADGE_FORMS: [&str; 2] = ["svg", "json"];

/// The page that browsers get for an address that does not exist.
pub(crate) const NOT_FOUND: &str = "@not-found.html";

pub(crate) fn plan(service: &LocalService) -> Plan {
    let mut plan = Plan::default();
    for (path, export) in LocalService::routes() {
        match export {
            Export::Path(file) => plan.add(ExportedRoute { path, file }, &[]),
            Export::Each(exported, file) => {
                each(&mut plan, service, ExportedRoute { path, file }, exported);
            }
            Export::LiveOnly(_) => {}
        }
    }
    plan
}

/// Adds the addresses of a route that has several.
fn each(plan: &mut Plan, service: &LocalService, route: ExportedRoute, exported: Exported) {
    let snapshot = service.snapshot();
    match exported {
        Exported::AppPages => {
            let apps = snapshot.apps().rows().len();
            list(plan, route, apps);
            // Browsers get pages at the same address.
            let mut pages = Plan::default();
            table(&mut pages, ExportedRoute { file: APP_PAGES, ..route }, &[], apps, APPS_PER_PAGE);
            for page in pages.targets {
                plan.push(Target { accept: PAGE, ..page });
            }
        }
        Exported::DriftPages => {
            let drift = snapshot.drift_page(DriftScope::default(), &Filter::default(), 1, 0);
            list(plan, route, drift.total);
        }
        Exported::BothForms => {
            let program = Target::new(route.path, &route.fill(&["json"]));
            let page = Target::new(route.path, &route.fill(&["html"]));
            plan.push(Target { has_marks: true, ..program });
            plan.push(Target { accept: PAGE, ..page });
        }
        Exported::DriftTable => {
            let rows = snapshot.drift_table(DriftScope::default()).lines().len();
            table(plan, route, &[], rows, DRIFT_PER_PAGE);
        }
        Exported::VendorTable => {
            table(plan, route, &[], snapshot.vendors().all().len(), VENDORS_PER_PAGE);
        }
        Exported::VendorAppTables => {
            for (name, entry) in vendors(snapshot) {
                table(plan, route, &[name], entry.apps, VENDOR_APPS_PER_PAGE);
            }
        }
        Exported::Vendors => vendors(snapshot).for_each(|(name, _)| plan.add(route, &[name])),
        Exported::Apps => slugs(snapshot).for_each(|slug| plan.add(route, &[slug])),
        Exported::AppsByContent => {
            slugs(snapshot).for_each(|slug| plan.add_marked(route, &[slug]));
        }
        Exported::AppsAndFormerApps => {
            let former = former_slugs(snapshot);
            slugs(snapshot).chain(former).for_each(|slug| plan.add(route, &[slug]));
        }
        Exported::AppFiles => {
            for slug in slugs(snapshot) {
                for file in AppFile::ALL {
                    plan.add(route, &[slug, file.name()]);
                }
            }
        }
        Exported::Aliases => {
            for name in &alias_names(snapshot) {
                plan.add(route, &[name]);
            }
        }
        Exported::ArchiveParts => {
            let parts = snapshot.archive_parts();
            parts.for_each(|part| plan.add_marked(route, &[&format!("{part}.atom")]));
        }
        Exported::PatchTitles => {
            for id in snapshot.patch_ids() {
                plan.add(route, &[&id]);
            }
        }
        Exported::CatalogIndex => plan.add_marked(route, &[]),
        Exported::CatalogSignatures | Exported::CatalogFiles => {
            catalog_files(plan, service, route, exported);
        }
        Exported::SitemapParts => {
            // There are as many parts as are found. One has thousands of pages, so this is generous.
            let addresses = snapshot.apps().rows().len() + snapshot.vendors().all().len();
            for number in 1..=addresses / 5_000 + 1 {
                plan.add(route, &[&format!("{number}.xml")]);
            }
        }
        Exported::Badges => {
            for slug in slugs(snapshot) {
                for form in BADGE_FORMS {
                    plan.add_marked(route, &[&format!("{slug}.{form}")]);
                }
            }
        }
        Exported::SourceBadges => source_badges(plan, snapshot, route),
        Exported::CatalogBadges => {
            for form in BADGE_FORMS {
                plan.add_marked(route, &[&format!("catalog.{form}")]);
            }
        }
        Exported::Assets => {
            let Assets { style, script } = Assets::get();
            for asset in [style, script] {
                plan.add(route, &[&asset.name]);
            }
        }
        Exported::DocumentationFiles => {
            for name in LocalService::documentation_files() {
                plan.add(route, &[name]);
            }
        }
    }
}

fn catalog_files(
    plan: &mut Plan,
    service: &LocalService,
    route: ExportedRoute,
    exported: Exported,
) {
    let Some(files) = service.catalog_files() else { return };
    if exported == Exported::CatalogSignatures {
        files.beside_index().iter().for_each(|(name, _)| plan.add_marked(route, &[name]));
    } else {
        files.names().for_each(|name| plan.add(route, &[&files.index.revision, name]));
    }
}

/// Every page of a list. The first page of the default size is at the path without a query.
fn list(plan: &mut Plan, route: ExportedRoute, total: usize) {
    for limit in LIST_LIMITS {
        for offset in (0..total.max(1)).step_by(limit) {
            let file = route.fill(&[&format!("{limit}-{offset}")]);
            let mut target = Target { has_marks: true, ..Target::new(route.path, &file) };
            if (limit, offset) != (LIST_LIMITS[0], 0) {
                target.address = format!("{}?limit={limit}&offset={offset}", route.path);
            }
            plan.push(target);
        }
    }
}

fn table(plan: &mut Plan, route: ExportedRoute, segments: &[&str], rows: usize, per_page: usize) {
    plan.add_page(route, segments, None, "index");
    for number in 2..=rows.div_ceil(per_page) {
        let query = format!("page={number}");
        plan.add_page(route, segments, Some(&query), &format!("page/{number}"));
    }
}

/// The vendors, under their names as their apps write them and in folded case.
fn vendors(snapshot: &Snapshot) -> impl Iterator<Item = (&str, &VendorEntry)> {
    snapshot.vendors().all().iter().flat_map(|entry| {
        let names = BTreeSet::from([entry.name.as_str(), entry.folded.as_str()]);
        // Another spelling would be another vendor.
        names
            .into_iter()
            .filter(|name| fold_case(name) == entry.folded)
            .map(move |name| (name, entry))
    })
}

fn positions(snapshot: &Snapshot) -> impl Iterator<Item = u32> + use<> {
    (0..).take(snapshot.apps().rows().len())
}

fn slugs(snapshot: &Snapshot) -> impl Iterator<Item = &str> {
    positions(snapshot).map(|position| snapshot.slug(position))
}

/// Apps that left the catalog and whose changes are kept.
fn former_slugs(snapshot: &Snapshot) -> BTreeSet<&str> {
    let rows = snapshot.journal().after(0);
    let slugs = rows.flat_map(|row| [Some(row.slug()), row.former_slug()]).flatten();
    slugs.filter(|slug| snapshot.find(slug).is_err()).collect()
}

/// Every name in folded case and as its source writes it, and every slug. A live server finds a name in
/// any case; a file has one.
fn alias_names(snapshot: &Snapshot) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = snapshot.names().map(str::to_owned).collect();
    for position in positions(snapshot) {
        names.insert(snapshot.slug(position).to_owned());
        match snapshot.read_details(position) {
            Ok(details) => {
                names.extend(details.aliases.into_iter().flatten().map(|alias| alias.name));
            }
            // This program wrote the rows, so they can always be parsed.
            Err(error) => tracing::error!(%error, position, "cannot parse the rows of an app"),
        }
    }
    names
}

/// The badges of an app's sources. They are beside those of apps, with a character between app and
/// source that no slug has: a folder with the name of the app could be in the way of another badge.
fn source_badges(plan: &mut Plan, snapshot: &Snapshot, route: ExportedRoute) {
    for position in positions(snapshot) {
        // This program wrote the rows, so they can always be parsed.
        let sources = snapshot.source_detail(position).unwrap_or_default();
        for stated in Agreement::of(&sources).versions {
            for form in BADGE_FORMS {
                let name = format!("{}.{form}", stated.source);
                plan.add_marked(route, &[snapshot.slug(position), &name]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_with_one_file_has_one_address() {
        for (path, export) in LocalService::routes() {
            assert!(!matches!(export, Export::Path(_)) || !path.contains('{'), "{path}");
        }
    }

    #[test]
    fn the_manual_names_every_route_that_is_left_out() {
        let manual = include_str!("../../../docs/reference/static-export.md");
        for (path, export) in
            LocalService::routes().filter(|(path, _)| !path.starts_with("/admin/"))
        {
            let is_named = manual.contains(&format!("{path}`"));
            assert!(is_named || !matches!(export, Export::LiveOnly(_)), "{path}");
        }
    }
}

//! The addresses of a revision that have files, and where the files are.
//!
//! A file is at the path of its address. Where other addresses are below a path, its own answer is in a
//! file `@index`, and the further pages of a list are in folders that begin with `@`, too: no name of an
//! app, a vendor or anything else begins with it. Names that cannot be names of files are left out.

mod names;
mod target;

use std::collections::BTreeSet;

use appstitch_catalog::{DriftScope, fold_case, source_versions};
use appstitch_pages::{Assets, DRIFT_PER_PAGE, VENDOR_APPS_PER_PAGE, VENDORS_PER_PAGE};
use appstitch_server::LocalService;
use appstitch_snapshot::{Filter, Snapshot, VendorEntry};

use names::alias_names;
pub(crate) use target::{PAGE, Plan, Target};

/// The sizes of the exported pages of lists: the default one, and the largest one, which clients use to
/// read everything.
const LIST_LIMITS: [usize; 2] = [100, 1000];

/// The page that browsers get for an address that does not exist.
pub(crate) const NOT_FOUND: &str = "@not-found.html";

/// Lists the addresses of a revision.
pub(crate) fn plan(snapshot: &Snapshot) -> Plan {
    let mut plan = Plan::default();
    fixed(&mut plan);
    lists(&mut plan, snapshot);
    pages(&mut plan, snapshot);
    for part in snapshot.archive_parts() {
        let name = format!("{part}.atom");
        plan.add_own("/feed/archive/{file}", "feed/archive/{}", &[&name]);
    }
    for entry in snapshot.vendors().all() {
        vendor(&mut plan, entry);
    }
    for position in (0..).take(snapshot.apps().rows().len()) {
        app(&mut plan, snapshot.slug(position));
        badges(&mut plan, snapshot, position);
    }
    gone(&mut plan, snapshot);
    for name in alias_names(snapshot) {
        plan.add("/aliases/{name}", "aliases/{}.json", &[&name]);
    }
    plan
}

/// Addresses that every revision has.
fn fixed(plan: &mut Plan) {
    for (route, file) in [
        ("/apps/jamf-index", "apps/jamf-index/@index.json"),
        ("/changes.csv", "changes.csv"),
        ("/feed.atom", "feed.atom"),
        ("/feed.json", "feed.json"),
        ("/drift/feed.atom", "drift/feed.atom"),
        ("/drift/feed.json", "drift/feed.json"),
        ("/stats", "stats.json"),
        ("/sources", "sources.json"),
        ("/openapi.json", "openapi.json"),
        ("/docs", "docs/@index.html"),
        ("/redoc", "redoc.html"),
        ("/", "@index.html"),
        ("/drift", "drift/@index.html"),
        ("/drift.csv", "drift.csv"),
        ("/vendors", "vendors/@index.html"),
        ("/vendors.csv", "vendors.csv"),
        ("/about", "about.html"),
        ("/opensearch.xml", "opensearch.xml"),
        ("/favicon.svg", "favicon.svg"),
        ("/robots.txt", "robots.txt"),
        ("/sitemap.xml", "sitemap.xml"),
    ] {
        plan.add(route, file, &[]);
    }
    plan.push(Target { has_own_fields: true, ..Target::new("/changes", "changes.json") });
    plan.push(Target { accept: PAGE, ..Target::new("/changes", "changes.html") });
    for name in LocalService::documentation_files() {
        plan.add("/docs/{file}", "docs/{}", &[name]);
    }
    let Assets { style, script } = Assets::get();
    for asset in [style, script] {
        plan.add("/assets/{file}", "assets/{}", &[&asset.name]);
    }
    for name in ["catalog.svg", "catalog.json"] {
        plan.add_own("/badge/{file}", "badge/{}", &[name]);
    }
}

/// Every page of the lists. The first page of the default size is at the path without a query.
fn lists(plan: &mut Plan, snapshot: &Snapshot) {
    let drift = snapshot.drift_page(DriftScope::default(), &Filter::default(), 1, 0);
    let totals = [("/apps", snapshot.apps().rows().len()), ("/apps/drift", drift.total)];
    let sized = |(route, total)| LIST_LIMITS.map(|limit| (route, total, limit));
    for (route, total, limit) in totals.into_iter().flat_map(sized) {
        for offset in (0..total.max(1)).step_by(limit) {
            let file = format!("{}/@pages/{limit}-{offset}.json", &route[1..]);
            let mut target = Target { has_own_fields: true, ..Target::new(route, &file) };
            if (limit, offset) != (LIST_LIMITS[0], 0) {
                target.address = format!("{route}?limit={limit}&offset={offset}");
            }
            plan.push(target);
        }
    }
}

/// The further pages of tables for browsers, and the parts of the sitemap.
fn pages(plan: &mut Plan, snapshot: &Snapshot) {
    let drifting = snapshot.drift_table(DriftScope::default()).lines().len();
    further_pages(plan, "/drift", &[], drifting, DRIFT_PER_PAGE);
    let vendors = snapshot.vendors().all().len();
    further_pages(plan, "/vendors", &[], vendors, VENDORS_PER_PAGE);
    // There are as many parts as are found. One has thousands of pages, so this is generous.
    let addresses = snapshot.apps().rows().len() + vendors;
    for number in 1..=addresses / 5_000 + 1 {
        plan.add("/sitemap/{file}", "sitemap/{}", &[&format!("{number}.xml")]);
    }
}

fn further_pages(
    plan: &mut Plan,
    route: &'static str,
    segments: &[&str],
    rows: usize,
    per_page: usize,
) {
    for number in 2..=rows.div_ceil(per_page) {
        let file = format!("{}/@page/{number}.html", route[1..].replace("{vendor}", "{}"));
        plan.add_query(route, &file, segments, &format!("page={number}"));
    }
}

/// The answers about a vendor, under its name as its apps write it and in folded case.
fn vendor(plan: &mut Plan, entry: &VendorEntry) {
    for name in BTreeSet::from([entry.name.as_str(), entry.folded.as_str()]) {
        // Another spelling would be another vendor.
        if fold_case(name) != entry.folded {
            continue;
        }
        plan.add("/vendors/{vendor}", "vendors/{}/@index.html", &[name]);
        plan.add("/vendors/{vendor}/feed.atom", "vendors/{}/feed.atom", &[name]);
        plan.add("/vendors/{vendor}/feed.json", "vendors/{}/feed.json", &[name]);
        further_pages(plan, "/vendors/{vendor}", &[name], entry.apps, VENDOR_APPS_PER_PAGE);
    }
}

/// The answers about an app.
fn app(plan: &mut Plan, slug: &str) {
    for (route, file) in [
        ("/apps/{slug}", "apps/{}/@index.json"),
        ("/apps/{slug}/sources", "apps/{}/sources.json"),
        ("/apps/{slug}/drift", "apps/{}/drift.json"),
        ("/apps/{slug}/provenance", "apps/{}/provenance.json"),
        ("/apps/{slug}/details", "apps/{}/details.json"),
        ("/a/{slug}", "a/{}/@index.html"),
    ] {
        plan.add(route, file, &[slug]);
    }
    past(plan, slug);
    for name in ["label.sh", "Brewfile", "query.sql"] {
        plan.add("/a/{slug}/{file}", "a/{}/{}", &[slug, name]);
    }
}

/// The answers that outlive an app.
fn past(plan: &mut Plan, slug: &str) {
    for (route, file) in [
        ("/apps/{slug}/history", "apps/{}/history.json"),
        ("/apps/{slug}/feed.atom", "apps/{}/feed.atom"),
        ("/apps/{slug}/feed.json", "apps/{}/feed.json"),
    ] {
        plan.add(route, file, &[slug]);
    }
}

/// Apps that left the catalog and whose changes are kept.
fn gone(plan: &mut Plan, snapshot: &Snapshot) {
    let rows = snapshot.journal().after(0);
    let slugs = rows.flat_map(|row| [Some(row.slug()), row.former_slug()]).flatten();
    let slugs: BTreeSet<&str> = slugs.collect();
    for slug in slugs.into_iter().filter(|slug| snapshot.find(slug).is_err()) {
        past(plan, slug);
    }
}

/// The badges of an app. The one of a source is beside the others, with a character between app and
/// source that no slug has: a folder with the name of the app could be in the way of another badge.
fn badges(plan: &mut Plan, snapshot: &Snapshot, position: u32) {
    let slug = snapshot.slug(position);
    // The rows are our own, so they can always be parsed.
    let sources = snapshot.source_detail(position).unwrap_or_default();
    let versions = source_versions(&sources);
    for ending in ["svg", "json"] {
        let name = format!("{slug}.{ending}");
        plan.add_own("/badge/version/{file}", "badge/version/{}", &[&name]);
        plan.add_own("/badge/drift/{file}", "badge/drift/{}", &[&name]);
        plan.add_own("/badge/sources/{file}", "badge/sources/{}", &[&name]);
        plan.add_own("/badge/table/{file}", "badge/table/{}", &[&name]);
        for stated in &versions {
            let name = format!("{}.{ending}", stated.source);
            let route = "/badge/version/{slug}/{file}";
            plan.add_own(route, "badge/version/{}~{}", &[slug, &name]);
        }
    }
}

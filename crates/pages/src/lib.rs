//! The web pages: pure functions from a snapshot to HTML, SVG and CSV.
//!
//! A page follows from a [`Site`], which is a revision of the catalog with the state of its sources,
//! and from what the address asks for. Nothing here knows HTTP, the store or the clock: times are
//! absolute, and the script of the pages adds ages in the browser. Templates escape every value,
//! since names, versions and addresses were written by strangers.

mod about;
mod address;
mod app;
mod app_row;
mod apps;
mod assets;
mod badge;
mod changes;
mod check;
mod chip;
mod compare;
mod controls;
mod display;
mod drift;
mod files;
mod former;
mod frame;
mod home;
mod namesakes;
mod old_finding;
mod pager;
mod problem;
mod short;
mod site;
mod sitemap;
mod source_names;
mod vendors;
mod verdict;

pub use about::about;
pub use address::{InvalidAddress, app_page, page_number};
pub use app::{AppFile, app, app_file};
pub use apps::{AppsRequest, PER_PAGE as APPS_PER_PAGE, apps};
pub use assets::{Asset, Assets};
pub use badge::{BadgeForm, BadgeRequest, DrawnBadge, badge};
pub use changes::{ChangesPageRequest, MOST_CHANGES, changes, changes_csv};
pub use check::{
    CheckForm, CheckOrder, LONGEST_KEPT_LIST, Shown, check_form, check_problem, check_result,
};
pub use compare::{compare, compare_sources};
pub use drift::{DriftRequest, PER_PAGE as DRIFT_PER_PAGE, drift, drift_csv};
pub use files::{FAVICON, opensearch, robots};
pub use former::former_app;
pub use home::home;
pub use problem::{Problem, problem};
pub use site::{PageError, Site};
pub use sitemap::{sitemap, sitemap_part};
pub use vendors::{
    APPS_PER_PAGE as VENDOR_APPS_PER_PAGE, PER_PAGE as VENDORS_PER_PAGE, VendorsRequest,
    unknown_vendor, vendor, vendors, vendors_csv,
};

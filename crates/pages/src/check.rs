//! `/check`: a list of installed apps, and whether they are up to date.
//!
//! The page is a form that works without the script. The answer shows what needs attention first, as
//! much as fits; a file for spreadsheets has everything. Nothing is kept.

mod formats;
mod reason;
mod request;
mod row;
mod verdict;

pub use request::{CheckForm, CheckOrder, LONGEST_KEPT_LIST};
pub use verdict::Shown;

use appstitch_text::words::is_or_are;
use appstitch_types::inventory::{CheckedApp, InventoryReport};
use askama::Template;

use crate::{
    display::Count,
    frame::{Frame, Section},
    short::short,
    site::{PageError, Site},
};
use reason::Word;
use row::{Row, groups, ordered};
use verdict::{Choice, Total};

/// The most bytes that the rows and the list may take. A page has 30 kB.
const ROW_BYTES: usize = 17_000;

#[derive(Template)]
#[template(path = "check.html")]
struct CheckPage {
    frame: Frame,
    problem: Option<String>,
    choices: Vec<Choice>,
    text: String,
    list: String,
    orders: Vec<Order>,
    words: Vec<Word>,
    suggest: bool,
    result: Option<CheckResult>,
}

struct Order {
    value: &'static str,
    title: &'static str,
    is_chosen: bool,
}

struct CheckResult {
    formats: String,
    totals: Vec<Total>,
    rows_in_file: Count,
    matched: Count,
    matched_verb: &'static str,
    skipped: String,
    rows: Vec<Row>,
    matching: Count,
    left_out: Count,
    has_hosts: bool,
    has_deprecated: bool,
}

pub fn check_form(site: &Site<'_>) -> Result<String, PageError> {
    page(site, &CheckForm::default(), None, None)
}

/// The page with the form, and why a list was not checked.
pub fn check_problem(
    site: &Site<'_>,
    form: &CheckForm,
    problem: &str,
) -> Result<String, PageError> {
    page(site, form, Some(short(problem, 1000)), None)
}

/// The page with the verdicts. `apps` are the answers, which the report does not hold itself.
pub fn check_result(
    site: &Site<'_>,
    form: &CheckForm,
    report: &InventoryReport,
    apps: &[CheckedApp],
) -> Result<String, PageError> {
    let chosen: Vec<&CheckedApp> = apps.iter().filter(|app| form.wants(app)).collect();
    let chosen = ordered(&chosen, form.order);
    let macs = if form.order == CheckOrder::Mac { groups(&chosen) } else { Vec::new() };
    let mut macs = macs.into_iter().peekable();
    let (mut rows, mut bytes) = (Vec::new(), form.list.as_deref().map_or(0, row::escaped));
    for app in &chosen {
        let mut row = Row::of(site, app);
        let is_own = |(host, _): &(Option<&str>, _)| *host == app.host.as_deref();
        row.group = macs.next_if(is_own).map(|(_, group)| group);
        bytes += row.bytes();
        if bytes > ROW_BYTES {
            break;
        }
        rows.push(row);
    }
    let result = CheckResult {
        formats: formats::titles(&report.formats),
        totals: verdict::totals(&report.totals),
        rows_in_file: Count(report.totals.rows),
        matched: Count(report.totals.matched),
        matched_verb: is_or_are(report.totals.matched),
        skipped: verdict::skipped(&report.skipped),
        matching: Count(chosen.len() as u64),
        left_out: Count((chosen.len() - rows.len()) as u64),
        has_hosts: rows.iter().any(|row| row.host.is_some()),
        has_deprecated: rows.iter().any(|row| row.is_deprecated),
        rows,
    };
    page(site, form, None, Some(result))
}

fn page(
    site: &Site<'_>,
    form: &CheckForm,
    problem: Option<String>,
    result: Option<CheckResult>,
) -> Result<String, PageError> {
    let frame = site.frame(Section::Check, "Check installed apps", "/check").described(
        "Paste or drop a list of installed apps and see which are outdated. The list is never stored.",
    );
    let page = CheckPage {
        frame: if result.is_none() && problem.is_none() { frame } else { frame.not_indexed() },
        problem,
        choices: verdict::choices(form.shown),
        text: form.text.clone().unwrap_or_default(),
        list: form.list.clone().unwrap_or_default(),
        orders: orders(form.order),
        words: reason::words().into_iter().chain(formats::words()).collect(),
        suggest: form.suggest,
        result,
    };
    Ok(page.render()?)
}

fn orders(chosen: CheckOrder) -> Vec<Order> {
    let order = |order: CheckOrder| Order {
        value: order.word(),
        title: match order {
            CheckOrder::Attention => "what matters first",
            CheckOrder::Name => "by name",
            CheckOrder::Mac => "by Mac",
        },
        is_chosen: order == chosen,
    };
    CheckOrder::ALL.map(order).into()
}

//! `/vendors`: every vendor with the number of its apps, by letter or by search.

mod near;
mod request;
mod unknown;
mod vendor;

pub use request::VendorsRequest;
pub use unknown::unknown_vendor;
pub use vendor::vendor;

use appstitch_catalog::fold_case;
use appstitch_snapshot::{VendorEntry, VendorLetter, VendorOrder};
use askama::Template;

use crate::{
    Count, Frame, PageError, Section, Site,
    pager::Pager,
    short::{self, short},
    vendor_page,
};

/// The number of vendors on a page.
const PER_PAGE: usize = 100;

#[derive(Template)]
#[template(path = "vendors.html")]
struct VendorsPage {
    frame: Frame,
    all: Count,
    letters: Vec<Letter>,
    text: String,
    letter: String,
    sort: &'static str,
    is_filtered: bool,
    heads: Vec<Head>,
    rows: Vec<Row>,
    pager: Pager,
}

/// A link of the index.
struct Letter {
    title: String,
    path: String,
    is_current: bool,
}

/// The heading of a column.
struct Head {
    title: &'static str,
    path: String,
    sorted: Option<&'static str>,
    is_number: bool,
}

/// A vendor in the table.
struct Row {
    path: String,
    name: String,
    apps: Count,
    drifting: Count,
    drift_path: String,
}

/// The page of all vendors.
pub fn vendors(site: &Site<'_>, request: &VendorsRequest) -> Result<String, PageError> {
    let vendors = site.snapshot.vendors();
    let text = request.text.as_deref().map(fold_case);
    let fits = |entry: &&VendorEntry| {
        request.letter.is_none_or(|letter| entry.letter() == letter)
            && text.as_ref().is_none_or(|text| entry.folded.contains(text.as_str()))
    };
    let found: Vec<&VendorEntry> = vendors.ordered(request.order).filter(fits).collect();
    let pager = Pager::new(&request.address(), request.page, PER_PAGE, found.len());
    let frame = site
        .frame(Section::Vendors, "Vendors", &request.name())
        .described("Every vendor of the catalog, with the number of its apps.");
    let frame = if request.text.is_none() { frame } else { frame.not_indexed() };
    let page = VendorsPage {
        frame,
        all: Count(vendors.all().len() as u64),
        letters: letters(request, vendors.all()),
        text: request.text.clone().unwrap_or_default(),
        letter: request.letter.map(|letter| letter.word().to_string()).unwrap_or_default(),
        sort: request.sort_word(),
        is_filtered: request.text.is_some() || request.letter.is_some(),
        heads: heads(request),
        rows: found[pager.range()].iter().map(|entry| Row::of(entry)).collect(),
        pager,
    };
    Ok(page.render()?)
}

impl Row {
    fn of(entry: &VendorEntry) -> Self {
        Self {
            path: vendor_page(&entry.name),
            name: short(&entry.name, short::NAME),
            apps: Count(entry.apps as u64),
            drifting: Count(entry.drifting as u64),
            drift_path: drift_path(&entry.name),
        }
    }
}

/// Where the drift of a vendor's apps is.
fn drift_path(vendor: &str) -> String {
    format!("/drift?vendor={}", appstitch_feeds::encoded(vendor))
}

/// The letters that vendors have. The names are in order, so those of a letter are together.
fn letters(request: &VendorsRequest, vendors: &[VendorEntry]) -> Vec<Letter> {
    let has = |letter: VendorLetter| match letter {
        VendorLetter::Other => vendors.iter().any(|own| own.letter() == letter),
        VendorLetter::Latin(first) => {
            let start =
                vendors.partition_point(|own| own.folded.as_str() < first.to_string().as_str());
            vendors.get(start).is_some_and(|own| own.letter() == letter)
        }
    };
    let known = [VendorLetter::Other].into_iter().chain(('a'..='z').map(VendorLetter::Latin));
    known
        .filter(|letter| has(*letter))
        .map(|letter| Letter {
            title: match letter {
                VendorLetter::Other => "0–9".to_owned(),
                VendorLetter::Latin(letter) => letter.to_ascii_uppercase().to_string(),
            },
            path: request.at_letter(letter).to_string(),
            is_current: request.letter == Some(letter),
        })
        .collect()
}

fn heads(request: &VendorsRequest) -> Vec<Head> {
    let head = |title, order, sorted: &'static str| Head {
        title,
        path: request.sorted(order).to_string(),
        sorted: (request.order == order).then_some(sorted),
        is_number: order != VendorOrder::Name,
    };
    vec![
        head("Vendor", VendorOrder::Name, "ascending"),
        head("Apps", VendorOrder::Apps, "descending"),
        head("With drift", VendorOrder::Drifting, "descending"),
    ]
}

//! `/vendors`: every vendor with the number of its apps, by letter or by search.

mod request;
mod row;
mod unknown;
mod vendor;

pub use request::VendorsRequest;
pub use unknown::unknown_vendor;
pub use vendor::{PER_PAGE as APPS_PER_PAGE, vendor};

use appstitch_inventory::csv::write_line;
use appstitch_snapshot::{VendorEntry, VendorLetter, VendorOrder};
use askama::Template;

use crate::{
    controls::Head,
    display::Count,
    frame::{Frame, Section},
    pager::Pager,
    site::{PageError, Site},
};
use row::Row;

pub const PER_PAGE: usize = 100;

#[derive(Template)]
#[template(path = "vendors.html")]
struct VendorsPage {
    frame: Frame,
    all: Count,
    letters: Vec<Letter>,
    text: String,
    letter: String,
    sort: String,
    is_filtered: bool,
    heads: Vec<Head>,
    rows: Vec<Row>,
    pager: Pager,
    csv: String,
}

struct Letter {
    title: String,
    path: String,
    is_current: bool,
}

pub fn vendors(site: &Site<'_>, request: &VendorsRequest) -> Result<String, PageError> {
    let vendors = site.snapshot.vendors();
    let found = request.select(vendors);
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
        csv: request.address().at("/vendors.csv").with("page", "").to_string(),
    };
    Ok(page.render()?)
}

/// The letters that vendors have. The names are in order, so those of a letter are together.
fn letters(request: &VendorsRequest, vendors: &[VendorEntry]) -> Vec<Letter> {
    let has = |letter: VendorLetter| match letter {
        VendorLetter::Other => vendors.iter().any(|vendor| vendor.letter() == letter),
        VendorLetter::Latin(first) => {
            let start = vendors
                .partition_point(|vendor| vendor.folded.as_str() < first.to_string().as_str());
            vendors.get(start).is_some_and(|vendor| vendor.letter() == letter)
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

/// The headings; each sorts by its column, and again the other way round.
fn heads(request: &VendorsRequest) -> Vec<Head> {
    let (current, reversed) = (request.order, request.reversed);
    // Numbers begin with the highest.
    let head = |title, order| {
        let path = request.sorted(order, current == order && !reversed).to_string();
        let is_descending = reversed == (order == VendorOrder::Name);
        Head::sorting(title, path).sorted((current == order).then_some(is_descending))
    };
    vec![
        head("Vendor", VendorOrder::Name),
        head("Apps", VendorOrder::Apps).of_numbers(),
        head("Sources differ", VendorOrder::Drifting).of_numbers(),
    ]
}

const CSV_HEADER: &str = "vendor,apps,drifting\r\n";

pub fn vendors_csv(site: &Site<'_>, request: &VendorsRequest) -> Result<String, PageError> {
    let mut text = CSV_HEADER.as_bytes().to_vec();
    for entry in request.select(site.snapshot.vendors()) {
        let (apps, drifting) = (entry.apps.to_string(), entry.drifting.to_string());
        write_line(&mut text, [Some(entry.name.as_str()), Some(&apps), Some(&drifting)]);
    }
    // Every cell was text.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

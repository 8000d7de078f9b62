//! The same vendors for spreadsheets: all of them, without pages.

use appstitch_inventory::csv::write_line;

use super::VendorsRequest;
use crate::{PageError, Site};

const HEADER: &str = "vendor,apps,drifting\r\n";

/// Every vendor of a selection as CSV.
pub fn vendors_csv(site: &Site<'_>, request: &VendorsRequest) -> Result<String, PageError> {
    let mut text = HEADER.as_bytes().to_vec();
    for entry in request.select(site.snapshot.vendors()) {
        let (apps, drifting) = (entry.apps.to_string(), entry.drifting.to_string());
        write_line(&mut text, [Some(entry.name.as_str()), Some(&apps), Some(&drifting)]);
    }
    // Every cell was text.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

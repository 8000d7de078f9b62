//! What to say about a vendor that no app has.

use appstitch_client::{AppsQuery, Client, SearchQuery};
use appstitch_text::fold_case;

use crate::words::any_of;

/// The most vendors that are suggested.
const SUGGESTIONS: usize = 3;

/// How similar a name must be, from 0 to 1; as on the page of an unknown vendor.
const SIMILAR: f64 = 0.84;

/// A hint with the vendors of similar names. `None` if an app has the vendor, or if the server does
/// not respond.
pub(super) async fn unknown_vendor(client: &Client, vendor: Option<&str>) -> Option<String> {
    let vendor = vendor?;
    let of_vendor = AppsQuery { limit: 1, ..AppsQuery::vendor(vendor) };
    if !client.list_apps(&of_vendor).await.ok()?.is_empty() {
        return None;
    }
    let found = client.search_apps(&SearchQuery::text(vendor)).await.ok()?;
    let mut similar: Vec<String> = Vec::new();
    for name in found.items.into_iter().filter_map(|hit| hit.app.vendor) {
        if is_similar(&name, vendor) && !similar.contains(&name) {
            similar.push(name);
        }
    }
    similar.truncate(SUGGESTIONS);
    Some(match similar.as_slice() {
        [] => format!("no app has the vendor '{vendor}'"),
        names => format!("no app has the vendor '{vendor}'; did you mean {}?", any_of(names)),
    })
}

/// Whether one name contains the other, or differs from it in a few letters.
fn is_similar(name: &str, wanted: &str) -> bool {
    let (name, wanted) = (fold_case(name), fold_case(wanted.trim()));
    name.contains(&*wanted) || strsim::jaro_winkler(&name, &wanted) >= SIMILAR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_typing_error_is_similar() {
        for (name, wanted) in
            [("Mozilla", "Mozila"), ("Example Inc.", "example"), ("Straße", "STRASE ")]
        {
            assert!(is_similar(name, wanted), "{name} {wanted}");
        }
        assert!(!is_similar("Mozilla", "Acme"));
    }
}

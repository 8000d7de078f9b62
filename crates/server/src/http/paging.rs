//! Pages of a listing: which one is asked for, and the way to its neighbours.

use appstitch_catalog::ValidationError;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header::LINK};

use super::{
    Problem,
    query::{Bounds, Query},
};
use crate::snapshot::{Filter, Page, Selection};

pub(crate) const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

const LIMIT: Bounds = Bounds { least: 1, most: Some(1000), default: 100 };
const OFFSET: Bounds = Bounds { least: 0, most: None, default: 0 };

/// The filter and the window of a listing request.
pub(crate) struct PageRequest {
    pub(crate) filter: Filter,
    pub(crate) limit: usize,
    pub(crate) offset: usize,
}

impl PageRequest {
    /// Reads the parameters; every faulty one gets its own entry, in the order limit, offset.
    pub(crate) fn read(query: Option<&str>) -> Result<Self, Problem> {
        let query = Query::new(query);
        let text = |name: &str| query.get(name).map(std::borrow::Cow::into_owned);
        let (limit, offset) = (query.integer("limit", LIMIT), query.integer("offset", OFFSET));
        match (limit, offset) {
            (Ok(limit), Ok(offset)) => Ok(Self {
                filter: Filter {
                    vendor: text("vendor"),
                    source: text("source"),
                    exclude_source: text("exclude_source"),
                },
                limit,
                offset,
            }),
            (limit, offset) => {
                let faults = [limit.err(), offset.err()].into_iter().flatten().map(|fault| *fault);
                Err(Problem::Invalid(faults.collect::<Vec<ValidationError>>()))
            }
        }
    }

    pub(crate) fn page(&self, selection: Selection) -> Page {
        Page { selection, offset: self.offset, limit: self.limit, scanned: 0 }
    }
}

/// Adds `x-total-count` and RFC 8288 links to the first, previous, next and last page.
pub(crate) fn add_page_headers(
    headers: &mut HeaderMap,
    path: &str,
    query: Option<&str>,
    page: Page,
    total: usize,
) {
    headers.insert(X_TOTAL_COUNT, HeaderValue::from(total));
    let links = links(path, query, page.limit, page.offset, total);
    // The parts are percent-encoded, so this always holds.
    if let Ok(value) = HeaderValue::try_from(links) {
        headers.insert(LINK, value);
    }
}

fn links(path: &str, query: Option<&str>, limit: usize, offset: usize, total: usize) -> String {
    let last = total.saturating_sub(1) / limit * limit;
    let previous = (offset > 0).then(|| offset.saturating_sub(limit).min(last));
    let next = offset.checked_add(limit).filter(|next| *next < total);
    let pages = [("first", Some(0)), ("prev", previous), ("next", next), ("last", Some(last))];
    let filters = filters(query);
    let links = pages.into_iter().filter_map(|(relation, offset)| {
        Some(format!("<{path}?{filters}limit={limit}&offset={}>; rel=\"{relation}\"", offset?))
    });
    links.collect::<Vec<_>>().join(", ")
}

/// The filters of a query, encoded again, each with an ampersand behind it.
fn filters(query: Option<&str>) -> String {
    let query = Query::new(query);
    let mut encoded = form_urlencoded::Serializer::new(String::new());
    for name in ["vendor", "source", "exclude_source"] {
        if let Some(value) = query.get(name) {
            encoded.append_pair(name, &value);
        }
    }
    let encoded = encoded.finish();
    if encoded.is_empty() { encoded } else { encoded + "&" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_neighbours_that_exist() {
        assert_eq!(
            links("/apps", None, 10, 20, 45),
            "</apps?limit=10&offset=0>; rel=\"first\", </apps?limit=10&offset=10>; rel=\"prev\", \
             </apps?limit=10&offset=30>; rel=\"next\", </apps?limit=10&offset=40>; rel=\"last\""
        );
        assert_eq!(
            links("/apps", None, 100, 0, 45),
            "</apps?limit=100&offset=0>; rel=\"first\", </apps?limit=100&offset=0>; rel=\"last\""
        );
    }

    #[test]
    fn filters_are_kept_and_encoded_again() {
        let links =
            links("/apps", Some("limit=5&vendor=A%3E%22%26b&source=x&vendor=B%20c"), 5, 0, 0);
        assert!(links.starts_with("</apps?vendor=B+c&source=x&limit=5&offset=0>"), "{links}");
    }

    #[test]
    fn an_offset_past_the_end_leads_back_to_the_last_page() {
        let links = links("/apps", None, 10, usize::MAX, 45);
        assert!(links.contains("</apps?limit=10&offset=40>; rel=\"prev\""), "{links}");
        assert!(!links.contains("next"), "{links}");
    }
}

//! Pages of a listing: which one is requested, and links to its neighbors.

use std::borrow::Cow;

use appstitch_snapshot::{ExactFilter, Filter};
use appstitch_types::{DriftScope, InstallMethod, Source};
use itoa::Buffer as Number;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    http_error::HttpError,
    message::{PageWindow, ReadResponse, field_name},
    query::{
        Bounds, Faults, ListQuery, Slugs, read_bounded, read_include, read_search, read_slugs,
        read_truth, read_word,
    },
};

const LIMIT: Bounds = Bounds { least: 1, most: Some(1000), default: 100 };
const SEARCH_LIMIT: Bounds = Bounds { default: 20, ..LIMIT };
const OFFSET: Bounds = Bounds { least: 0, most: None, default: 0 };

/// The size of a page.
#[derive(ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 1000, default = 100)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Limit(i64);

/// The size of a page of search results.
#[derive(ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 1000, default = 20)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct SearchLimit(i64);

/// The start of a page. It has no upper bound, so its schema has no format that implies one.
pub(super) struct Offset;

impl PartialSchema for Offset {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .description(Some("The start of a page."))
            .default(Some(OFFSET.default.into()))
            .minimum(Some(OFFSET.least))
            .into()
    }
}

impl ToSchema for Offset {}

/// The filter and the window of a listing request.
pub(crate) struct PageRequest {
    pub(crate) filter: Filter,
    pub(crate) limit: usize,
    pub(crate) offset: usize,
}

impl PageRequest {
    /// Reads the parameters of `/apps` and the slugs that are asked for.
    pub(crate) fn of_apps(query: Option<&str>) -> Result<(Self, Option<Slugs<'_>>), HttpError> {
        let mut query = ListQuery::read(query);
        let (deprecated, slugs) = (query.deprecated.take(), query.slugs.take());
        let method = query.install_method.take();
        let (bundle_id, team_id) = (query.bundle_id.take(), query.team_id.take());
        let (mut request, (deprecated, slugs)) = Self::read(query, LIMIT, |faults| {
            let deprecated = faults.check(read_truth("deprecated", deprecated.as_deref()));
            if let Some(method) = &method {
                let methods = InstallMethod::ALL.map(InstallMethod::word);
                faults.check(read_word("install_method", Some(method), &methods));
            }
            (deprecated, faults.check(read_slugs(slugs)))
        })?;
        request.filter.deprecated = deprecated;
        if bundle_id.is_some() || team_id.is_some() || method.is_some() {
            request.filter.exact = Some(Box::new(ExactFilter {
                bundle_id: bundle_id.map(Cow::into_owned),
                team_id: team_id.map(Cow::into_owned),
                install_method: method.map(Cow::into_owned),
            }));
        }
        Ok((request, slugs))
    }

    pub(crate) fn of_drift(query: Option<&str>) -> Result<(Self, DriftScope), HttpError> {
        let mut query = ListQuery::read(query);
        let include = query.include.take();
        Self::read(query, LIMIT, |faults| faults.check(read_include(include.as_deref())))
    }

    pub(crate) fn of_search(query: Option<&str>) -> Result<(Self, String), HttpError> {
        let mut query = ListQuery::read(query);
        let text = query.q.take();
        let source = query.source.clone();
        Self::read(query, SEARCH_LIMIT, |faults| {
            let text = faults.check(read_search(text.as_deref()));
            faults.check(read_word("source", source.as_deref(), &Source::ALL.map(Source::token)));
            text
        })
    }

    /// Reads what all have, then the other parameters. Every invalid one has an entry, in this order.
    fn read<T>(
        query: ListQuery<'_>,
        limits: Bounds,
        others: impl FnOnce(&mut Faults) -> T,
    ) -> Result<(Self, T), HttpError> {
        let mut faults = Faults::default();
        let limit = faults.check(read_bounded("limit", query.limit.as_deref(), limits));
        let offset = faults.check(read_bounded("offset", query.offset.as_deref(), OFFSET));
        let others = others(&mut faults);
        faults.none()?;
        let filter = Filter {
            vendor: query.vendor.map(Cow::into_owned),
            source: query.source.map(Cow::into_owned),
            exclude_source: query.exclude_source.map(Cow::into_owned),
            deprecated: None,
            exact: None,
        };
        Ok((Self { filter, limit, offset }, others))
    }
}

/// Longer filters are not repeated in links: four copies would exceed the header limits of
/// proxies.
const LONGEST_FILTERS: usize = 512;

/// Adds `x-total-count` and RFC 8288 links to the first, previous, next and last page.
pub(super) fn add_page_fields(
    response: &mut ReadResponse,
    path: &str,
    query: Option<&str>,
    page: PageWindow,
) {
    response.total_count = Some(page.total);
    let filters = filters(query);
    if filters.len() <= LONGEST_FILTERS {
        // The parts are percent-encoded, so the links are printable.
        let links = links(path, &filters, page.limit, page.offset, page.total);
        response.made = Some((field_name!("link"), links));
    }
}

fn links(path: &str, filters: &str, limit: usize, offset: usize, total: usize) -> String {
    let last = last_page(limit, offset, total);
    let previous = (offset > 0).then(|| offset.saturating_sub(limit).min(last));
    let next = offset.checked_add(limit).filter(|next| *next < total);
    let pages = [("first", Some(0)), ("prev", previous), ("next", next), ("last", Some(last))];
    let mut number = Number::new();
    let start = ["<", path, "?", filters, "limit=", number.format(limit), "&offset="].concat();
    let mut links = String::with_capacity(pages.len() * (start.len() + 40));
    for (relation, offset) in pages {
        let Some(offset) = offset else { continue };
        let gap = if links.is_empty() { "" } else { ", " };
        links.extend([gap, &start, number.format(offset), ">; rel=\"", relation, "\""]);
    }
    links
}

/// The offset of the last page that `next` leads to from here.
fn last_page(limit: usize, offset: usize, total: usize) -> usize {
    let start = Some(offset % limit).filter(|start| *start < total).unwrap_or(0);
    start + total.saturating_sub(start + 1) / limit * limit
}

/// The filters of a query, encoded again, each followed by an ampersand.
fn filters(query: Option<&str>) -> String {
    // Most pages have none.
    let is_page = |pair: &str| pair.starts_with("limit=") || pair.starts_with("offset=");
    if query.is_none_or(|query| query.split('&').all(is_page)) {
        return String::new();
    }
    // As long as what was sent, and an ampersand: growing a text costs more than encoding it.
    let room = query.map_or(0, str::len) + 1;
    let query = ListQuery::read(query);
    let mut encoded = form_urlencoded::Serializer::new(String::with_capacity(room));
    for (name, value) in [
        ("q", query.q),
        ("vendor", query.vendor),
        ("source", query.source),
        ("exclude_source", query.exclude_source),
        ("deprecated", query.deprecated),
        ("include", query.include),
        ("bundle_id", query.bundle_id),
        ("team_id", query.team_id),
        ("install_method", query.install_method),
        ("slugs", query.slugs),
    ] {
        if let Some(value) = value {
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
            links("/apps", "", 10, 20, 45),
            "</apps?limit=10&offset=0>; rel=\"first\", </apps?limit=10&offset=10>; rel=\"prev\", \
             </apps?limit=10&offset=30>; rel=\"next\", </apps?limit=10&offset=40>; rel=\"last\""
        );
        assert_eq!(
            links("/apps", "", 100, 0, 45),
            "</apps?limit=100&offset=0>; rel=\"first\", </apps?limit=100&offset=0>; rel=\"last\""
        );
    }

    #[test]
    fn filters_are_kept_and_encoded_again() {
        let filters = filters(Some("limit=5&vendor=A%3E%22%26b&source=x&vendor=B%20c"));
        assert_eq!(filters, "vendor=B+c&source=x&");
        let exact = super::filters(Some("slugs=a,b&vendor=c&team_id=d&q=e&q=f"));
        assert_eq!(exact, "q=f&vendor=c&team_id=d&slugs=a%2Cb&");
    }

    #[test]
    fn the_last_page_is_on_the_way_that_next_leads() {
        assert_eq!(last_page(2, 1, 5), 3);
        assert_eq!(last_page(2, 0, 5), 4);
        assert_eq!(last_page(10, 7, 5), 0);
        assert_eq!(last_page(10, 0, 0), 0);
    }

    #[test]
    fn an_offset_past_the_end_leads_back_to_the_last_page() {
        let links = links("/apps", "", 10, 90, 45);
        assert!(links.contains("</apps?limit=10&offset=40>; rel=\"prev\""), "{links}");
        assert!(!links.contains("next"), "{links}");
    }
}

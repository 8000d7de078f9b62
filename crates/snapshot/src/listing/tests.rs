//! Filters alone and together, and pages.

use super::*;

fn listing() -> Listing {
    let label = SourceSet::default().with(Source::LabelTool);
    let both = label.with(Source::CaskCatalog);
    let mut builder = ListingBuilder::with_capacity(0, 0);
    for (number, vendor, sources, is_deprecated, bundle_id, team_id) in [
        (0, Some("acme"), label, false, "com.acme.One", "AAAAA11111"),
        (1, None, both, true, "com.other", "BBBBB11111"),
        (2, Some("straße"), both, false, "com.acme.One", "AAAAA11111"),
        (3, Some("acme"), both, true, "com.acme.two", "AAAAA11111"),
    ] {
        let write = |buffer: &mut Vec<u8>| serde_json::to_writer(buffer, &number);
        let values = RowValues {
            bundle_id: Some(bundle_id),
            team_id: Some(team_id),
            install_method: (number != 2).then_some(InstallMethod::Dmg),
        };
        builder.push(write, vendor, sources, is_deprecated, values).unwrap();
    }
    builder.finish()
}

fn rows(vendor: Option<&str>, source: Option<&str>, exclude: Option<&str>) -> String {
    let own = |text: Option<&str>| text.map(str::to_owned);
    shown(&Filter {
        vendor: own(vendor),
        source: own(source),
        exclude_source: own(exclude),
        ..Filter::default()
    })
}

fn deprecated(wanted: bool, filter: Filter) -> String {
    shown(&Filter { deprecated: Some(wanted), ..filter })
}

fn shown(filter: &Filter) -> String {
    let listing = listing();
    let selection = listing.select(filter);
    let counted = listing.count(selection);
    let page = listing.page(selection, 0, counted);
    let shown = if page.is_empty() { 0 } else { page.split(|byte| *byte == b',').count() };
    assert_eq!(counted, shown, "count and page of {filter:?}");
    let rows = String::from_utf8(page.to_vec()).unwrap();
    let held = (0..4).filter(|row| listing.contains(selection, *row));
    let held: Vec<String> = held.map(|row| row.to_string()).collect();
    assert_eq!(held.join(","), rows, "rows of {filter:?}");
    rows
}

#[test]
fn exact_filters_alone_and_with_others() {
    let of = |filter: fn(&mut ExactFilter)| {
        let mut exact = ExactFilter::default();
        filter(&mut exact);
        shown(&Filter { exact: Some(Box::new(exact)), ..Filter::default() })
    };
    assert_eq!(of(|_| {}), "0,1,2,3");
    assert_eq!(of(|filter| filter.bundle_id = Some("COM.acme.one".into())), "0,2");
    assert_eq!(of(|filter| filter.bundle_id = Some(String::new())), "");
    assert_eq!(of(|filter| filter.team_id = Some("aaaaa11111".into())), "0,2,3");
    assert_eq!(of(|filter| filter.team_id = Some("AAAAA".into())), "");
    assert_eq!(of(|filter| filter.install_method = Some("dmg".into())), "0,1,3");
    assert_eq!(of(|filter| filter.install_method = Some("pkg".into())), "");
    assert_eq!(of(|filter| filter.install_method = Some("DMG".into())), "");
    let with = |change: fn(&mut Filter)| {
        let exact = ExactFilter {
            team_id: Some("AAAAA11111".into()),
            install_method: Some("dmg".into()),
            ..ExactFilter::default()
        };
        let mut asked = Filter { exact: Some(Box::new(exact)), ..Filter::default() };
        change(&mut asked);
        shown(&asked)
    };
    assert_eq!(with(|_| {}), "0,3");
    assert_eq!(with(|filter| filter.vendor = Some("Acme".into())), "0,3");
    let two = |filter: &mut Filter| {
        filter.exact.as_mut().unwrap().bundle_id = Some("com.acme.two".into());
    };
    assert_eq!(with(two), "3");
    assert_eq!(with(|filter| filter.source = Some("cask_catalog".into())), "3");
    let dmg = || {
        let exact = ExactFilter { install_method: Some("dmg".into()), ..ExactFilter::default() };
        Filter { exact: Some(Box::new(exact)), ..Filter::default() }
    };
    let method = |change: fn(&mut Filter)| {
        let mut asked = dmg();
        change(&mut asked);
        shown(&asked)
    };
    assert_eq!(method(|filter| filter.exclude_source = Some("cask_catalog".into())), "0");
    assert_eq!(method(|filter| filter.source = Some("cask_catalog".into())), "1,3");
    assert_eq!(method(|filter| filter.deprecated = Some(false)), "0");
    assert_eq!(method(|filter| filter.deprecated = Some(true)), "1,3");
    let listing = listing();
    assert_eq!(listing.page(listing.select(&dmg()), 1, 2), "1");
    assert_eq!(listing.page(listing.select(&dmg()), 3, 3), "");
}

#[test]
fn filters_alone_and_together() {
    assert_eq!(rows(None, None, None), "0,1,2,3");
    assert_eq!(rows(Some("ACME"), None, None), "0,3");
    assert_eq!(rows(Some("Acme Inc"), None, None), "");
    assert_eq!(rows(Some(""), None, None), "");
    assert_eq!(rows(None, Some("cask_catalog"), None), "1,2,3");
    assert_eq!(rows(None, Some("CASK_CATALOG"), None), "");
    assert_eq!(rows(None, Some(""), None), "");
    assert_eq!(rows(None, None, Some("cask_catalog")), "0");
    assert_eq!(rows(None, None, Some("unknown")), "0,1,2,3");
    assert_eq!(rows(None, Some("label_tool"), Some("cask_catalog")), "0");
    assert_eq!(rows(None, Some("label_tool"), Some("label_tool")), "");
    assert_eq!(rows(Some("acme"), Some("cask_catalog"), None), "3");
    assert_eq!(rows(Some("acme"), None, Some("cask_catalog")), "0");
}

#[test]
fn deprecated_rows_and_the_others_alone_and_with_other_filters() {
    let everything = Filter::default;
    let of_source = |source: &str| Filter { source: Some(source.to_owned()), ..Filter::default() };
    let of_acme = || Filter { vendor: Some("Acme".to_owned()), ..Filter::default() };
    assert_eq!(deprecated(true, everything()), "1,3");
    assert_eq!(deprecated(false, everything()), "0,2");
    assert_eq!(deprecated(true, of_source("cask_catalog")), "1,3");
    assert_eq!(deprecated(false, of_source("cask_catalog")), "2");
    assert_eq!(deprecated(false, of_source("label_tool")), "0,2");
    assert_eq!(deprecated(true, of_source("recipe_index")), "");
    assert_eq!(deprecated(false, of_source("unknown")), "");
    assert_eq!(deprecated(true, of_acme()), "3");
    assert_eq!(deprecated(false, of_acme()), "0");
    let listing = listing();
    let others = listing.select(&Filter { deprecated: Some(false), ..Filter::default() });
    assert_eq!(listing.page(others, 1, 2), "2");
    assert_eq!(listing.page(others, 2, 2), "");
}

#[test]
fn a_page_is_a_range_of_the_selection() {
    let listing = listing();
    assert_eq!(listing.page(Selection::EVERYTHING, 1, 3), "1,2");
    assert_eq!(listing.page(Selection::EVERYTHING, 4, 4), "");
    let acme = listing.select(&Filter { vendor: Some("acme".into()), ..Filter::default() });
    assert_eq!(listing.page(acme, 1, 2), "3");
    assert_eq!(listing.page(acme, 2, 2), "");
}

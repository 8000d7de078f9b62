//! Filters alone and together, and pages.

use super::*;

fn listing() -> Listing {
    let label = SourceSet::default().with(Source::LabelTool);
    let both = label.with(Source::CaskCatalog);
    let mut builder = ListingBuilder::with_capacity(0, 0);
    for (number, vendor, sources, is_deprecated, bundle_id, team_id) in [
        (0, Some("acme"), label, false, "com.acme.One", "AAAAA11111"),
        (1, None, both, true, "com.other", "BBBBB11111"),
        (2, Some("straße"), both.with(Source::StoreListing), false, "com.acme.One", "AAAAA11111"),
        (3, Some("acme"), both, true, "com.acme.two", "AAAAA11111"),
    ] {
        let write = |buffer: &mut Vec<u8>| serde_json::to_writer(buffer, &number);
        let values = RowValues {
            bundle_id: Some(bundle_id),
            team_id: Some(team_id),
            install_method: (number != 2).then_some(InstallMethod::Dmg),
            has_version: number % 2 == 0,
        };
        builder.push(write, vendor, sources, is_deprecated, values).unwrap();
    }
    builder.finish()
}

/// A filter from its settings, such as `vendor=acme deprecated=true`.
fn filter(settings: &str) -> Filter {
    let mut filter = Filter::default();
    for setting in settings.split_whitespace() {
        let (name, value) = setting.split_once('=').unwrap();
        let value = Some(value.to_owned());
        match name {
            "vendor" => filter.vendor = value,
            "source" => filter.source = value,
            "exclude" => filter.exclude_source = value,
            "deprecated" => filter.deprecated = Some(value.as_deref() == Some("true")),
            "bundle_id" => filter.exact.get_or_insert_default().bundle_id = value,
            "team_id" => filter.exact.get_or_insert_default().team_id = value,
            _ => filter.exact.get_or_insert_default().install_method = value,
        }
    }
    filter
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
    let positions = listing.positions(selection, 0, counted);
    let positions: Vec<String> = positions.iter().map(u32::to_string).collect();
    assert_eq!(positions, held, "positions of {filter:?}");
    let without = listing.without_version(selection);
    let odd: Vec<String> =
        held.into_iter().filter(|row| matches!(row.as_str(), "1" | "3")).collect();
    let without: Vec<String> = without.iter().map(u32::to_string).collect();
    assert_eq!(without, odd, "without a version in {filter:?}");
    rows
}

#[test]
fn filters_alone_and_together() {
    for (settings, expected) in [
        ("", "0,1,2,3"),
        ("vendor=ACME", "0,3"),
        ("vendor=Acme-Inc", ""),
        ("vendor=", ""),
        ("source=cask_catalog", "1,2,3"),
        ("source=CASK_CATALOG", ""),
        ("source=store_listing", "2"),
        ("source=store_listing exclude=cask_catalog", ""),
        ("exclude=store_listing", "0,1,3"),
        ("exclude=store_listing install_method=dmg", "0,1,3"),
        ("source=", ""),
        ("exclude=cask_catalog", "0"),
        ("exclude=unknown", "0,1,2,3"),
        ("source=label_tool exclude=cask_catalog", "0"),
        ("source=label_tool exclude=label_tool", ""),
        ("vendor=acme source=cask_catalog", "3"),
        ("vendor=acme exclude=cask_catalog", "0"),
        ("deprecated=true", "1,3"),
        ("deprecated=false", "0,2"),
        ("deprecated=true source=cask_catalog", "1,3"),
        ("deprecated=false source=cask_catalog", "2"),
        ("deprecated=false source=label_tool", "0,2"),
        ("deprecated=true source=recipe_index", ""),
        ("deprecated=false source=unknown", ""),
        ("deprecated=true vendor=Acme", "3"),
        ("deprecated=false vendor=Acme", "0"),
        ("bundle_id=COM.acme.one", "0,2"),
        ("bundle_id=", ""),
        ("team_id=aaaaa11111", "0,2,3"),
        ("team_id=AAAAA", ""),
        ("method=dmg", "0,1,3"),
        ("method=pkg", ""),
        ("method=DMG", ""),
        ("method=dmg team_id=AAAAA11111", "0,3"),
        ("method=dmg team_id=AAAAA11111 vendor=Acme", "0,3"),
        ("method=dmg team_id=AAAAA11111 bundle_id=com.acme.two", "3"),
        ("method=dmg team_id=AAAAA11111 source=cask_catalog", "3"),
        ("method=dmg exclude=cask_catalog", "0"),
        ("method=dmg source=cask_catalog", "1,3"),
        ("method=dmg deprecated=false", "0"),
        ("method=dmg deprecated=true", "1,3"),
    ] {
        assert_eq!(shown(&filter(settings)), expected, "{settings}");
    }
    let no_exact_value = Filter { exact: Some(Box::default()), ..Filter::default() };
    assert_eq!(shown(&no_exact_value), "0,1,2,3");
}

#[test]
fn a_page_is_a_range_of_the_selection() {
    let listing = listing();
    for (settings, from, to, expected) in [
        ("", 1, 3, "1,2"),
        ("", 4, 4, ""),
        ("vendor=acme", 1, 2, "3"),
        ("vendor=acme", 2, 2, ""),
        ("deprecated=false", 1, 2, "2"),
        ("deprecated=false", 2, 2, ""),
        ("method=dmg", 1, 2, "1"),
        ("method=dmg", 3, 3, ""),
    ] {
        let selection = listing.select(&filter(settings));
        assert_eq!(listing.page(selection, from, to), expected, "{settings}");
    }
}

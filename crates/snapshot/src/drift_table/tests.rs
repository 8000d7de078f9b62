use appstitch_stitching::Standing;
use appstitch_types::{DriftEntry, SourceVersion};
use appstitch_versions::compare_versions;

use super::*;

fn line(number: u32, name: &str, vendor: Option<&str>, label: &str, cask: &str) -> DriftLine {
    let stated = |source: &str, version: &str| SourceVersion {
        source: source.to_owned(),
        version: version.to_owned(),
        parsed_ok: appstitch_versions::Version::parse(version).is_some(),
    };
    let order = compare_versions(label, cask).order;
    let sources = match order {
        appstitch_types::VersionOrder::Older => Some(("cask_catalog", "label_tool")),
        appstitch_types::VersionOrder::Newer => Some(("label_tool", "cask_catalog")),
        _ => None,
    };
    let entry = DriftEntry {
        slug: name.to_lowercase(),
        name: name.to_owned(),
        vendor: vendor.map(str::to_owned),
        versions: vec![stated("label_tool", label), stated("cask_catalog", cask)],
        leader: sources.map(|(leader, _)| leader.to_owned()),
        laggard: sources.map(|(_, laggard)| laggard.to_owned()),
    };
    DriftLine::new(number, entry, &LaggingSince::default())
}

fn table() -> DriftTable {
    let lines = vec![
        line(3, "Alpha", Some("Zeta"), "1.0", "2.0"),
        line(5, "beta", None, "1.3", "1.2"),
        line(8, "Gamma", Some("ACME"), "1.0.0", "1.0.1"),
        line(9, "Delta", Some("Acme"), "2026-03-05", "7"),
    ];
    DriftTable::new(lines, 40)
}

fn slugs(selection: &DriftSelection) -> Vec<String> {
    table().select(selection).iter().map(|line| line.entry.slug.clone()).collect()
}

#[test]
fn lines_are_ordered_and_unknown_values_come_last() {
    for (order, expected) in [
        (DriftOrder::Name, ["alpha", "beta", "delta", "gamma"]),
        (DriftOrder::Vendor, ["delta", "gamma", "alpha", "beta"]),
        (DriftOrder::Laggard, ["beta", "alpha", "gamma", "delta"]),
        (DriftOrder::Gap, ["alpha", "beta", "gamma", "delta"]),
    ] {
        let selection = DriftSelection { order, ..DriftSelection::default() };
        assert_eq!(slugs(&selection), expected, "{order:?}");
        let mut reversed = slugs(&DriftSelection { reversed: true, ..selection });
        reversed.reverse();
        assert_eq!(reversed, expected, "{order:?}");
    }
}

#[test]
fn filters_narrow_the_lines() {
    let all = DriftSelection::default;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(slugs(&DriftSelection { vendor: some("acme"), ..all() }), ["gamma", "delta"]);
    assert_eq!(slugs(&DriftSelection { laggard: some("label_tool"), ..all() }), ["alpha", "gamma"]);
    assert_eq!(slugs(&DriftSelection { unordered: true, ..all() }), ["delta"]);
    assert_eq!(slugs(&DriftSelection { leader: some("label_tool"), ..all() }), ["beta"]);
    assert_eq!(slugs(&DriftSelection { source: some("mdm_installer"), ..all() }), [""; 0]);
    assert_eq!(slugs(&DriftSelection { text: some("ETA"), ..all() }), ["alpha", "beta"]);
}

#[test]
fn standings_and_pairs_are_counted() {
    let table = table();
    assert_eq!(table.lines()[0].standings, [Standing::Behind, Standing::Newest]);
    assert_eq!(table.lines()[3].standings, [Standing::Unordered, Standing::Unordered]);
    assert_eq!((table.unordered(), table.compared()), (1, 40));
    let pairs: Vec<(&str, &str, usize)> = table
        .pairs()
        .iter()
        .map(|pair| (pair.laggard.as_str(), pair.leader.as_str(), pair.apps))
        .collect();
    assert_eq!(pairs, [("label_tool", "cask_catalog", 2), ("cask_catalog", "label_tool", 1)]);
}

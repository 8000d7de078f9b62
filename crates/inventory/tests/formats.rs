//! Every format that is accepted, in its real shape: what is read of each file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use appstitch_budget::Budget;
use appstitch_inventory::{Inventory, LIMITS};

fn summary(inventory: &Inventory) -> String {
    let mut text = String::new();
    let formats: Vec<&str> = inventory.formats.iter().map(|format| format.name()).collect();
    writeln!(text, "formats: {}", formats.join(", ")).unwrap();
    let skipped = inventory.skipped;
    writeln!(
        text,
        "skipped: {} not Mac apps, {} not installed, {} empty",
        skipped.not_mac_apps, skipped.not_installed, skipped.empty
    )
    .unwrap();
    for app in &inventory.apps {
        writeln!(text, "- {}", app.name.as_deref().unwrap_or("(no name)")).unwrap();
        let count = app.hosts_count.map(|count| count.to_string());
        let origin = format!("{:?}", app.origin);
        let facts = [
            ("host", app.host.as_deref()),
            ("hosts", count.as_deref()),
            ("token", app.token.as_deref()),
            ("bundle id", app.bundle_id.as_deref()),
            ("version", app.short_version.as_deref()),
            ("version from", app.version_from_receipt.then_some("receipt")),
            ("build", app.build.as_deref()),
            ("path", app.path.as_deref()),
            ("team id", app.team_id.as_deref()),
            ("origin", Some(origin.as_str()).filter(|origin| *origin != "Unknown")),
        ];
        for (what, value) in facts {
            if let Some(value) = value {
                writeln!(text, "    {what}: {value}").unwrap();
            }
        }
        for name in &app.other_names {
            writeln!(text, "    also: {name}").unwrap();
        }
    }
    text
}

fn read(file: &[u8]) -> Inventory {
    appstitch_inventory::read(file, &mut Budget::new(LIMITS)).unwrap()
}

macro_rules! formats {
    ($($name:ident: $file:literal,)+) => {
        $(#[test]
        fn $name() {
            let file = include_bytes!(concat!("data/", $file));
            insta::assert_snapshot!(summary(&read(file)));
        })+
    };
}

formats! {
    brew: "brew.json",
    brew_list: "brew_list.txt",
    fleet_host: "fleet_host.json",
    fleet_versions: "fleet_versions.json",
    intune: "intune.json",
    jamf_classic_computer: "jamf_classic_computer.json",
    jamf_classic_search: "jamf_classic_search.json",
    jamf_export: "jamf_export.csv",
    jamf_v1: "jamf_v1.json",
    jamf_v3: "jamf_v3.json",
    kandji: "kandji.json",
    mas: "mas.ndjson",
    mas_list: "mas_list.txt",
    munki_inventory: "munki_inventory.plist",
    munki_inventory_binary: "munki_inventory_binary.plist",
    munki_report: "munki_report.plist",
    osquery: "osquery.json",
    osquery_results: "osquery_results.ndjson",
    osquery_rows: "osquery_rows.json",
    osquery_snapshot: "osquery_snapshot.ndjson",
    rows: "rows.json",
    system_profiler: "system_profiler.json",
    table: "table.csv",
}

#[test]
fn json_and_property_lists_of_system_profiler_are_the_same() {
    let json = read(include_bytes!("data/system_profiler.json"));
    let plist = read(include_bytes!("data/system_profiler.plist"));
    assert_eq!(json.apps, plist.apps);
    assert_eq!(json.formats, plist.formats);
    assert_eq!(plist.skipped.not_mac_apps, 1, "the font");
}

#[test]
fn several_documents_are_kept_apart() {
    let one = include_str!("data/system_profiler.json");
    let two = read(format!("{one}\n{one}").as_bytes());
    let hosts: Vec<_> = two.apps.iter().map(|app| app.host.as_deref()).collect();
    assert_eq!(hosts, [vec![Some("document 1"); 5], vec![Some("document 2"); 5]].concat());
    let pages = [include_str!("data/jamf_v1.json"), include_str!("data/jamf_v3.json")].concat();
    let hosts: Vec<_> =
        read(pages.as_bytes()).apps.iter().map(|app| app.host.clone().unwrap()).collect();
    assert_eq!(hosts, ["17", "17", "mac-018", "mac-021"]);
    let list = include_str!("data/munki_inventory.plist");
    assert_eq!(read(list.repeat(3).as_bytes()).apps.len(), 6);
}

#[test]
fn compression_and_encoding_are_recognized() {
    let file = include_bytes!("data/table.csv");
    let expected = read(file);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, file).unwrap();
    assert_eq!(read(&gzip.finish().unwrap()), expected);
    assert_eq!(read(&zstd::bulk::compress(file, 3).unwrap()), expected);
    let units = include_str!("data/table.csv").encode_utf16();
    let bytes: Vec<u8> = std::iter::once(0xfeff).chain(units).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&bytes), expected);
    let tabs = "sep=\t\r\nApp\tVersion\r\nFirefox\t140\r\n";
    assert_eq!(read(tabs.as_bytes()).apps[0].short_version.as_deref(), Some("140"));
}

#[test]
fn an_empty_list_is_an_inventory_without_apps() {
    for file in ["[]", r#"{"SPApplicationsDataType":[]}"#, r#"{"totalCount":0,"results":[]}"#] {
        assert!(read(file.as_bytes()).apps.is_empty(), "{file}");
    }
    assert!(read(b"name,version\n").apps.is_empty());
}

#[test]
fn installed_is_a_version_of_casks_only() {
    let version = |file: &str| {
        let app = read(file.as_bytes()).apps.remove(0);
        (app.short_version, app.version_from_receipt)
    };
    let own = (Some("8.12.33".to_owned()), false);
    for installed in ["1", "yes", "TRUE", "2026-01-31", ""] {
        let table = format!(
            "name,bundle_id,version,installed,path\n\
             1Password,com.1password.1password,8.12.33,{installed},/Applications/1Password.app\n"
        );
        assert_eq!(version(&table), own, "{installed}");
    }
    assert_eq!(version(r#"[{"name": "A", "version": "8.12.33", "installed": 1}]"#), own);
    let cask = r#"{"casks": [{"token": "a", "version": "9.0", "installed": "8.12.33"}]}"#;
    assert_eq!(version(cask), (Some("8.12.33".to_owned()), true));
    for installed in ["1", "0"] {
        let cask = format!(r#"{{"casks": [{{"token": "a", "installed": "{installed}"}}]}}"#);
        assert_eq!(version(&cask), (Some(installed.to_owned()), true));
    }
    for installed in ["0", "no", "False"] {
        let table = format!("name,version,installed\nA,1.0,{installed}\n");
        let inventory = read(table.as_bytes());
        assert_eq!((inventory.apps.len(), inventory.skipped.not_installed), (0, 1), "{installed}");
    }
}

#[test]
fn a_path_in_applications_counts_most() {
    for (paths, expected) in [
        (r#"["/Users/a/.Trash/Slack.app", "/Applications/Slack.app"]"#, "/Applications/Slack.app"),
        (r#"["/Applications/Slack.app", "/Applications/2/Slack.app"]"#, "/Applications/Slack.app"),
        (r#"["/Users/a/Slack.app", "/Users/b/Slack.app"]"#, "/Users/a/Slack.app"),
    ] {
        let file = format!(
            r#"{{"software": [{{"name": "Slack.app", "source": "apps", "installed_versions":
                [{{"version": "4.1", "installed_paths": {paths}}}]}}]}}"#
        );
        assert_eq!(read(file.as_bytes()).apps[0].path.as_deref(), Some(expected));
    }
}

#[test]
fn a_negative_number_of_a_binary_property_list_is_not_a_huge_one() {
    let file = |count: i64| {
        let number = [&[0x13], &count.to_be_bytes()[..]].concat();
        let objects: [&[u8]; 6] = [
            b"\xa1\x01", b"\xd2\x02\x03\x04\x05", b"\x54name", b"\x5bhosts_count", b"\x51A",
            &number,
        ];
        let mut file = b"bplist00".to_vec();
        let mut offsets = Vec::new();
        for object in objects {
            offsets.push(u8::try_from(file.len()).unwrap());
            file.extend(object);
        }
        let table = file.len() as u64;
        file.extend(offsets);
        file.extend([0, 0, 0, 0, 0, 0, 1, 1]);
        file.extend([objects.len() as u64, 0, table].map(u64::to_be_bytes).concat());
        file
    };
    assert_eq!(read(&file(i64::MAX)).apps[0].hosts_count, Some(i64::MAX.cast_unsigned()));
    assert_eq!(read(&file(-1)).apps[0].hosts_count, None);
}

#[test]
fn versions_of_a_plain_list_have_no_blanks() {
    let app = &read(b"firefox 139.0 \x0b140.0\xc2\xa0").apps[0];
    assert_eq!(app.short_version.as_deref(), Some("140.0"));
}

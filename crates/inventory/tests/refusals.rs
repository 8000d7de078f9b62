//! Files that are refused: wrong ones, damaged ones, and hostile ones, with a reason and within the
//! limits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use appstitch_budget::{Budget, Exceeded};
use appstitch_inventory::{InventoryError, LIMITS, MAX_ROWS, MAX_UNPACKED_BYTES};

fn refusal(file: &[u8]) -> InventoryError {
    appstitch_inventory::read(file, &mut Budget::new(LIMITS)).unwrap_err()
}

#[test]
fn the_reason_says_what_was_found() {
    for (file, found) in [
        ("", "is empty"),
        (" \n", "is empty"),
        ("{}", "no entry names an app;"),
        ("[1, 2]", "it has no entries"),
        (r#"{"error": "unauthorized", "code": 401}"#, "(keys found: 'error', 'code')"),
        ("[{}, {}]", "no entry names an app;"),
        (r#"[{"foo": 1}]"#, "(keys found: 'foo')"),
        (r#"[{"foo": 1, " foo": 2}, {"b\u0007r": 1, "foo": 1}]"#, "(keys found: 'foo', 'br');"),
        ("\"text\"", "it begins with 'text'"),
        ("[[]] 7", "plain value"),
        ("<html><body>Sign in</body></html>", "it is XML with the element <html>"),
        ("<plist><string>x</string></plist>", "plain value"),
        ("date,amount\n1,2\n", "it begins with 'date', 'amount'"),
        ("Hello, this is a text", "it begins with 'Hello'"),
    ] {
        let message = refusal(file.as_bytes()).to_string();
        assert!(message.contains(found), "{file}: {message}");
        assert!(message.contains("send the output of system_profiler"), "{file}: {message}");
    }
}

#[test]
fn truncated_files_are_invalid() {
    for file in [
        &include_bytes!("data/system_profiler.json")[..],
        include_bytes!("data/system_profiler.plist"),
        include_bytes!("data/munki_inventory_binary.plist"),
        include_bytes!("data/jamf_v1.json"),
    ] {
        for cut in (1..file.len() - 8).step_by(7) {
            let refusal = refusal(&file[..cut]);
            let is_clear = matches!(
                refusal,
                InventoryError::Invalid { .. } | InventoryError::Unrecognized { .. }
            );
            assert!(is_clear, "{cut} bytes: {refusal:?}");
        }
    }
    let open = refusal(b"name,version\n\"Firefox,1\n").to_string();
    assert!(open.contains("a quote that begins in line 2 has no end"), "{open}");
    let zstd = zstd::bulk::compress(&[b'x'; 10_000], 3).unwrap();
    assert!(matches!(refusal(&zstd[..zstd.len() - 3]), InventoryError::Damaged(_)));
}

#[test]
fn entities_cannot_be_declared() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n\
                <plist><array><dict><key>name</key><string>&b;</string></dict></array></plist>";
    assert!(refusal(bomb.as_bytes()).to_string().contains("it declares entities"));
    let undeclared =
        "<plist><array><dict><key>name</key><string>&b;</string></dict></array></plist>";
    let message = refusal(undeclared.as_bytes()).to_string();
    assert!(message.contains("the entity '&b;' is not defined"), "{message}");
}

#[test]
fn nesting_is_limited() {
    for (open, close) in [("[", "]"), (r#"{"rows":"#, "}"), ("<array>", "</array>")] {
        let (before, after) = if open == "<array>" { ("<plist>", "</plist>") } else { ("", "") };
        let file = [before, &open.repeat(100_000), "1", &close.repeat(100_000), after].concat();
        let message = refusal(file.as_bytes()).to_string();
        let says_depth = message.contains("recursion limit") || message.contains("nested");
        assert!(says_depth, "{open}: {message}");
    }
}

/// A binary property list of arrays that refer to each other.
fn binary(arrays: &[&[u8]]) -> Vec<u8> {
    let mut file = b"bplist00".to_vec();
    let mut offsets = Vec::new();
    for references in arrays {
        offsets.push(u8::try_from(file.len()).unwrap());
        file.push(0xa0 | u8::try_from(references.len()).unwrap());
        file.extend_from_slice(references);
    }
    let table = file.len() as u64;
    file.extend_from_slice(&offsets);
    file.extend_from_slice(&[0, 0, 0, 0, 0, 0, 1, 1]);
    file.extend_from_slice(&(arrays.len() as u64).to_be_bytes());
    file.extend_from_slice(&0_u64.to_be_bytes());
    file.extend_from_slice(&table.to_be_bytes());
    file
}

#[test]
fn shared_objects_do_not_multiply() {
    let message = refusal(&binary(&[&[0]])).to_string();
    assert!(message.contains("nested more than 128 levels"), "{message}");
    let doubling: Vec<Vec<u8>> = (1..=25).map(|next| vec![next; 2]).collect();
    let mut doubling: Vec<&[u8]> = doubling.iter().map(Vec::as_slice).collect();
    doubling.push(&[]);
    assert_eq!(refusal(&binary(&doubling)), InventoryError::TooMuch(Exceeded::Rows(MAX_ROWS)));
}

/// A binary property list of one dictionary, whose keys are all the same UTF-16 text.
fn same_keys(count: u32, letters: u16) -> Vec<u8> {
    let mut file = b"bplist00".to_vec();
    let mut offsets = Vec::new();
    offsets.extend_from_slice(&u32::try_from(file.len()).unwrap().to_be_bytes());
    file.extend_from_slice(&[0xdf, 0x12]);
    file.extend_from_slice(&count.to_be_bytes());
    file.resize(file.len() + 2 * count as usize, 1);
    offsets.extend_from_slice(&u32::try_from(file.len()).unwrap().to_be_bytes());
    file.extend_from_slice(&[0x6f, 0x11]);
    file.extend_from_slice(&letters.to_be_bytes());
    file.extend_from_slice(&b"\0x".repeat(letters.into()));
    let table = file.len() as u64;
    file.extend_from_slice(&offsets);
    file.extend_from_slice(&[0, 0, 0, 0, 0, 0, 4, 1]);
    file.extend_from_slice(&2_u64.to_be_bytes());
    file.extend_from_slice(&0_u64.to_be_bytes());
    file.extend_from_slice(&table.to_be_bytes());
    file
}

#[test]
fn shared_texts_are_counted_by_their_length() {
    let long = refusal(&same_keys(100_000, 1024)).to_string();
    assert!(long.contains("more than 8000000 values"), "{long}");
    for letters in [10, 1025, 2048] {
        let other = refusal(&same_keys(100_000, letters));
        assert!(matches!(other, InventoryError::Unrecognized { .. }), "{letters}: {other}");
    }
}

#[test]
fn ten_million_empty_rows_are_too_many() {
    let objects = format!("[{}{{}}]", "{},".repeat(10_000_000));
    let lines = "{}\n".repeat(10_000_000);
    let table = format!("name,version\n{}", ",\n".repeat(10_000_000));
    let list = format!("<plist><array>{}</array></plist>", "<dict/>".repeat(1_000_000));
    for file in [objects, lines, table, list] {
        let refusal = refusal(file.as_bytes());
        assert_eq!(refusal, InventoryError::TooMuch(Exceeded::Rows(MAX_ROWS)));
        assert!(refusal.to_string().ends_with("send fewer Macs at a time"), "{refusal}");
    }
}

#[test]
fn a_bomb_stays_small() {
    let zeros = vec![b' '; MAX_UNPACKED_BYTES + 1];
    let bomb = zstd::bulk::compress(&zeros, 3).unwrap();
    assert!(bomb.len() < 100_000);
    assert_eq!(refusal(&bomb), InventoryError::TooLarge(MAX_UNPACKED_BYTES));
    assert_eq!(refusal(&zeros), InventoryError::TooLarge(MAX_UNPACKED_BYTES));
}

#[test]
fn memory_is_limited() {
    let path = "x".repeat(1000);
    let row = format!(r#"{{"name":"{path}","path":"{path}","version":"{path}","host":"{path}"}},"#);
    let file = format!(r#"[{}{{"name":"a"}}]"#, row.repeat(2000));
    let limits = appstitch_budget::Limits { bytes: 1 << 20, ..LIMITS };
    let refusal = appstitch_inventory::read(file.as_bytes(), &mut Budget::new(limits)).unwrap_err();
    assert_eq!(refusal, InventoryError::TooMuch(Exceeded::Bytes(1 << 20)));
}

#[test]
fn wide_lines_are_cut() {
    let commas = ",".repeat(400_000);
    let behind = format!("{commas}name\nFirefox\n");
    assert!(matches!(refusal(behind.as_bytes()), InventoryError::Unrecognized { .. }));
    let open = format!("name,version\nFirefox{commas}\"1\n");
    assert!(refusal(open.as_bytes()).to_string().contains("line 2 has no end"));
    let wide = format!("name,version{commas}\nFirefox,140{commas}\nVLC,3{commas}\n");
    let inventory = appstitch_inventory::read(wide.as_bytes(), &mut Budget::new(LIMITS)).unwrap();
    let names: Vec<_> = inventory.apps.iter().map(|app| app.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["Firefox", "VLC"]);
}

#[test]
fn values_of_the_wrong_type_are_left_out() {
    let file = br#"[{"name": {"a": [1, {}]}, "bundle_id": ["a.b.c"], "version": 1.10, "path": true,
                     "signed_by": {"x": null}, "installed_versions": 7, "host": -1},
                    {"name": ["First", "Second", 3], "version": 26, "applications": "none"}]"#;
    let inventory = appstitch_inventory::read(file, &mut Budget::new(LIMITS)).unwrap();
    let [first, second] = &inventory.apps[..] else { panic!("{inventory:?}") };
    assert_eq!((first.name.as_deref(), first.bundle_id.as_deref()), (None, Some("a.b.c")));
    assert_eq!((first.short_version.as_deref(), first.host.as_deref()), (None, None));
    assert_eq!(
        (second.name.as_deref(), second.short_version.as_deref()),
        (Some("First"), Some("26"))
    );
    assert_eq!(second.other_names, ["Second", "3"]);
}

#[test]
fn a_mistake_is_found_where_it_is_in_all_documents() {
    for (text, place) in [
        ("[{\"name\": x}]", "line 1 column 11"),
        ("{\"name\":\"a\"}\n{\"name\": x}", "line 2 column 10"),
        ("{\"name\":\"a\"} {\"name\": x}", "line 1 column 23"),
        ("{\"name\":\"a\"}\n\n  {\"name\":\"é\"} {\"name\":\n x}", "line 4 column 2"),
    ] {
        let why = refusal(text.as_bytes()).to_string();
        assert!(why.contains(place), "{text}: {why}");
        let values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
        let usual = values.last().unwrap().unwrap_err().to_string();
        assert!(usual.contains(place), "{text}: {usual}");
    }
}

#[test]
fn documents_may_follow_one_another_in_any_way() {
    for between in ["", " ", "\n", "\r\n\t ", "\n\n"] {
        let text =
            ["{\"name\":\"é\"}", "[{\"name\":\"b\"},\n{\"name\":\"c\"}]", "{\"name\":\"d\"}"];
        let text = format!("\n{}{between}", text.join(between));
        let inventory =
            appstitch_inventory::read(text.as_bytes(), &mut Budget::new(LIMITS)).unwrap();
        let names: Vec<_> = inventory.apps.iter().filter_map(|app| app.name.as_deref()).collect();
        assert_eq!(names, ["é", "b", "c", "d"], "{between:?}");
    }
}

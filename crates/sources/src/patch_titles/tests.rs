use std::fmt::Write;

use appstitch_budget::Limits;

use super::*;

fn read_text(text: &str) -> Result<ParsedFile, FileError> {
    read(&mut text.as_bytes(), &mut Budget::default())
}

fn titles(text: &str) -> Vec<PatchTitle> {
    let parsed = read_text(text).unwrap();
    parsed.entries.iter().map(|entry| parse(entry).unwrap()).collect()
}

fn xml(rows: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<patch_available_titles><size>1</size>\
         <available_titles>{rows}</available_titles></patch_available_titles>\n"
    )
}

const ROW: &str = "<available_title><name_id>0A1</name_id><publisher>Read &amp; Write \
                   (Combined Definition)</publisher><current_version>1.2</current_version>\
                   <last_modified>2026-01-01T00:00:00Z</last_modified>\
                   <app_name> Sample\n</app_name></available_title>";

const JSON_ROW: &str = r#"{"name_id":"0A1","publisher":"Read & Write (Combined Definition)",
    "current_version":"1.2","last_modified":"2026-01-01T00:00:00Z","app_name":"Sample"}"#;

#[test]
fn xml_and_json_of_every_shape_give_the_same_titles() {
    let expected = [PatchTitle {
        code: "0A1".to_owned(),
        name: "Sample".to_owned(),
        publisher: Some("Read & Write".to_owned()),
        version: Some("1.2".to_owned()),
        covers_all_versions: true,
    }];
    for text in [
        xml(ROW),
        format!("[{JSON_ROW}]"),
        format!("{{\"size\":1,\"available_titles\":[{JSON_ROW}]}}"),
        format!("{{\"patch_available_titles\":{{\"size\":1,\"available_titles\":[{JSON_ROW}]}}}}"),
        format!(
            "{{\"patch_available_titles\":{{\"available_titles\":{{\"available_title\":[{JSON_ROW}]}}}}}}"
        ),
    ] {
        assert_eq!(titles(&text), expected, "{text}");
    }
}

#[test]
fn what_says_nothing_is_left_out_and_a_bad_row_is_rejected_with_the_reason() {
    let row = |fields: &str| format!("<available_title>{fields}</available_title>");
    let name = "<app_name>Sample</app_name>";
    let rows = [
        row(&format!(
            "<name_id>1</name_id><publisher/><current_version>latest</current_version>{name}"
        )),
        row(name),
        row("<name_id>2</name_id>"),
        row(&format!("<name_id> </name_id>{name}")),
        row(&format!("<name_id>{}</name_id>{name}", "x".repeat(MAX_CODE_BYTES + 1))),
        row(&format!("<name_id>1</name_id>{name}")),
        row(&format!("<name_id>&xxe;$(id)</name_id>{name}")),
    ];
    let parsed = read_text(&xml(&rows.concat())).unwrap();
    assert_eq!((parsed.entries.len(), parsed.rejected), (1, 6));
    let title = parse(&parsed.entries[0]).unwrap();
    assert_eq!((title.publisher, title.version), (None, None));
    let whys: Vec<&str> = parsed.refused.iter().map(|refused| refused.why.as_str()).collect();
    assert!(whys[0].contains("name_id") && whys[1].contains("app_name"), "{whys:?}");
    assert!(whys[3].contains("longer than 64") && whys[4].contains("duplicate"), "{whys:?}");
}

#[test]
fn other_files_and_broken_ones_are_unreadable() {
    let entities = "<!DOCTYPE x [<!ENTITY a \"b\">]>".to_owned() + &xml(ROW);
    for text in [
        "",
        "text",
        "{}",
        "{\"available_titles\":7}",
        "<html><p>Sign in</p></html>",
        "<patch_available_titles><available_titles>",
        &xml(ROW)[..200],
        &entities,
        "{\"available_titles\":[{\"available_titles\":[",
    ] {
        assert!(matches!(read_text(text), Err(FileError::Unreadable(_))), "{text}");
    }
    let not_text = read(&mut &b"<patch_available_titles>\xff"[..], &mut Budget::default());
    assert!(matches!(not_text, Err(FileError::Unreadable(_))));
}

#[test]
fn depth_and_size_are_limited() {
    let deep = xml(&"<available_title>".repeat(100_000));
    assert_eq!(read_text(&deep).unwrap().entries, []);
    let json = "{\"available_titles\":".repeat(100_000);
    assert!(read_text(&json).is_err());
    let mut rows = String::new();
    for number in 0..100 {
        write!(rows, "<available_title><name_id>{number}</name_id><app_name>A{number}</app_name></available_title>").unwrap();
    }
    let mut budget = Budget::new(Limits { rows: 10, ..Limits::NONE });
    assert!(matches!(read(&mut xml(&rows).as_bytes(), &mut budget), Err(FileError::Exceeded(_))));
    let long = xml(&format!(
        "<available_title><name_id>1</name_id><app_name>{}</app_name></available_title>",
        "x".repeat(1 << 20)
    ));
    assert_eq!(read_text(&long).unwrap().rejected, 1);
}

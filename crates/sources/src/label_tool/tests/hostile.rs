//! Labels that were made to cost as much as possible: they are read in little time, give a small
//! record and keep the values that cost little.

use super::*;

/// Reads a label as an upload does, and gives its payload.
fn uploaded(statements: &str) -> Value {
    let text =
        format!("sample)\nname=\"Sample\"\nv=1\nbefore=\"a$v\"\n{statements}\nafter=\"b$v\"\n;;\n");
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_cksum();
    archive.append_data(&mut header, "fragments/labels/sample.sh", text.as_bytes()).unwrap();
    let archive = archive.into_inner().unwrap();
    let parsed = read(&mut &archive[..], &mut Budget::default()).unwrap();
    assert!(parsed.refused.is_empty(), "{:?}", parsed.refused[0].why);
    let body = std::str::from_utf8(&parsed.entries[0].body).unwrap();
    let label = parse("sample.sh", body).unwrap();
    let json = label.source.raw.as_json();
    assert!(json.len() < text.len() + (1 << 20), "the record has {} bytes", json.len());
    serde_json::from_str(json).unwrap()
}

#[test]
fn text_that_doubles_is_stopped_and_other_values_are_kept() {
    for statements in [
        format!("x=aaaaaaaa\n{}", "x=\"$x$x\"\n".repeat(26)),
        format!("x=aaaaaaaa\n{}", "x+=\"$x\"\n".repeat(26)),
        format!("x=( a b )\n{}", "x+=( \"${x[@]}\" )\n".repeat(26)),
        format!("x=( \"\" \"\" )\n{}", "x+=( \"${x[@]}\" )\n".repeat(26)),
        format!("x=aaaaaaaa\n{}", "x=${x//a/aaaaaaaa}\n".repeat(20)),
        format!("for i in {{1..250}}; do x+={}; done", "a".repeat(400)),
    ] {
        let raw = uploaded(&statements);
        assert_eq!(raw["name"], "Sample");
        let resolved = &raw[LabelToolSource::RESOLVED];
        assert_eq!(resolved["before"], "a1", "{resolved}");
        assert_eq!(resolved["after"], "b1", "{resolved}");
        assert!(resolved["x"].is_null(), "{resolved}");
    }
}

#[test]
fn what_never_ends_is_stopped_and_earlier_values_are_kept() {
    let body = "x=$((x + 1))\n".repeat(3_000);
    for statements in [
        "x=1\nwhile true; do :; done".to_owned(),
        "x=1\nwhile true; do x+=a; done".to_owned(),
        "x=$(while true; do echo a; done)".to_owned(),
        "f() { f; }\nf\nx=1".to_owned(),
        format!("while true; do if [[ $v == $(curl z) ]]; then\n{body}fi; done\nx=1"),
        format!("{}\nwhile true; do (x=1); done", "long=aaaaaaaaaaaaaaaa\n".repeat(1000)),
    ] {
        let raw = uploaded(&statements);
        assert_eq!(raw["name"], "Sample");
        assert_eq!(raw[LabelToolSource::RESOLVED]["before"], "a1");
        assert_eq!(raw[LabelToolSource::RESOLVED].get("after"), None, "it is never reached");
    }
}

#[test]
fn a_value_of_more_than_64_kib_is_dropped() {
    let long = "a".repeat(1000);
    let raw = uploaded(&format!("y={long}\nx=\"{}\"\nz=\"$y\"", "$y".repeat(66)));
    let resolved = &raw[LabelToolSource::RESOLVED];
    assert_eq!(resolved.get("x"), None);
    assert_eq!(resolved["z"], long);
    assert_eq!(resolved["after"], "b1");
    let raw = uploaded(&format!("y={long}\nx=( {} )", "$y ".repeat(66)));
    assert_eq!(raw[LabelToolSource::RESOLVED].get("x"), None);
}

#[test]
fn deep_nesting_is_refused_or_stopped() {
    for text in [
        format!("a)\nx={}1{}\n;;", "$(echo ".repeat(3_000), ")".repeat(3_000)),
        format!("a)\nx={}1{}\n;;", "${y:-".repeat(3_000), "}".repeat(3_000)),
        format!("a)\n{}x=1{}\n;;", "( ".repeat(3_000), " )".repeat(3_000)),
        format!("a)\n{}x=1\n{}\n;;", "if true; then\n".repeat(3_000), "fi\n".repeat(3_000)),
        format!("a)\nx=$(({}1{}))\n;;", "(".repeat(3_000), ")".repeat(3_000)),
    ] {
        if let Ok(label) = parse("a.sh", &text) {
            let raw: Value = serde_json::from_str(label.source.raw.as_json()).unwrap();
            assert_eq!(raw.get(LabelToolSource::RESOLVED), None);
        }
    }
}

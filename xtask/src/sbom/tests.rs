use std::collections::BTreeSet;

use super::*;

const TREE: &str = "\
0 appstitch v0.1.0 (/somewhere/crates/cli)
1 first v1.0.0
2 third v3.0.0+1.2
1 second v2.0.0
2 third v3.0.0+1.2
";

const LOCK: &str = r#"
version = 4
[[package]]
name = "appstitch"
version = "0.1.0"
[[package]]
name = "first"
version = "1.0.0"
checksum = "1111"
[[package]]
name = "second"
version = "2.0.0"
checksum = "2222"
[[package]]
name = "third"
version = "3.0.0+1.2"
checksum = "3333"
"#;

fn package(name: &str, version: &str) -> Value {
    json!({"name": name, "version": version, "license": "MIT/Apache-2.0", "source": "registry"})
}

fn metadata() -> Value {
    let mut own = package("appstitch", "0.1.0");
    own["source"] = Value::Null;
    json!({"packages": [package("second", "2.0.0"), own, package("third", "3.0.0+1.2"),
        package("first", "1.0.0"), package("only-for-tests", "1.0.0")]})
}

fn made(metadata: &Value, lock: &str, time: Option<String>) -> Result<Value, String> {
    let linked = Linked::read(TREE).map_err(|failure| failure.0)?;
    bill(&linked, &metadata.to_string(), lock, time).map_err(|failure| failure.0)
}

#[test]
fn it_lists_what_is_linked_with_hashes_licenses_and_dependencies() {
    let bill = made(&metadata(), LOCK, None).unwrap();
    let names: Vec<&str> = bill["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["first", "second", "third"]);
    assert_eq!(bill["metadata"]["component"]["type"], "application");
    assert_eq!(bill["metadata"].get("timestamp"), None);
    let third = &bill["components"][2];
    assert_eq!(third["purl"], "pkg:cargo/third@3.0.0%2B1.2");
    assert_eq!(third["hashes"], json!([{"alg": "SHA-256", "content": "3333"}]));
    assert_eq!(third["licenses"], json!([{"expression": "MIT OR Apache-2.0"}]));
    let needs = ["pkg:cargo/first@1.0.0", "pkg:cargo/second@2.0.0"];
    assert_eq!(bill["dependencies"][0]["dependsOn"], json!(needs));
}

#[test]
fn the_time_is_the_given_one() {
    let time = timestamp("86400").map_err(|failure| failure.0).unwrap();
    let bill = made(&metadata(), LOCK, Some(time)).unwrap();
    assert_eq!(bill["metadata"]["timestamp"], "1970-01-02T00:00:00Z");
    assert!(timestamp("yesterday").is_err());
}

#[test]
fn a_package_without_license_or_checksum_is_an_error() {
    let mut unlicensed = metadata();
    unlicensed["packages"][0]["license"] = Value::Null;
    assert_eq!(
        made(&unlicensed, LOCK, None).unwrap_err(),
        "pkg:cargo/second@2.0.0 names no license"
    );
    let unchecked = LOCK.replace("checksum = \"1111\"", "");
    let why = made(&metadata(), &unchecked, None).unwrap_err();
    assert_eq!(why, "pkg:cargo/first@1.0.0 has no checksum in the lock file");
}

/// The required fields of the `CycloneDX` schema, and that every reference leads somewhere.
#[test]
fn the_real_document_is_valid_and_the_same_each_time() {
    let text = document(None).map_err(|failure| failure.0).unwrap();
    assert_eq!(document(None).map_err(|failure| failure.0).unwrap(), text);
    let here = workspace().display().to_string();
    assert!(!text.contains(&here), "no path of this machine");
    let bill: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&json!("CycloneDX"), &json!(FORMAT)));
    let mut components = bill["components"].as_array().unwrap().clone();
    components.push(bill["metadata"]["component"].clone());
    let mut references = BTreeSet::new();
    for component in &components {
        for field in ["type", "name", "version", "purl", "bom-ref"] {
            assert!(component[field].is_string(), "{field} of {component}");
        }
        assert!(component["licenses"][0]["expression"].is_string(), "{component}");
        let reference = component["bom-ref"].as_str().unwrap();
        assert!(references.insert(reference), "{reference} is listed once");
        let is_ours = component["name"].as_str().unwrap().starts_with("appstitch");
        let hash = component["hashes"][0]["content"].as_str().map_or(0, str::len);
        assert_eq!(hash, if is_ours { 0 } else { 64 }, "{component}");
    }
    for dependency in bill["dependencies"].as_array().unwrap() {
        let needs = dependency["dependsOn"].as_array().unwrap();
        for reference in needs.iter().chain([&dependency["ref"]]) {
            assert!(references.contains(reference.as_str().unwrap()), "{reference} is described");
        }
    }
    let names: BTreeSet<&str> =
        components.iter().map(|own| own["name"].as_str().unwrap()).collect();
    for linked in ["appstitch-server", "libsqlite3-sys", "rustls", "mimalloc"] {
        assert!(names.contains(linked), "{linked} is linked");
    }
    for other in ["xtask", "insta", "proptest", "serde_derive", "cc"] {
        assert!(!names.contains(other), "{other} is not linked");
    }
}

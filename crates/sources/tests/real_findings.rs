//! The checks of found values, on what a real zsh found for the labels of the resolver's cases, and
//! on the versions of the real casks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use appstitch_text::{check_found_address, check_found_version};
use serde_json::Value;

fn unpacked(name: &str) -> Option<String> {
    let [file] = appstitch_setup::real_files([name])?;
    let packed = std::fs::File::open(file).unwrap();
    Some(std::io::read_to_string(flate2::read::MultiGzDecoder::new(packed)).unwrap())
}

#[test]
fn the_versions_of_casks_are_versions() {
    let Some(text) = unpacked("data/cask_catalog/cask.json.gz") else { return };
    let casks: Vec<Value> = serde_json::from_str(&text).unwrap();
    let versions = casks.iter().filter_map(|cask| cask["version"].as_str());
    let rejected: Vec<(&str, String)> = versions
        .filter(|version| *version != "latest")
        .filter_map(|version| Some((version, check_found_version(version).err()?.to_string())))
        .collect();
    println!("{rejected:?}");
    assert!(rejected.len() <= 1, "{rejected:?}");
}

#[test]
fn hardly_anything_that_zsh_found_is_junk() {
    let Some(text) = unpacked("resolver/cases.ndjson.gz") else { return };
    let (mut values, mut junk) = (0, 0);
    for case in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        for architecture in ["arm64", "i386"] {
            let expected = &case["expected"][architecture];
            for (name, found) in [
                (
                    "appNewVersion",
                    check(expected, "appNewVersion", |text| {
                        check_found_version(text).map(drop).map_err(|junk| junk.to_string())
                    }),
                ),
                (
                    "downloadURL",
                    check(expected, "downloadURL", |text| {
                        check_found_address(text).map(drop).map_err(|junk| junk.to_string())
                    }),
                ),
            ] {
                let Some((value, found)) = found else { continue };
                values += 1;
                if let Err(why) = found {
                    junk += 1;
                    println!("{}, {architecture}, {name} {value:?}: {why}", case["case"]);
                }
            }
        }
    }
    println!("{values} values, {junk} rejected");
    assert!(values > 1000 && junk * 20 < values, "{junk} of {values} rejected");
}

type Checked<'a> = Option<(&'a str, Result<(), String>)>;

fn check<'a>(
    expected: &'a Value,
    name: &str,
    check: impl Fn(&str) -> Result<(), String>,
) -> Checked<'a> {
    let text = expected[name].as_str().filter(|text| !text.trim().is_empty())?;
    Some((text, check(text)))
}

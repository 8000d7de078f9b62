//! The checks of found values, on what a real zsh found for the labels of the resolver's cases.

use std::{io::Read, path::Path};

use appstitch_catalog::{check_found_address, check_found_version};
use serde_json::Value;

#[test]
fn hardly_anything_that_zsh_found_is_junk() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/resolver/cases.ndjson.gz");
    let Ok(packed) = std::fs::read(file) else {
        eprintln!("skipped: the resolver's cases are not available");
        return;
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
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

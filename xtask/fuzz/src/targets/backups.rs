//! Backups, and copies of a store. The input is the text between the header and the trailer, which are
//! right, so that the rows are reached.

use std::fmt::Write;

use appstitch_hostile::Chance;
use appstitch_store::{check_copy, read_backup};
use ring::digest::{SHA256, digest};

use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 8192,
    smoke_runs: 500,
    ..TargetEntry::new("backups", || Ok(Box::new(Backups)))
};

const DICTIONARY: &[&str] = &[
    "{\"table\":{\"name\":\"",
    "{\"end\":{\"rows\":0,\"sha256\":\"\"}}\n",
    "\"columns\":[\"",
    "{\"base64\":\"AA==\"}",
    "\"2026-01-02T03:04:05Z\"",
    "\\u0000",
    "9223372036854775807",
    "18446744073709551615",
    "-1",
    "1e9",
    "null",
    "true",
    "[",
    "]\n[",
    "\n",
];

const HEADER: &str = "{\"format\":\"appstitch backup\",\"version\":1,\"program\":\"0\"}\n";
const COPY_HEADER: &str = "{\"format\":\"appstitch copy\",\"version\":1}\n";

struct Backups;

impl Target for Backups {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let copy = text(COPY_HEADER, input);
        if let Err(error) = check_copy(&copy, |_| true) {
            ensure(error.to_string().len() < 500, || error.to_string())?;
        }
        let part = check_copy(&copy[..copy.len() - 1], |_| true);
        ensure(part.is_err(), || "a copy without its end is accepted".to_owned())?;
        let text = text(HEADER, input);
        let file = packed(&text)?;
        let result = read_backup(&file[..], None);
        if let Err(error) = &result {
            let message = error.to_string();
            let is_fit = message.len() < 500 && !message.chars().any(char::is_control);
            ensure(is_fit, || format!("the message is unfit: {message:?}"))?;
        }
        // A file that is not whole is never accepted.
        for cut in [1, 4, 8, file.len() / 2] {
            let part = &file[..file.len().saturating_sub(cut)];
            ensure(read_backup(part, None).is_err(), || format!("{cut} bytes less are accepted"))?;
        }
        if is_one_in(4, input) && result.is_ok() {
            let mut other = text.clone();
            other[HEADER.len() - 4] ^= 1;
            let other = read_backup(&packed(&other)?[..], None);
            ensure(other.is_err(), || "another text with the same hash is accepted".to_owned())?;
        }
        Ok(())
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let cell = |chance: &mut Chance| {
            chance.pick(&["null", "0", "-1", "true", "\"a\"", "{\"base64\":\"AA==\"}", "[]"])
        };
        let mut text = String::from(
            "{\"table\":{\"name\":\"document\",\"columns\":[\"source\",\"key\",\"origin\",\"body\"]}}\n",
        );
        for _ in 0..chance.below(4) {
            let cells: Vec<&str> = (0..3 + chance.below(3)).map(|_| cell(chance)).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "[{}]", cells.join(","));
        }
        Some(text.into_bytes())
    }
}

/// The whole text of a backup or a copy with these lines.
fn text(header: &str, input: &[u8]) -> Vec<u8> {
    let mut text = header.as_bytes().to_vec();
    text.extend_from_slice(input);
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    let rows = text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"[")).count();
    let hash = digest(&SHA256, &text).as_ref().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    text.extend_from_slice(
        format!("{{\"end\":{{\"rows\":{rows},\"sha256\":\"{hash}\"}}}}\n").as_bytes(),
    );
    text
}

fn packed(text: &[u8]) -> Result<Vec<u8>, String> {
    zstd::encode_all(text, 1).map_err(|error| format!("cannot pack: {error}"))
}

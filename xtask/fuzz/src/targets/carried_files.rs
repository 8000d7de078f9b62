//! The small files of a catalog that somebody else made: the index, deltas, patches, keys and signatures.
//! All of them are read before anything is verified, or with a hash that a hostile owner of the key chose.

use appstitch_catalog_files::{Index, PublicKey, Records, SecretKey, apply_patch, verify};
use appstitch_hostile::Chance;

use crate::target::{Target, TargetEntry, ensure};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 4096,
    ..TargetEntry::new("carried_files", || Ok(Box::new(CarriedFiles)))
};

const DICTIONARY: &[&str] = &[
    "{\"schema\":1,\"catalog\":\"a\",\"serial\":1,\"revision\":\"r\",\"at\":\"2026-01-02T03:04:05Z\",\"apps\":0,",
    "\"snapshot\":{\"path\":\"r/a.zst\",\"size\":1,\"sha256\":\"",
    "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f",
    "\"raw_size\":18446744073709551615",
    "\"deltas\":[],\"licences\":[],\"next_key\":null}",
    "../",
    "{\"slug\":\"a\",\"app\":{\"slug\":\"a\"}}\n",
    "{\"slug\":\"a\",\"removed\":true}\n",
    "untrusted comment: a\n",
    "RWTmcMXXxpngPkDfs/NGOa9vqXN4Dyxhu3qucTXZ2mOyIjVlNcIa9BrW",
    "trusted comment: ",
    "\u{28}\u{b5}",
];

/// What a patch is applied to, and the length that its result must have.
const OLDER: &[u8] = b"one line\nand another one\n";
const LENGTH: u64 = 1000;

struct CarriedFiles;

impl Target for CarriedFiles {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        match Index::read(input) {
            Ok(index) => check_index(&index)?,
            Err(error) => ensure(error.to_string().len() < 1000, || error.to_string())?,
        }
        if let Ok(records) = Records::default().with_delta(input, "r") {
            let again =
                Records::default().with_delta(input, "r").map_err(|error| error.to_string());
            ensure(again.as_ref() == Ok(&records), || "a delta has two results".to_owned())?;
        }
        if let Some(newer) = apply_patch(OLDER, input, LENGTH) {
            ensure(newer.len() as u64 == LENGTH, || "a patch has another length".to_owned())?;
        }
        let text = String::from_utf8_lossy(input);
        if let Ok(key) = PublicKey::read(&text) {
            let again = PublicKey::read(&key.file());
            ensure(again.as_ref() == Ok(&key), || "a key is not read again".to_owned())?;
        }
        if let Ok(key) = SecretKey::read(&text) {
            let told = format!("{key:?}");
            ensure(told.len() < 50, || "a secret key is printed".to_owned())?;
        }
        Ok(())
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let file = |path: &str| {
            let hash = "0f".repeat(32);
            format!(
                r#"{{"path":"{path}","size":1,"sha256":"{hash}","raw_size":1,"raw_sha256":"{hash}"}}"#
            )
        };
        let paths = ["r/a.zst", "r/a.gz", "../a.zst", "/a.zst", "r/../a.gz", "a"];
        let [one, other] = [chance.pick(&paths), chance.pick(&paths)];
        let text = format!(
            r#"{{"schema":{},"catalog":"a","serial":1,"revision":"r","at":"2026-01-02T03:04:05Z","apps":0,"snapshot":{},"snapshot_gzip":{},"deltas":[],"licences":[],"next_key":null}}"#,
            chance.below(3),
            file(one),
            file(other),
        );
        Some(text.into_bytes())
    }
}

fn check_index(index: &Index) -> Result<(), String> {
    let bytes = index.to_bytes().map_err(|error| error.to_string())?;
    let again = Index::read(&bytes).map_err(|error| error.to_string())?;
    ensure(again == *index, || "an index is not read as it was written".to_owned())?;
    for file in index.files() {
        let is_below = !file.path.starts_with('/') && !file.path.contains("..");
        ensure(is_below, || format!("a file elsewhere: {}", file.path))?;
    }
    // Nobody signed it.
    ensure(verify(&bytes, index, "", &[]).is_err(), || "an index without a signature".to_owned())
}

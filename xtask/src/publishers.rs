//! Compares the directory of publishers with the real files: which keys it lacks, and which it has
//! but does not need.

mod missing;

use std::collections::BTreeSet;

use appstitch_catalog::{
    Stitched,
    publishers::{Directory, Evidence, KeyKind, directory},
};

use crate::{
    real_files::{Files, shared, stitched},
    run::Failure,
};
use missing::{MissingKey, missing_keys};

const USAGE: &str = "usage: cargo xtask publishers [--limit N] [--unused]";

/// The number of keys listed for each kind.
const LIMIT: usize = 30;

/// Prints the missing keys, or with `--unused` the unneeded ones.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut limit = LIMIT;
    let mut lists_unused = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--unused" => lists_unused = true,
            "--limit" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                limit = number.ok_or_else(|| Failure(USAGE.to_owned()))?;
            }
            _ => return Err(Failure(USAGE.to_owned())),
        }
    }
    let Some(data) = shared("data") else {
        eprintln!("skipped: the real files are not available");
        return Ok(());
    };
    let apps = read(&stitched(&data, Files::All)?);
    if lists_unused {
        for (kind, key, name) in unused_keys(directory(), &apps) {
            println!("{}\t{key}\t{name}", kind.list());
        }
        return Ok(());
    }
    let known = apps.iter().filter(|(_, evidence)| directory().find(evidence).is_some()).count();
    println!("{known} of {} apps have a publisher in the directory.", apps.len());
    let missing = missing_keys(directory(), &apps);
    for kind in KeyKind::ALL {
        println!(
            "\n| {} | Apps without a publisher | Examples | Also a key of |\n|---|---:|---|---|",
            kind.list()
        );
        for MissingKey { key, apps, also_of, .. } in
            missing.iter().filter(|key| key.kind == kind).take(limit)
        {
            let examples: Vec<&str> = apps.iter().take(4).map(String::as_str).collect();
            println!(
                "| {key} | {} | {} | {} |",
                apps.len(),
                examples.join(", "),
                also_of.join(", ")
            );
        }
    }
    Ok(())
}

/// The slug and the evidence of each app.
fn read(apps: &[Stitched]) -> Vec<(String, Evidence)> {
    let sources = |stitched: &Stitched| stitched.record.sources.as_ref().map(Evidence::read);
    let read = apps.iter().filter_map(|app| Some((app.record.app.slug.to_string(), sources(app)?)));
    read.collect()
}

/// The keys that no app has, except those of entries that say why.
fn unused_keys<'a>(
    directory: &'a Directory,
    apps: &[(String, Evidence)],
) -> Vec<(KeyKind, &'a str, &'a str)> {
    let clues = apps.iter().flat_map(|(_, evidence)| evidence.clues()).flat_map(|clues| &clues.all);
    let used: BTreeSet<(KeyKind, &str)> =
        clues.filter_map(|clue| directory.key_of(clue).map(|(key, _)| (clue.kind, key))).collect();
    let publishers = directory.publishers().iter().filter(|publisher| publisher.unused.is_none());
    publishers
        .flat_map(|publisher| {
            publisher.keys().map(|(kind, key)| (kind, key, publisher.name.as_str()))
        })
        .filter(|(kind, key, _)| !used.contains(&(*kind, key)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_directory_is_used_or_justified() {
        let Some(data) = shared("data") else {
            eprintln!("skipped: the upstreams' real files are not available");
            return;
        };
        let apps =
            read(&stitched(&data, Files::All).unwrap_or_else(|Failure(why)| panic!("{why}")));
        let unused = unused_keys(directory(), &apps);
        assert!(
            unused.is_empty(),
            "remove the keys that `cargo xtask publishers --unused` lists, or add the reason as \
             `unused` to their entries: {unused:?}"
        );
    }
}

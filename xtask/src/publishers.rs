//! Compares the directory of publishers with the real files: which keys it lacks, and (in a test) which
//! it does not need.

mod missing;
pub(crate) mod signers;

use appstitch_setup::real_files;
use appstitch_stitching::{
    Stitched,
    publishers::{Evidence, KeyKind, directory},
};

use crate::{
    real_files::{Files, stitched},
    run::Failure,
};
use missing::{MissingKey, missing_keys};
use signers::Signers;

const USAGE: &str = "usage: cargo xtask publishers [--limit N | --signers]";

/// The number of keys listed for each kind.
const LIMIT: usize = 30;

/// Prints the missing keys, or with `--signers` the Team IDs for `signers.txt`.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let limit = match arguments {
        [] => LIMIT,
        [option] if option == "--signers" => return print_signers(),
        [option, number] if option == "--limit" => {
            number.parse().map_err(|_| Failure(USAGE.to_owned()))?
        }
        _ => return Err(Failure(USAGE.to_owned())),
    };
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    let apps = read(&stitched(&data, Files::All)?);
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

fn print_signers() -> Result<(), Failure> {
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    let apps = read(&stitched(&data, Files::All)?);
    for id in Signers::count(directory(), apps.iter().map(|(_, evidence)| evidence)).agreed() {
        println!("{id}");
    }
    Ok(())
}

fn read(apps: &[Stitched]) -> Vec<(String, Evidence)> {
    let sources = |stitched: &Stitched| stitched.record.sources.as_ref().map(Evidence::read);
    let read = apps.iter().filter_map(|app| Some((app.record.app.slug.to_string(), sources(app)?)));
    read.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use appstitch_stitching::publishers::Directory;
    use appstitch_types::TeamId;

    use super::*;

    /// The keys that no app has, except those of entries that say why.
    fn unused_keys<'a>(
        directory: &'a Directory,
        apps: &[(String, Evidence)],
    ) -> Vec<(KeyKind, &'a str, &'a str)> {
        let clues =
            apps.iter().flat_map(|(_, evidence)| evidence.clues()).flat_map(|clues| &clues.all);
        let used: BTreeSet<(KeyKind, &str)> = clues
            .filter_map(|clue| directory.key_of(clue).map(|(key, _)| (clue.kind, key)))
            .collect();
        let publishers =
            directory.publishers().iter().filter(|publisher| publisher.unused.is_none());
        publishers
            .flat_map(|publisher| {
                publisher.keys().map(|(kind, key)| (kind, key, publisher.name.as_str()))
            })
            .filter(|(kind, key, _)| !used.contains(&(*kind, key)))
            .collect()
    }

    #[test]
    fn every_key_of_the_directory_is_used_or_justified() {
        let Some([data]) = real_files(["data"]) else { return };
        let apps =
            read(&stitched(&data, Files::All).unwrap_or_else(|Failure(why)| panic!("{why}")));
        let unused = unused_keys(directory(), &apps);
        assert!(
            unused.is_empty(),
            "remove these keys, or add the reason as `unused` to their entries: {unused:?}"
        );
    }

    #[test]
    fn the_signers_are_those_of_the_labels() {
        let Some([data]) = real_files(["data"]) else { return };
        let apps =
            read(&stitched(&data, Files::All).unwrap_or_else(|Failure(why)| panic!("{why}")));
        let signers = Signers::count(directory(), apps.iter().map(|(_, evidence)| evidence));
        let known = directory().publishers().iter().filter_map(|publisher| publisher.signer());
        let mut known: Vec<&str> = known.map(TeamId::as_str).collect();
        known.sort_unstable();
        assert_eq!(known, signers.agreed(), "write signers.txt with `publishers --signers`");
    }
}

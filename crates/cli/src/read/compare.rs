//! `appstitch compare`: the order of two versions. It needs no server: the rules are built in.

use anyhow::anyhow;
use appstitch_types::{VersionComparison, VersionOrder};
use appstitch_versions::compare_versions;

use super::request::print_json;
use crate::{
    arguments::CompareArguments,
    exit::{self, Failure},
};

pub(crate) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let CompareArguments { first, second, json } = arguments;
    for version in [first, second] {
        let longest = VersionComparison::LONGEST;
        if version.is_empty() || version.chars().nth(longest).is_some() {
            return Err(Failure::wrong_use(anyhow!(
                "a version must have 1 to {longest} characters"
            )));
        }
    }
    let compared = compare_versions(first, second);
    if *json {
        return print_json(&compared);
    }
    exit::print(&format!("{}\n", in_words(&compared)))
}

fn in_words(compared: &VersionComparison) -> String {
    let (a, b) = (&compared.a.version, &compared.b.version);
    match compared.order {
        VersionOrder::Older => format!("{a} is older than {b}"),
        VersionOrder::Newer => format!("{a} is newer than {b}"),
        VersionOrder::Same if a == b => format!("{a} is {b}"),
        VersionOrder::Same => format!("{a} is the same release as {b}"),
        VersionOrder::Unknown => {
            format!("{a} and {b} are different releases without a known order")
        }
    }
}

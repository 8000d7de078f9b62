//! The index of recipes.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::{made_up_json::Vocabulary, upstream_files::UpstreamFiles};
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("recipes", || UpstreamFiles::target(Upstream::RecipeIndex, generate))
};

const DICTIONARY: &[&str] = &[
    "{\"identifiers\":{\"",
    "\"shortnames\":{\"",
    "\"name\":\"Sample App\"",
    "\"path\":\"",
    "\"repo\":\"example/recipes\"",
    "\"parent\":\"",
    "\"app_display_name\":\"",
    "com.example.download.sample",
    ".munki.recipe",
    ".recipe.yaml",
    "null",
    "../",
    "%2F",
    "#",
    "?",
    "Sample App",
    "com.example.",
    "sample",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "name", "path", "repo", "parent", "app_display_name", "shortname", "com.example.pkg.sample",
    ],
    texts: &[
        "Sample App",
        "sample",
        "Sample/Sample.munki.recipe",
        "Sample.recipe.plist",
        "example/recipes",
        "..",
        "com.example.download.sample",
        "com.example.munki.Sample",
        "a b#c?d%e",
        "",
    ],
};

fn generate(chance: &mut Chance) -> String {
    let recipes: Vec<String> = (0..=chance.below(3))
        .map(|_| format!("\"{}\":{}", chance.pick(WORDS.texts), WORDS.object(chance, 1)))
        .collect();
    let names = format!("{{\"S.munki\":[\"{}\"]}}", chance.pick(WORDS.texts));
    format!("{{\"identifiers\":{{{}}},\"shortnames\":{names}}}", recipes.join(","))
}

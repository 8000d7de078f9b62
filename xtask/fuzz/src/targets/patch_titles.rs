//! The titles of the patch catalog, as XML and JSON.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::{made_up_json::Vocabulary, upstream_files::UpstreamFiles};
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("patch_titles", || UpstreamFiles::target(Upstream::PatchTitles, generate))
};

const DICTIONARY: &[&str] = &[
    "<patch_available_titles>",
    "</patch_available_titles>",
    "<available_titles>",
    "<available_title>",
    "</available_title>",
    "<name_id>",
    "</name_id>",
    "<publisher/>",
    "<app_name>",
    "</app_name>",
    "<current_version>",
    "<!DOCTYPE x [<!ENTITY a \"",
    "&amp;",
    "&#0;",
    "<![CDATA[",
    "<!--",
    "{\"patch_available_titles\":{\"available_titles\":[",
    "\"name_id\":\"0A1\"",
    "\"app_name\":\"Sample App 1\"",
    " (Combined Definition)",
    "Sample App",
];

const ELEMENTS: [&str; 4] = ["name_id", "publisher", "current_version", "app_name"];

const TEXTS: &[&str] = &[
    "0A1",
    "Example",
    "Example (Combined Definition)",
    "1.2",
    "2019.1",
    "Sample App",
    "Sample App 1",
    "Example Sample App 2019 for Mac",
    "latest",
    "",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &["name_id", "publisher", "current_version", "last_modified", "app_name"],
    texts: TEXTS,
};

fn generate(chance: &mut Chance) -> String {
    if chance.once_in(2) {
        let rows = format!("[{}]", WORDS.objects(chance, 3));
        return if chance.once_in(2) {
            format!("{{\"patch_available_titles\":{{\"available_titles\":{rows}}}}}")
        } else {
            rows
        };
    }
    let mut text = "<patch_available_titles><available_titles>".to_owned();
    for _ in 0..=chance.below(3) {
        text.push_str("<available_title>");
        for element in ELEMENTS {
            let value = chance.pick(TEXTS);
            text.extend(["<", element, ">", value, "</", element, ">"]);
        }
        text.push_str("</available_title>");
    }
    text.push_str("</available_titles></patch_available_titles>");
    text
}

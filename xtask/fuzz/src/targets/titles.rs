//! Pages of the titles API.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::{made_up_json::Vocabulary, upstream_files::UpstreamFiles};
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("titles", || UpstreamFiles::target(Upstream::MdmInstaller, generate))
};

const DICTIONARY: &[&str] = &[
    "{\"totalCount\":1,\"results\":[{\"id\":\"",
    "\"bundleId\":\"com.example.sample\"",
    "\"titleName\":\"Sample App\"",
    "\"publisher\":\"",
    "\"version\":\"1.2\"",
    "\"architecture\":\"universal\"",
    "\"availabilityDate\":\"2026-01-01T00:00:00Z\"",
    "\"mediaSourceType\":\"EXTERNAL_URL\"",
    "\"originalMediaSources\":[{\"url\":\"https://example.com/",
    "null",
    "[{\"results\":[",
    "Sample App",
    "1e3",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "id", "bundleId", "titleName", "publisher", "version", "architecture", "availabilityDate",
        "mediaSourceType", "originalMediaSources", "url",
    ],
    texts: &[
        "0A1",
        "com.example.sample",
        "Sample App",
        "Example",
        "1.2",
        "universal",
        "2026-01-01T00:00:00Z",
        "EXTERNAL_URL",
        "https://example.com/SampleApp-1.2.dmg",
        "2026-02-30",
        "",
    ],
};

fn generate(chance: &mut Chance) -> String {
    let page = format!("{{\"results\":[{}]}}", WORDS.objects(chance, 2));
    if chance.once_in(3) { format!("[{page},{page}]") } else { page }
}

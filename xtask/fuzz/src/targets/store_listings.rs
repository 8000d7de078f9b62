//! Lookup responses of the store.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::{made_up_json::Vocabulary, upstream_files::UpstreamFiles};
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("store_listings", || UpstreamFiles::target(Upstream::StoreListing, generate))
};

const DICTIONARY: &[&str] = &[
    "{\"resultCount\":1,\"results\":[{\"kind\":\"mac-software\"",
    "\"bundleId\":\"com.example.sample\"",
    "\"trackId\":1",
    "\"trackName\":\"Sample App\"",
    "\"version\":\"1.2\"",
    "\"currentVersionReleaseDate\":\"2026-01-01T00:00:00Z\"",
    "\"trackViewUrl\":\"https://example.com/",
    "\"sellerName\":\"",
    "null",
    "software",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "kind",
        "bundleId",
        "trackId",
        "trackName",
        "version",
        "currentVersionReleaseDate",
        "trackViewUrl",
        "sellerName",
        "releaseDate",
        "minimumOsVersion",
    ],
    texts: &[
        "mac-software",
        "software",
        "com.example.sample",
        "Sample App",
        "1.2",
        "2026-01-01T00:00:00Z",
        "Example",
        "https://example.com/app/id1",
        "javascript:alert(1)",
        "",
    ],
};

fn generate(chance: &mut Chance) -> String {
    format!("{{\"results\":[{}]}}", WORDS.objects(chance, 1))
}

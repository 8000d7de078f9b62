//! The array of casks.

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;

use super::{made_up_json::Vocabulary, upstream_files::UpstreamFiles};
use crate::target::TargetEntry;

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    ..TargetEntry::new("casks", || UpstreamFiles::target(Upstream::CaskCatalog, generate))
};

const DICTIONARY: &[&str] = &[
    "[{\"token\":\"",
    "\"name\":[\"",
    "\"homepage\":\"https://",
    "\"url\":\"https://example.com/",
    "\"version\":\"",
    "\"sha256\":\"no_check\"",
    "\"artifacts\":[{\"",
    "\"app\":[\"Sample App.app\"]",
    "\"pkg\":[\"",
    "\"uninstall\":[{\"quit\":\"",
    "\"pkgutil\":\"com.example.sample\"",
    "\"old_tokens\":[\"",
    "\"variations\":{\"arm64_tahoe\":{",
    "\"depends_on\":{\"macos\":{\">=\":[\"",
    "\"deprecated\":true",
    "\"disabled\":true",
    "\"disable_reason\":\"",
    "\"auto_updates\":null",
    "com.example.sample",
    "Sample App",
    "~/Library/Caches/com.example.sample",
    ".dmg",
    "1.2,345",
    "latest",
    "\\u0000",
    "#{version}",
    "font-",
    "target",
    "\"installer\":[{\"manual\":\"",
    "@beta",
    "{\"arch\":[{\"type\":\"arm\"}]}",
];

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "token", "old_tokens", "name", "desc", "homepage", "url", "version", "sha256", "artifacts",
        "app", "pkg", "uninstall", "quit", "pkgutil", "zap", "trash", "target", "variations",
        "arm64_tahoe", "depends_on", "macos", "arch", "deprecated", "deprecation_date",
        "deprecation_reason", "disabled", "disable_date", "auto_updates", "caveats", "installer",
        "manual", "script", "binary", "suite", "launchctl", "delete", "bundle_id",
    ],
    texts: &[
        "sample-app",
        "sample",
        "Sample App",
        "Sample App.app",
        "https://example.com/",
        "1.2",
        "1.2,345",
        "latest",
        "https://example.com/SampleApp-1.2.dmg",
        "no_check",
        "com.example.sample",
        "discontinued",
        "2026-01-01",
        "~/Library/Preferences/com.example.sample.plist",
        "sample@beta",
        "font-sample",
        "ABCDE12345",
        "v1.2-beta3",
    ],
};

fn generate(chance: &mut Chance) -> String {
    format!("[{}]", WORDS.objects(chance, 3))
}

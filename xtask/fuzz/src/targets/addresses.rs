//! URLs of upstreams, and those that labels found.

use appstitch_text::check_found_address;
use appstitch_types::Uri;

use crate::target::{Target, TargetEntry, ensure};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 256,
    smoke_runs: 3000,
    ..TargetEntry::new("addresses", || Ok(Box::new(Addresses)))
};

const DICTIONARY: &[&str] = &[
    "https://",
    "http://",
    "example.com",
    "/App-1.2.dmg",
    "?a=b",
    "#part",
    "%2F",
    "%",
    "user:password@",
    ":443",
    ":99999",
    "[::1]",
    "127.1",
    "xn--",
    "..",
    "//",
    "\\",
    "javascript:",
    "file:///",
    "$x",
    "{",
    "\"",
    "<",
    " ",
    "é",
    "\u{202e}",
    "github.com/a/b/releases/latest",
    "github.com/a/b/releases/download/v1/a.zip",
];

struct Addresses;

impl Target for Addresses {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(input);
        drop(check_found_address(&text));
        let Ok(uri) = Uri::parse(&text) else { return Ok(()) };
        let again = Uri::parse(uri.as_str());
        ensure(again.as_ref() == Ok(&uri), || {
            format!("an accepted URL is accepted again as it is: {text:?}, {uri:?}, {again:?}")
        })
    }
}

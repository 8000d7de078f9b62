//! The answers that labels fetch, read by the commands that labels use.
//!
//! The first byte of an input selects the label, the rest is the answer.

use appstitch_hostile::{Chance, responses};
use appstitch_labels::Response;

use super::labels;
use crate::target::{Target, TargetEntry};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    smoke_runs: 1000,
    ..TargetEntry::new("answers", || {
        Ok(Box::new(Answers(LABELS.iter().map(|body| format!("app)\n{body}\n;;\n")).collect())))
    })
};

const DICTIONARY: &[&str] = &[
    "{\"",
    "\":",
    "[",
    "]",
    "}",
    "\"version\": \"1.2\"",
    "\"tag_name\": \"v1\"",
    "<a href=\"",
    "\">",
    "</a>",
    "<?xml version=\"1.0\"?>",
    "<!DOCTYPE plist>",
    "<plist>",
    "<dict>",
    "<key>a</key>",
    "<string>",
    "</string>",
    "<array>",
    "<integer>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&amp;",
    "&#x41;",
    "&#99999999;",
    "<item>",
    "<enclosure url=\"",
    "xmlns:s=\"",
    "version 1.2.3",
    "\r\n",
    "\\u0041",
    "\\ud800",
    "1e400",
    "null",
    "true",
    "/releases/tag/v1.2",
    "<p>",
    "<li>",
    "<script>",
    "é",
    "\u{feff}",
];

/// The body of each label: an answer, and a command that reads it.
const LABELS: &[&str] = &[
    "x=$(curl -s e.com/a | xmllint --html --format -)",
    "x=$(curl -s e.com/a | xmllint --format -)",
    "x=$(curl -s e.com/a | xmllint --xpath 'string(//a/@b)' -)",
    "x=$(curl -s e.com/a | xpath '//a[1]/@b')",
    "x=$(curl -s e.com/a | jq -r '.a[]? | .b')",
    "x=$(curl -s e.com/a | jq -r '[.[] | select(.a != null)] | first.version')",
    "x=$(curl -s e.com/a | plutil -extract a raw -o - -)",
    "x=$(curl -s e.com/a | plutil -convert json -o - -)",
    "x=$(curl -s e.com/a | awk -F'[<>]' '{print $2+0, $NF}')",
    "x=$(curl -s e.com/a | sort -V | tail -1)",
    "x=$(curl -s e.com/a | sed -E 's/(.)([^a]*)/\\2\\1/g')",
    "x=$(curl -s e.com/a | grep -Eo '(a|ab)+.?')",
    "x=$(curl -s e.com/a | grep -A1 -m2 -i version | cut -d. -f2-)",
    "x=$(curl -s e.com/a | xargs)",
    "x=$(curl -s e.com/a | tr -d '\\r' | head -3)\ny=${x%%[a-z]*}",
    "x=$(getJSONValue \"$(curl -sL e.com/a)\" 'a[0].b')",
    "type=dmg\nx=$(downloadURLFromGit a b)$(versionFromGit a b)",
    "x=$(curl -sLI e.com/a | grep -i ^location)",
];

struct Answers(Vec<String>);

impl Target for Answers {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let Some((first, body)) = input.split_first() else { return Ok(()) };
        let label = &self.0[usize::from(*first) % self.0.len()];
        let body = String::from_utf8_lossy(body).into_owned();
        let answer = Response { status: 200, headers: Vec::new(), body };
        labels::check_run(label, &[answer], input)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let body = responses(chance).pop()?.body;
        let label = u8::try_from(chance.below(256)).unwrap_or_default();
        Some([&[label], body.as_bytes()].concat())
    }
}

//! `If-None-Match`, compared with a slow reference.

use appstitch_server::inspect;

use crate::target::{Target, TargetEntry, ensure};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: &[
        "W/", "\"abc\"", "\"", ",", "*", " ", "\t", "w/", "\"x\"", "abc", "W/\"abc\"", ", ", "\n",
    ],
    input_bytes: 128,
    smoke_runs: 5000,
    ..TargetEntry::new("if_none_match", || Ok(Box::new(IfNoneMatch)))
};

const TOKEN: &str = "abc";

struct IfNoneMatch;

impl Target for IfNoneMatch {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let names = inspect::names_token(input, TOKEN);
        ensure(names == reference(input), || format!("the reference agrees: {names}, {input:?}"))?;
        let behind_another = [b"\"other\", ", input].concat();
        ensure(names == inspect::names_token(&behind_another, TOKEN), || {
            format!("another tag before changes nothing: {names}, {input:?}")
        })
    }
}

/// What a list of tags says, by its grammar: `*`, or tags with commas between them. It counts as far
/// as it is well formed.
fn reference(value: &[u8]) -> bool {
    let mut tags: Vec<&[u8]> = Vec::new();
    let mut rest = value;
    loop {
        let start = rest.iter().position(|byte| !is_blank(*byte) && *byte != b',');
        let Some(start) = start else { break };
        rest = &rest[start..];
        if rest.starts_with(b"*") {
            return rest[1..].iter().all(|byte| is_blank(*byte))
                || tags.contains(&TOKEN.as_bytes());
        }
        let quoted = if rest.starts_with(b"W/") { &rest[2..] } else { rest };
        let parts: Vec<&[u8]> = quoted.splitn(3, |byte| *byte == b'"').collect();
        let [b"", tag, behind] = parts[..] else { break };
        tags.push(tag);
        let next = behind.iter().find(|byte| !is_blank(**byte));
        if next.is_some_and(|byte| *byte != b',') {
            break;
        }
        rest = behind;
    }
    tags.contains(&TOKEN.as_bytes())
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

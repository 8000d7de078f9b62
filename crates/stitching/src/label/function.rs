//! The function of a label that finds the installed version.
//!
//! It is copied into the shell fragment unchanged, so it must be one definition of that function
//! and nothing else: a manual payload can contain anything. It must also not need variables that
//! the generated label does not set.

use std::collections::BTreeSet;

use appstitch_labels::{NotOneFunction, check_function};
use appstitch_types::{LabelToolSource, RawObject};
use serde_json::{Map, Value};

const NAME: &str = "appCustomVersion";

/// Variables that the label tool sets before it calls the function.
const OF_THE_TOOL: [&str; 6] =
    ["appName", "archiveName", "currentUser", "targetDir", "tmpDir", "versionKey"];

/// Code from the label; the tool calls it to find the installed version.
pub(super) enum VersionFunction {
    Complete(String),
    /// It needs variables that the generated label does not set.
    Incomplete(Vec<String>),
    Rejected(NotOneFunction),
}

impl VersionFunction {
    /// The function of a label. `content` are the variables that the generated label sets.
    pub(super) fn read(raw: &RawObject, content: &Map<String, Value>) -> Option<Self> {
        let raw = raw.read_keys(|key| key == LabelToolSource::VERSION_FUNCTION);
        let text = raw.get(LabelToolSource::VERSION_FUNCTION)?.as_str()?;
        if let Err(why) = check_function(NAME, text) {
            return Some(Self::Rejected(why));
        }
        let unset = unset_variables(text, |name| content.contains_key(name));
        Some(if unset.is_empty() {
            Self::Complete(text.to_owned())
        } else {
            Self::Incomplete(unset.into_iter().map(str::to_owned).collect())
        })
    }

    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::Complete(_) => None,
            Self::Incomplete(unset) => Some(format!(
                "{NAME}: the function of the label is omitted because it needs {}, which only a \
                 running shell can resolve",
                unset.join(", ")
            )),
            Self::Rejected(why) => {
                Some(format!("{NAME}: the function of the label is omitted: {why}"))
            }
        }
    }

    /// The text to copy, if nothing speaks against it.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Complete(text) => Some(text),
            Self::Incomplete(_) | Self::Rejected(_) => None,
        }
    }
}

/// Why the function in a label's payload cannot be copied into a generated label.
pub(crate) fn problem(raw: &RawObject) -> Option<String> {
    let raw = raw.read_keys(|key| key == LabelToolSource::VERSION_FUNCTION);
    let value = raw.get(LabelToolSource::VERSION_FUNCTION)?;
    match value.as_str().map(|text| check_function(NAME, text)) {
        Some(Ok(())) => None,
        Some(Err(why)) => Some(why.to_string()),
        None => Some("it is not a text".to_owned()),
    }
}

/// The variables that the function reads but neither sets itself nor finds set, sorted. `is_set`
/// says whether the label sets a variable.
fn unset_variables(text: &str, is_set: impl Fn(&str) -> bool) -> Vec<&str> {
    let assigned = assigned(text);
    let read: BTreeSet<&str> = text
        .match_indices('$')
        .map(|(position, _)| {
            // `$(` starts a command; after `${`, `#` asks for the length.
            let rest = &text[position + 1..];
            name_at(rest.strip_prefix('{').unwrap_or(rest).trim_start_matches('#'))
        })
        .filter(|name| !name.is_empty())
        .collect();
    let is_environment =
        |name: &str| !name.contains(|character: char| character.is_ascii_lowercase());
    read.into_iter()
        .filter(|name| {
            !assigned.contains(name)
                && !OF_THE_TOOL.contains(name)
                && !is_environment(name)
                && !is_set(name)
        })
        .collect()
}

/// The variables that the text assigns, or uses in a loop or `read`.
fn assigned(text: &str) -> BTreeSet<&str> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | ')' | '{')).collect();
    let set = words.iter().filter_map(|word| {
        let name = name_at(word);
        let rest = &word[name.len()..];
        (!name.is_empty() && (rest.starts_with('=') || rest.starts_with("+="))).then_some(name)
    });
    let declares = |pair: &&[&str]| matches!(pair[0], "for" | "read" | "local" | "typeset");
    let declared = words.windows(2).filter(declares).map(|pair| name_at(pair[1]));
    set.chain(declared).collect()
}

/// The variable name at the start of a text; empty if there is none.
fn name_at(text: &str) -> &str {
    let end = text
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(text.len());
    let name = &text[..end];
    if name.starts_with(|first: char| first.is_ascii_digit()) { "" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_nobody_sets_are_found() {
        let unset = |text| unset_variables(text, |name| name == "packageID");
        assert_eq!(unset("f() { echo $short ${long} \"$last\"; }"), ["last", "long", "short"]);
        for text in [
            "f() { path=1; echo $path; }",
            "f() { for item in a; do echo ${item}; done }",
            "f() { local number; echo ${#number}; }",
            "f() { echo $(cat /x | awk '{print $1}') $? $@ ${HOME}; }",
            "f() { pkgutil --pkg-info $packageID; ls \"$targetDir/$appName\" /Users/$currentUser; }",
        ] {
            assert_eq!(unset(text), Vec::<&str>::new(), "{text}");
        }
    }
}

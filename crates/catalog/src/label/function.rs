//! The function of a label that finds the installed version. It is copied unchanged, so it must be
//! one whole function and must not need variables that the generated label does not set.

use std::collections::BTreeSet;

/// Variables that the label tool sets before it calls the function.
const OF_THE_TOOL: [&str; 6] =
    ["appName", "archiveName", "currentUser", "targetDir", "tmpDir", "versionKey"];

/// Whether the text is a single function. This is always true for labels from upstream, but a
/// manual payload can contain anything.
pub(super) fn is_function(text: &str) -> bool {
    let named = text.strip_prefix("function").map_or(text, str::trim_start);
    let mut depth = 0_i32;
    let mut closed_early = false;
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        closed_early |= depth < 0 || (character == '}' && depth == 0 && position + 1 < text.len());
    }
    named.starts_with("appCustomVersion") && text.ends_with('}') && depth == 0 && !closed_early
}

/// The variables that the function reads but neither sets itself nor finds set, sorted.
/// `is_set` tells whether the label sets a variable.
pub(super) fn unset_variables(text: &str, is_set: impl Fn(&str) -> bool) -> Vec<&str> {
    let own = assigned(text);
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
            !own.contains(name)
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
    fn only_one_whole_function_is_taken_as_it_is() {
        assert!(is_function("appCustomVersion(){ echo ${version}; }"));
        assert!(is_function("function appCustomVersion {\n  cat /x\n}"));
        for text in [
            "",
            "rm -rf /",
            "appCustomVersion",
            "appCustomVersion() { x; } ; rm y; z() { a; }",
            "appCustomVersion() { x; } } {",
            "other() { x; }",
            "appCustomVersion() { {",
        ] {
            assert!(!is_function(text), "{text}");
        }
    }

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

//! The generated sections of `docs/performance.md`.
//!
//! Text between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` is generated. The rest of the
//! document is never changed.

use std::{fs, path::PathBuf};

use crate::run::{Failure, workspace};

/// Replaces the text of a section.
pub(super) fn put(name: &str, text: &str) -> Result<(), Failure> {
    let path = workspace().join("docs").join("performance.md");
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
    let document = fs::read_to_string(&path).map_err(failed)?;
    let changed = replaced(&document, name, text)
        .ok_or_else(|| Failure(format!("section {name} not found in {}", path.display())))?;
    fs::write(&path, changed).map_err(failed)
}

/// The file of a plot.
pub(super) fn plot(name: &str) -> PathBuf {
    workspace().join("docs").join("performance").join(name)
}

/// The document with the text of a section replaced; `None` if there is no such section.
fn replaced(document: &str, name: &str, text: &str) -> Option<String> {
    let (before, rest) = document.split_once(&format!("<!-- bench:{name} -->"))?;
    let (_, after) = rest.split_once(&format!("<!-- /bench:{name} -->"))?;
    let text = text.trim_end();
    Some(format!("{before}<!-- bench:{name} -->\n{text}\n<!-- /bench:{name} -->{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# Title\n\n<!-- bench:one -->\nold\n<!-- /bench:one -->\n\nBy hand.\n<!-- bench:two -->\n<!-- /bench:two -->\n";

    #[test]
    fn only_the_named_section_changes() {
        let expected = DOCUMENT.replace("old", "new\nrows");
        assert_eq!(replaced(DOCUMENT, "one", "new\nrows\n\n").as_deref(), Some(&*expected));
    }

    #[test]
    fn putting_the_same_again_changes_nothing() {
        let once = replaced(DOCUMENT, "two", "rows\n").unwrap();
        assert_eq!(replaced(&once, "two", "rows\n"), Some(once));
    }

    #[test]
    fn an_unknown_or_open_section_is_told() {
        assert_eq!(replaced(DOCUMENT, "three", "rows"), None);
        assert_eq!(replaced("<!-- bench:open -->\n", "open", "rows"), None);
    }
}

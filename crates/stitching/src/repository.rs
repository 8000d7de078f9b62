//! Source repositories that an app's sources name.

use appstitch_types::LabelToolSource;

/// The owner and name of the GitHub repository in a URL, in lowercase.
pub(crate) fn repository(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://github.com/")?;
    let mut segments = rest.split(['/', '?', '#']);
    let (owner, name) = (segments.next()?, segments.next()?);
    (!owner.is_empty() && !name.is_empty()).then(|| {
        format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)).to_ascii_lowercase()
    })
}

/// The repository that a label queries for the newest release: `downloadURLFromGit OWNER NAME`.
pub(crate) fn label_repository(label: &LabelToolSource) -> Option<String> {
    let raw = label.raw.as_json();
    let call = ["downloadURLFromGit ", "versionFromGit "]
        .iter()
        .find_map(|function| raw.split_once(function));
    if let Some((_, rest)) = call {
        let plain =
            |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        let mut words =
            rest.split([' ', ')', '"', '\\', '|']).filter(|word| !word.is_empty()).take(2);
        let (owner, name) = (words.next().filter(plain)?, words.next().filter(plain)?);
        return Some(format!("{owner}/{name}").to_ascii_lowercase());
    }
    let (_, rest) = raw.split_once("api.github.com/repos/")?;
    repository(&format!("https://github.com/{rest}"))
}

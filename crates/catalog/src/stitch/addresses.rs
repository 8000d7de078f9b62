//! Web sites and repositories in URLs, used as evidence.

use std::collections::BTreeSet;

use crate::{Uri, cask::CaskFacts};

/// The web sites in a text, except shared hosts. A site is the last two parts of a host, or the
/// last three for endings such as `co.uk`.
pub(super) fn sites(text: &str) -> BTreeSet<String> {
    let hosts = text.split("://").skip(1).map(|rest| {
        let end = rest.find(|character: char| {
            !character.is_ascii_alphanumeric() && character != '.' && character != '-'
        });
        rest[..end.unwrap_or(rest.len())].to_ascii_lowercase()
    });
    let site = |host: String| {
        let mut parts = host.rsplit('.');
        let (top, second, third) = (parts.next()?, parts.next()?, parts.next());
        if top.is_empty() || second.is_empty() {
            return None;
        }
        Some(match third {
            Some(third) if second.len() <= 3 && top.len() == 2 => format!("{third}.{second}.{top}"),
            _ => format!("{second}.{top}"),
        })
    };
    hosts.filter(|host| !is_shared_host(host)).filter_map(site).collect()
}

/// Hosts that serve files of many vendors; they are no evidence for a match.
pub(super) fn is_shared_host(host: &str) -> bool {
    const SHARED: [&str; 12] = [
        "github.com",
        "github.io",
        "githubusercontent.com",
        "gitlab.io",
        "google.com",
        "amazonaws.com",
        "sourceforge.net",
        "googleapis.com",
        "cloudfront.net",
        "dropbox.com",
        "microsoft.com",
        "gitlab.com",
    ];
    SHARED.iter().any(|shared| host == *shared || host.ends_with(&format!(".{shared}")))
}

/// The owner and name of the repository in a cask's download URL or home page.
pub(super) fn repository_of(facts: &CaskFacts) -> Option<String> {
    let url = facts.url.as_ref().map(Uri::as_str);
    url.and_then(repository).or_else(|| facts.homepage.as_deref().and_then(repository))
}

/// The owner and name of the GitHub repository in a URL, in lowercase.
pub(super) fn repository(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://github.com/")?;
    let mut segments = rest.split(['/', '?', '#']);
    let (owner, name) = (segments.next()?, segments.next()?);
    (!owner.is_empty() && !name.is_empty()).then(|| {
        format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)).to_ascii_lowercase()
    })
}

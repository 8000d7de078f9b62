//! Web addresses as evidence: whose site, whose repository.

use std::collections::BTreeSet;

use crate::{Uri, cask::CaskFacts};

/// The web sites that text names, but for those that everybody shares. The last two parts of
/// a host tell whose it is; where the last but one is short (`co.uk`), the last three do.
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

/// Hosts on which everybody's files are: being there says nothing.
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

/// The owner and name of the source repository that a cask is downloaded from or at home in.
pub(super) fn repository_of(facts: &CaskFacts) -> Option<String> {
    let url = facts.url.as_ref().map(Uri::as_str);
    url.and_then(repository).or_else(|| facts.homepage.as_deref().and_then(repository))
}

/// The owner and name of a repository in an address, in lower case.
pub(super) fn repository(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://github.com/")?;
    let mut segments = rest.split(['/', '?', '#']);
    let (owner, name) = (segments.next()?, segments.next()?);
    (!owner.is_empty() && !name.is_empty()).then(|| {
        format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)).to_ascii_lowercase()
    })
}

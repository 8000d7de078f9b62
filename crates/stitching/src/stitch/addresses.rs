//! Web sites and repositories in URLs, used as evidence.

use std::collections::BTreeSet;

use appstitch_types::Uri;

use crate::{cask::CaskFacts, repository::repository};

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

/// The addresses in a text without their scheme, with blanks for `%20`. An address ends where the
/// shell computes the rest.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split("://").skip(1).map(|rest| {
        let is_end =
            |character: char| character.is_whitespace() || "\"'`\\<>()|;$,".contains(character);
        rest[..rest.find(is_end).unwrap_or(rest.len())].replace("%20", " ")
    })
}

pub(super) fn host(address: &str) -> String {
    address.split(['/', '?', ':']).next().unwrap_or_default().to_ascii_lowercase()
}

/// The folder of a download: the host and two folders at least. `None` for hosts of many vendors,
/// where a folder is no evidence.
pub(super) fn folder(address: &str) -> Option<String> {
    let host = host(address);
    let path = address.get(host.len()..)?.split(['?', '#']).next()?;
    let (folders, _) = path.rsplit_once('/')?;
    let depth = folders.split('/').filter(|part| !part.is_empty()).count();
    (depth >= 2 && !is_shared_host(&host)).then(|| format!("{host}{folders}/"))
}

/// Hosts that serve files of many vendors; they are no evidence for a match.
pub(super) fn is_shared_host(host: &str) -> bool {
    const SHARED: [&str; 12] = [
        "github.com", "github.io", "githubusercontent.com", "gitlab.io", "google.com",
        "amazonaws.com", "sourceforge.net", "googleapis.com", "cloudfront.net", "dropbox.com",
        "microsoft.com", "gitlab.com",
    ];
    SHARED.iter().any(|shared| host == *shared || host.ends_with(&format!(".{shared}")))
}

/// The owner and name of the repository in a cask's download URL or home page.
pub(super) fn repository_of(facts: &CaskFacts) -> Option<String> {
    let url = facts.url.as_ref().map(Uri::as_str);
    url.and_then(repository).or_else(|| facts.homepage.as_deref().and_then(repository))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_where_the_shell_computes_the_rest() {
        let text = r#"$(curl -s "https://a.example/x%20y/${version}/z.dmg") http://b.example"#;
        assert_eq!(addresses(text).collect::<Vec<_>>(), ["a.example/x y/", "b.example"]);
    }

    #[test]
    fn a_folder_is_deep_enough_to_tell_something() {
        assert_eq!(folder("a.example/x/y/z.dmg").as_deref(), Some("a.example/x/y/"));
        assert_eq!(folder("a.example/x/z.dmg"), None);
        assert_eq!(folder("github.com/a/b/c/d.dmg"), None, "a host of many vendors");
    }
}

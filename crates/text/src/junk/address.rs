//! Whether a text can be the address of a download.

use appstitch_types::{Uri, has_credentials};
use url::{Host, Url};

use super::Junk;

/// The hosts of repositories. Their pages lead to downloads, but are none.
const REPOSITORY_HOSTS: [&str; 5] =
    ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sourceforge.net"];

/// Last path segments of pages that list downloads.
const PAGES: [&str; 6] = ["releases", "latest", "tags", "downloads", "files", "tree"];

/// Characters of shell text, JSON and markup that was not expanded.
const UNEXPANDED: [char; 12] = ['$', '`', '{', '}', '<', '>', '"', '\'', '\\', '|', '^', ' '];

/// From a page whose markup was not decoded. Servers ignore the parameters behind it.
const ESCAPED_AMPERSAND: &str = "&amp;";

/// The address in its normal form; an error if the text cannot be the address of a download.
pub fn check_found_address(text: &str) -> Result<Uri, Junk> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Junk::Empty);
    }
    let is_foreign = |c: &char| c.is_control() || c.is_whitespace() || UNEXPANDED.contains(c);
    if let Some(foreign) = text.chars().find(is_foreign) {
        return Err(Junk::Character(foreign));
    }
    if text.contains(ESCAPED_AMPERSAND) {
        return Err(Junk::Escaped(ESCAPED_AMPERSAND));
    }
    let uri = Uri::parse(text).map_err(|_| Junk::NoAddress)?;
    if has_credentials(uri.as_str()) {
        return Err(Junk::Credentials);
    }
    let url = Url::parse(uri.as_str()).map_err(|_| Junk::NoAddress)?;
    if let Some(Host::Domain(host)) = url.host()
        && !host.trim_matches('.').contains('.')
    {
        return Err(Junk::Host(host.to_owned()));
    }
    match repository_page(&url) {
        Some(host) => Err(Junk::RepositoryPage(host.to_owned())),
        None => Ok(uri),
    }
}

/// The host, if the address is a page of a repository host and not a file: the bare site, an
/// owner, a repository or its releases.
fn repository_page(url: &Url) -> Option<&'static str> {
    let host = url.host_str()?.trim_end_matches('.');
    let host = host.strip_prefix("www.").unwrap_or(host);
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    let is_own = |site: &&str| host == *site;
    let is_below = |site: &&str| {
        host.strip_suffix(*site).is_some_and(|front| front.ends_with('.')) && segments.is_empty()
    };
    if let Some(site) = REPOSITORY_HOSTS.into_iter().find(|site| is_below(site)) {
        return Some(site);
    }
    let site = REPOSITORY_HOSTS.into_iter().find(is_own)?;
    let is_tag = segments.len() >= 2 && segments[segments.len() - 2] == "tag";
    let is_list = segments.last().is_some_and(|last| PAGES.contains(last));
    (segments.len() <= 2 || is_tag || is_list).then_some(site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_pass_in_their_normal_form() {
        for address in [
            "https://example.com/Sample-1.2.dmg",
            "https://example.com/get?os=mac&arch=arm64",
            "http://example.com/a%20b.pkg",
            "https://github.com/owner/sample/releases/download/v1.2/Sample.dmg",
            "https://github.com/owner/sample/releases/latest/download/Sample.dmg",
            "https://github.com/owner/sample/archive/refs/tags/v1.2.zip",
            "https://gitlab.com/group/sample/-/archive/v1.2/sample.zip",
            "https://sourceforge.net/projects/sample/files/latest/download",
            "https://192.0.2.1/Sample.dmg",
            "https://example.com/sample@1.2/Sample.dmg?by=a@b",
        ] {
            assert_eq!(check_found_address(address).unwrap().as_str(), address);
        }
        let trimmed = check_found_address(" HTTPS://Example.com/a.dmg\r\n").unwrap();
        assert_eq!(trimmed.as_str(), "https://example.com/a.dmg");
    }

    #[test]
    fn pages_of_repository_hosts_are_no_downloads() {
        for address in [
            "https://github.com",
            "https://github.com/",
            "https://www.github.com/owner",
            "https://github.com/owner/sample",
            "https://github.com/owner/sample/",
            "https://github.com/owner/sample/releases",
            "https://github.com/owner/sample/releases/latest",
            "https://github.com/owner/sample/releases/tag/v1.2",
            "https://api.github.com/",
            "https://gitlab.com/group/sample/-/releases",
            "https://bitbucket.org/owner/sample/downloads/",
            "https://codeberg.org/owner/sample",
            "https://sourceforge.net/projects/sample/files/",
        ] {
            let refused = check_found_address(address);
            assert!(matches!(refused, Err(Junk::RepositoryPage(_))), "{address}: {refused:?}");
        }
    }

    #[test]
    fn text_that_is_no_address_is_told() {
        for (text, junk) in [
            ("", Junk::Empty),
            ("Sample.dmg", Junk::NoAddress),
            ("ftp://example.com/a.dmg", Junk::NoAddress),
            ("https://", Junk::NoAddress),
            ("https://localhost/a.dmg", Junk::Host("localhost".to_owned())),
            ("https://example.com/${version}.dmg", Junk::Character('$')),
            ("https://example.com/{a,b}.dmg", Junk::Character('{')),
            ("https://example.com/a b.dmg", Junk::Character(' ')),
            ("https://example.com/a.dmg\nhttps://example.com/b.dmg", Junk::Character('\n')),
            ("<a href=https://example.com/>", Junk::Character('<')),
            ("https://user:word@example.com/a.dmg", Junk::Credentials),
            ("https://example.com@example.org/a.dmg", Junk::Credentials),
            ("HTTPS:\\\\user@example.com\\a.dmg", Junk::Character('\\')),
        ] {
            assert_eq!(check_found_address(text), Err(junk), "{text:?}");
        }
    }
}

//! The badges of an app, with the text to paste into a page.

use appstitch_feeds::encoded;

use super::{extent::Extent, known::Known};
use crate::{address::app_page, site::Site, source_names::source_title};

pub(super) struct Badges {
    pub(super) listed: Vec<ListedBadge>,
    pub(super) html: String,
    /// The first badge by way of the Shields service.
    pub(super) shields: String,
}

pub(super) struct ListedBadge {
    pub(super) title: String,
    /// The picture's path on this service.
    pub(super) picture: String,
    pub(super) markdown: String,
}

impl Badges {
    pub(super) fn of(site: &Site<'_>, known: &Known<'_>, extent: Extent) -> Self {
        let slug = encoded(known.slug()).to_string();
        let page = site.address(&app_page(known.slug()));
        let name = &known.app.name;
        let markdown = |picture: &str| {
            format!("[![{}]({})]({page})", markdown_text(name), site.address(picture))
        };
        let first = site.address(&format!("/badge/version/{slug}.svg"));
        let endpoint = site.address(&format!("/badge/version/{slug}.json"));
        let listed = paths(known)
            .into_iter()
            .take(extent.badges)
            .map(|(title, picture)| ListedBadge { title, markdown: markdown(&picture), picture });
        Self {
            listed: listed.collect(),
            html: format!(
                "<a href=\"{}\"><img src=\"{}\" alt=\"{}\"></a>",
                html_text(&page),
                html_text(&first),
                html_text(name)
            ),
            shields: format!("https://img.shields.io/endpoint?url={}", encoded(&endpoint)),
        }
    }
}

/// The title and the path of every badge; that of the newest version is the first.
fn paths(known: &Known<'_>) -> Vec<(String, String)> {
    let slug = encoded(known.slug());
    let mut badges = vec![("Newest version".to_owned(), format!("/badge/version/{slug}.svg"))];
    badges.extend(known.versions.iter().map(|stated| {
        let path = format!("/badge/version/{slug}/{}.svg", stated.source);
        (format!("Version in {}", source_title(&stated.source)), path)
    }));
    if known.version_of("label_tool").is_some() && known.version_of("cask_catalog").is_some() {
        badges.push(("Label and cask".to_owned(), format!("/badge/drift/{slug}.svg")));
    }
    badges.push(("Sources".to_owned(), format!("/badge/sources/{slug}.svg")));
    badges.push(("Version by source".to_owned(), format!("/badge/table/{slug}.svg")));
    if let Some(version) = &known.app.current_version {
        let path = format!("/badge/current/{slug}.svg?have={}", encoded(version));
        badges.push(("Is the version I use current?".to_owned(), path));
    }
    badges
}

/// A text between brackets in Markdown.
fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '[' | ']' | '\\' | '`' | '*' | '_' | '<' | '>' | '!') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// A text in HTML that is itself shown as text: the page escapes it once more.
fn html_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(markdown_text("a](x)[b"), "a\\](x)\\[b");
        assert_eq!(html_text("a\"><script>&"), "a&quot;&gt;&lt;script&gt;&amp;");
    }
}

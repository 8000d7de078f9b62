//! The badges of an app, with the text to paste into a page.

use appstitch_feeds::encoded;

use super::Known;
use crate::{Site, app_page, source_title::source_title};

/// Stands for the address of the service where that is not known. The script of the pages puts the
/// real one in its place.
pub(super) const PLACEHOLDER: &str = "https://your-server";

/// A badge and the texts that show it elsewhere.
pub(super) struct BadgeSnippets {
    pub(super) title: String,
    /// The picture's path on this service.
    pub(super) picture: String,
    pub(super) markdown: String,
    pub(super) html: String,
    pub(super) shields: String,
}

/// The address of a path, for texts that leave the service.
pub(super) fn address(site: &Site<'_>, path: &str) -> String {
    site.links.absolute(path).unwrap_or_else(|| format!("{PLACEHOLDER}{path}"))
}

impl BadgeSnippets {
    pub(super) fn all(site: &Site<'_>, known: &Known) -> Vec<Self> {
        let slug = encoded(known.slug()).to_string();
        let mut badges = vec![("Newest version".to_owned(), format!("version/{slug}"), "")];
        badges.extend(known.versions.iter().map(|stated| {
            let path = format!("version/{slug}/{}", stated.source);
            (format!("Version in {}", source_title(&stated.source)), path, "")
        }));
        if known.version_of("label_tool").is_some() && known.version_of("cask_catalog").is_some() {
            badges.push(("Label and cask".to_owned(), format!("drift/{slug}"), ""));
        }
        badges.push(("Sources".to_owned(), format!("sources/{slug}"), ""));
        badges.push(("Version by source".to_owned(), format!("table/{slug}"), ""));
        let have = known.app.current_version.as_ref();
        let query = have.map(|version| format!("?have={}", encoded(version)));
        if let Some(query) = &query {
            badges.push((
                "Is the version I use current?".to_owned(),
                format!("current/{slug}"),
                query,
            ));
        }
        let page = address(site, &app_page(known.slug()));
        let name = &known.app.name;
        badges
            .into_iter()
            .map(|(title, path, query)| {
                let picture = format!("/badge/{path}.svg{query}");
                let source = address(site, &picture);
                let endpoint = address(site, &format!("/badge/{path}.json{query}"));
                Self {
                    markdown: format!("[![{}]({source})]({page})", markdown_text(name)),
                    html: format!(
                        "<a href=\"{}\"><img src=\"{}\" alt=\"{}\"></a>",
                        html_text(&page),
                        html_text(&source),
                        html_text(name)
                    ),
                    shields: format!("https://img.shields.io/endpoint?url={}", encoded(&endpoint)),
                    title,
                    picture,
                }
            })
            .collect()
    }
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

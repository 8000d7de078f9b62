//! The link from another name of an app to the app itself.
//!
//! The server sends it with the 404 for an unknown slug: `</apps/sample>; rel="canonical"`. Only the
//! slug is taken from it, so a link cannot lead to another server or another route.

use appstitch_types::Slug;

const CANONICAL: &str = "canonical";

/// The slug that a `Link` header names as the canonical one for the route of an app, such as
/// `/drift`; `None` if it links to anything else.
pub(crate) fn slug_in(header: &str, route: &str) -> Option<Slug> {
    let target = target(header)?;
    let slug = Slug::parse(target.strip_prefix("/apps/")?.strip_suffix(route)?).ok()?;
    // A route such as `/apps/drift` is not an app.
    slug.unshadowed().is_none().then_some(slug)
}

/// The target of the first canonical link in a list such as `<a>; rel="x y", <b>; rel=z`.
fn target(header: &str) -> Option<&str> {
    let mut rest = header;
    loop {
        let link = rest.trim_start_matches([' ', '\t', ',']).strip_prefix('<')?;
        let (target, after) = link.split_once('>')?;
        let (parameters, next) = after.split_at(find_unquoted(after, ',').unwrap_or(after.len()));
        if is_canonical(parameters) {
            return Some(target);
        }
        rest = next;
    }
}

/// Whether one of the parameters is the relation, alone or in a list of relations.
fn is_canonical(mut parameters: &str) -> bool {
    while let Some(start) = find_unquoted(parameters, ';') {
        parameters = &parameters[start + 1..];
        let end = find_unquoted(parameters, ';').unwrap_or(parameters.len());
        if let Some((name, value)) = parameters[..end].split_once('=')
            && name.trim().eq_ignore_ascii_case("rel")
        {
            // Only the first one counts (RFC 8288, section 3.3).
            let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
            return relations.any(|relation| relation.eq_ignore_ascii_case(CANONICAL));
        }
    }
    false
}

/// The position of a character outside of quoted strings.
fn find_unquoted(text: &str, wanted: char) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    text.find(|character: char| {
        let literal = std::mem::take(&mut escaped);
        match character {
            _ if literal => false,
            '\\' if quoted => {
                escaped = true;
                false
            }
            '"' => {
                quoted = !quoted;
                false
            }
            _ => !quoted && character == wanted,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(header: &str, route: &str) -> Option<String> {
        slug_in(header, route).map(|slug| slug.to_string())
    }

    #[test]
    fn the_link_to_the_same_route_of_another_slug_is_found() {
        for (header, route) in [
            ("</apps/sample>; rel=\"canonical\"", ""),
            ("</apps/sample/drift>; rel=\"canonical\"", "/drift"),
            ("</apps/sample>;rel=canonical", ""),
            ("</apps/sample> ; title=\"a, <b>; \\\"c\" ; REL=\"alternate Canonical\"", ""),
            ("</apps/other>; rel=next, </apps/sample>; rel=\"canonical\"", ""),
            ("<x>; title=\"</apps/no>; rel=canonical\", </apps/sample>; rel=canonical", ""),
        ] {
            assert_eq!(slug(header, route).as_deref(), Some("sample"), "{header}");
        }
        let beta = slug("</apps/sample@beta/details>; rel=\"canonical\"", "/details");
        assert_eq!(beta.as_deref(), Some("sample@beta"));
    }

    #[test]
    fn anything_else_is_ignored() {
        for target in [
            "",
            "/",
            "/apps",
            "/apps/",
            "/apps/..",
            "/apps/../admin/records",
            "/apps/a/../b",
            "/apps/a/sources",
            "/apps/a%2F..%2Fb",
            "/apps/a?x=y",
            "/apps/a#b",
            "/apps/drift",
            "/apps/jamf-index",
            "apps/a",
            "a",
            "//example.com/apps/a",
            "//apps/a",
            "\\\\example.com/apps/a",
            "http://example.com/apps/a",
            "https://user@example.com/apps/a",
            "/admin/apps/a",
            "/apps/a b",
            "/apps/ä",
        ] {
            assert_eq!(slug(&format!("<{target}>; rel=\"canonical\""), ""), None, "{target}");
        }
        assert_eq!(slug("</apps/a>; rel=canonical", "/drift"), None, "another route");
        assert_eq!(slug("</apps/a/drift>; rel=canonical", ""), None, "another route");
    }

    #[test]
    fn a_header_that_is_not_a_list_of_links_is_ignored() {
        for header in [
            "",
            "<",
            "</apps/a",
            "/apps/a; rel=canonical",
            "</apps/a>",
            "</apps/a>; rel",
            "</apps/a>; rel=next; rel=canonical",
            "</apps/a>; rel=\"canonica",
            "</apps/a>; title=\"; rel=canonical",
            "</apps/a>; rev=canonical",
            ", , ,",
            "</apps/a>, rel=canonical",
        ] {
            assert_eq!(slug(header, ""), None, "{header}");
        }
        let long = "<x>; rel=x,".repeat(10_000);
        assert_eq!(slug(&format!("{long}</apps/a>; rel=canonical"), "").as_deref(), Some("a"));
    }
}

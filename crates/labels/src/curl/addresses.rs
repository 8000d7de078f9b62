//! Addresses, as curl reads them: they are kept as written wherever possible.

/// The address with a scheme, a host in lower case and a path, or nothing if it is not valid.
pub(super) fn complete(address: &str) -> Option<String> {
    let bad = |next: char| next <= ' ' || next == '\u{7f}';
    if address.contains(bad) {
        return None;
    }
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|next| next.is_ascii_alphanumeric()) => {
            (scheme.to_ascii_lowercase(), rest)
        }
        _ => ("http".to_owned(), address),
    };
    if scheme != "http" && scheme != "https" {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end)?;
    if host.is_empty() {
        return None;
    }
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(format!("{scheme}://{}{slash}{path}", host.to_ascii_lowercase()))
}

pub(super) fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

pub(super) fn join(base: &str, target: &str) -> Option<String> {
    // Servers send blanks, which curl turns into escapes.
    let target = target.trim().replace(' ', "%20");
    let is_scheme = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|next| next.is_ascii_alphanumeric() || matches!(next, '+' | '-' | '.'))
    };
    if let Some((scheme, _)) = target.split_once("://")
        && is_scheme(scheme)
    {
        return complete(&target);
    }
    let base = without_fragment(base);
    let (scheme, rest) = base.split_once("://")?;
    if let Some(other_host) = target.strip_prefix("//") {
        return complete(&format!("{scheme}://{other_host}"));
    }
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if target.starts_with('/') {
        return complete(&format!("{scheme}://{host}{}", tidy(&target)));
    }
    let path = path.split('?').next().unwrap_or(path);
    if target.is_empty() || target.starts_with(['?', '#']) {
        return complete(&format!("{scheme}://{host}/{path}{target}"));
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let slash = if folder.is_empty() { "" } else { "/" };
    complete(&format!("{scheme}://{host}{}", tidy(&format!("/{folder}{slash}{target}"))))
}

fn tidy(path: &str) -> String {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, behind) = path.split_at_checked(end).unwrap_or((path, ""));
    let mut parts: Vec<&str> = Vec::new();
    let mut pieces = path.split('/').skip(1).peekable();
    while let Some(piece) = pieces.next() {
        let last = pieces.peek().is_none();
        match piece {
            "." | ".." => {
                if piece == ".." {
                    parts.pop();
                }
                if last {
                    parts.push("");
                }
            }
            other => parts.push(other),
        }
    }
    format!("/{}{behind}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_and_kept_as_written() {
        for (given, full) in [
            ("example.com", Some("http://example.com/")),
            ("https://Example.com?A=b", Some("https://example.com/?A=b")),
            ("https://example.com/A%20b|c", Some("https://example.com/A%20b|c")),
            ("https://example.com/a b", None),
            ("https://example.com/a\r", None),
            ("ftp://example.com/", None),
            ("https:///a", None),
        ] {
            assert_eq!(complete(given).as_deref(), full, "{given}");
        }
    }

    #[test]
    fn redirects_are_joined() {
        for (target, full) in [
            ("https://other.example/x", "https://other.example/x"),
            ("//other.example/x", "https://other.example/x"),
            ("/x/../y", "https://example.com/y"),
            ("z.dmg", "https://example.com/a/z.dmg"),
            ("../z.dmg?q", "https://example.com/z.dmg?q"),
            ("?q=1", "https://example.com/a/b?q=1"),
            ("/a b", "https://example.com/a%20b"),
        ] {
            assert_eq!(
                join("https://example.com/a/b?c#d", target).as_deref(),
                Some(full),
                "{target}"
            );
        }
    }
}

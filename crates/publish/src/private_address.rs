//! Addresses with a user name or a password in the entries of an upload. They are never served, which
//! whoever uploads them should know.

use appstitch_sources::{
    Upstream, UpstreamEntry,
    label_tool::{self, FRAGMENT},
};
use appstitch_types::{BrokenRule, Uri, has_credentials};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The parts of a cask that can have an address.
#[derive(Deserialize)]
struct Cask {
    url: Option<Value>,
    homepage: Option<Value>,
    variations: Option<Map<String, Value>>,
}

/// Which of an entry's addresses is not served, and why; `None` if all are.
pub(crate) fn refused_address(upstream: Upstream, entry: &UpstreamEntry) -> Option<String> {
    // Most entries have none, and need not be parsed.
    if !entry.body.contains(&b'@') {
        return None;
    }
    let text = std::str::from_utf8(&entry.body).ok()?;
    let key = match upstream {
        Upstream::CaskCatalog => of_cask(&serde_json::from_str(text).ok()?)?,
        Upstream::LabelTool if entry.key.starts_with(FRAGMENT) => {
            let mut urls = label_tool::download_addresses(text).into_iter();
            urls.any(|url| is_private(&url)).then(|| "downloadURL".to_owned())?
        }
        _ => return None,
    };
    Some(format!("{key}: {}", BrokenRule::UriCredentials))
}

fn of_cask(cask: &Cask) -> Option<String> {
    let is_private = |value: Option<&Value>| value.and_then(Value::as_str).is_some_and(is_private);
    if is_private(cask.url.as_ref()) {
        return Some("url".to_owned());
    }
    if is_private(cask.homepage.as_ref()) {
        return Some("homepage".to_owned());
    }
    let mut variations = cask.variations.iter().flatten();
    let (system, _) = variations.find(|(_, variation)| is_private(variation.get("url")))?;
    Some(format!("variations.{system}.url"))
}

fn is_private(url: &str) -> bool {
    Uri::parse(url).is_ok_and(|uri| has_credentials(uri.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(upstream: Upstream, key: &str, body: &str) -> Option<String> {
        let entry = UpstreamEntry { key: key.to_owned(), body: body.to_owned().into() };
        refused_address(upstream, &entry)
    }

    #[test]
    fn an_address_with_a_user_or_a_password_is_named_but_not_repeated() {
        let cask = |body: &str| refused(Upstream::CaskCatalog, "sample", body);
        let private = "https://user:word@example.com/a.dmg";
        let why = "the URL has a user name or a password: use one without";
        for (key, body) in [
            ("url", format!(r#"{{"url":"{private}"}}"#)),
            ("homepage", format!(r#"{{"homepage":"{private}"}}"#)),
            (
                "variations.sonoma.url",
                format!(r#"{{"variations":{{"sonoma":{{"url":"{private}"}}}}}}"#),
            ),
        ] {
            assert_eq!(cask(&body), Some(format!("{key}: {why}")), "{body}");
        }
        assert_eq!(cask(r#"{"url":"https://example.com/a@1.dmg","homepage":7}"#), None);
        let label = |text: &str| refused(Upstream::LabelTool, "fragment/sample.sh", text);
        let text = format!("sample)\n    downloadURL=\"{private}\"\n    ;;\n");
        assert_eq!(label(&text), Some(format!("downloadURL: {why}")));
        assert_eq!(label(&text.replace("user:word@", "")), None);
    }
}

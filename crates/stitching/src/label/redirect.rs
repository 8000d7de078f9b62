//! Labels that ask where an address redirects to, and download that.

/// Programs that change the address on its way.
const EDITORS: [&str; 3] = ["sed", "perl", "python"];

/// The only address in a text like `$(curl -fsIL https://example.com/get | grep -i location | …)`.
/// Whoever opens it comes to the same file.
pub(super) fn redirecting_address(text: &str) -> Option<String> {
    let command = text.trim().strip_prefix("$(")?.trim().strip_prefix("curl ")?;
    let (request, filters) = command.split_once('|')?;
    let asks_for_headers = request.split_whitespace().any(|word| {
        let flags = word.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        word == "--head" || flags.is_some_and(|flags| flags.contains(['I', 'i']))
    });
    let is_edited =
        filters.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| EDITORS.contains(&word));
    let mut words = request.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let address = words.find(|word| word.contains("://"))?;
    (asks_for_headers
        && !is_edited
        && filters.to_ascii_lowercase().contains("location")
        && words.all(|word| word.starts_with('-'))
        && !address.contains(['$', '`', '{', '\\']))
    .then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_redirects_to_the_download_is_one() {
        for text in [
            r#"$(curl -fsIL https://example.com/get | grep -i "^location" | awk '{print $2}')"#,
            r#"$( curl -sfi "https://example.com/get" | awk '/location:/ {print $2}')"#,
            "$(curl --head --silent https://example.com/get | grep Location | tail -n 1)",
        ] {
            assert_eq!(redirecting_address(text).as_deref(), Some("https://example.com/get"));
        }
        for text in [
            "https://example.com/get",
            "$(curl -fsL https://example.com/get | grep location)",
            "$(curl -fsIL https://example.com/get | grep -i location | sed 's/a/b/')",
            "$(curl -fsIL https://example.com/$version | grep -i location)",
            "$(curl -fsIL https://example.com/get | grep -i etag)",
            "$(curl -fsI https://a.example/x https://b.example/y | grep location)",
            "$(curl -fsI -H accept:x text https://b.example/y)",
        ] {
            assert_eq!(redirecting_address(text), None, "{text}");
        }
    }
}

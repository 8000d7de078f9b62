//! What a cask sends with the request for its download.

use appstitch_text::served;
use serde_json::{Map, Value};

use super::strings;

/// The user agent for casks whose server turns away programs other than browsers.
const BROWSER: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 \
                       (KHTML, like Gecko) Version/17.6 Safari/605.1.15";

/// The options with which curl makes the same request; empty for a plain one.
pub(super) fn curl_options(entry: &Map<String, Value>) -> Vec<String> {
    let Some(specs) = entry.get("url_specs").and_then(Value::as_object) else { return Vec::new() };
    let text = |key: &str| specs.get(key).and_then(Value::as_str);
    let pairs = |key: &str| {
        let pairs = specs.get(key).and_then(Value::as_object).into_iter().flatten();
        pairs.filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?)))
    };
    let agent = match text("user_agent") {
        Some(":fake" | ":browser") => Some(BROWSER),
        // The label tool downloads with curl, too.
        Some(name) if name.starts_with(':') => None,
        agent => agent,
    };
    let header = |name: &str, value: &str| format!("{name}: {value}");
    let cookies = pairs("cookies").collect::<Vec<_>>().join("; ");
    let cookies = Some(cookies).filter(|cookies| !cookies.is_empty());
    let headers = [
        agent.map(|agent| header("User-Agent", agent)),
        text("referer").map(|page| header("Referer", page)),
        cookies.map(|cookies| header("Cookie", &cookies)),
    ];
    let headers = headers.into_iter().flatten().chain(strings(specs.get("header")));
    let form = pairs("data").map(|field| ["--data-urlencode".to_owned(), field]);
    let options: Vec<String> =
        headers.map(|header| ["-H".to_owned(), header]).chain(form).flatten().collect();
    let is_plain = |option: &String| served::check_text("curlOptions", option).is_ok();
    // Half of a request is no better than none.
    if options.iter().all(is_plain) { options } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn options(specs: &Value) -> Vec<String> {
        curl_options(json!({"url_specs": specs}).as_object().unwrap())
    }

    #[test]
    fn a_request_is_repeated_with_its_headers_and_form() {
        let specs = json!({"verified": "example.com/", "user_agent": "Sample/1.0",
            "referer": "https://example.com/", "cookies": {"a": "1", "b": "2"}});
        let expected = [
            "-H",
            "User-Agent: Sample/1.0",
            "-H",
            "Referer: https://example.com/",
            "-H",
            "Cookie: a=1; b=2",
        ];
        assert_eq!(options(&specs), expected);
        let specs = json!({"using": "post", "header": "Accept: */*", "data": {"license": "yes"}});
        assert_eq!(options(&specs), ["-H", "Accept: */*", "--data-urlencode", "license=yes"]);
    }

    #[test]
    fn only_the_user_agent_of_a_browser_needs_an_option() {
        let browser = format!("User-Agent: {BROWSER}");
        for agent in [":fake", ":browser"] {
            assert_eq!(options(&json!({"user_agent": agent})), ["-H", &browser]);
        }
        assert_eq!(options(&json!({"user_agent": ":curl"})), [""; 0]);
        assert_eq!(
            options(&json!({"referer": "https://e.com/\n", "user_agent": ":fake"})),
            [""; 0]
        );
        assert_eq!(curl_options(&Map::new()), [""; 0]);
    }
}

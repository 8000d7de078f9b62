//! Responses.

use reqwest::StatusCode;
use serde_json::Value;

#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) async fn read(response: reqwest::Response) -> Self {
        Self {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().to_vec(),
        }
    }

    /// The text of a header; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The text of a web page, which keeps the rules of all pages.
    pub(crate) fn html(&self) -> &str {
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8", "{self:?}");
        let policy = self.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(self.body.len() <= 30_000, "{} bytes", self.body.len());
        let html = self.text();
        assert_eq!(html.matches("<h1").count(), 1, "{html}");
        for forbidden in [" style=\"", "<style", "<script>"] {
            assert!(!html.contains(forbidden), "{forbidden} in {html}");
        }
        html
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&self.body)))
    }

    pub(crate) fn detail(&self) -> String {
        self.json()["detail"].as_str().unwrap_or_else(|| panic!("no detail: {self:?}")).to_owned()
    }

    pub(crate) fn slugs(&self) -> Vec<String> {
        let apps = self.json();
        let apps = apps.as_array().unwrap_or_else(|| panic!("not a list: {self:?}"));
        apps.iter().map(|app| app["slug"].as_str().unwrap().to_owned()).collect()
    }
}

pub(crate) fn series(metrics: &str, name: &str) -> f64 {
    let line =
        metrics.lines().find(|line| line.starts_with(name) && line[name.len()..].starts_with(' '));
    let line = line.unwrap_or_else(|| panic!("metric {name} not found in\n{metrics}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

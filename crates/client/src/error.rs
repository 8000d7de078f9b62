//! The one way in which a request can fail.

use reqwest::StatusCode;
use thiserror::Error;

/// A request without a usable answer: what was asked, and what is wrong.
#[derive(Debug, Error)]
#[error("{}{url}: {detail}", status.map(|status| format!("{status} from ")).unwrap_or_default())]
pub struct ResponseError {
    /// The status, if there was an answer.
    pub status: Option<StatusCode>,
    /// What was asked.
    pub url: String,
    /// The server's own words where it gave some, ours otherwise.
    pub detail: String,
    /// What is behind it.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ResponseError {
    pub(crate) fn new(url: &str, detail: impl Into<String>) -> Self {
        Self { status: None, url: url.to_owned(), detail: detail.into(), source: None }
    }

    pub(crate) fn with_source(
        self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    /// Whether no server answered at all.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.status.is_none()
    }

    /// The network's words, with everything behind them: the cause is what one can act on.
    pub(crate) fn network(url: &str, error: reqwest::Error) -> Self {
        let mut detail = String::new();
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = cause {
            let text = error.to_string();
            if !detail.contains(&text) {
                let separator = if detail.is_empty() { "" } else { ": " };
                detail = format!("{detail}{separator}{text}");
            }
            cause = error.source();
        }
        Self::new(url, detail).with_source(error)
    }
}

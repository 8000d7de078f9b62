use std::error::Error as StdError;

use appstitch_types::without_credentials;
use reqwest::StatusCode;
use thiserror::Error;

/// The error of a request without a usable response.
///
/// The message includes the cause, so the error has no `source()`: printing the whole chain does
/// not repeat it.
#[derive(Debug, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub struct ResponseError {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// The HTTP status, if the server sent one.
    pub status: Option<StatusCode>,
    /// The requested URL, without user name and password.
    pub url: String,
    /// The `detail` of the server's error body, or a description of the problem.
    pub detail: String,
    /// The underlying error, if there is one.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The base URL or a path is invalid.
    InvalidUrl,
    /// The deploy token is missing, or contains characters that cannot be sent.
    InvalidToken,
    /// The server could not be reached, or the connection was lost.
    Unreachable,
    /// The server responded with an error status.
    Status,
    /// The response body is incomplete or not in the expected format.
    InvalidBody,
    /// The catalog changed while its pages were read.
    CatalogChanged,
}

impl ResponseError {
    pub(crate) fn new(kind: ErrorKind, url: &str, detail: impl Into<String>) -> Self {
        let url = without_credentials(url);
        Self { kind, status: None, url, detail: detail.into(), cause: None }
    }

    pub(crate) fn with_cause(self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    /// A failure below HTTP.
    pub(crate) fn network(kind: ErrorKind, url: &str, error: reqwest::Error) -> Self {
        Self::new(kind, url, root_cause(&error)).with_cause(error)
    }

    /// Whether the server could not be reached.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.kind == ErrorKind::Unreachable
    }

    fn message(&self) -> String {
        let Self { url, detail, .. } = self;
        match (self.kind, self.status) {
            (ErrorKind::Unreachable, _) => format!("server unavailable at {url}: {detail}"),
            (_, Some(status)) => format!("{status} from {url}: {detail}"),
            (_, None) => format!("{url}: {detail}"),
        }
    }
}

/// The innermost error: the outer ones only repeat the URL and the layers of the HTTP library.
fn root_cause(error: &dyn StdError) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
}

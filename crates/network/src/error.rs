use std::{error::Error, time::Duration};

use reqwest::StatusCode;
use thiserror::Error as ThisError;

#[derive(Debug, ThisError)]
pub enum FetchError {
    #[error("'{0}' is not an http, https or file URL")]
    Address(String),
    #[error("'{0}' has no absolute path; use file:///path/to/file")]
    RelativeFile(String),
    #[error("cannot read {address}: {error}")]
    File { address: String, error: std::io::Error },
    #[error(
        "{0} leads to a private, link-local or loopback address; to allow it, use --allow-private"
    )]
    Private(String),
    #[error("{address} returned {status}")]
    Status {
        address: String,
        status: StatusCode,
        /// How long the server asks to wait, if it does.
        wait: Option<Duration>,
    },
    #[error("{address} redirects more than {limit} times")]
    TooManyRedirects { address: String, limit: usize },
    #[error("{address} is larger than {limit} bytes")]
    TooLarge { address: String, limit: u64 },
    #[error("{address} and the files before it have more than {} MiB together", .limit >> 20)]
    TooMuch { address: String, limit: u64 },
    #[error("{address} was not received within {}", rounded(*.limit))]
    OutOfTime { address: String, limit: Duration },
    #[error("{address} is too slow: {received} bytes in {}", rounded(*.time))]
    TooSlow { address: String, received: u64, time: Duration },
    /// URLs are printed and stored.
    #[error("{0}: URLs with a user name or password are not supported")]
    Credentials(String),
    /// The address of the proxy may have a password, so it is not part of the error.
    #[error("invalid proxy: expected http://HOST:PORT or https://HOST:PORT")]
    Proxy,
    #[error("{0} requests are not supported")]
    Method(String),
    #[error("{}", with_causes(.0, &.0.to_string()))]
    Network(#[from] reqwest::Error),
}

/// A duration as people read it: in whole minutes from two minutes on, otherwise in seconds.
pub fn rounded(duration: Duration) -> String {
    let counted = |number: u64, unit: &str| match number {
        1 => format!("1 {unit}"),
        _ => format!("{number} {unit}s"),
    };
    let milliseconds = duration.as_millis();
    if milliseconds < 1000 {
        return format!("{milliseconds} ms");
    }
    let seconds = duration.as_secs_f64().round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is rounded, not negative, and saturates"
    )]
    let seconds = seconds as u64;
    if seconds < 120 { counted(seconds, "second") } else { counted((seconds + 30) / 60, "minute") }
}

/// An error with its causes. The last cause is usually the one a user can act on.
fn with_causes(error: &reqwest::Error, first: &str) -> String {
    let mut text = first.to_owned();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn what_failed(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "cannot connect"
    } else if error.is_body() || error.is_decode() {
        "the connection broke"
    } else {
        "the request failed"
    }
}

pub(crate) fn is_caused_by<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(<dyn Error + 'static>::is::<E>)
}

impl FetchError {
    /// Whether the server answered, or the folder told, that there is no such file.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Status { status, .. } => *status == StatusCode::NOT_FOUND,
            Self::File { error, .. } => error.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        }
    }

    /// What happened, for a message that names the address already.
    pub fn reason(&self) -> String {
        match self {
            Self::File { error, .. } => format!("cannot read it: {error}"),
            Self::Private(_) => {
                "it leads to a private, link-local or loopback address; to allow it, use \
                 --allow-private"
                    .to_owned()
            }
            Self::Status { status, wait: None, .. } => format!("returned {status}"),
            Self::Status { status, wait: Some(wait), .. } => {
                format!("returned {status} and asks to wait {}", rounded(*wait))
            }
            Self::TooManyRedirects { limit, .. } => format!("redirects more than {limit} times"),
            Self::TooLarge { limit, .. } => format!("is larger than {limit} bytes"),
            Self::TooMuch { limit, .. } => {
                format!("has, with the files before it, more than {} MiB", limit >> 20)
            }
            Self::OutOfTime { limit, .. } => format!("was not received within {}", rounded(*limit)),
            Self::TooSlow { received, time, .. } => {
                format!("is too slow: {received} bytes in {}", rounded(*time))
            }
            Self::Network(error) => with_causes(error, what_failed(error)),
            other => other.to_string(),
        }
    }

    /// The same for everyone to read: without what only concerns this machine and its network.
    pub fn public_reason(&self) -> String {
        match self {
            Self::File { .. } => "the file cannot be read".to_owned(),
            Self::Network(error) => what_failed(error).to_owned(),
            Self::Address(_) | Self::RelativeFile(_) | Self::Credentials(_) | Self::Proxy => {
                "the address is invalid".to_owned()
            }
            Self::Private(_) => "the address is not public".to_owned(),
            other => other.reason(),
        }
    }

    /// How long the server asks to wait, if it does.
    pub fn wait(&self) -> Option<Duration> {
        match self {
            Self::Status { wait, .. } => *wait,
            _ => None,
        }
    }

    /// Whether no connection was made, so that the server did not see the request.
    pub fn is_unsent(&self) -> bool {
        matches!(self, Self::Network(error) if error.is_connect())
    }

    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Network(error) => error.is_timeout(),
            Self::OutOfTime { .. } | Self::TooSlow { .. } => true,
            _ => false,
        }
    }

    /// Whether the error may be temporary, so that a retry is useful.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Network(_) => true,
            Self::Status { status, wait, .. } => {
                status.is_server_error()
                    || *status == StatusCode::TOO_MANY_REQUESTS
                    || wait.is_some()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_no_address_and_rounded_times() {
        let address = || "https://example.com/cask.json".to_owned();
        let limit = Duration::from_millis(599_987);
        let error = FetchError::OutOfTime { address: address(), limit };
        assert_eq!(error.reason(), "was not received within 10 minutes");
        let status = StatusCode::FORBIDDEN;
        let error = FetchError::Status { address: address(), status, wait: None };
        assert_eq!(error.reason(), "returned 403 Forbidden");
        let wait = Some(Duration::from_secs(1_799));
        let error = FetchError::Status { address: address(), status, wait };
        assert_eq!(error.reason(), "returned 403 Forbidden and asks to wait 30 minutes");
        for (seconds, text) in
            [(1.0, "1 second"), (0.25, "250 ms"), (59.6, "60 seconds"), (125.0, "2 minutes")]
        {
            assert_eq!(rounded(Duration::from_secs_f64(seconds)), text);
        }
    }
}

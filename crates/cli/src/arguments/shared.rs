//! Arguments that several commands share.

use std::{path::PathBuf, time::Duration};

use appstitch_publish::BackgroundPriority;
#[cfg(feature = "serve")]
use appstitch_server::{Links, PublicUrlError};
use appstitch_store::{StoreAddress, StoreError};
use appstitch_types::without_credentials;
use clap::Args;

use super::unprinted::Unprinted;

#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    /// The store of the catalog: sqlite:PATH or postgres://…
    #[arg(
        long,
        env = "APPSTITCH_STORE",
        hide_env_values = true,
        default_value = "sqlite:appstitch.db",
        value_name = "URL",
        value_parser = Unprinted(parse_store)
    )]
    pub(crate) store: StoreAddress,
}

#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// URL of the running server
    #[arg(
        long,
        env = "APPSTITCH_SERVER",
        hide_env_values = true,
        default_value = "http://127.0.0.1:8000",
        value_name = "URL"
    )]
    pub(crate) server: String,
}

#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// File with the deploy token, which uploads require [env: APPSTITCH_DEPLOY_TOKEN holds the token itself]
    #[arg(long, value_name = "FILE")]
    pub(crate) deploy_token_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PriorityArguments {
    /// CPU priority of a refresh: only idle time, or the same as other processes
    #[arg(
        long,
        env = "APPSTITCH_REFRESH_PRIORITY",
        default_value = "idle",
        value_name = "PRIORITY"
    )]
    pub(crate) refresh_priority: RefreshPriority,
}

/// The names of the priorities.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum RefreshPriority {
    Idle,
    Normal,
}

impl From<RefreshPriority> for BackgroundPriority {
    fn from(priority: RefreshPriority) -> Self {
        match priority {
            RefreshPriority::Idle => Self::Idle,
            RefreshPriority::Normal => Self::Normal,
        }
    }
}

/// An empty address counts as unset.
#[cfg(feature = "serve")]
pub(super) fn public_url(text: &str) -> Result<Links, PublicUrlError> {
    if text.trim().is_empty() { Ok(Links::default()) } else { Links::new(text) }
}

pub(super) fn parse_store(text: &str) -> Result<StoreAddress, String> {
    text.parse().map_err(|error| match error {
        StoreError::Address(_) => {
            let text = without_credentials(text);
            format!("'{text}' is not a store address; use sqlite:PATH or postgres://HOST/DATABASE")
        }
        error => error.to_string(),
    })
}

/// Reads a duration such as 90s, 30m, 12h or 2d.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number with s, m, h or d, such as 12h".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(expected()),
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    // A duration of more than a hundred years is a mistake, and could not be subtracted from a time.
    let most = 36_500 * 24 * 60 * 60;
    let number: u64 = digits.parse().map_err(|_| "too long".to_owned())?;
    match number.checked_mul(seconds) {
        None => Err("too long".to_owned()),
        Some(0) => Err("must be longer than 0".to_owned()),
        Some(seconds) if seconds > most => Err("too long".to_owned()),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("12h", 43_200), ("2d", 172_800)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)));
        }
        for text in
            ["", "h", "12", "-1h", "+1h", "1.5h", "1 h", "0s", "99999999999999999999d", "1ü"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}

//! Arguments that several commands share.

use std::path::PathBuf;

use appstitch_publish::BackgroundPriority;
#[cfg(feature = "serve")]
use appstitch_server::{Links, PublicUrlError};
use appstitch_store::{StoreAddress, StoreError};
use appstitch_types::without_credentials;
use clap::Args;

use super::unprinted::Unprinted;

pub(super) use appstitch_refresh::parse_duration;

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

/// A version such as `12` or `10.15.7`.
#[cfg(feature = "serve")]
pub(super) fn macos_version(text: &str) -> Result<String, &'static str> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = text.len() <= 20 && text.split('.').all(is_number);
    if is_version { Ok(text.to_owned()) } else { Err("expected numbers with dots, such as 10.13") }
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

//! The arguments of `appstitch hooks`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::shared::{ServerArguments, TokenArguments};

const SECRET_FILE: &str = "File with the secret that signs, as whsec_ and Base64; - for standard input [env: APPSTITCH_HOOK_SECRET holds the secret itself] [default: a generated one]";

#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List webhooks and their status
    List(HookListArguments),
    /// Create a webhook, or replace one; a generated secret is printed once
    Add(HookAddArguments),
    /// Remove a webhook
    Remove(HookArguments),
    /// Send a test message and show the result
    Test(HookArguments),
    /// Show the last 50 deliveries of a webhook, newest first
    Deliveries(HookDeliveriesArguments),
    /// Send everything after a point again
    Replay(HookReplayArguments),
    /// Enable a disabled webhook; it continues where it stopped
    Enable(HookArguments),
}

#[derive(Debug, Args)]
pub(crate) struct HookServerArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HookListArguments {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) server: HookServerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// Name of the webhook
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) server: HookServerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HookDeliveriesArguments {
    /// Name of the webhook
    pub(crate) id: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) server: HookServerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HookReplayArguments {
    /// Name of the webhook
    pub(crate) id: String,
    /// Token or number of the last change not to send, or a time such as 2026-08-22T19:31:04Z
    #[arg(long, value_name = "POINT")]
    pub(crate) since: String,
    #[command(flatten)]
    pub(crate) server: HookServerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HookAddArguments {
    /// Name of the webhook: a-z, 0-9, '.', '_' and '-'
    pub(crate) id: String,
    /// Where to send; other users of this machine can see it while the command runs
    #[arg(required_unless_present = "url_file", conflicts_with = "url_file")]
    pub(crate) url: Option<String>,
    /// File with the URL, for URLs that contain a secret, such as those of Slack and Teams; - for
    /// standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) url_file: Option<PathBuf>,
    /// Format of the messages
    #[arg(long, value_enum, default_value_t = HookFormat::Standard)]
    pub(crate) format: HookFormat,
    /// Send only changes of this app; can be repeated
    #[arg(long, value_name = "SLUG")]
    pub(crate) slug: Vec<String>,
    /// Send only changes of apps of this vendor; can be repeated
    #[arg(long, value_name = "VENDOR")]
    pub(crate) vendor: Vec<String>,
    /// Send only this kind of change: added, changed, removed or renamed; can be repeated
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Send only changes of this field, such as `current_version`; can be repeated
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Vec<String>,
    #[arg(long, help = SECRET_FILE, value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Replace the secret of an existing webhook with a generated one; the old one also signs for 24
    /// hours
    #[arg(long, conflicts_with = "secret_file")]
    pub(crate) rotate_secret: bool,
    #[command(flatten)]
    pub(crate) server: HookServerArguments,
}

/// The names of the formats.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum HookFormat {
    /// JSON as defined by Standard Webhooks
    Standard,
    /// A message for an incoming webhook of Slack
    Slack,
    /// A card for a workflow of Microsoft Teams
    Teams,
}

impl HookFormat {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Slack => "slack",
            Self::Teams => "teams",
        }
    }
}

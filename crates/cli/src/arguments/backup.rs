//! The arguments of `appstitch backup` and `appstitch restore`.

use std::path::PathBuf;

use clap::Args;

use super::shared::StoreArguments;

pub(crate) const BACKUP_HELP: &str = "\
The backup is consistent, even while a server runs. An existing backup is replaced when the new \
one is complete. URLs and secrets of webhooks are included only with --secrets-key-file.";

pub(crate) const RESTORE_HELP: &str = "\
The whole backup is checked before anything is changed. A restored store serves the same revision; \
running servers on it switch over by themselves. A backup of an SQLite store can be restored into \
PostgreSQL, and the other way around.";

#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// File to write; - for standard output
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) key: BackupKeyArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// The backup; - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Replace everything in a store that is not empty
    #[arg(long)]
    pub(crate) replace: bool,
    /// Only check that the backup is valid; no store is opened
    #[arg(long, conflicts_with = "replace")]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) key: BackupKeyArguments,
}

#[derive(Debug, Args)]
pub(crate) struct BackupKeyArguments {
    /// File with a random key of at least 32 characters, which seals the URLs and secrets of webhooks
    /// in the backup
    #[arg(long, value_name = "FILE")]
    pub(crate) secrets_key_file: Option<PathBuf>,
}

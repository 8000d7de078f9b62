//! The arguments of `appstitch catalog`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{
    mirror::{FETCH_HELP, FetchArguments},
    shared::StoreArguments,
};

pub(crate) const PUBLISH_HELP: &str = "\
Any web server, object storage, CDN or stick can carry DIR. Without a key the files are not signed: \
sign them elsewhere with `appstitch catalog sign DIR`.";

pub(crate) const VERIFY_HELP: &str = "\
Exit codes: 0 everything is as signed, 1 a file or the signature was changed, 2 wrong usage, \
3 the folder cannot be read, 5 signed with an unknown key, 6 the index is newer than this version";

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Make a key that signs the catalog; prints the public key
    NewKey(NewKeyArguments),
    /// Write the catalog of a store as files: index, records, and what changed since older revisions
    #[command(after_help = PUBLISH_HELP)]
    Publish(PublishArguments),
    /// Take over a signed catalog into a store of its own, which can then be served
    #[command(after_help = FETCH_HELP)]
    Fetch(FetchArguments),
    /// Verify the files of a folder, and sign its index
    Sign(SignArguments),
    /// Verify the signature and every file of a folder; needs no store
    #[command(after_help = VERIFY_HELP)]
    Verify(VerifyArguments),
}

#[derive(Debug, Args)]
pub(crate) struct NewKeyArguments {
    /// File for the secret key; it must not exist
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    /// Folder for the files; it must be empty or hold an earlier catalog
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) keys: SigningArguments,
    /// Also write a catalog that is older than the one in the folder, or another one
    #[arg(long)]
    pub(crate) allow_rollback: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SigningArguments {
    /// File with the secret key that signs the catalog; only its owner may read it
    #[arg(long, env = "APPSTITCH_SIGNING_KEY_FILE", value_name = "FILE")]
    pub(crate) signing_key_file: Option<PathBuf>,
    /// File with the key that will sign later. Both keys sign, and the index announces the new one
    #[arg(
        long,
        env = "APPSTITCH_NEXT_SIGNING_KEY_FILE",
        requires = "signing_key_file",
        value_name = "FILE"
    )]
    pub(crate) next_signing_key_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SignArguments {
    /// Folder with the index
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// File with the secret key, which only its owner may read
    #[arg(long, env = "APPSTITCH_SIGNING_KEY_FILE", value_name = "FILE")]
    pub(crate) signing_key_file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Folder with the index
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Public key, as text or as a file; can be given several times. Without it, only sizes and hashes
    /// are compared
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Vec<String>,
}

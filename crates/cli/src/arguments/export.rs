//! The arguments of `appstitch export`.

use std::path::PathBuf;

use appstitch_server::Links;
use clap::Args;

use super::{
    catalog::SigningArguments,
    shared::{StoreArguments, public_url},
};

pub(super) const EXPORT_HELP: &str = "\
Serve DIR/current with the sample configuration deploy/nginx-static.conf. Only what changed since \
the last run is written, and the new export replaces the old one at once. Searches, filters, tools \
and uploads need a live server: see docs/reference/static-export.md.";

const PUBLIC_URL: &str = "Public base URL of the files, such as https://apps.example; feeds, pages and the sitemap link to it";

#[derive(Debug, Args)]
pub(crate) struct ExportFolderArguments {
    /// Folder for the files; it must be empty or hold an earlier export
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[arg(
        long,
        help = PUBLIC_URL,
        env = "APPSTITCH_PUBLIC_URL",
        default_value = "",
        hide_default_value = true,
        value_name = "URL",
        value_parser = public_url
    )]
    pub(crate) public_url: Links,
    #[command(flatten)]
    pub(crate) signing: SigningArguments,
}

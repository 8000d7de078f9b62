//! `appstitch alias`: the apps that a name leads to.

use anyhow::anyhow;
use appstitch_client::{AliasKind, AliasMatches};

use super::request::{client, failure, print_body, unknown};
use crate::{
    arguments::AliasArguments,
    exit::Failure,
    table::{Column, Look, cell},
};

pub(crate) async fn run(arguments: AliasArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let name = &arguments.name;
    let Some(raw) = client.find_alias_raw(name).await.map_err(failure)? else {
        return Err(unknown(&client, name, anyhow!("No app is known as '{name}'")).await);
    };
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let found: AliasMatches = raw.decode().map_err(failure)?;
    let columns = [Column::whole("SLUG"), Column::whole("KIND OF NAME")];
    let mut table = Look::of(arguments.read.color).table(columns);
    for found in &found.matches {
        table.add_row([cell(Some(&found.slug)), cell(Some(kind_in_words(found.kind)))]);
    }
    table.print()
}

pub(in crate::read) const fn kind_in_words(kind: AliasKind) -> &'static str {
    match kind {
        AliasKind::Slug => "slug",
        AliasKind::Token => "cask token",
        AliasKind::FormerToken => "former cask token",
        AliasKind::LabelName => "label name",
        AliasKind::BundleId => "bundle identifier",
        AliasKind::TeamId => "Team ID",
        AliasKind::TitleCode => "title code",
    }
}

//! `appstitch catalog fetch`: the signed catalog of somebody else in a store of its own.

use std::time::Duration;

use anyhow::anyhow;
use appstitch_catalog_files::{Index, IndexError, VerifyError};
use appstitch_mirror::{MirrorError, Origin, Reader, Taken, Trust, take};
use appstitch_types::without_credentials;
use jiff::{SignedDuration, Timestamp};

use super::{NEWER_SCHEMA, UNKNOWN_KEY, keys};
use crate::{
    arguments::FetchArguments,
    exit::{Failure, NO, UNREACHABLE, print},
    open_store,
    words::counted,
};

/// The store has a newer catalog.
const OLDER: u8 = 7;
/// The store has the catalog of somebody else.
const OTHER_CATALOG: u8 = 8;

pub(super) async fn fetch(arguments: FetchArguments) -> Result<(), Failure> {
    let origin = Origin::read(&arguments.origin).map_err(Failure::wrong_use)?;
    let mut trust = trust(&arguments.keys.key)?;
    trust.allows_rollback = arguments.allow_rollback;
    let reader = Reader::new(origin, &arguments.access.read()?).map_err(Failure::unreachable)?;
    let store = open_store::open(&arguments.store.store).await?;
    let taken = take(&reader, &trust, &store).await;
    let (word, index) = match taken.map_err(|error| failure(&arguments.origin, error))? {
        Taken::Unchanged(index) => ("kept", index),
        Taken::New(index) => ("received", index),
    };
    let Index { revision, catalog, serial, apps, at, .. } = *index;
    if arguments.max_age.is_some_and(|most| is_older(at, most)) {
        eprintln!("warning: the catalog is old: it was published at {at:.0}");
    }
    let apps = counted(apps, "app");
    let verified = if trust.keys.is_empty() { ", not verified" } else { "" };
    print(&format!(
        "{word} revision {revision}: {apps}{verified}\ncatalog {catalog}, serial {serial}, published at {at:.0}\n"
    ))
}

/// The keys, each as text or as a file.
pub(crate) fn trust(given: &[String]) -> Result<Trust, Failure> {
    let keys = given.iter().map(|key| keys::read_public(key)).collect::<Result<_, _>>()?;
    Ok(Trust { keys, allows_rollback: false })
}

fn is_older(at: Timestamp, most: Duration) -> bool {
    SignedDuration::try_from(most).is_ok_and(|most| Timestamp::now().duration_since(at) > most)
}

fn failure(origin: &str, error: MirrorError) -> Failure {
    let code = match &error {
        MirrorError::Fetch(_) | MirrorError::Store(_) | MirrorError::NoSources => UNREACHABLE,
        MirrorError::NotSigned | MirrorError::Signature(VerifyError::UnknownKey) => UNKNOWN_KEY,
        // The hash of a copy is right, so another version wrote it.
        MirrorError::Index(IndexError::NewerSchema(_)) | MirrorError::Copy(_) => NEWER_SCHEMA,
        MirrorError::Older { .. } => OLDER,
        MirrorError::OtherCatalog { .. } => OTHER_CATALOG,
        _ => NO,
    };
    let what = format!("cannot take over {}", without_credentials(origin));
    let is_unsigned = matches!(error, MirrorError::NotSigned);
    let failure = Failure::no(anyhow!(error).context(what)).coded(code);
    match code {
        _ if is_unsigned => failure.hint("pass --unsigned to take it over without verifying it"),
        OLDER | OTHER_CATALOG => failure.hint("pass --allow-rollback if this is intended"),
        _ => failure,
    }
}

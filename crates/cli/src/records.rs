//! `appstitch records`: whole records in and out of a store, for mirrors and restores.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, anyhow};
use appstitch_server::{Batch, Publisher};
use appstitch_store::{Store, StoreAddress};

use crate::{
    arguments::{ExportArguments, ImportArguments},
    exit::{Failure, print},
};

/// Replaces the hand-given records; a running server on the same store takes them over.
pub(crate) async fn import(arguments: ImportArguments) -> Result<(), Failure> {
    let ndjson = read(&arguments.file)
        .with_context(|| format!("cannot read {}", arguments.file.display()))
        .map_err(Failure::wrong_use)?;
    let mut batch = Batch::read(&ndjson);
    for problem in &batch.problems {
        eprintln!("warning: {}: {}", problem.what, problem.why);
    }
    if batch.received > 0 && !batch.readable {
        let file = arguments.file.display();
        return Err(Failure::wrong_use(anyhow!(
            "{file} holds no record: give one JSON object a line"
        )));
    }
    let store = open(&arguments.store.store).await?;
    let publisher = Arc::new(Publisher::open(store).await.map_err(Failure::unreachable)?);
    let change = batch.replacement(arguments.allow_shrink);
    let outcome = publisher.publish(change).await.map_err(|error| match error {
        appstitch_server::PublishError::Shrinks { .. } => {
            Failure::no(anyhow!("{error}; hint: pass --allow-shrink if that is meant"))
        }
        other => Failure::unreachable(other),
    })?;
    let summary = batch.summary(outcome);
    eprintln!(
        "{} of {} records taken; {} apps, revision {}{}",
        summary.accepted,
        summary.received,
        publisher.current().stats().total_apps,
        summary.revision,
        if summary.changed { "" } else { " (nothing changed)" },
    );
    Ok(())
}

/// Writes the hand-given records, in slug order.
pub(crate) async fn export(arguments: ExportArguments) -> Result<(), Failure> {
    let StoreAddress::Sqlite(path) = &arguments.store.store;
    if !path.exists() {
        return Err(Failure::unreachable(anyhow!("there is no store at {}", path.display())));
    }
    let store = open(&arguments.store.store).await?;
    let contents = store.load().await.map_err(Failure::unreachable)?;
    let mut ndjson = String::new();
    for record in &contents.records {
        ndjson.push_str(&record.body);
        ndjson.push('\n');
    }
    match &arguments.file {
        None => print(&ndjson),
        Some(file) => write_whole(file, ndjson.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))
            .map_err(Failure::unreachable),
    }
}

async fn open(address: &StoreAddress) -> Result<Store, Failure> {
    Store::open(address)
        .await
        .with_context(|| format!("cannot open {address}"))
        .map_err(Failure::unreachable)
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes beside the file and renames, so that a full disk never leaves half a backup.
fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut partial = file.as_os_str().to_owned();
    partial.push(".partial");
    let mut writer = fs::File::create(&partial)?;
    writer.write_all(bytes)?;
    writer.sync_all()?;
    fs::rename(&partial, file)
}

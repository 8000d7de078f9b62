//! `appstitch records`: imports and exports whole records, for mirrors. What is imported is a manual
//! record, which the sources cannot update, so an import is no way to restore a store.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, anyhow};
use appstitch_budget::{Budget, Limits};
use appstitch_publish::{BackgroundPriority, Batch, FrozenApps};
use appstitch_store::{COPY_RULES, Store};

use crate::{
    arguments::{ExportArguments, ImportArguments},
    exit::{Failure, print},
    open_store, whole_file,
    words::counted,
};

/// The file name that means standard input or output.
const STANDARD_STREAM: &str = "-";

/// Replaces all manual records. A running server on the same store serves them as well.
pub(crate) async fn import(arguments: ImportArguments) -> Result<(), Failure> {
    let ndjson = read(&arguments.file)
        .with_context(|| format!("cannot read {}", arguments.file.display()))
        .map_err(Failure::wrong_use)?;
    // Whoever can write to the store may write as much as they like.
    let mut batch = Batch::read(&ndjson, &mut Budget::new(Limits::NONE))
        .with_context(|| format!("cannot read {}", arguments.file.display()))
        .map_err(Failure::wrong_use)?;
    for problem in &batch.tally.problems {
        eprintln!("warning: {}: {}", problem.what, problem.why);
    }
    if batch.tally.received > 0 && !batch.readable {
        let file = arguments.file.display();
        return Err(Failure::wrong_use(anyhow!(
            "no record found in {file}: expected one JSON object per line"
        )));
    }
    let store = open_store::open(&arguments.store.store).await?;
    if !arguments.freeze {
        reject_freezing(&store, &batch).await?;
    }
    // An import is short, and a user is waiting for it.
    let publisher = open_store::publisher(store, BackgroundPriority::Normal).await?;
    let change = batch.replacement(arguments.allow_shrink);
    let published = publisher.publish(change).await.map_err(|error| match error {
        appstitch_publish::PublishError::Shrinks { .. } => {
            Failure::no(error).hint("pass --allow-shrink if this is intended")
        }
        other => Failure::unreachable(other),
    })?;
    let summary = batch.summary(published);
    eprintln!(
        "{} of {} imported; {}, revision {}{}",
        summary.accepted,
        counted(summary.received, "record"),
        counted(publisher.current().stats().total_apps, "app"),
        summary.revision,
        if summary.changed { "" } else { " (unchanged)" },
    );
    if summary.accepted > 0 {
        eprintln!(
            "note: imported apps are manual records, which the sources cannot update; to copy or restore a store, use `appstitch backup` and `appstitch restore`"
        );
    }
    if summary.rejected > 0 {
        return Err(Failure::no(anyhow!("{} rejected", counted(summary.rejected, "record"))));
    }
    Ok(())
}

/// Stops before the catalog of the sources becomes a copy that nothing updates.
async fn reject_freezing(store: &Store, batch: &Batch) -> Result<(), Failure> {
    let contents = store.load().await.map_err(Failure::unreachable)?;
    let apps = FrozenApps::of(&contents, &batch.records);
    if !apps.are_too_many() {
        return Ok(());
    }
    let FrozenApps { frozen, sourced } = apps;
    let error = anyhow!(
        "{frozen} of {sourced} apps that the sources keep up to date would become manual records, which no refresh updates"
    );
    Err(Failure::no(error).hint(
        "to copy or restore a store, use `appstitch backup` and `appstitch restore`; pass --freeze if this is intended",
    ))
}

/// Exports every record as served, in slug order. The store is opened read-only and not migrated.
pub(crate) async fn export(arguments: ExportArguments) -> Result<(), Failure> {
    let store = open_store::open_to_read(&arguments.store.store).await?;
    let contents = store.load().await.map_err(Failure::unreachable)?;
    if contents.served_by.as_ref().is_some_and(|made_by| made_by.rules == COPY_RULES) {
        let error = anyhow!("the store is a copy of another catalog and has no records of its own");
        return Err(
            Failure::no(error).hint("use `appstitch catalog publish`, or `appstitch backup`")
        );
    }
    let mut ndjson = String::new();
    for record in appstitch_publish::served_records(&contents) {
        ndjson.push_str(&serde_json::to_string(&record).map_err(Failure::unreachable)?);
        ndjson.push('\n');
    }
    match arguments.file.as_deref() {
        None => print(&ndjson),
        Some(file) if file == Path::new(STANDARD_STREAM) => print(&ndjson),
        Some(file) => whole_file::write(file, ndjson.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))
            .map_err(Failure::unreachable),
    }
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new(STANDARD_STREAM) {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

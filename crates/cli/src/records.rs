//! `appstitch records`: whole records in and out of a store, for mirrors and restores.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, anyhow};
use appstitch_server::{BackgroundPriority, Batch, Publisher};
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
    // Whoever imports records waits for it, and it is soon done.
    let publisher = Arc::new(
        Publisher::open(store, BackgroundPriority::Normal).await.map_err(Failure::unreachable)?,
    );
    let change = batch.replacement(arguments.allow_shrink);
    let published = publisher.publish(change).await.map_err(|error| match error {
        appstitch_server::PublishError::Shrinks { .. } => {
            Failure::no(anyhow!("{error}; hint: pass --allow-shrink if that is meant"))
        }
        other => Failure::unreachable(other),
    })?;
    let summary = batch.summary(published);
    eprintln!(
        "{} of {} records taken; {} apps, revision {}{}",
        summary.accepted,
        summary.received,
        publisher.current().stats().total_apps,
        summary.revision,
        if summary.changed { "" } else { " (nothing changed)" },
    );
    if summary.rejected > 0 {
        return Err(Failure::no(anyhow!("{} records were refused", summary.rejected)));
    }
    Ok(())
}

/// Writes every record as it is served, in slug order. The store is only read, whatever its age.
pub(crate) async fn export(arguments: ExportArguments) -> Result<(), Failure> {
    let address = &arguments.store.store;
    let store = Store::open_to_read(address)
        .await
        .with_context(|| format!("cannot open {address}"))
        .map_err(Failure::unreachable)?;
    let contents = store.load().await.map_err(Failure::unreachable)?;
    let mut ndjson = String::new();
    for record in appstitch_server::served_records(&contents) {
        ndjson.push_str(&serde_json::to_string(&record).map_err(Failure::unreachable)?);
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

/// Writes a file so that a full disk never leaves half a backup: beside it first, then renamed
/// over it. A link is followed, and what is no regular file is written to as it is.
fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match fs::canonicalize(file) {
        Err(_) => file.to_owned(),
        Ok(target) if target.is_file() => target,
        Ok(other) => return fs::OpenOptions::new().write(true).open(other)?.write_all(bytes),
    };
    let mut partial = target.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = write_beside(&partial, &target, bytes);
    if written.is_err() {
        // The error that matters is the one above.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn write_beside(partial: &Path, target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut writer = fs::File::create(partial)?;
    if let Ok(metadata) = fs::metadata(target) {
        writer.set_permissions(metadata.permissions())?;
    }
    writer.write_all(bytes)?;
    writer.sync_all()?;
    fs::rename(partial, target)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_is_followed_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert!(write_whole(Path::new("/dev/full"), b"no room").is_err());
        assert!(!Path::new("/dev/full").is_file());
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("missing").join("file");
        assert!(write_whole(&file, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

//! `appstitch backup` and `appstitch restore`: everything that a store holds, in one file.

use std::{
    fs::{self, File},
    io::{self, IsTerminal, Seek},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, anyhow};
use appstitch_store::{
    BackupError, BackupKey, BackupSummary, Restored, Store, StoreError, check_backup, is_backup,
};

use crate::{
    arguments::{BackupArguments, BackupKeyArguments, RestoreArguments},
    exit::Failure,
    open_store,
    whole_file::NewFile,
    words::counted,
};

/// The file name that means standard input or output.
const STANDARD_STREAM: &str = "-";

/// Only the owner reads a backup, like a store with the secrets of its webhooks.
const MODE: u32 = 0o600;

/// Writes a backup. The store is opened read-only and not migrated.
pub(crate) async fn backup(arguments: BackupArguments) -> Result<(), Failure> {
    let key = read_key(&arguments.key)?;
    let file = &arguments.file;
    if file == Path::new(STANDARD_STREAM) {
        if io::stdout().is_terminal() {
            return Err(Failure::wrong_use(anyhow!("a backup is not written to a terminal"))
                .hint("name a file, or send the output to another program"));
        }
        let store = open_store::open_to_read(&arguments.store.store).await?;
        let written = store.backup(io::stdout(), key).await;
        let (mut output, summary) =
            written.map_err(|error| failure(error, "cannot back up".into()))?;
        io::Write::flush(&mut output)
            .context("cannot write the backup")
            .map_err(Failure::unreachable)?;
        report("wrote the backup", &summary);
        return Ok(());
    }
    reject_other_file(file)?;
    let store = open_store::open_to_read(&arguments.store.store).await?;
    let cannot = || format!("cannot write {}", file.display());
    let new = NewFile::create(file, MODE).with_context(cannot).map_err(Failure::unreachable)?;
    let clone =
        |new: &NewFile| new.file().try_clone().with_context(cannot).map_err(Failure::unreachable);
    let written = store.backup(clone(&new)?, key.clone()).await;
    let (mut output, summary) = written.map_err(|error| failure(error, cannot()))?;
    if new.is_regular() {
        // What cannot be read again is no backup.
        output.rewind().with_context(cannot).map_err(Failure::unreachable)?;
        let read = check_backup(output, key).await.map_err(|error| failure(error, cannot()))?;
        if read != summary {
            return Err(Failure::unreachable(anyhow!("{}: it reads differently", cannot())));
        }
    }
    new.finish().with_context(cannot).map_err(Failure::unreachable)?;
    report(&format!("wrote {}", file.display()), &summary);
    Ok(())
}

pub(crate) async fn restore(arguments: RestoreArguments) -> Result<(), Failure> {
    let key = read_key(&arguments.key)?;
    let name = arguments.file.display().to_string();
    let cannot = || format!("cannot read {name}");
    let mut file = open(&arguments.file).await.with_context(cannot).map_err(Failure::wrong_use)?;
    let copy = file.try_clone().with_context(cannot).map_err(Failure::unreachable)?;
    let checked = check_backup(copy, key.clone()).await;
    let checked = checked.map_err(|error| failure(error, cannot()))?;
    if arguments.check {
        report(&format!("{name} is valid"), &checked);
        return Ok(());
    }
    let address = &arguments.store.store;
    file.rewind().with_context(cannot).map_err(Failure::unreachable)?;
    // The file may change between the check and now, so everything is checked again.
    let restored = Store::restore(address, file, key, arguments.replace).await;
    let Restored { backup, hooks_without_secrets } = restored
        .map_err(|error| failure(error, format!("cannot restore {name} into {address}")))?;
    report(&format!("restored {name} into {address}"), &backup);
    if !hooks_without_secrets.is_empty() {
        eprintln!(
            "warning: disabled webhooks whose URLs and secrets are unknown: {}\n\
             hint: give them again with `appstitch hooks add`",
            hooks_without_secrets.join(", ")
        );
    }
    Ok(())
}

fn report(what: &str, summary: &BackupSummary) {
    let revision = summary.revision.as_deref().unwrap_or("none");
    eprintln!(
        "{what}: {}, {}, {}, revision {revision}\nsha256 {}",
        counted(summary.apps(), "app"),
        counted(summary.manual_records(), "manual record"),
        counted(summary.hooks(), "webhook"),
        summary.sha256,
    );
    if summary.sealed_hooks < summary.hooks() {
        eprintln!(
            "note: the URLs and secrets of webhooks are not in the backup; --secrets-key-file seals them into it"
        );
    }
}

fn read_key(arguments: &BackupKeyArguments) -> Result<Option<Arc<BackupKey>>, Failure> {
    let Some(file) = &arguments.secrets_key_file else { return Ok(None) };
    let cannot = || format!("cannot read the key from {}", file.display());
    let contents = fs::read(file).with_context(cannot).map_err(Failure::wrong_use)?;
    let key = BackupKey::new(&contents).map_err(|error| failure(error, cannot()))?;
    Ok(Some(Arc::new(key)))
}

/// Does not overwrite a file that isn't a backup, such as the store itself.
fn reject_other_file(path: &Path) -> Result<(), Failure> {
    let Ok(file) = File::open(path) else { return Ok(()) };
    let is_replaced =
        file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if is_replaced && !is_backup(file) {
        let error = anyhow!("{} exists and is not a backup", path.display());
        return Err(Failure::wrong_use(error).hint("name another file, or delete it first"));
    }
    Ok(())
}

/// Opens a backup. It is read twice, so what can be read only once is copied to a temporary file.
async fn open(path: &Path) -> io::Result<File> {
    let input: Box<dyn io::Read + Send> = if path == Path::new(STANDARD_STREAM) {
        Box::new(io::stdin())
    } else {
        let file = File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
        Box::new(file)
    };
    let copying = tokio::task::spawn_blocking(move || {
        let mut input = input;
        let mut copy = tempfile::tempfile()?;
        io::copy(&mut input, &mut copy)?;
        copy.rewind()?;
        Ok(copy)
    });
    copying.await.map_err(io::Error::other)?
}

fn failure(error: BackupError, what: String) -> Failure {
    let is_store = matches!(
        error,
        BackupError::Store(_) | BackupError::Write(_) | BackupError::Read(_) | BackupError::Sealing
    );
    let is_full = matches!(error, BackupError::Store(StoreError::NotEmpty));
    let error = anyhow!(error).context(what);
    match (is_full, is_store) {
        (true, _) => Failure::no(error).hint("pass --replace to replace everything in it"),
        (_, true) => Failure::unreachable(error),
        _ => Failure::wrong_use(error),
    }
}

//! `appstitch catalog publish`: the catalog of a store as files.

use std::{fs, io, path::Path};

use anyhow::{Context, anyhow};
use appstitch_catalog_files::{CatalogFiles, INDEX, Index, MakeError, SIGNATURE};
use tokio::task::spawn_blocking;

use super::keys;
use crate::{
    arguments::PublishArguments,
    exit::{Failure, print},
    open_store, whole_file,
    words::counted,
};

/// Files of older revisions are kept for readers that have an older index.
const KEPT_REVISIONS: usize = 30;

pub(super) async fn publish(arguments: PublishArguments) -> Result<(), Failure> {
    let signer = keys::read_signer(&arguments.keys)?;
    let publisher = open_store::reader(&arguments.store.store).await?;
    let snapshot = publisher.current();
    let work = spawn_blocking(move || {
        let files = CatalogFiles::of(&snapshot, signer.as_ref()).map_err(|error| match error {
            MakeError::Empty => {
                Failure::no(anyhow!("the store is empty: there is nothing to publish"))
            }
            error => Failure::unreachable(error),
        })?;
        write(&files, &arguments)
    });
    work.await.map_err(Failure::unreachable)?
}

fn write(files: &CatalogFiles, arguments: &PublishArguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))
        .map_err(Failure::unreachable)?;
    let known = known_index(folder)?;
    if !arguments.allow_rollback {
        check_order(known.as_ref(), &files.index)?;
    }
    let cannot_write = || format!("cannot write to {}", folder.display());
    write_files(files, folder).with_context(cannot_write).map_err(Failure::unreachable)?;
    remove_old(folder, &files.index.revision)
        .with_context(cannot_write)
        .map_err(Failure::unreachable)?;
    let is_new = known.is_none_or(|known| known.revision != files.index.revision);
    let signed = match files.signatures() {
        [] => "not signed".to_owned(),
        [(key, _)] => format!("signed with key {key}"),
        _ => "signed with both keys".to_owned(),
    };
    print(&format!(
        "{} revision {}: {}, {}, {signed}\n",
        if is_new { "wrote" } else { "kept" },
        files.index.revision,
        counted(files.index.apps, "app"),
        counted(files.index.deltas.len() as u64, "delta"),
    ))
}

/// The index of an earlier run. A folder with anything else belongs to somebody else.
fn known_index(folder: &Path) -> Result<Option<Index>, Failure> {
    let bytes = match fs::read(folder.join(INDEX)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut entries = fs::read_dir(folder).map_err(Failure::unreachable)?;
            // An interrupted first run leaves folders of revisions only.
            let is_foreign = |name: &str| !is_revision(name) && name != SIGNATURE;
            let foreign = entries.find_map(|entry| {
                let name = entry.ok()?.file_name().to_string_lossy().into_owned();
                is_foreign(&name).then_some(name)
            });
            return match foreign {
                None => Ok(None),
                Some(name) => Err(Failure::wrong_use(anyhow!(
                    "{} is not empty and holds no catalog, but '{name}'",
                    folder.display()
                ))),
            };
        }
        Err(error) => return Err(Failure::unreachable(error)),
    };
    let index = Index::read(&bytes)
        .with_context(|| format!("{} holds something else", folder.display()))
        .map_err(Failure::wrong_use)?;
    Ok(Some(index))
}

/// Readers refuse an older or another catalog, so it is not written unless that is wanted.
fn check_order(known: Option<&Index>, new: &Index) -> Result<(), Failure> {
    let Some(known) = known else { return Ok(()) };
    let why = if known.catalog != new.catalog {
        format!(
            "the folder holds catalog {}, and the store is catalog {}",
            known.catalog, new.catalog
        )
    } else if known.serial > new.serial {
        format!("the folder holds the newer revision {}", known.revision)
    } else {
        return Ok(());
    };
    let error = anyhow!("{why}; readers of the folder would refuse it");
    Err(Failure::no(error).hint("pass --allow-rollback if this is intended"))
}

/// Writes the index last: until then, readers find the older one with all its files.
fn write_files(files: &CatalogFiles, folder: &Path) -> io::Result<()> {
    let revision = folder.join(&files.index.revision);
    fs::create_dir_all(&revision)?;
    for name in files.names() {
        if let Some(bytes) = files.file(name) {
            write_changed(&revision.join(name), bytes)?;
        }
    }
    if files.signature().is_none() {
        // That of an older index fits no more.
        remove_if_there(&folder.join(SIGNATURE))?;
    }
    for (name, bytes) in files.beside_index() {
        write_changed(&folder.join(name), bytes)?;
    }
    write_changed(&folder.join(INDEX), files.index_bytes())
}

fn write_changed(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(file).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    whole_file::write(file, bytes)
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes the oldest revisions. Their names begin with their times.
fn remove_old(folder: &Path, newest: &str) -> io::Result<()> {
    let mut revisions = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_revision(&name) && name != newest {
            revisions.push(name);
        }
    }
    revisions.sort_unstable_by(|one, other| other.cmp(one));
    for old in revisions.iter().skip(KEPT_REVISIONS - 1) {
        fs::remove_dir_all(folder.join(old))?;
    }
    Ok(())
}

/// Whether a name has the form of a revision, such as `20260305T060708Z-0123456789ab`.
fn is_revision(name: &str) -> bool {
    name.split_once("Z-").is_some_and(|(time, hash)| {
        time.len() == 15
            && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'T')
            && hash.len() == 12
            && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

//! `appstitch catalog publish`: the catalog of a store as files.

use std::{fs, io, path::Path};

use anyhow::{Context, anyhow};
use appstitch_catalog_files::{
    CatalogFiles, INDEX, Index, KEY, MakeError, Signer, is_revision_token,
};
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
    let copy = publisher.copy_of(&snapshot).await.map_err(Failure::unreachable)?;
    let received = publisher.received().filter(|_| signer.is_none());
    let work = spawn_blocking(move || {
        let files = CatalogFiles::of(&snapshot, copy.as_deref(), signer.as_ref());
        let files = files.map_err(|error| match error {
            MakeError::Empty => {
                Failure::no(anyhow!("the store is empty: there is nothing to publish"))
            }
            error => Failure::unreachable(error),
        })?;
        let files = match received {
            Some(received) => files.handed_on(&received).unwrap_or_else(|made| *made),
            None => files,
        };
        write(files, signer.as_ref(), &arguments)
    });
    work.await.map_err(Failure::unreachable)?
}

fn write(
    mut files: CatalogFiles,
    signer: Option<&Signer>,
    arguments: &PublishArguments,
) -> Result<(), Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))
        .map_err(Failure::unreachable)?;
    let known = known_index(folder)?;
    if !arguments.allow_rollback {
        check_order(known.as_ref(), &files.index)?;
    }
    let cannot_write = || format!("cannot write to {}", folder.display());
    if let Some(known) = known.as_ref().filter(|known| known.revision != files.index.revision) {
        add_patch(&mut files, known, folder)
            .with_context(cannot_write)
            .map_err(Failure::unreachable)?;
    }
    write_files(&files, folder).with_context(cannot_write).map_err(Failure::unreachable)?;
    remove_old(folder, &files.index.revision)
        .with_context(cannot_write)
        .map_err(Failure::unreachable)?;
    let is_new = known.is_none_or(|known| known.revision != files.index.revision);
    let signed = match signer {
        None if files.is_signed() => "signed by its origin".to_owned(),
        None => "not signed".to_owned(),
        Some(Signer { current, next: None }) => {
            format!("signed with key {}", current.public().id())
        }
        Some(_) => "signed with both keys".to_owned(),
    };
    print(&format!(
        "{} revision {}: {}, {}, {signed}\n",
        if is_new { "wrote" } else { "kept" },
        files.index.revision,
        counted(files.index.apps, "app"),
        counted(files.index.deltas.len() as u64, "delta"),
    ))
}

/// Adds a patch from the revision before, if its file is there and undamaged.
fn add_patch(files: &mut CatalogFiles, known: &Index, folder: &Path) -> io::Result<()> {
    let Some(file) = &known.with_sources else { return Ok(()) };
    let packed = fs::read(folder.join(&file.path)).unwrap_or_default();
    match file.unpack(&packed) {
        Ok(copy) => files.add_patches([(known.revision.clone(), copy)]),
        Err(_) => Ok(()),
    }
}

/// The index of an earlier run. A folder with anything else belongs to somebody else.
fn known_index(folder: &Path) -> Result<Option<Index>, Failure> {
    let bytes = match fs::read(folder.join(INDEX)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut entries = fs::read_dir(folder).map_err(Failure::unreachable)?;
            // An interrupted first run leaves some of its files, but no index.
            let is_own = |name: &str| {
                is_revision_token(name)
                    || is_beside_index(name)
                    || name.starts_with(whole_file::PREFIX)
            };
            let foreign = entries.find_map(|entry| {
                let name = entry.ok()?.file_name().to_string_lossy().into_owned();
                (!is_own(&name)).then_some(name)
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
    remove_stale_signatures(files, folder)?;
    for (name, bytes) in files.beside_index() {
        write_changed(&folder.join(name), bytes)?;
    }
    write_changed(&folder.join(INDEX), files.index_bytes())
}

/// Signatures and keys of an older index fit no more.
fn remove_stale_signatures(files: &CatalogFiles, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_current = files.beside_index().iter().any(|(known, _)| *known == name);
        if is_beside_index(&name) && !is_current {
            remove_if_there(&folder.join(name))?;
        }
    }
    Ok(())
}

/// Whether a file is what signs the index, or the key.
fn is_beside_index(name: &str) -> bool {
    name == KEY || (name.starts_with(INDEX) && name.ends_with(".minisig"))
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
        if is_revision_token(&name) && name != newest {
            revisions.push(name);
        }
    }
    revisions.sort_unstable_by(|one, other| other.cmp(one));
    for old in revisions.iter().skip(KEPT_REVISIONS - 1) {
        fs::remove_dir_all(folder.join(old))?;
    }
    Ok(())
}

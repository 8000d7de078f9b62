//! `appstitch catalog`: the catalog as signed files that can be carried.

mod fetch;
pub(crate) mod keys;
mod publish;

pub(crate) use fetch::trust;

use std::path::Path;

use anyhow::anyhow;
use appstitch_catalog_files::{
    FolderError, INDEX, Index, IndexError, KEY, SIGNATURE, Verified, VerifyError, verify_folder,
};

use crate::{
    arguments::{CatalogCommand, SignArguments, VerifyArguments},
    exit::{Failure, print},
    whole_file,
    words::counted,
};

/// The files are signed with a key that was not given.
const UNKNOWN_KEY: u8 = 5;
/// The files are of a newer version of the program.
const NEWER_SCHEMA: u8 = 6;

pub(crate) async fn run(command: CatalogCommand) -> Result<(), Failure> {
    match command {
        CatalogCommand::NewKey(arguments) => keys::new_key(&arguments.file),
        CatalogCommand::Publish(arguments) => publish::publish(arguments).await,
        CatalogCommand::Fetch(arguments) => fetch::fetch(arguments).await,
        CatalogCommand::Sign(arguments) => sign(&arguments),
        CatalogCommand::Verify(arguments) => verify(&arguments),
    }
}

/// Signs what is complete and undamaged, so that a signature never covers half a copy.
fn sign(arguments: &SignArguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let key = keys::read_secret(&arguments.signing_key_file)?;
    let verified = verify_folder(folder, &[]).map_err(|error| failure(folder, error))?;
    if let [first, ..] = &verified.missing[..] {
        let missing = counted(verified.missing.len() as u64, "file");
        return Err(Failure::no(anyhow!(
            "{missing} that the index names are missing, such as {first}"
        )));
    }
    let index = std::fs::read(folder.join(INDEX)).map_err(Failure::unreachable)?;
    let signature = key.sign(&index, &verified.index.trusted_comment());
    for (name, text) in [(SIGNATURE, signature), (KEY, key.public().file())] {
        whole_file::write(&folder.join(name), text.as_bytes()).map_err(Failure::unreachable)?;
    }
    eprintln!("signed {} with key {}", verified.index.revision, key.public().id());
    Ok(())
}

fn verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let keys: Vec<_> =
        arguments.key.iter().map(|key| keys::read_public(key)).collect::<Result<_, _>>()?;
    let folder = &arguments.folder;
    let verified = verify_folder(folder, &keys).map_err(|error| failure(folder, error))?;
    print(&report(&verified))
}

fn report(verified: &Verified) -> String {
    let Verified { index, is_signed, files, missing } = verified;
    let Index { catalog, serial, revision, at, apps, .. } = index;
    let (apps, files) = (counted(*apps, "app"), counted(*files as u64, "file"));
    let signature = match is_signed {
        true => format!("the signature and {files} are right"),
        false => format!("{files} are right; the signature was not verified: pass --key"),
    };
    let not_there = match &missing[..] {
        [] => String::new(),
        missing => {
            let count = counted(missing.len() as u64, "file");
            format!("{count} not there: {}\n", missing.join(", "))
        }
    };
    format!(
        "catalog {catalog}, serial {serial}\nrevision {revision} of {at}: {apps}\n{signature}\n{not_there}"
    )
}

fn failure(folder: &Path, error: FolderError) -> Failure {
    let code = match &error {
        FolderError::Read { .. } => {
            return Failure::unreachable(anyhow!(error).context(place(folder)));
        }
        FolderError::NotSigned | FolderError::Signature(VerifyError::UnknownKey) => UNKNOWN_KEY,
        // The hash of a copy is right, so another version wrote it.
        FolderError::Index(IndexError::NewerSchema(_)) | FolderError::Copy { .. } => NEWER_SCHEMA,
        _ => crate::exit::NO,
    };
    Failure::no(anyhow!(error).context(place(folder))).coded(code)
}

fn place(folder: &Path) -> String {
    folder.display().to_string()
}

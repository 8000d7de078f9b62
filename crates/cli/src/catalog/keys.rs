//! The keys of a catalog, from files and the command line.

use std::{
    env,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, anyhow};
use appstitch_catalog_files::{PublicKey, SecretKey, Signer};

use crate::{
    arguments::SigningArguments,
    exit::{Failure, print},
    secrets,
};

/// Makes a secret key in a new file that only its owner can read, and prints the public one.
pub(super) fn new_key(file: &Path) -> Result<(), Failure> {
    let (key, text) = SecretKey::generate().map_err(Failure::unreachable)?;
    let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    created
        .and_then(|mut created| {
            created.write_all(text.as_bytes())?;
            created.sync_all()
        })
        .with_context(|| format!("cannot write the secret key to {}", file.display()))
        .map_err(Failure::wrong_use)?;
    print(&key.public().file())
}

pub(crate) fn read_signer(arguments: &SigningArguments) -> Result<Option<Signer>, Failure> {
    let Some(current) = &arguments.signing_key_file else { return Ok(None) };
    let next = arguments.next_signing_key_file.as_deref().map(read_secret).transpose()?;
    Ok(Some(Signer { current: read_secret(current)?, next }))
}

/// Reads a secret key. A key that others can read is refused: whoever has it can sign a catalog.
pub(super) fn read_secret(file: &Path) -> Result<SecretKey, Failure> {
    let metadata = fs::metadata(file)
        .with_context(|| format!("cannot read the signing key from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    if metadata.is_file() && metadata.mode() & foreign_access(file) != 0 {
        let error = anyhow!("others can read or change the signing key {}", file.display());
        return Err(Failure::wrong_use(error).hint(format!("run `chmod 600 {}`", file.display())));
    }
    let text = secrets::secret_in_file("signing key", file)?;
    SecretKey::read(&text)
        .with_context(|| format!("{} has no signing key", file.display()))
        .map_err(Failure::wrong_use)
}

/// The bits of a mode that let others read or change a file. systemd lets the service read a credential by an
/// access list, which looks like access of the group.
fn foreign_access(file: &Path) -> u32 {
    let credentials = env::var_os("CREDENTIALS_DIRECTORY");
    let is_credential = credentials.is_some_and(|folder| file.starts_with(folder));
    if is_credential { 0o037 } else { 0o077 }
}

/// A public key as text, or else the file with this name.
pub(super) fn read_public(given: &str) -> Result<PublicKey, Failure> {
    if let Ok(key) = PublicKey::read(given) {
        return Ok(key);
    }
    let text = fs::read_to_string(given)
        .with_context(|| format!("'{given}' is neither a public key nor a file that can be read"))
        .map_err(Failure::wrong_use)?;
    PublicKey::read(&text)
        .with_context(|| format!("{given} has no public key"))
        .map_err(Failure::wrong_use)
}

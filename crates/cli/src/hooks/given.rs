//! Values that may be secret: from a file, standard input or the environment, never from the command
//! line only.

use std::{
    env::VarError,
    fs,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, anyhow};

use crate::exit::Failure;

/// The most bytes that are read.
const MOST_BYTES: u64 = 64 << 10;

/// The secret of a hook from the file, otherwise from the environment; `None` if neither is set.
pub(super) fn secret(file: Option<&Path>) -> Result<Option<String>, Failure> {
    if let Some(file) = file {
        return from_file("secret", file).map(Some);
    }
    match std::env::var("APPSTITCH_HOOK_SECRET") {
        // An empty variable counts as unset.
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        // The error has the value, which is a secret.
        Err(VarError::NotUnicode(_)) => {
            Err(Failure::wrong_use(anyhow!("APPSTITCH_HOOK_SECRET is not valid UTF-8")))
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub(super) fn from_file(what: &str, file: &Path) -> Result<String, Failure> {
    let text = read(file)
        .with_context(|| format!("cannot read the {what} from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    match text.trim() {
        "" => {
            Err(Failure::wrong_use(anyhow!("the file {} with the {what} is empty", file.display())))
        }
        text => Ok(text.to_owned()),
    }
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text)?;
    } else {
        fs::File::open(file)?.take(MOST_BYTES).read_to_string(&mut text)?;
    }
    Ok(text)
}

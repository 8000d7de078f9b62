//! The token for the API host of releases.

use std::path::Path;

use anyhow::{Context, anyhow};
use appstitch_resolver::Secret;

use crate::exit::Failure;

/// The token in the file, if a file is given.
pub(crate) fn read(file: Option<&Path>) -> Result<Option<Secret>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the GitHub token from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    let token = Secret::new(&text).ok_or_else(|| {
        anyhow!("{} does not contain a GitHub token of 16 or more characters", file.display())
    });
    token.map(Some).map_err(Failure::wrong_use)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::WRONG_USE;

    #[test]
    fn a_file_without_a_token_is_wrong_use_and_never_printed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        assert_eq!(read(Some(&file)).unwrap_err().code, WRONG_USE);
        for text in ["this is not a token", "short123"] {
            std::fs::write(&file, text).unwrap();
            let failure = read(Some(&file)).unwrap_err();
            assert_eq!(failure.code, WRONG_USE);
            assert!(!failure.to_string().contains(text), "{failure}");
        }
        std::fs::write(&file, "token123token123\n").unwrap();
        assert_eq!(read(Some(&file)).ok().flatten().unwrap().reveal(), "token123token123");
        assert!(read(None).ok().flatten().is_none());
    }
}

//! Tokens and other secrets: from files, standard input or the environment. They are never printed.

use std::{
    env::{self, VarError},
    fs,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, anyhow};
use appstitch_resolver::Secret;

use crate::{arguments::TokenArguments, exit::Failure};

/// The longest secret that is read, in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// The token from the file, otherwise from the environment; `None` if neither is set.
pub(crate) fn deploy_token(arguments: &TokenArguments) -> Result<Option<String>, Failure> {
    let Some(file) = &arguments.deploy_token_file else {
        return variable("APPSTITCH_DEPLOY_TOKEN")?.map(sendable).transpose();
    };
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the deploy token from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    match text.trim() {
        "" => Err(Failure::wrong_use(anyhow!("the deploy token file {} is empty", file.display()))),
        token => sendable(token.to_owned()).map(Some),
    }
}

/// Rejects a token that cannot be sent in a header. It is not printed.
fn sendable(token: String) -> Result<String, Failure> {
    if token.chars().any(char::is_control) {
        let why = "the deploy token contains a line break or another control character";
        return Err(Failure::wrong_use(anyhow!(why)));
    }
    Ok(token)
}

pub(crate) fn required_deploy_token(arguments: &TokenArguments) -> Result<String, Failure> {
    deploy_token(arguments)?.ok_or_else(|| {
        Failure::wrong_use(anyhow!("no deploy token"))
            .hint("set APPSTITCH_DEPLOY_TOKEN or pass --deploy-token-file")
    })
}

/// The token for the API host of releases, if a file is given.
pub(crate) fn github_token(file: Option<&Path>) -> Result<Option<Secret>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the GitHub token from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    let token = Secret::new(&text).ok_or_else(|| {
        anyhow!("{} does not contain a GitHub token of 16 or more characters", file.display())
    });
    token.map(Some).map_err(Failure::wrong_use)
}

/// The secret of a hook from the file, otherwise from the environment; `None` if neither is set.
pub(crate) fn hook_secret(file: Option<&Path>) -> Result<Option<String>, Failure> {
    match file {
        Some(file) => secret_in_file("secret", file).map(Some),
        None => variable("APPSTITCH_HOOK_SECRET"),
    }
}

fn variable(name: &str) -> Result<Option<String>, Failure> {
    match env::var(name) {
        // An empty variable counts as unset.
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        // The error has the value, which is a secret.
        Err(VarError::NotUnicode(_)) => {
            Err(Failure::wrong_use(anyhow!("{name} is not valid UTF-8")))
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn secret_in_file(what: &str, file: &Path) -> Result<String, Failure> {
    let text = read_start(file)
        .with_context(|| format!("cannot read the {what} from {}", file.display()))
        .map_err(Failure::wrong_use)?;
    match text.trim() {
        "" => {
            Err(Failure::wrong_use(anyhow!("the file {} with the {what} is empty", file.display())))
        }
        text => Ok(text.to_owned()),
    }
}

fn read_start(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text)?;
    } else {
        fs::File::open(file)?.take(MOST_BYTES).read_to_string(&mut text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::WRONG_USE;

    #[test]
    fn a_file_without_a_token_is_wrong_use_and_never_printed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        assert_eq!(github_token(Some(&file)).unwrap_err().code, WRONG_USE);
        for text in ["this is not a token", "short123"] {
            std::fs::write(&file, text).unwrap();
            let failure = github_token(Some(&file)).unwrap_err();
            assert_eq!(failure.code, WRONG_USE);
            assert!(!failure.to_string().contains(text), "{failure}");
        }
        std::fs::write(&file, "token123token123\n").unwrap();
        assert_eq!(github_token(Some(&file)).ok().flatten().unwrap().reveal(), "token123token123");
        assert!(github_token(None).ok().flatten().is_none());
    }
}

//! The deploy token, for the server that checks it and the commands that send it.

use std::env::VarError;

use anyhow::{Context, anyhow};

use crate::{arguments::TokenArguments, exit::Failure};

/// The token from the file, otherwise from the environment; `None` if neither is set.
pub(crate) fn read(arguments: &TokenArguments) -> Result<Option<String>, Failure> {
    let Some(file) = &arguments.deploy_token_file else {
        return match std::env::var("APPSTITCH_DEPLOY_TOKEN") {
            // An empty variable counts as unset.
            Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
            Err(VarError::NotPresent) => Ok(None),
            // The error has the value, which is a secret.
            Err(VarError::NotUnicode(_)) => {
                Err(Failure::wrong_use(anyhow!("APPSTITCH_DEPLOY_TOKEN is not valid UTF-8")))
            }
        }
        .and_then(|token| token.map(sendable).transpose());
    };
    let text = std::fs::read_to_string(file)
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

/// The token of a command that uploads.
pub(crate) fn required(arguments: &TokenArguments) -> Result<String, Failure> {
    read(arguments)?.ok_or_else(|| {
        Failure::wrong_use(anyhow!("no deploy token"))
            .hint("set APPSTITCH_DEPLOY_TOKEN or pass --deploy-token-file")
    })
}

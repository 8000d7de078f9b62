//! The server whose titles are read, and where its secret is.

use std::{
    env, io,
    path::{Path, PathBuf},
    time::Duration,
};

use appstitch_resolver::Secret;
use appstitch_types::has_credentials;
use thiserror::Error;
use toml::Table;
use url::Url;

use super::section::Section;
use crate::titles_server::TitlesServer;

#[derive(Debug, Clone)]
pub struct TitlesSettings {
    pub server: Url,
    pub client_id: String,
    pub secret: SecretPlace,
}

/// Where a secret is. It is read for each refresh, so it can be replaced while a server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretPlace {
    File(PathBuf),
    /// The name of a variable of the environment.
    Variable(String),
}

#[derive(Debug, Error)]
pub enum SecretError {
    #[error("cannot read the client secret from {}: {error}", .file.display())]
    File { file: PathBuf, error: io::Error },
    #[error("the variable {0} for the client secret is not set")]
    Variable(String),
    #[error("{0} does not contain a client secret of 16 or more characters")]
    Invalid(String),
}

const KEYS: [&str; 5] =
    ["server", "client_id", "client_secret_file", "client_secret_variable", "every"];

impl TitlesSettings {
    /// Reads the settings and the interval. Relative paths are those from the folder of the file.
    pub(super) fn read(table: &Table, folder: &Path) -> Result<(Self, Option<Duration>), String> {
        if table.contains_key("client_secret") {
            return Err("[titles]: the client secret must not be in this file; name a file with \
                        it as client_secret_file, or a variable as client_secret_variable"
                .to_owned());
        }
        let section = Section::new("[titles]", table, &KEYS)?;
        let address = section.required("server")?;
        // The address is not printed: it may have a password.
        let server = Url::parse(address).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https") && url.has_host() && !has_credentials(address)
        });
        let server = server.ok_or_else(|| {
            section.wrong("server", "a URL such as https://example.jamfcloud.com")
        })?;
        let file = section.text("client_secret_file")?;
        let secret = match (file, section.text("client_secret_variable")?) {
            (Some(file), None) => SecretPlace::File(folder.join(file)),
            (None, Some(variable)) => SecretPlace::Variable(variable.to_owned()),
            _ => {
                return Err(
                    "[titles]: set either client_secret_file or client_secret_variable".to_owned()
                );
            }
        };
        let client_id = section.required("client_id")?.to_owned();
        Ok((Self { server, client_id, secret }, section.interval("every")?))
    }

    /// The settings with the secret, as it is now.
    pub fn with_secret(&self) -> Result<TitlesServer, SecretError> {
        Ok(TitlesServer {
            address: self.server.clone(),
            client_id: self.client_id.clone(),
            secret: self.secret.read()?,
        })
    }
}

impl SecretPlace {
    fn read(&self) -> Result<Secret, SecretError> {
        match self {
            Self::File(file) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| SecretError::File { file: file.clone(), error })?;
                Secret::new(&text).ok_or_else(|| SecretError::Invalid(file.display().to_string()))
            }
            Self::Variable(name) => {
                let text = env::var(name).map_err(|_| SecretError::Variable(name.clone()))?;
                Secret::new(&text).ok_or_else(|| SecretError::Invalid(name.clone()))
            }
        }
    }
}

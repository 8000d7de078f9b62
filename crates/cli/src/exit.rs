//! How a command ends: its exit code and its last message.

use std::{
    error::Error as StdError,
    fmt,
    io::{self, Write},
};

use anyhow::anyhow;
use appstitch_types::without_credentials;

/// A negative answer, such as an unknown app.
pub(crate) const NO: u8 = 1;
/// Invalid arguments or input.
pub(crate) const WRONG_USE: u8 = 2;
/// The server or store is unavailable.
pub(crate) const UNREACHABLE: u8 = 3;

/// Installed apps are outdated, and the user wants to know by the exit code.
pub(crate) const OUTDATED: u8 = 4;

/// An error message, an optional hint, and an exit code.
pub(crate) struct Failure {
    pub(crate) code: u8,
    /// Empty for a negative answer, which is not an error.
    label: &'static str,
    error: anyhow::Error,
    hint: Option<String>,
}

impl Failure {
    pub(crate) fn no(error: impl Into<anyhow::Error>) -> Self {
        Self::new(NO, error)
    }

    pub(crate) fn wrong_use(error: impl Into<anyhow::Error>) -> Self {
        Self::new(WRONG_USE, error)
    }

    pub(crate) fn unreachable(error: impl Into<anyhow::Error>) -> Self {
        Self::new(UNREACHABLE, error)
    }

    /// A negative answer that is not an error, such as a search without matches.
    pub(crate) fn answer(text: impl Into<String>) -> Self {
        Self { label: "", ..Self::no(anyhow!(text.into())) }
    }

    pub(crate) fn outdated(text: impl Into<String>) -> Self {
        Self { code: OUTDATED, ..Self::answer(text) }
    }

    pub(crate) fn invalid_server(server: &str) -> Self {
        let server = without_credentials(server);
        Self::wrong_use(anyhow!("invalid server '{server}': not an HTTP or HTTPS URL"))
    }

    pub(crate) fn server_unavailable(server: &str, cause: impl fmt::Display) -> Self {
        let server = without_credentials(server.trim_end_matches('/'));
        Self::unreachable(anyhow!("server unavailable at {server}: {cause}"))
            .hint("start one with `appstitch serve`, or name another with --server")
    }

    /// The server does not accept the deploy token that was sent.
    pub(crate) fn wrong_deploy_token() -> Self {
        Self::no(anyhow!("wrong deploy token: the server expects another one"))
            .hint("check APPSTITCH_DEPLOY_TOKEN or the file of --deploy-token-file")
    }

    /// The same with an exit code of its command.
    pub(crate) fn coded(self, code: u8) -> Self {
        Self { code, ..self }
    }

    /// Adds a line with what the user can do about it.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    fn new(code: u8, error: impl Into<anyhow::Error>) -> Self {
        Self { code, label: "error: ", error: error.into(), hint: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.label, chain(&self.error))?;
        match &self.hint {
            Some(hint) => write!(formatter, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// An error and its causes in one line. Some libraries repeat the cause in their own message.
fn chain(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| match cause.to_string() {
        cause if said.is_empty() => cause,
        cause if said.contains(&cause) => said,
        cause => format!("{said}: {cause}"),
    })
}

/// The innermost cause of an error. The outer ones of an HTTP library only repeat the URL.
pub(crate) fn root_cause(error: &dyn StdError) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
}

/// Writes data to stdout. A reader that closes the pipe early, such as `head`, is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::unreachable(anyhow!(error).context("cannot write to standard output")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_and_a_hint_another() {
        let failure =
            Failure::server_unavailable("http://user:word@127.0.0.1:9/", "Connection refused");
        assert_eq!(failure.code, UNREACHABLE);
        assert_eq!(
            failure.to_string(),
            "error: server unavailable at http://127.0.0.1:9: Connection refused\n\
             hint: start one with `appstitch serve`, or name another with --server"
        );
        let failure = Failure::wrong_use(anyhow!("inner").context("outer"));
        assert_eq!(failure.to_string(), "error: outer: inner");
        let failure =
            Failure::wrong_use(anyhow!("inner").context("middle: inner").context("outer"));
        assert_eq!(failure.to_string(), "error: outer: middle: inner");
    }

    #[test]
    fn a_negative_answer_is_not_an_error() {
        let failure = Failure::answer("No apps match 'x'");
        assert_eq!((failure.code, failure.to_string().as_str()), (NO, "No apps match 'x'"));
    }
}

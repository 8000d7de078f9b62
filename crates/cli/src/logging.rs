//! Logs, on stderr.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::exit::Failure;

/// Leaves out migration steps and the messages of the tools' SDK.
const DEFAULT_FILTER: &str = "info,rmcp=off";

/// Starts logging with the filter of `APPSTITCH_LOG`, `info` if it is not set.
pub(crate) fn start(json: bool) -> Result<(), Failure> {
    let filter = std::env::var("APPSTITCH_LOG").unwrap_or_default();
    let filter = match filter.trim() {
        "" => DEFAULT_FILTER.to_owned(),
        // The tools' SDK logs every message in full; it must be enabled by name.
        filter if filter.contains("rmcp") => filter.to_owned(),
        filter => format!("{filter},rmcp=off"),
    };
    let filter = EnvFilter::try_new(&filter)
        .with_context(|| format!("invalid log filter in APPSTITCH_LOG: '{filter}'"))
        .map_err(Failure::wrong_use)?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Without this, a log that cannot be written, because the disk is full, would end the thread.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    if json {
        logs.json().flatten_event(true).init();
    } else {
        let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        logs.with_ansi(color).init();
    }
    Ok(())
}

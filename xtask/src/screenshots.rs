//! Pictures of the web pages.

use crate::{
    chromium, node,
    run::{Failure, Step, workspace},
};

const DEFAULT_SERVER: &str = "http://127.0.0.1:8000";

/// Takes pictures of the pages of a running server.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Some((folder, rest)) = arguments.split_first() else {
        return Err(Failure("screenshots: name a folder for the pictures".to_owned()));
    };
    let (server, paths) = match rest.split_first() {
        Some((server, paths)) if server.contains("://") => (server.trim_end_matches('/'), paths),
        _ => (DEFAULT_SERVER, rest),
    };
    let packages = node::packages()?;
    let browser = chromium::program()?;
    let program = workspace().join("crates/cli/tests/browser/screenshots.mjs");
    let folder = std::path::absolute(folder)
        .map_err(|error| Failure(format!("{folder}: {error}")))?
        .to_string_lossy()
        .into_owned();
    let places = [program.as_os_str(), &packages, &browser]
        .map(|place| place.to_string_lossy().into_owned());
    Step::new("node", &[])
        .arguments(&places)
        .arguments(&[server.to_owned(), folder])
        .arguments(paths)
        .run()
}

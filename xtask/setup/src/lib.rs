//! What tests need from outside the repository.
//!
//! `cargo xtask test` installs programs and names them in environment variables. A test that finds
//! none fails: a skipped test looks like a passed one. Only the upstreams' real files cannot be
//! installed. Tests without them are skipped and counted.

use std::{
    env,
    ffi::OsString,
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    thread,
};

pub const CHROMIUM: &str = "APPSTITCH_TEST_CHROMIUM";
/// The folder of the npm packages.
pub const NODE: &str = "APPSTITCH_TEST_NODE";
pub const PYTHON: &str = "APPSTITCH_TEST_PYTHON";
pub const ZSH: &str = "APPSTITCH_TEST_ZSH";

/// Names a file with a line for every skipped test.
pub const SKIPPED: &str = "APPSTITCH_TEST_SKIPPED";

/// The value of a variable that `cargo xtask test` sets.
///
/// # Panics
///
/// If it is not set.
pub fn installed(variable: &str) -> OsString {
    env::var_os(variable)
        .filter(|value| !value.is_empty())
        .unwrap_or_else(|| missing(&format!("{variable} is not set")))
}

/// Fails a test for lack of something that `cargo xtask test` installs.
#[expect(clippy::panic, clippy::missing_panics_doc, reason = "a test fails by panicking")]
pub fn missing(what: &str) -> ! {
    panic!("{what}: run `cargo xtask test`, which installs what the tests need")
}

/// The named files or folders of `shared`, which is beside the repository. `None` if one is missing;
/// the test is then skipped.
pub fn real_files<const COUNT: usize>(names: [&str; COUNT]) -> Option<[PathBuf; COUNT]> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let files = names.map(|name| shared.join(name));
    let Some(missing) = files.iter().find(|file| !file.exists()) else { return Some(files) };
    eprintln!("skipped: the real files are not available ({})", missing.display());
    if let Some(list) = env::var_os(SKIPPED) {
        let test = format!("{}\n", thread::current().name().unwrap_or_default());
        let file = OpenOptions::new().create(true).append(true).open(list);
        // One write per line: several test processes may write at the same time.
        let _ = file.and_then(|mut file| file.write_all(test.as_bytes()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "APPSTITCH_TEST_NOTHING is not set: run `cargo xtask test`")]
    fn what_is_not_installed_fails_a_test() {
        let _ = installed("APPSTITCH_TEST_NOTHING");
    }
}

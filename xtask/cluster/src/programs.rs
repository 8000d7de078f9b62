//! Finds PostgreSQL's programs.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Names a running server for the tests.
pub const SERVER_VARIABLE: &str = "APPSTITCH_TEST_POSTGRES";

/// Names the folder of PostgreSQL's programs.
pub const BIN_VARIABLE: &str = "APPSTITCH_TEST_POSTGRES_BIN";

/// Where Debian has a folder for each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder with `initdb`, `pg_ctl` and `psql`; `None` if PostgreSQL is not installed.
pub fn programs() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(BIN_VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    debian().or_else(on_path)
}

/// The newest version of Debian's packages. They are not on the search path.
fn debian() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let number = |folder: &Path| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let installed = versions.filter(|folder| is_complete(&folder.join("bin")));
    installed.max_by_key(|folder| number(folder)).map(|folder| folder.join("bin"))
}

fn on_path() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).find(|folder| is_complete(folder))
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "pg_ctl", "psql"].iter().all(|program| folder.join(program).is_file())
}

//! Makes a server give memory back that it no longer needs.
//!
//! Publishing a catalog takes several times the memory of the catalog. By default, mimalloc keeps what was
//! freed for a second and maps more meanwhile, and the C library, which SQLite and zstd use, keeps up to
//! ten megabytes for each thread. Both read their settings before `main`, so a server sets them and
//! starts itself again, as the same process.

use std::{env, os::unix::process::CommandExt, process::Command};

/// The settings, and what is measured with and without them: `cargo xtask bench load`.
const SETTINGS: [(&str, &str); 3] = [
    // In milliseconds.
    ("MIMALLOC_PURGE_DELAY", "10"),
    // Setting these in bytes keeps the library from raising them.
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

/// Starts the program again with the settings that the operator has not made. Returns if nothing is to be
/// set, or if it cannot be done: the server then needs more memory.
pub(crate) fn give_memory_back() {
    let missing: Vec<_> =
        SETTINGS.iter().filter(|(name, _)| env::var_os(name).is_none()).copied().collect();
    let Ok(program) = env::current_exe() else { return };
    if missing.is_empty() {
        return;
    }
    let mut arguments = env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // It does not return, unless it fails.
    let _ = command.args(arguments).envs(missing).exec();
}

//! The limit on open files: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// If there is no hard limit. macOS has none and accepts no more than this.
const ENOUGH: u64 = 10_240;

/// Raises the soft limit of open files to the hard limit, and returns the limit that holds then.
/// Many systems have a soft limit of 1024, for the sake of programs that use `select`.
#[must_use]
pub fn raise_open_files() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let highest = maximum.unwrap_or(ENOUGH);
    if current.is_some_and(|current| current < highest) {
        let raised = Rlimit { current: Some(highest), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

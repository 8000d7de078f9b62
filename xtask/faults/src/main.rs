//! `cargo xtask faults`.

#![cfg_attr(not(target_os = "linux"), expect(unused, reason = "the faults need Linux"))]

use std::process::ExitCode;

#[cfg(target_os = "linux")]
mod command;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    command::run()
}

/// Elsewhere, processes cannot be found through `/proc`.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("error: the faults run only on Linux: they read /proc");
    ExitCode::FAILURE
}

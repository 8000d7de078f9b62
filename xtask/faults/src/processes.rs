//! Signals to processes, and what the kernel tells about them.

use std::{fs, path::Path};

use rustix::process::{Pid, kill_process};

pub(crate) use rustix::process::Signal;

/// Sends a signal to a process, if there is one. A process that has ended meanwhile gets none.
pub(crate) fn send(process: impl Into<Option<u32>>, signal: Signal) {
    let process = process.into().and_then(|process| i32::try_from(process).ok());
    if let Some(process) = process.and_then(Pid::from_raw) {
        let _ = kill_process(process, signal);
    }
}

pub(crate) fn working_in(folder: &Path) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // A process that has ended has no folder, even if nobody has asked how it ended.
    let is_there = |process: &u32| {
        fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|found| found == folder)
    };
    numbers.filter(is_there).collect()
}

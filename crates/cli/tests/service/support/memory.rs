//! The memory of a process.

/// The most memory that a process had at any time, in bytes.
pub(crate) fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = line.trim().strip_suffix(" kB").unwrap().trim().parse().unwrap();
    kilobytes << 10
}

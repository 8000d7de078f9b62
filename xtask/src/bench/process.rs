//! The CPU time and memory of a process, as the kernel reports them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::MetadataExt,
    time::Duration,
};

use crate::run::Failure;

const TICKS: f64 = 100.0;

/// A process that uses almost no CPU time for this long counts as idle.
const RESTING: Duration = Duration::from_millis(300);

/// The unit of a file's block count, in bytes.
const BLOCK: u64 = 512;

pub(super) struct Process(u32);

/// The CPU time of each thread, in nanoseconds.
pub(super) struct Threads(BTreeMap<u32, u64>);

/// Memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) resident: u64,
    pub(super) peak: u64,
}

impl Process {
    pub(super) fn new(id: u32) -> Self {
        Self(id)
    }

    /// A child process; `None` if there is none yet.
    pub(super) fn child(&self) -> Option<Self> {
        // Not every kernel lists the children of a process, but every process has its parent's id.
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.map(Self).find(|process| {
            process.read("stat").is_ok_and(|stat| field(&stat, 4) == Some(f64::from(self.0)))
        })
    }

    /// The CPU time used so far, including that of ended threads. The resolution is ten
    /// milliseconds, so this is for operations that take much longer.
    pub(super) fn cpu_seconds(&self) -> Result<f64, Failure> {
        let stat = self.read("stat")?;
        let ticks = |number| field(&stat, number).unwrap_or_default();
        Ok((ticks(14) + ticks(15)) / TICKS)
    }

    /// The same once the process is idle: some work continues after a response.
    pub(super) fn cpu_seconds_at_rest(&self) -> Result<f64, Failure> {
        let mut before = self.cpu_seconds()?;
        loop {
            std::thread::sleep(RESTING);
            let after = self.cpu_seconds()?;
            // One or two ticks are not work: the server polls its store.
            if after - before < 3.0 / TICKS {
                return Ok(after);
            }
            before = after;
        }
    }

    /// The CPU time of the running threads, with nanosecond resolution.
    pub(super) fn threads(&self) -> Result<Threads, Failure> {
        let folder = format!("/proc/{}/task", self.0);
        let entries =
            fs::read_dir(&folder).map_err(|error| Failure(format!("{folder}: {error}")))?;
        let times = entries.flatten().filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let text = fs::read_to_string(entry.path().join("schedstat")).ok()?;
            Some((id, text.split_whitespace().next()?.parse().ok()?))
        });
        Ok(Threads(times.collect()))
    }

    pub(super) fn memory(&self) -> Result<Memory, Failure> {
        Ok(memory(&self.read("status")?, self.files_in_memory()))
    }

    /// The bytes of unnamed in-memory files. Their unmapped parts are in no other figure about the
    /// process.
    fn files_in_memory(&self) -> u64 {
        self.open_files(|name| name.starts_with("/memfd:"))
    }

    /// The bytes of open files on disk that have no name anymore, such as temporary files.
    pub(super) fn deleted_files(&self) -> u64 {
        self.open_files(|name| name.ends_with(" (deleted)") && !name.starts_with("/memfd:"))
    }

    /// The bytes of the open files with such names.
    fn open_files(&self, is_counted: impl Fn(&str) -> bool) -> u64 {
        let Ok(entries) = fs::read_dir(format!("/proc/{}/fd", self.0)) else {
            return 0;
        };
        let mut seen = BTreeSet::new();
        let sizes = entries.flatten().filter_map(|entry| {
            let target = fs::read_link(entry.path()).ok()?;
            let counted = target.to_str().is_some_and(&is_counted);
            let file = counted.then(|| fs::metadata(entry.path()).ok()).flatten()?;
            // A file may be open more than once.
            seen.insert((file.dev(), file.ino())).then(|| file.blocks() * BLOCK)
        });
        sizes.sum()
    }

    fn read(&self, file: &str) -> Result<String, Failure> {
        let path = format!("/proc/{}/{file}", self.0);
        fs::read_to_string(&path).map_err(|error| Failure(format!("{path}: {error}")))
    }
}

impl Threads {
    /// The nanoseconds since an earlier measurement. Threads that have ended since then do not
    /// count at all.
    pub(super) fn nanoseconds_since(&self, before: &Self) -> u64 {
        let spent = |(id, after): (&u32, &u64)| {
            after.saturating_sub(before.0.get(id).copied().unwrap_or_default())
        };
        self.0.iter().map(spent).sum()
    }

    /// The same of the thread that worked most.
    pub(super) fn busiest_since(&self, before: &Self) -> u64 {
        let spent = |(id, after): (&u32, &u64)| {
            after.saturating_sub(before.0.get(id).copied().unwrap_or_default())
        };
        self.0.iter().map(spent).max().unwrap_or_default()
    }
}

/// A field of `/proc/PID/stat`, counted from one. The first two are the process id and, in
/// parentheses, the name, which may itself contain parentheses and spaces.
fn field(stat: &str, number: usize) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(number.checked_sub(3)?)?.parse().ok()
}

/// The memory, from `/proc/PID/status` and the bytes of in-memory files.
fn memory(status: &str, files_in_memory: u64) -> Memory {
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = line.and_then(|line| line.split_whitespace().next());
        kilobytes.and_then(|text| text.parse::<u64>().ok()).unwrap_or_default() * 1024
    };
    // In-memory files count in full, so their mapped part must not count twice.
    let with_files =
        |bytes_mapped: u64| bytes_mapped.saturating_sub(bytes("RssShmem:")) + files_in_memory;
    let resident = with_files(bytes("VmRSS:"));
    Memory { resident, peak: with_files(bytes("VmHWM:")).max(resident) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_count_whole_and_once() {
        let status = "VmHWM:\t    3000 kB\nVmRSS:\t    2000 kB\nRssShmem:\t     500 kB\n";
        let expected = Memory { resident: 2_500 * 1024, peak: 3_500 * 1024 };
        assert_eq!(memory(status, 1_000 * 1024), expected);
    }

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        assert_eq!(field("7 (odd) name) S 1 2 3", 4), Some(1.0));
    }

    #[test]
    fn a_thread_that_ended_takes_nothing_off() {
        let before = Threads(BTreeMap::from([(1, 100), (2, 9_000)]));
        let after = Threads(BTreeMap::from([(1, 150), (3, 7)]));
        assert_eq!(after.nanoseconds_since(&before), 57);
        assert_eq!(after.busiest_since(&before), 50);
    }
}

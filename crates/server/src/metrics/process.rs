//! The build and the process: metrics of these names are in most dashboards.

use std::fs;

use super::text::MetricsText;

/// In which CPU times are counted: Linux has the same unit on every architecture that we build for.
const TICKS_PER_SECOND: u64 = 100;

/// `started_at` is in seconds since 1970.
pub(super) fn render(text: &mut MetricsText, started_at: i64) {
    text.start("appstitch_build_info", "gauge", "The program that runs; always 1");
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    text.value(&[("version", env!("CARGO_PKG_VERSION")), ("os", os), ("arch", arch)], 1);
    text.start("process_start_time_seconds", "gauge", "Time of the start, in seconds since 1970");
    text.value(&[], started_at);
    for (name, kind, meaning, value) in [
        ("process_cpu_seconds_total", "counter", "CPU time used", cpu_seconds()),
        ("process_resident_memory_bytes", "gauge", "Memory in use", memory("VmRSS:")),
        ("process_virtual_memory_bytes", "gauge", "Address space in use", memory("VmSize:")),
        ("process_open_fds", "gauge", "Open file descriptors", open_files()),
        ("process_max_fds", "gauge", "Maximum number of open file descriptors", most_files()),
    ] {
        // Other systems do not have these files.
        if let Some(value) = value {
            text.start(name, kind, meaning);
            text.value(&[], value);
        }
    }
}

fn cpu_seconds() -> Option<String> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| {
        let (seconds, rest) = (ticks / TICKS_PER_SECOND, ticks % TICKS_PER_SECOND);
        format!("{seconds}.{rest:02}")
    })
}

/// The user and system time of a process. Its name, in parentheses, can contain anything.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let mut next = || times.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

fn memory(name: &str) -> Option<String> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, name)
        .map(|kibibytes| (kibibytes * 1024).to_string())
}

fn kibibytes(status: &str, name: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix(" kB")?.parse().ok()
}

/// Without the one for reading the list.
fn open_files() -> Option<String> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    Some(count.saturating_sub(1).to_string())
}

fn most_files() -> Option<String> {
    soft_limit(&fs::read_to_string("/proc/self/limits").ok()?).map(str::to_owned)
}

fn soft_limit(limits: &str) -> Option<&str> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next().filter(|limit| limit.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_kernel_are_read() {
        let stat = "7 (a) b) c) S 1 7 7 0 -1 4194304 100 0 0 0 250 61 0 0 20 0 9 0 5 1000 20";
        assert_eq!(ticks(stat), Some(311));
        assert_eq!(ticks("7 (a) S 1"), None);
        let status = "Name:\tx\nVmSize:\t  200 kB\nVmRSS:\t   20 kB\n";
        assert_eq!((kibibytes(status, "VmRSS:"), kibibytes(status, "VmPeak:")), (Some(20), None));
        let limits =
            "Limit  Soft  Hard  Units\nMax open files            1024     4096     files\n";
        assert_eq!(soft_limit(limits), Some("1024"));
        assert_eq!(soft_limit("Max open files unlimited unlimited files"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_everything_about_this_process() {
        let mut text = MetricsText::default();
        render(&mut text, 7);
        let text = text.finish();
        assert!(text.contains("\nprocess_start_time_seconds 7\n"), "{text}");
        for name in [
            "process_cpu_seconds_total",
            "process_resident_memory_bytes",
            "process_virtual_memory_bytes",
            "process_open_fds",
            "process_max_fds",
        ] {
            let value = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
            assert!(value.unwrap().parse::<f64>().unwrap() >= 0.0, "{name}");
        }
    }
}

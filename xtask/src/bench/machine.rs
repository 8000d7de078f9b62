//! A description of the machine and of the measured software.

use std::{fs, process::Command};

use super::catalog;

/// The table with that description.
pub(super) fn section() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let processors = read("/proc/cpuinfo");
    let cores = processors.lines().filter(|line| line.starts_with("processor")).count();
    let memory = value(&read("/proc/meminfo"), "MemTotal");
    let rows = [
        ("processor", value(&processors, "model name")),
        ("cores", format!("{cores}{}", virtual_machine(&processors))),
        ("memory", gibibytes(&memory)),
        ("kernel", kernel(&read("/proc/sys/kernel/osrelease"))),
        ("nginx", version("nginx", &["-v"])),
        ("rustc", version("rustc", &["--version"])),
        ("catalog", catalog::kind().to_owned()),
        ("day", version("date", &["+%F"])),
    ];
    let rows = rows.map(|(name, what)| format!("| {name} | {what} |\n"));
    format!("| The machine | |\n|---|---|\n{}", rows.concat())
}

/// The first value of a key in one of the kernel's files.
fn value(text: &str, name: &str) -> String {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(key, _)| key.trim() == name);
    values.next().map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}

fn virtual_machine(processors: &str) -> &'static str {
    let flags = value(processors, "flags");
    if flags.split(' ').any(|flag| flag == "hypervisor") { ", of a virtual machine" } else { "" }
}

/// The kernel's version without the build name.
fn kernel(release: &str) -> String {
    format!("Linux {}", release.trim().split('-').next().unwrap_or_default())
}

/// The kernel reports kibibytes.
fn gibibytes(memory: &str) -> String {
    let kibibytes = memory.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    format!("{:.0} GiB", kibibytes.unwrap_or_default() / 1024.0 / 1024.0)
}

/// The first line of a program's version output, without its name and its copyright.
fn version(program: &str, arguments: &[&str]) -> String {
    let Ok(output) = Command::new(program).args(arguments).output() else {
        return "-".to_owned();
    };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(['[', '(']).next().unwrap_or_default();
    let line = line.trim_start_matches("nginx version: nginx/").trim_start_matches(program);
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_whole_name() {
        let text = "model\t\t: 7\nmodel name\t: Fast One\nmodel name\t: Fast Two\n";
        assert_eq!(value(text, "model name"), "Fast One");
    }

    #[test]
    fn a_kernel_is_told_without_its_build() {
        assert_eq!(kernel("6.1.0-23-cloud-amd64\n"), "Linux 6.1.0");
    }

    #[test]
    fn memory_is_rounded() {
        assert_eq!(gibibytes("16331752 kB"), "16 GiB");
    }
}

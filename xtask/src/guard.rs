//! `cargo xtask guard`: counts the instructions of performance-critical paths and compares them
//! with a baseline.
//!
//! Times vary between runs and machines, instruction counts hardly do. CI can therefore reject a
//! slower change on any machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    debian,
    run::{Failure, Step, workspace},
};

/// Tests in the server's `instructions` module.
const CASES: [&str; 7] =
    ["record", "page", "filter", "if_none_match", "unknown_slug", "stitching", "version_compare"];

/// The file with the expected counts, and the command that writes it.
const BASELINE: &str = "crates/server/instructions.txt";
const RENEW: &str = "cargo xtask guard --renew";

/// How much a count may grow, in percent.
const TOLERANCE: u64 = 5;

/// Compares the counts with the baseline, or writes a new baseline.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let renew = match arguments {
        [] => false,
        [word] if word == "--renew" => true,
        _ => return Err(Failure(format!("invalid arguments; to renew the baseline: {RENEW}"))),
    };
    debian::install(&["valgrind"], "valgrind libc6-dbg")?;
    let program = build()?;
    let mut counts = Vec::new();
    for case in CASES {
        counts.push((case.to_owned(), count(&program, case)?));
    }
    let here = Baseline { made_by: toolchain()?, counts };
    let file = workspace().join(BASELINE);
    let failed = |error: std::io::Error| Failure(format!("{BASELINE}: {error}"));
    if renew {
        return fs::write(&file, here.write()).map_err(failed);
    }
    let kept = Baseline::read(&fs::read_to_string(&file).map_err(failed)?)
        .ok_or_else(|| Failure(format!("invalid {BASELINE}; to write a new one: {RENEW}")))?;
    compare(&kept, &here)
}

/// Builds the tests and returns their executable.
fn build() -> Result<PathBuf, Failure> {
    let output = Step::cargo(&[
        "test",
        "--no-run",
        "--locked",
        "--profile",
        "guard",
        "--package",
        "appstitch-server",
        "--lib",
        "--message-format",
        "json-render-diagnostics",
    ])
    .output()?;
    let executable = output
        .lines()
        .filter(|line| line.contains("\"name\":\"appstitch_server\""))
        .find_map(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
    executable.map(PathBuf::from).ok_or_else(|| Failure("cargo built no tests".to_owned()))
}

fn count(program: &Path, case: &str) -> Result<u64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        // The pattern matches both of Rust's symbol mangling schemes.
        .args(["--toggle-collect=*instructions*measured*"])
        .arg(program)
        .args(["--ignored", "--exact", &format!("instructions::{case}")])
        .output()
        .map_err(|error| Failure(format!("valgrind: {error}")))?;
    let report = String::from_utf8_lossy(&output.stderr);
    let collected = report.lines().find_map(|line| line.split("Collected :").nth(1));
    match collected.and_then(|count| count.trim().parse().ok()) {
        Some(count) if output.status.success() && count > 0 => Ok(count),
        _ => Err(Failure(format!("cannot count the instructions of {case}:\n{report}"))),
    }
}

/// What the counts depend on besides the code: the compiler, and whether the processor has AVX2,
/// which copying and searching use if they can.
fn toolchain() -> Result<String, Failure> {
    let version = Step::new("rustc", &["--version", "--verbose"]).output()?;
    let line = |start: &str| {
        version.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default().trim()
    };
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let registers = if processor.contains(" avx2 ") { " with avx2" } else { "" };
    Ok(format!("rustc {} on {}{registers}", line("release:"), line("host:")))
}

/// Counts, and the toolchain they were measured with.
#[derive(Debug, PartialEq)]
struct Baseline {
    made_by: String,
    counts: Vec<(String, u64)>,
}

impl Baseline {
    fn write(&self) -> String {
        let mut text = format!("# {}; to renew: {RENEW}\n", self.made_by);
        for (case, count) in &self.counts {
            text.extend([case, " ", &count.to_string(), "\n"]);
        }
        text
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let made_by = lines.next()?.strip_prefix("# ")?.split(';').next()?.to_owned();
        let counts = lines.map(|line| {
            let (case, count) = line.split_once(' ')?;
            Some((case.to_owned(), count.parse().ok()?))
        });
        Some(Self { made_by, counts: counts.collect::<Option<_>>()? })
    }

    fn count(&self, case: &str) -> Option<u64> {
        self.counts.iter().find_map(|(name, count)| (name == case).then_some(*count))
    }
}

/// Prints both counts of each case, and fails if one has grown by more than the tolerance.
fn compare(kept: &Baseline, here: &Baseline) -> Result<(), Failure> {
    println!("| Case | instructions | before | ratio |");
    println!("|---|---:|---:|---:|");
    let mut grown = Vec::new();
    for (case, count) in &here.counts {
        let Some(before) = kept.count(case) else {
            return Err(Failure(format!("{case} is missing in {BASELINE}; to renew it: {RENEW}")));
        };
        #[expect(clippy::cast_precision_loss, reason = "a ratio to two places")]
        let ratio = *count as f64 / before as f64;
        println!("| {case} | {count} | {before} | {ratio:.3} |");
        if count * 100 > before * (100 + TOLERANCE) {
            grown.push(format!("{case} by {:.1} %", (ratio - 1.0) * 100.0));
        }
    }
    if kept.made_by != here.made_by {
        eprintln!(
            "not compared: the baseline is from {}, this is {}; to renew it: {RENEW}",
            kept.made_by, here.made_by
        );
        return Ok(());
    }
    if grown.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "instructions grew by more than {TOLERANCE} %: {}; if this is intended: {RENEW}",
        grown.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(made_by: &str, counts: &[(&str, u64)]) -> Baseline {
        let counts = counts.iter().map(|(case, count)| ((*case).to_owned(), *count)).collect();
        Baseline { made_by: made_by.to_owned(), counts }
    }

    #[test]
    fn counts_are_read_as_they_were_written() {
        let counts = baseline("rustc 1 on x", &[("record", 12), ("page", 34)]);
        assert_eq!(Baseline::read(&counts.write()), Some(counts));
        for broken in ["", "record 12", "# x\nrecord", "# x\nrecord twelve"] {
            assert_eq!(Baseline::read(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn more_than_the_tolerance_fails_and_less_does_not() {
        let kept = baseline("a", &[("record", 1000)]);
        let result = |count| compare(&kept, &baseline("a", &[("record", count)])).is_ok();
        assert!(result(1000) && result(1050) && result(10));
        assert!(!result(1051));
        assert!(compare(&kept, &baseline("b", &[("record", 2000)])).is_ok(), "another compiler");
        assert!(compare(&kept, &baseline("a", &[("page", 1)])).is_err(), "an unknown case");
    }
}

//! Builds libFuzzer with our targets and runs it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    debian,
    run::{Failure, Step, host, workspace},
};

const USAGE: &str = "\
usage: cargo xtask fuzz [TARGET]… [--executions N | --minutes N] [--seed N] [-- OPTION…]
       cargo xtask fuzz TARGET --replay FILE [-- OPTION…]

Runs parsers of foreign bytes with made-up and mutated inputs (default: every target, a minute each).
It fails if a parser panics, breaks a property, takes more than half a minute or a gigabyte, or ends
the process. The input is written to target/fuzz/failures. The options are those of libFuzzer:
`--replay FILE -- -minimize_crash=1 -runs=100000` makes an input shorter.";

/// Options of the stable compiler that make every branch count how often it is reached, and every
/// comparison report its values.
const COVERAGE: &str = "-C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares";

/// The stack of a thread in production, in kilobytes, instead of the larger one of a main thread.
const ON_SMALL_STACK: &str = r#"ulimit -s 2048 && exec "$@""#;

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// All of them, if none is named.
    targets: Vec<String>,
    replay: Option<String>,
    libfuzzer: Vec<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h")) {
        println!("{USAGE}");
        return Ok(());
    }
    let mut options = Options::read(arguments).map_err(Failure)?;
    let known = targets()?;
    if let Some(unknown) = options.targets.iter().find(|target| !known.contains(target)) {
        let known = known.join(", ");
        return Err(Failure(format!("there is no target '{unknown}'; the targets are {known}")));
    }
    let program = build()?;
    if let Some(file) = options.replay {
        let input =
            std::path::absolute(&file).map_err(|error| Failure(format!("{file}: {error}")))?;
        let [target] = &options.targets[..] else { return Err(Failure(USAGE.to_owned())) };
        options.libfuzzer.push(input.display().to_string());
        return libfuzzer(&program, target, &options.libfuzzer, None);
    }
    let chosen = if options.targets.is_empty() { known } else { options.targets };
    let failed: Vec<&str> = chosen
        .iter()
        .filter(|target| {
            eprintln!("{target}:");
            fuzz(&program, target, &options.libfuzzer)
                .inspect_err(|Failure(why)| eprintln!("error: {why}"))
                .is_err()
        })
        .map(String::as_str)
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "failed: {}; run an input again with `cargo xtask fuzz TARGET --replay FILE`",
        failed.join(", ")
    )))
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let (mut targets, mut replay, mut seed) = (Vec::new(), None, 1);
        let mut effort = "-max_total_time=60".to_owned();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value =
                || rest.next().ok_or_else(|| format!("{argument} needs a value\n{USAGE}"));
            let number = |text: &String| {
                text.parse::<u64>().map_err(|_| format!("'{text}' is not a number\n{USAGE}"))
            };
            match argument.as_str() {
                "--executions" => effort = format!("-runs={}", number(value()?)?),
                "--minutes" => {
                    effort = format!("-max_total_time={}", number(value()?)?.saturating_mul(60));
                }
                "--seed" => seed = number(value()?)?,
                "--replay" => replay = Some(value()?.clone()),
                "--" => break,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option '{option}'\n{USAGE}"));
                }
                name => targets.push(name.to_owned()),
            }
        }
        // libFuzzer takes the last of several values of an option.
        let mut libfuzzer = vec![effort, format!("-seed={seed}")];
        if replay.is_some() {
            libfuzzer.clear();
        }
        libfuzzer.extend(rest.cloned());
        Ok(Self { targets, replay, libfuzzer })
    }
}

fn corpora() -> PathBuf {
    workspace().join("xtask/fuzz/corpus")
}

/// The names of the targets. Each has a folder with committed inputs.
fn targets() -> Result<Vec<String>, Failure> {
    let failed = |error| Failure(format!("{}: {error}", corpora().display()));
    let entries = fs::read_dir(corpora()).map_err(failed)?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

fn build() -> Result<PathBuf, Failure> {
    debian::install(&["c++"], "g++")?;
    let host = host()?;
    let package = ["--package", "appstitch-fuzz", "--features", "libfuzzer"];
    // With a target, build scripts and macros are built without coverage, which they cannot link.
    let folders = ["--target", &host, "--target-dir", "target/fuzz"];
    let build = ["build", "--locked", "--profile", "fuzz"];
    Step::cargo(&[&build[..], &package, &folders].concat())
        .variable("RUSTFLAGS", COVERAGE.as_ref())
        .run()?;
    Ok(workspace().join("target/fuzz").join(host).join("fuzz/appstitch-fuzz"))
}

/// Runs a target with the committed inputs and those that earlier runs found.
fn fuzz(program: &Path, target: &str, options: &[String]) -> Result<(), Failure> {
    let work = workspace().join("target/fuzz");
    let (found, failures) = (work.join("corpus").join(target), work.join("failures"));
    for folder in [&found, &failures] {
        fs::create_dir_all(folder)
            .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    }
    let mut arguments = vec![
        format!("-artifact_prefix={}/{target}-", failures.display()),
        "-timeout=30".to_owned(),
        "-rss_limit_mb=1024".to_owned(),
        "-print_final_stats=1".to_owned(),
    ];
    arguments.extend_from_slice(options);
    arguments.push(found.display().to_string());
    arguments.push(corpora().join(target).display().to_string());
    libfuzzer(program, target, &arguments, Some(&found))
}

fn libfuzzer(
    program: &Path,
    target: &str,
    arguments: &[String],
    seeds: Option<&Path>,
) -> Result<(), Failure> {
    let mut step = Step::new("sh", &["-c", ON_SMALL_STACK, "sh", &program.to_string_lossy()])
        .arguments(arguments)
        .variable("APPSTITCH_FUZZ_TARGET", target.as_ref());
    if let Some(folder) = seeds {
        step = step.variable("APPSTITCH_FUZZ_SEEDS", folder.as_os_str());
    }
    step.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, String> {
        Options::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_and_targets_are_read_in_any_order() {
        let options = read("--seed 7 versions --executions 10 records -- -jobs=2").unwrap();
        assert_eq!(options.targets, ["versions", "records"]);
        assert_eq!(options.libfuzzer, ["-runs=10", "-seed=7", "-jobs=2"]);
        assert_eq!(read("").unwrap().libfuzzer, ["-max_total_time=60", "-seed=1"]);
        let replay = read("versions --replay f -- -minimize_crash=1").unwrap();
        assert_eq!((replay.replay.as_deref(), replay.libfuzzer.len()), (Some("f"), 1));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, expected) in [
            ("--nothing", "there is no option '--nothing'"),
            ("--seed", "--seed needs a value"),
            ("--executions x", "'x' is not a number"),
        ] {
            assert!(read(line).unwrap_err().starts_with(expected), "{line}");
        }
    }

    #[test]
    fn every_target_has_a_folder() {
        assert!(targets().is_ok_and(|targets| targets.contains(&"versions".to_owned())));
    }
}

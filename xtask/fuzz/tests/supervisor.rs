//! What becomes of a worker that does not survive an input: with targets that misbehave on purpose.
//!
//! The supervisor starts its own program again for each target and for each input that it tries. So
//! this test is such a program: without arguments it is the test, with arguments the fuzzer.

use std::{
    hint::black_box,
    process::{Command, ExitCode},
    time::Duration,
};

use appstitch_fuzz::{Target, TargetEntry, run_program};
use appstitch_probe::memory::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

static MISBEHAVING: &[&TargetEntry] = &[
    &entry("aborts", || open(|| std::process::abort())),
    &entry("overflows", || open(|| assert_ne!(deep(1), 0))),
    &entry("hangs", || {
        open(|| {
            loop {
                std::thread::sleep(Duration::from_millis(10));
            }
        })
    }),
    &entry("exhausts", || open(|| drop(black_box(vec![1_u8; 2 << 30])))),
    &entry("takes_much", || open(|| drop(black_box(vec![1_u8; 65 << 20])))),
    &entry("panics", || open(|| assert!(black_box(false), "on purpose"))),
    &entry("behaves", || open(|| {})),
];

const fn entry(name: &'static str, open: fn() -> Result<Box<dyn Target>, String>) -> TargetEntry {
    TargetEntry {
        dictionary: &["!bad!"],
        input_bytes: 24,
        hang: Duration::from_millis(500),
        ..TargetEntry::new(name, "misbehaves if an input contains !bad!", open)
    }
}

struct Misbehaving(fn());

#[expect(clippy::unnecessary_wraps, reason = "a target may fail to open")]
fn open(misbehave: fn()) -> Result<Box<dyn Target>, String> {
    Ok(Box::new(Misbehaving(misbehave)))
}

impl Target for Misbehaving {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        if input.windows(5).any(|part| part == b"!bad!") {
            (self.0)();
        }
        Ok(())
    }
}

/// Needs more stack than there is.
fn deep(level: u64) -> u64 {
    let room = black_box([level; 64]);
    if level == 0 { 0 } else { deep(level + 1) + room[7] }
}

/// What the fuzzer prints about a target, and whether it succeeds.
fn fuzz(target: &str) -> Result<(String, bool), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).args([target, "--executions", "300"]).output();
    let output = output.map_err(|error| error.to_string())?;
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success()))
}

/// Checks what is told about a target, and that the input it names is the shortest.
fn check(target: &str, expected: &str) -> Result<(), String> {
    let (told, is_success) = fuzz(target)?;
    if is_success || !told.contains(&format!("failure: {target}: {expected}")) {
        return Err(format!("{target}: expected '{expected}', success {is_success}: {told}"));
    }
    let file = told.lines().find_map(|line| line.split_once("--replay ")).map(|(_, file)| file);
    let file = file.ok_or_else(|| format!("{target}: no input: {told}"))?;
    let input = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    if input == b"!bad!" { Ok(()) } else { Err(format!("{target}: not the shortest: {input:?}")) }
}

fn test() -> Result<(), String> {
    check("aborts", "the process ends: signal")?;
    check("overflows", "the process ends: signal")?;
    check("hangs", "the process ends: signal")?;
    check("exhausts", "the process ends: signal")?;
    check("takes_much", "it took ")?;
    check("panics", "panic at ")?;
    match fuzz("behaves")? {
        (told, true) if told.contains("| behaves | 300 |") => Ok(()),
        (told, _) => Err(format!("behaves: {told}")),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // The test runner passes options such as the name of a test or `--nocapture`.
    let is_fuzzer =
        arguments.iter().any(|argument| MISBEHAVING.iter().any(|target| target.name == argument));
    let is_left_out = arguments
        .iter()
        .any(|argument| !argument.starts_with('-') && !"supervisor".contains(argument.as_str()));
    let result = if is_fuzzer {
        run_program(MISBEHAVING, arguments)
    } else if is_left_out {
        Ok(true)
    } else {
        test().map(|()| true)
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

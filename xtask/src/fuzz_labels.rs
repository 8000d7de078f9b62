//! Runs made-up and mutated labels with made-up and mutated answers, for as long as told.
//!
//! Every run follows from a number, its seed. A failure is a panic or a run that takes too long.

mod runs;
mod watch;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
    time::{Duration, Instant},
};

use crate::run::Failure;

use runs::Runs;
use watch::Watch;

/// A run that takes longer is a failure. The budget ends runs far earlier.
const TOO_LONG: Duration = Duration::from_secs(5);

/// The size of a thread's stack where labels run in production.
const STACK: usize = 2 << 20;

const USAGE: &str = "usage: cargo xtask fuzz-labels [--minutes N] [--seed N] [--runs N]";

struct Options {
    time: Duration,
    first_seed: u64,
    most_runs: u64,
}

/// Runs labels and prints how many, the slowest, the most memory and every failure.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = parse(arguments)?;
    let runs = Runs::read()?;
    let run = || fuzz(&options, &runs);
    let failures = thread::scope(|scope| {
        let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = started.map_err(|error| Failure(format!("cannot start a thread: {error}")))?;
        thread.join().map_err(|_| Failure("the thread that runs labels has ended".to_owned()))
    })?;
    match failures {
        0 => Ok(()),
        count => Err(Failure(format!("{count} runs failed"))),
    }
}

fn parse(arguments: &[String]) -> Result<Options, Failure> {
    let usage = || Failure(USAGE.to_owned());
    let mut options = Options { time: Duration::from_mins(1), first_seed: 0, most_runs: u64::MAX };
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let number: u64 = arguments.next().and_then(|it| it.parse().ok()).ok_or_else(usage)?;
        match name.as_str() {
            "--minutes" => options.time = Duration::from_secs(number.saturating_mul(60)),
            "--seed" => options.first_seed = number,
            "--runs" => options.most_runs = number,
            _ => return Err(usage()),
        }
    }
    Ok(options)
}

/// Runs labels until the time is up, and gives the number of failures.
fn fuzz(options: &Options, runs: &Runs) -> u64 {
    let started = Instant::now();
    let mut watch = Watch::start();
    let memory_before = watch::peak_memory();
    let (mut executions, mut failures, mut steps, mut bytes) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut slowest = (Duration::ZERO, 0);
    let mut largest = (0, 0);
    let mut seed = options.first_seed;
    std::panic::set_hook(Box::new(|_| {}));
    while started.elapsed() < options.time && executions < options.most_runs {
        watch.begin(seed);
        let before = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| runs.run(seed, watch.flag())));
        let elapsed = before.elapsed();
        watch.end();
        executions += 1;
        match result {
            Ok(used) => {
                steps = steps.max(used.steps);
                bytes = bytes.max(used.bytes);
            }
            Err(panic) => {
                failures += 1;
                println!("failure: seed {seed} panics: {}", message(&*panic));
            }
        }
        if elapsed > TOO_LONG {
            failures += 1;
            println!("failure: seed {seed} takes {} ms", elapsed.as_millis());
        }
        slowest = slowest.max((elapsed, seed));
        largest = largest.max((watch::peak_memory(), seed));
        seed = seed.wrapping_add(1);
    }
    // The default hook prints panics again.
    drop(std::panic::take_hook());
    println!("{executions} runs in {} s", started.elapsed().as_secs());
    println!("slowest: {} ms, seed {}", slowest.0.as_millis(), slowest.1);
    println!("most steps of a run: {steps}, most bytes: {bytes}");
    println!(
        "memory: {} MB at most (seed {}), {} MB at the start",
        largest.0 >> 20,
        largest.1,
        memory_before >> 20
    );
    println!("{failures} failures");
    failures
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
    text.unwrap_or_default()
}

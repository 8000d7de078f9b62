//! The fuzzer: `cargo xtask fuzz` builds and starts it.

use std::{process::ExitCode, thread, time::Duration};

use appstitch_fuzz::{Engine, Options, TARGETS, TargetEntry, Task, replay, supervise};
use appstitch_probe::memory::{self, CountingAllocator};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The process ends if it holds more, in bytes. Targets have smaller limits.
const MOST_MEMORY: usize = 1 << 30;

/// An execution that takes longer hangs.
const HANG: Duration = Duration::from_secs(30);

/// The size of a thread's stack where parsers run in production.
const STACK: usize = 2 << 20;

fn main() -> ExitCode {
    memory::set_limit(MOST_MEMORY);
    let result = Options::read(std::env::args().skip(1)).and_then(run);
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Does what is asked for; whether nothing failed.
fn run(options: Options) -> Result<bool, String> {
    match &options.task {
        Task::Supervise => supervise(&options),
        Task::List => {
            for target in TARGETS {
                println!("{:18} {}", target.name, target.about);
            }
            Ok(true)
        }
        Task::Work => on_small_stack(move || {
            let mut engine = Engine::open(only(&options)?, options.seed, HANG)?;
            engine.note_inputs()?;
            engine.use_real_inputs();
            let outcome = engine.run(options.effort)?;
            let line = serde_json::to_string(&outcome).map_err(|error| error.to_string())?;
            println!("{line}");
            Ok(outcome.failures.is_empty())
        }),
        Task::Replay(path) => {
            let path = path.clone();
            on_small_stack(move || {
                println!("{}", replay(only(&options)?, &path)?);
                Ok(true)
            })
        }
    }
}

fn only(options: &Options) -> Result<&'static TargetEntry, String> {
    let entry = TARGETS.iter().find(|target| options.targets.contains(&target.name));
    entry.copied().ok_or_else(|| "there is no such target".to_owned())
}

fn on_small_stack(
    work: impl FnOnce() -> Result<bool, String> + Send + 'static,
) -> Result<bool, String> {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    thread.join().map_err(|_| "the fuzzer itself panicked".to_owned())?
}

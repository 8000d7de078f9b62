//! The command: what `cargo xtask fuzz` does with its arguments.

use std::thread;

use appstitch_probe::memory;

use crate::{
    engine::Engine,
    options::{HELP, Options, Task, find},
    replay::replay,
    supervisor::supervise,
    target::TargetEntry,
};

/// The process ends if it holds more, in bytes. Targets have smaller limits.
const MOST_MEMORY: usize = 1 << 30;

/// The size of a thread's stack where parsers run in production.
const STACK: usize = 2 << 20;

/// Does what the arguments ask for, with these targets; whether nothing failed.
///
/// The calling program starts itself again for each target, with other arguments. Its main function
/// passes all arguments to this function, and its allocator counts.
pub fn run_program(
    targets: &'static [&'static TargetEntry],
    arguments: impl IntoIterator<Item = String>,
) -> Result<bool, String> {
    memory::set_limit(MOST_MEMORY);
    let options = Options::read(targets, arguments)?;
    match &options.task {
        Task::Supervise => supervise(&options),
        Task::Help => {
            print!("{HELP}");
            Ok(true)
        }
        Task::List => {
            for target in targets {
                println!("{:18} {}", target.name, target.about);
            }
            Ok(true)
        }
        Task::Work => on_small_stack(move || {
            let entry = only(targets, &options)?;
            let mut engine = Engine::open(entry, options.seed, entry.hang)?;
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
                println!("{}", replay(only(targets, &options)?, &path)?);
                Ok(true)
            })
        }
    }
}

fn only(
    targets: &'static [&'static TargetEntry],
    options: &Options,
) -> Result<&'static TargetEntry, String> {
    find(targets, options.targets.first().copied().unwrap_or_default())
}

fn on_small_stack(
    work: impl FnOnce() -> Result<bool, String> + Send + 'static,
) -> Result<bool, String> {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    thread.join().map_err(|_| "the fuzzer itself panicked".to_owned())?
}

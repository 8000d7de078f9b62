//! A short run of every target: the committed inputs and some thousand mutations of them. The
//! choices are always the same. `cargo xtask fuzz` runs longer, and with coverage.

use std::{thread, time::Duration};

use appstitch_fuzz::{Effort, Engine, TARGETS};
use appstitch_probe::memory::CountingAllocator;

/// Every test counts the memory of its own thread.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The size of a thread's stack where parsers run in production.
const STACK: usize = 2 << 20;

/// Only prevents that a test hangs: a debug build on a busy machine is slow.
const HANG: Duration = Duration::from_mins(2);

/// Runs a target and gives its failures.
fn smoke(name: &'static str) -> Result<Vec<String>, String> {
    let run = move || {
        let target = TARGETS.iter().find(|target| target.name == name);
        let target = target.ok_or_else(|| format!("there is no target '{name}'"))?;
        let effort = Effort { executions: target.smoke_runs, time: Duration::MAX };
        Engine::open(target, 16, HANG)?.run(effort)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    let outcome = thread.join().map_err(|_| "the fuzzer itself panicked".to_owned())?;
    Ok(outcome?.failures)
}

macro_rules! smoke_tests {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            assert_eq!(smoke(stringify!($name)), Ok(Vec::new()));
        })*

        #[test]
        fn every_target_has_a_smoke_test() {
            let tested = [$(stringify!($name)),*];
            let targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(targets, tested);
        }
    };
}

smoke_tests! {
    labels answers archives packed_files casks recipes title_table titles store_listings records
    resolved_labels inventories versions addresses request_heads query_strings if_none_match lookups
    json_rpc backups
}

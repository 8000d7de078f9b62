//! The fuzzer: `cargo xtask fuzz` builds and starts it.

use std::process::ExitCode;

use appstitch_fuzz::{TARGETS, run_program};
use appstitch_probe::memory::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match run_program(TARGETS, std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

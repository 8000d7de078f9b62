//! The `appstitch` binary. Its code is in the library of this package, which compiles at the same time
//! as the libraries it uses; a binary would wait for them.

use std::process::ExitCode;

/// With the system's allocator, reads take 50 % longer, and the memory used for publishing is not
/// returned to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    appstitch_commands::main()
}

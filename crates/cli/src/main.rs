//! `appstitch`: the one binary.
//!
//! Data goes to stdout, talk to stderr. Exit codes: 0 done, 1 the answer is no, 2 wrong use,
//! 3 the server or store could not be reached.

mod arguments;
mod deploy_token;
mod exit;
mod logging;
mod mcp;
mod read;
mod records;
mod refresh;
mod serve;
mod shell_help;
mod upload;

use std::{io, process::ExitCode, thread, time::Duration};

use clap::{CommandFactory, Parser};
use tokio::runtime::{Builder, Runtime};

use arguments::{Arguments, Command, RecordsCommand};
use exit::Failure;

/// The system's allocator takes half as long again to answer a read, and keeps the memory that
/// publishing needed for itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(command) = arguments.command else {
        return match Arguments::command().print_help() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(exit::UNREACHABLE),
        };
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {:#}", failure.error);
            ExitCode::from(failure.code)
        }
    }
}

/// Where there is one core, one thread does all: threads that share their work would only cost time,
/// and answer requests less in the order in which they came.
fn start_runtime() -> io::Result<Runtime> {
    let mut builder = match thread::available_parallelism() {
        Ok(cores) if cores.get() > 1 => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    };
    // What a thread freed is given back when it ends.
    builder.enable_all().thread_keep_alive(Duration::from_millis(500)).build()
}

fn run(command: Command) -> Result<(), Failure> {
    let runtime = start_runtime().map_err(Failure::unreachable)?;
    let result = match command {
        Command::Serve(arguments) => runtime.block_on(serve::run(arguments)),
        Command::Records(RecordsCommand::Import(arguments)) => {
            runtime.block_on(records::import(arguments))
        }
        Command::Records(RecordsCommand::Export(arguments)) => {
            runtime.block_on(records::export(arguments))
        }
        Command::Refresh(arguments) => runtime.block_on(refresh::run(arguments)),
        Command::Upload(arguments) => runtime.block_on(upload::run(arguments)),
        Command::Mcp(arguments) => runtime.block_on(mcp::run(arguments)),
        Command::Apps(arguments) => runtime.block_on(read::apps(arguments)),
        Command::Search(arguments) => runtime.block_on(read::search(arguments)),
        Command::App(arguments) => runtime.block_on(read::app(arguments)),
        Command::Sources(arguments) => runtime.block_on(read::sources(arguments)),
        Command::Drift(arguments) => runtime.block_on(read::drift(arguments)),
        Command::Label(arguments) => runtime.block_on(read::label(arguments)),
        Command::Stats(arguments) => runtime.block_on(read::stats(arguments)),
        Command::Completions { shell } => shell_help::completions(shell),
        Command::Man => shell_help::manual(),
        Command::Openapi => exit::print(&appstitch_server::openapi_document()),
    };
    // Work that still blocks (a store that does not answer, say) must not hold up the end.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

//! The commands of the `appstitch` binary.
//!
//! Data goes to stdout, messages to stderr. Exit codes: 0 success, 1 negative answer, 2 wrong
//! usage, 3 server or store unavailable, 4 outdated apps (`outdated --fail-on-outdated`).

#[cfg(feature = "serve")]
mod allocator;
mod arguments;
mod backup;
mod exit;
#[cfg(feature = "serve")]
mod export;
mod hooks;
mod interrupt;
mod labels;
mod logging;
mod mcp;
mod open_store;
mod read;
mod records;
mod refresh;
mod secrets;
#[cfg(feature = "serve")]
mod serve;
mod shell_help;
mod table;
mod upload;
mod whole_file;

use std::{io, process::ExitCode, thread, time::Duration};

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use tokio::runtime::{Builder, Runtime};

use arguments::{Arguments, Command, LabelsCommand, RecordsCommand};
use exit::Failure;

/// Runs the command that the arguments of the process ask for.
pub fn main() -> ExitCode {
    // Only the matches know which values are defaults or from the environment.
    let given = Arguments::command().get_matches();
    let arguments = match Arguments::from_arg_matches(&given) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    let Some(command) = arguments.command else {
        return match Arguments::command().print_help() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(exit::UNREACHABLE),
        };
    };
    #[cfg(feature = "serve")]
    if let Command::Serve(_) = &command {
        allocator::give_memory_back();
    }
    match run(command, &given) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.code)
        }
    }
}

/// With one core, one thread does everything: more threads would cost time and would answer
/// requests less in order of arrival.
fn start_runtime() -> io::Result<Runtime> {
    let mut builder = match thread::available_parallelism() {
        Ok(cores) if cores.get() > 1 => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    };
    // A thread returns freed memory to the system when it ends.
    builder.enable_all().thread_keep_alive(Duration::from_millis(500)).build()
}

fn run(command: Command, given: &ArgMatches) -> Result<(), Failure> {
    let runtime = start_runtime().map_err(Failure::unreachable)?;
    runtime
        .block_on(async { interrupt::report_file_size_limit() })
        .map_err(Failure::unreachable)?;
    let result = match command {
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => runtime.block_on(serve::run(arguments)),
        Command::Records(RecordsCommand::Import(arguments)) => {
            runtime.block_on(records::import(arguments))
        }
        Command::Records(RecordsCommand::Export(arguments)) => {
            runtime.block_on(records::export(arguments))
        }
        Command::Backup(arguments) => runtime.block_on(backup::backup(arguments)),
        Command::Restore(arguments) => runtime.block_on(backup::restore(arguments)),
        #[cfg(feature = "serve")]
        Command::Export(arguments) => runtime.block_on(export::run(arguments)),
        Command::Hooks(command) => runtime.block_on(hooks::run(command)),
        Command::Refresh(arguments) => runtime.block_on(refresh::run(arguments)),
        Command::Upload(arguments) => runtime.block_on(upload::run(arguments)),
        Command::Mcp(arguments) => {
            arguments.origin(given).and_then(|origin| runtime.block_on(mcp::run(origin)))
        }
        Command::Apps(arguments) => runtime.block_on(read::apps(arguments)),
        Command::Search(arguments) => runtime.block_on(read::search(arguments)),
        Command::App(arguments) => runtime.block_on(read::app(arguments)),
        Command::Details(arguments) => runtime.block_on(read::details(arguments)),
        Command::Alias(arguments) => runtime.block_on(read::alias(arguments)),
        Command::Sources(arguments) => runtime.block_on(read::sources(arguments)),
        Command::Drift(arguments) => runtime.block_on(read::drift(arguments)),
        Command::Changes(arguments) => runtime.block_on(read::changes(arguments)),
        Command::History(arguments) => runtime.block_on(read::history(arguments)),
        Command::Compare(arguments) => read::compare(&arguments),
        Command::Outdated(arguments) => runtime.block_on(read::outdated(arguments)),
        Command::Label(arguments) => runtime.block_on(read::label(arguments)),
        Command::Labels(LabelsCommand::Resolve(arguments)) => {
            arguments.check(given).and_then(|()| runtime.block_on(labels::resolve(arguments)))
        }
        Command::Labels(LabelsCommand::Explain(arguments)) => {
            runtime.block_on(labels::explain(arguments))
        }
        Command::Health(arguments) => runtime.block_on(read::health(arguments)),
        Command::Stats(arguments) => runtime.block_on(read::stats(arguments)),
        Command::Completions { shell } => shell_help::completions(shell),
        Command::Man => shell_help::manual(),
        #[cfg(feature = "serve")]
        Command::Openapi => exit::print(&appstitch_server::openapi_document()),
    };
    // Blocked work, such as a store that does not respond, must not delay the exit.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

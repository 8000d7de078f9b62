//! The commands of the `appstitch` binary.
//!
//! Data goes to stdout, messages to stderr. Exit codes: 0 success, 1 negative answer, 2 wrong
//! usage, 3 server or store unavailable, 4 outdated apps (`outdated --fail-on-outdated`).

#[cfg(feature = "serve")]
mod allocator;
mod arguments;
mod backup;
mod catalog;
mod config;
mod exit;
#[cfg(feature = "serve")]
mod export;
mod folder;
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

use std::{env, io, process::ExitCode, thread, time::Duration};

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use tokio::runtime::{Builder, Runtime};

use appstitch_text::words;
use arguments::{Arguments, Command, ConfigCommand, LabelsCommand, RecordsCommand};
use exit::Failure;

/// Runs the command that the arguments of the process ask for.
pub fn main() -> ExitCode {
    // Only the matches know which values are defaults or from the environment.
    let given =
        Arguments::command().get_matches_from(shell_help::without_help_of_help(env::args_os()));
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
    let result = runtime.block_on(Box::pin(perform(command, given)));
    // Blocked work, such as a store that does not respond, must not delay the exit.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

async fn perform(command: Command, given: &ArgMatches) -> Result<(), Failure> {
    interrupt::report_file_size_limit().map_err(Failure::unreachable)?;
    match command {
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(arguments).await,
        Command::Records(RecordsCommand::Import(arguments)) => records::import(arguments).await,
        Command::Records(RecordsCommand::Export(arguments)) => records::export(arguments).await,
        Command::Backup(arguments) => backup::backup(arguments).await,
        Command::Restore(arguments) => backup::restore(arguments).await,
        Command::Catalog(command) => catalog::run(command).await,
        #[cfg(feature = "serve")]
        Command::Export(arguments) => export::run(arguments).await,
        Command::Hooks(command) => hooks::run(command).await,
        Command::Refresh(arguments) => refresh::run(arguments).await,
        Command::Config(ConfigCommand::Check(arguments)) => config::check(arguments).await,
        Command::Upload(arguments) => upload::run(arguments).await,
        Command::Mcp(arguments) => mcp::run(arguments.origin(given)?).await,
        Command::Apps(arguments) => read::apps(arguments).await,
        Command::Search(arguments) => read::search(arguments).await,
        Command::App(arguments) => read::app(arguments).await,
        Command::Details(arguments) => read::details(arguments).await,
        Command::Alias(arguments) => read::alias(arguments).await,
        Command::Sources(arguments) => read::sources(arguments).await,
        Command::Drift(arguments) => read::drift(arguments).await,
        Command::Changes(arguments) => read::changes(arguments).await,
        Command::History(arguments) => read::history(arguments).await,
        Command::Compare(arguments) => read::compare(&arguments),
        Command::Outdated(arguments) => read::outdated(arguments).await,
        Command::Label(arguments) => read::label(arguments).await,
        Command::ExportFor(arguments) => read::export_for(arguments).await,
        Command::Labels(LabelsCommand::Resolve(arguments)) => {
            arguments.check(given)?;
            labels::resolve(arguments).await
        }
        Command::Labels(LabelsCommand::Explain(arguments)) => labels::explain(arguments).await,
        Command::Health(arguments) => read::health(arguments).await,
        Command::Stats(arguments) => read::stats(arguments).await,
        Command::Completions { shell } => shell_help::completions(shell),
        Command::Man => shell_help::manual(),
        #[cfg(feature = "serve")]
        Command::Openapi => exit::print(&appstitch_server::openapi_document()),
    }
}

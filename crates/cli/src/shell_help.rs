//! What shells and `man` know about the commands, made from the same definitions.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{
    arguments::Arguments,
    exit::{self, Failure},
};

/// `appstitch completions`: the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "appstitch", &mut text);
    exit::print(&String::from_utf8_lossy(&text))
}

/// `appstitch man`: the manual page, with all commands.
pub(crate) fn manual() -> Result<(), Failure> {
    let mut command = Arguments::command();
    command.build();
    let mut text = Vec::new();
    let mut pages = vec![command.clone()];
    pages.extend(command.get_subcommands().filter(|command| command.get_name() != "help").cloned());
    // Built commands know their whole name: appstitch-serve, say.
    for page in pages {
        clap_mangen::Man::new(page).render(&mut text).map_err(Failure::unreachable)?;
    }
    exit::print(&String::from_utf8_lossy(&text))
}

//! Shell completions and the manual page, generated from the definition of the command line.

use std::{
    ffi::OsString,
    io::{self, Write},
};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{
    arguments::Arguments,
    exit::{self, Failure},
};

pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "appstitch", &mut text);
    exit::print(&String::from_utf8_lossy(&text))
}

/// The arguments of the process, without the flag in `appstitch help --help`: clap's command does not
/// know it.
pub(crate) fn without_help_of_help(
    arguments: impl Iterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut is_help = false;
    arguments.enumerate().filter_map(move |(number, argument)| {
        is_help |= number == 1 && argument == "help";
        let is_flag = argument == "--help" || argument == "-h";
        (!(is_help && is_flag)).then_some(argument)
    })
}

/// `appstitch man`: the manual page.
pub(crate) fn manual() -> Result<(), Failure> {
    let text = render(Arguments::command()).map_err(Failure::unreachable)?;
    exit::print(&String::from_utf8_lossy(&text))
}

/// One page with a section for each command; it refers to no other page.
fn render(command: Command) -> io::Result<Vec<u8>> {
    let mut command = command.disable_help_subcommand(true);
    // Sets the full names of the commands, such as `appstitch records import`.
    command.build();
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_options_section(&mut text)?;
    for command in command.get_subcommands() {
        render_command(&mut text, command)?;
    }
    writeln!(text, ".SH NOTES")?;
    render_notes(&mut text, &command)?;
    page.render_version_section(&mut text)?;
    Ok(text)
}

/// The text at the end of the help. Only lines that are indented keep their breaks.
fn render_notes(text: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines: Vec<&str> = notes.lines().filter(|line| !line.is_empty()).collect();
    for lines in lines.chunk_by(|before, after| before.starts_with(' ') && after.starts_with(' ')) {
        let is_indented = lines[0].starts_with(' ');
        let (start, end) = if is_indented { (".nf\n", "\n.fi") } else { (".PP\n", "") };
        writeln!(text, "{start}{}{end}", escape(&lines.join("\n")))?;
    }
    Ok(())
}

/// The section of a command, or of each of its subcommands.
fn render_command(text: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    if command.has_subcommands() {
        return command.get_subcommands().try_for_each(|command| render_command(text, command));
    }
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let page = Man::new(command.clone());
    writeln!(text, ".SH \"{}\"", escape(name))?;
    for render in
        [Man::render_description_section, Man::render_synopsis_section, Man::render_options_section]
    {
        let mut section = Vec::new();
        render(&page, &mut section)?;
        // The parts of the section become paragraphs without headings.
        for line in String::from_utf8_lossy(&section).lines() {
            let line = if line.starts_with(".SH ") { ".PP" } else { line };
            writeln!(text, "{line}")?;
        }
    }
    render_notes(text, command)
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    let lines = text.lines().map(|line| match line.chars().next() {
        Some('.' | '\'') => format!("\\&{line}"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(command: &Command, names: &mut Vec<String>) {
        if !command.has_subcommands() {
            names.extend(command.get_bin_name().map(str::to_owned));
        }
        command.get_subcommands().for_each(|command| leaves(command, names));
    }

    #[test]
    fn the_manual_is_one_page_with_every_command_and_option() {
        let text = String::from_utf8(render(Arguments::command()).unwrap()).unwrap();
        assert_eq!(text.matches("\n.TH ").count(), 1, "one page");
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        let mut names = Vec::new();
        leaves(&command, &mut names);
        assert!(names.contains(&"appstitch records import".to_owned()), "{names:?}");
        for name in names {
            let heading = format!("\n.SH \"{}\"\n", name.replace('-', "\\-"));
            assert_eq!(text.matches(&heading).count(), 1, "{heading}");
        }
        for option in
            ["\\-\\-fail\\-on\\-drift", "\\-\\-allow\\-shrink", "\\-\\-deploy\\-token\\-file"]
        {
            assert!(text.contains(option), "{option}");
        }
        for note in ["APPSTITCH_SERVER\\fR environment variable", "Exit codes: 0 success"] {
            assert!(text.contains(note), "{note}");
        }
    }

    #[test]
    fn the_manual_refers_to_no_other_page() {
        let text = String::from_utf8(render(Arguments::command()).unwrap()).unwrap();
        assert!(!text.contains("(1)") && !text.contains("SEE ALSO"), "{text}");
    }
}

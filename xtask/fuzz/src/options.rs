//! The command line.

use std::{path::PathBuf, time::Duration};

use crate::target::TargetEntry;

/// How to use the program.
pub(crate) const HELP: &str = include_str!("../help.txt");

/// The lines of the help that a mistake is told with.
fn usage() -> &'static str {
    HELP.split("\n\n").next().unwrap_or(HELP)
}

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    /// The names of the targets.
    pub(crate) targets: Vec<&'static str>,
    /// How much each of them is run.
    pub(crate) effort: Effort,
    /// Where the random choices start.
    pub(crate) seed: u64,
    /// A file for the table of results.
    pub(crate) report: Option<PathBuf>,
    /// What to do.
    pub(crate) task: Task,
}

/// How much to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The most executions.
    pub executions: u64,
    /// The most time.
    pub time: Duration,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// Fuzz, one process per target.
    Supervise,
    /// Fuzz in this process.
    Work,
    /// Run one input.
    Replay(PathBuf),
    /// List the targets.
    List,
    /// Print the help.
    Help,
}

impl Options {
    /// Reads the command line; the error says what is wrong with it.
    pub(crate) fn read(
        known: &[&TargetEntry],
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut options = Self {
            targets: Vec::new(),
            effort: Effort { executions: u64::MAX, time: Duration::from_mins(1) },
            seed: 0,
            report: None,
            task: Task::Supervise,
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| mistake(&format!("{argument} needs a value")));
            let number = |text: String| {
                text.parse::<u64>().map_err(|_| mistake(&format!("'{text}' is not a number")))
            };
            match argument.as_str() {
                "--executions" => {
                    let executions = number(value()?)?;
                    options.effort = Effort { executions, time: Duration::MAX };
                }
                "--minutes" => {
                    let time = Duration::from_secs(number(value()?)?.saturating_mul(60));
                    options.effort = Effort { executions: u64::MAX, time };
                }
                "--seed" => options.seed = number(value()?)?,
                "--report" => options.report = Some(value()?.into()),
                "--replay" => options.task = Task::Replay(value()?.into()),
                "--work" => options.task = Task::Work,
                "--list" => options.task = Task::List,
                "--help" | "-h" => options.task = Task::Help,
                option if option.starts_with('-') => {
                    return Err(mistake(&format!("there is no option '{option}'")));
                }
                name => options.targets.push(find(known, name)?.name),
            }
        }
        if options.targets.is_empty() {
            options.targets = known.iter().map(|target| target.name).collect();
        }
        if matches!(options.task, Task::Replay(_) | Task::Work) && options.targets.len() != 1 {
            return Err(mistake("name one target"));
        }
        Ok(options)
    }
}

/// The target with a name.
pub(crate) fn find<'a>(known: &[&'a TargetEntry], name: &str) -> Result<&'a TargetEntry, String> {
    let found = known.iter().find(|target| target.name == name).copied();
    found.ok_or_else(|| mistake(&format!("there is no target '{name}'; --list lists them")))
}

fn mistake(what: &str) -> String {
    format!("{what}\n{}", usage())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;

    fn read(line: &str) -> Result<Options, String> {
        Options::read(TARGETS, line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_and_targets_are_read_in_any_order() {
        let options = read("--seed 7 versions --executions 10 records").unwrap();
        assert_eq!(options.targets, ["versions", "records"]);
        assert_eq!((options.seed, options.effort.executions), (7, 10));
        assert_eq!(read("").unwrap().targets.len(), TARGETS.len());
        assert_eq!(read("versions --replay f").unwrap().task, Task::Replay("f".into()));
    }

    #[test]
    fn mistakes_are_told() {
        for (line, told) in [
            ("nothing", "there is no target 'nothing'"),
            ("--nothing", "there is no option '--nothing'"),
            ("--seed", "--seed needs a value"),
            ("--executions x", "'x' is not a number"),
            ("--replay f", "name one target"),
        ] {
            let mistake = read(line).unwrap_err();
            assert!(mistake.starts_with(told), "{line}");
            assert!(mistake.ends_with("--list"), "{mistake}");
        }
    }

    #[test]
    fn the_help_names_every_option() {
        assert_eq!(read("versions --help").unwrap().task, Task::Help);
        for option in ["--executions", "--minutes", "--seed", "--report", "--replay", "--list"] {
            assert!(HELP.contains(&format!("\n  {option} ")), "{option}");
        }
    }
}

//! Commands that change the shell itself.

use super::{Flow, Interrupt, Shell, dispatch::Call};
use crate::Stopped;

/// Commands that print nothing and whose effects no label can see.
pub(super) const SILENT: [&str; 16] = [
    ":",
    "true",
    "sleep",
    "printlog",
    "setopt",
    "unsetopt",
    "autoload",
    "emulate",
    "zmodload",
    "rm",
    "mkdir",
    "trap",
    "displaynotification",
    "updateDialog",
    "umask",
    "hash",
];

/// The status of a command that changed something.
type Status = Result<u8, Stopped>;

impl Shell<'_> {
    /// The commands that leave a loop, a function or the run.
    pub(super) fn leave(&mut self, call: Call<'_>) -> Result<Option<Flow>, Interrupt> {
        let number = || call.arguments.first().and_then(|text| text.parse::<usize>().ok());
        let status = || {
            let given = call.arguments.first().and_then(|text| text.parse::<u8>().ok());
            given.map(Ok)
        };
        Ok(Some(match call.name {
            "break" => Flow::Break(number().unwrap_or(1)),
            "continue" => Flow::Continue(number().unwrap_or(1)),
            "return" => {
                self.status = status().unwrap_or_else(|| self.status.clone());
                Flow::Return
            }
            "exit" | "cleanupAndExit" => {
                self.status = status().unwrap_or_else(|| self.status.clone());
                Flow::Exit
            }
            "eval" | "source" | "." | "exec" => {
                // Text that is run could change everything.
                let stopped = Stopped::Unsupported(format!("{} is not supported", call.name));
                for value in self.variables.values_mut() {
                    *value = Err(stopped.clone());
                }
                return Err(Interrupt::Run(stopped));
            }
            _ => return Ok(None),
        }))
    }

    /// The commands that change variables.
    pub(super) fn change(&mut self, call: Call<'_>) -> Result<Option<Status>, Interrupt> {
        Ok(Some(match call.name {
            "local" | "typeset" | "declare" | "export" | "readonly" | "integer" => {
                self.declare(call.arguments);
                Ok(0)
            }
            "unset" => {
                for name in call.arguments.iter().filter(|name| !name.starts_with('-')) {
                    self.variables.remove(name);
                }
                Ok(0)
            }
            "read" => self.read(call),
            "set" | "shift"
                if call.arguments.iter().all(|option| option.starts_with(['-', '+'])) =>
            {
                Ok(0)
            }
            "set" | "shift" => {
                return Err(Interrupt::Run(Stopped::Unsupported(format!(
                    "{} is not supported",
                    call.name
                ))));
            }
            "false" => Ok(1),
            _ => return Ok(None),
        }))
    }

    /// `local name` and `local name=value` with a name that was put together.
    fn declare(&mut self, arguments: &[String]) {
        for argument in arguments {
            if argument.starts_with(['-', '+']) {
                continue;
            }
            match argument.split_once('=') {
                Some((name, value)) => self.set(name, value),
                None => {
                    if self.variables.get(argument).is_none() {
                        self.set(argument, "");
                    }
                }
            }
        }
    }

    /// `read -r first second`: a line, split into words.
    fn read(&mut self, call: Call<'_>) -> Status {
        let names: Vec<&String> =
            call.arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
        let raw = call.arguments.iter().any(|argument| argument == "-r");
        let other = call.arguments.iter().any(|option| option.starts_with('-') && option != "-r");
        let (line, status) = match call.input {
            Ok(_) if other => {
                return self.forget(&names, Stopped::unsupported("read", "an option"));
            }
            Ok(text) => self.read.line(text),
            Err(stopped) => return self.forget(&names, stopped.clone()),
        };
        if !raw && line.contains('\\') {
            return self.forget(&names, Stopped::unsupported("read", "a backslash without -r"));
        }
        let separators = match self.separators() {
            Ok(separators) => separators,
            Err(stopped) => return self.forget(&names, stopped),
        };
        let ends = |character: char| separators.contains(character);
        let blank = |character: char| ends(character) && character.is_whitespace();
        let mut rest = line.trim_matches(blank);
        for (index, name) in names.iter().enumerate() {
            let last = index + 1 == names.len();
            let (word, after) = match rest.split_once(ends) {
                Some((word, after)) if !last => (word, after.trim_start_matches(blank)),
                _ => (rest, ""),
            };
            self.set(name, word);
            rest = after;
        }
        Ok(status)
    }

    fn forget(&mut self, names: &[&String], stopped: Stopped) -> Status {
        for name in names {
            self.variables.insert((*name).clone(), Err(stopped.clone()));
        }
        Err(stopped)
    }
}

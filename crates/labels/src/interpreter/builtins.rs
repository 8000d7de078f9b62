//! Commands that change the shell itself.

use super::{Flow, Interrupt, Shell, sink::Call};
use crate::Stopped;

/// Commands that print nothing and whose effects no label can see.
pub(super) const SILENT: [&str; 16] = [
    ":", "true", "sleep", "printlog", "setopt", "unsetopt", "autoload", "emulate", "zmodload",
    "rm", "mkdir", "trap", "displaynotification", "updateDialog", "umask", "hash",
];

type Status = Result<u8, Stopped>;

impl Shell<'_> {
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
                self.variables.forget(&stopped);
                return Err(Interrupt::Run(stopped));
            }
            _ => return Ok(None),
        }))
    }

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
            "read" => self.read(call.arguments),
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

    /// What `read` would take from the input is not known.
    fn read(&mut self, arguments: &[String]) -> Status {
        let stopped = Stopped::Unsupported("read is not supported".to_owned());
        for name in arguments.iter().filter(|argument| !argument.starts_with('-')) {
            self.variables.insert(name.clone(), Err(stopped.clone()));
        }
        Err(stopped)
    }
}

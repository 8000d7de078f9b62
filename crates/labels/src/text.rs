//! The text filters of labels: `grep`, `sed`, `awk` and their like, as the tools of a Mac behave.
//!
//! Every filter takes the arguments and the standard input of a command and gives its standard
//! output. None reads a file. What a tool of a Mac would refuse, and what no label uses, stops the
//! label with a reason.

mod awk;
mod basename;
mod cut;
mod grep;
mod head;
mod lines;
mod options;
pub(crate) mod pattern;
mod sed;
mod simple;
mod sort;
mod tail;
mod tr;
mod xargs;

pub(crate) use xargs::calls;

use crate::Filter;

pub(crate) fn find(name: &str) -> Option<Filter> {
    Some(match name {
        "awk" => awk::run,
        "basename" => basename::basename,
        "cat" => simple::cat,
        "cut" => cut::run,
        "dirname" => basename::dirname,
        "egrep" => {
            |arguments, input, budget| grep::run(arguments, grep::Dialect::Extended, input, budget)
        }
        "fgrep" => {
            |arguments, input, budget| grep::run(arguments, grep::Dialect::Fixed, input, budget)
        }
        "grep" => {
            |arguments, input, budget| grep::run(arguments, grep::Dialect::Basic, input, budget)
        }
        "head" => head::run,
        "rev" => simple::reverse,
        "sed" => sed::run,
        "sort" => sort::run,
        "tail" => tail::run,
        "tr" => tr::run,
        "uniq" => simple::unique,
        _ => return None,
    })
}

#[cfg(test)]
mod testing {
    //! Running a filter in a test as a label would write it.

    use crate::{Budget, Output, Stopped};

    pub(in crate::text) fn run(
        name: &str,
        arguments: &[&str],
        input: &str,
    ) -> Result<Output, Stopped> {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.into()).collect();
        let filter = super::find(name).expect("a known filter");
        filter(&arguments, input, &mut Budget::default())
    }

    pub(in crate::text) fn text(name: &str, arguments: &[&str], input: &str) -> String {
        run(name, arguments, input).expect("the filter runs").text
    }

    pub(in crate::text) fn refused(name: &str, arguments: &[&str], input: &str) -> String {
        run(name, arguments, input).expect_err("the filter refuses").to_string()
    }
}

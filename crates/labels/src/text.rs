//! The text filters of labels: `grep`, `sed`, `awk` and their like, as a Mac's own tools behave.
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
mod number;
mod options;
mod pattern;
mod sed;
mod simple;
mod sort;
mod tail;
mod tr;
mod xargs;

pub(crate) use xargs::calls;

use crate::Filter;

/// The filter with this name.
pub(crate) fn find(name: &str) -> Option<Filter> {
    Some(match name {
        "awk" => awk::run,
        "basename" => basename::basename,
        "cat" => simple::cat,
        "cut" => cut::run,
        "dirname" => basename::dirname,
        "egrep" => grep::extended,
        "fgrep" => grep::fixed,
        "grep" => grep::basic,
        "head" => head::run,
        "rev" => simple::reverse,
        "sed" => sed::run,
        "sort" => sort::run,
        "tail" => tail::run,
        "tr" => tr::run,
        "uniq" => simple::unique,
        "wc" => simple::count,
        "xargs" => |arguments, input, budget| xargs::run(arguments, input, find, budget),
        _ => return None,
    })
}

#[cfg(test)]
mod testing {
    //! Running a filter in a test as a label would write it.

    use crate::{Budget, Output, Stopped};

    /// What a filter prints, with its status.
    pub(in crate::text) fn run(
        name: &str,
        arguments: &[&str],
        input: &str,
    ) -> Result<Output, Stopped> {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.into()).collect();
        let filter = super::find(name).expect("a known filter");
        filter(&arguments, input, &mut Budget::default())
    }

    /// What a filter prints.
    pub(in crate::text) fn text(name: &str, arguments: &[&str], input: &str) -> String {
        run(name, arguments, input).expect("the filter runs").text
    }

    /// Why a filter does not run.
    pub(in crate::text) fn refused(name: &str, arguments: &[&str], input: &str) -> String {
        run(name, arguments, input).expect_err("the filter refuses").to_string()
    }
}

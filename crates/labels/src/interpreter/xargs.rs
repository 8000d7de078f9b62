//! Runs the commands that `xargs` makes.

use super::{
    Shell,
    sink::{Call, Input},
};
use crate::{Output, Stopped, text};

pub(super) fn run(shell: &mut Shell<'_>, call: Call<'_>) -> Result<Output, Stopped> {
    let input = call.input.as_ref().map_err(Clone::clone)?;
    let Some(calls) = text::calls(call.arguments, input, shell.budget)? else {
        return Ok(Output::status(1));
    };
    let nothing: Input = Ok("".into());
    let mut all = Output::default();
    for (name, arguments) in calls {
        shell.budget.step(1)?;
        let one = if matches!(name.as_str(), "echo" | "/bin/echo") {
            echo(&arguments)
        } else if text::find(&name).is_some() {
            shell.filter(&name, &arguments, &nothing)?
        } else {
            shell.execute(Call { name: &name, arguments: &arguments, input: &nothing, ..call })?
        };
        shell.budget.hold(one.text.len())?;
        all.text.push_str(&one.text);
        all.status = all.status.max(one.status.min(1));
    }
    Ok(all)
}

/// `/bin/echo`, which keeps backslashes.
fn echo(arguments: &[String]) -> Output {
    let (words, end) = match arguments {
        [first, words @ ..] if first == "-n" => (words, ""),
        words => (words, "\n"),
    };
    Output::success(words.join(" ") + end)
}

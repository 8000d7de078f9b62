//! `xargs`, for commands that are not filters.

use super::{
    Shell,
    call::{Call, failed},
};
use crate::{Output, Stopped, text};

/// Runs the commands that `xargs` makes of its input.
pub(super) fn run(shell: &mut Shell<'_>, call: Call<'_>) -> Result<Output, Stopped> {
    let input = call.input.as_ref().map_err(Clone::clone)?;
    let Some(calls) = text::calls(call.arguments, input, shell.budget)? else {
        return Ok(failed(1));
    };
    if calls.iter().all(|(name, _)| name == "echo" || text::find(name).is_some()) {
        return shell.filter("xargs", call.arguments, call.input);
    }
    let nothing = Ok("".into());
    let mut all = Output::default();
    for (name, arguments) in calls {
        let call = Call { name: &name, arguments: &arguments, input: &nothing, ..call };
        let one = shell.execute(call)?;
        all.text.push_str(&one.text);
        all.status = all.status.max(one.status.min(1));
    }
    Ok(all)
}

//! `osascript`: only for a script in JavaScript that takes one value out of a JSON argument.

use super::json_value;
use crate::{Budget, FilterResult, Stopped};

/// Runs `osascript -l JavaScript -e 'run = argv => JSON.parse(argv[0]).PATH' -- TEXT`.
pub(super) fn run(arguments: &[String], _input: &str, budget: &mut Budget) -> FilterResult {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (script, text) = match arguments.as_slice() {
        ["-l", "JavaScript", "-e", script, "--", text]
        | ["-l", "JavaScript", "-e", script, text] => (*script, *text),
        _ => return Err(Stopped::unsupported("osascript", "this call")),
    };
    let path = script.strip_prefix("run = argv => JSON.parse(argv[0])");
    let path = path.filter(|path| path.starts_with(['.', '[']));
    let path = path.ok_or_else(|| Stopped::unsupported("osascript", "this script"))?;
    json_value::evaluate(text, path.trim_end_matches([';', ' ']), budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Output;

    fn call(script: &str, text: &str) -> Result<Output, Stopped> {
        let arguments = ["-l", "JavaScript", "-e", script, "--", text].map(String::from);
        run(&arguments, "", &mut Budget::default())
    }

    #[test]
    fn one_value_is_taken_out_of_the_argument() {
        let script = "run = argv => JSON.parse(argv[0]).tag_name";
        let output = call(script, "{\"tag_name\": \"1.2\"}");
        assert_eq!(output, Ok(Output::success("1.2\n".into())));
        assert_eq!(call(script, "").map(|output| output.status), Ok(1));
    }

    #[test]
    fn other_scripts_are_not_guessed() {
        assert!(matches!(call("return 1", "{}"), Err(Stopped::Unsupported(_))));
        let script = "run = argv => JSON.parse(argv[0]).a.map(x => x)";
        assert!(matches!(call(script, "{}"), Err(Stopped::Unsupported(_))));
    }
}

//! `perl`: only for one expression that prints a group of a pattern found in the whole input.

use crate::{Budget, FilterResult, Output, Stopped, search::Search};

/// Runs `perl -0777 -ne 'print "$1\n" if /PATTERN/FLAGS'`.
pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let unsupported = || Stopped::unsupported("perl", "this program");
    let [all, flag, program] = arguments else { return Err(unsupported()) };
    if all != "-0777" || flag != "-ne" {
        return Err(unsupported());
    }
    let pattern = program.strip_prefix("print \"$1\\n\" if /").ok_or_else(unsupported)?;
    let (pattern, flags) =
        pattern.trim_end_matches([';', ' ']).rsplit_once('/').ok_or_else(unsupported)?;
    // Variables, and what Perl's patterns have beyond regular expressions.
    let known_flags = flags.chars().all(|flag| matches!(flag, 's' | 'i' | 'm' | 'x'));
    if !known_flags || pattern.contains(['$', '@']) {
        return Err(unsupported());
    }
    // The known flags have the same letters in both languages.
    let switched = if flags.is_empty() { String::new() } else { format!("(?{flags})") };
    let source = format!("{switched}{}", pattern.replace("\\/", "/"));
    let search = Search::compile(&source, budget)?.ok_or_else(unsupported)?;
    let Some(found) = search.find(input, 0, budget)?.filter(|_| !input.is_empty()) else {
        return Ok(Output::default());
    };
    let groups = search.capture(input, &found, budget)?.unwrap_or_default();
    let group = groups.get(1).cloned().flatten().and_then(|group| input.get(group));
    let group = group.unwrap_or_default();
    budget.hold(group.len())?;
    Ok(Output::success(format!("{group}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(program: &str, input: &str) -> Result<Output, Stopped> {
        let arguments = ["-0777", "-ne", program].map(String::from);
        run(&arguments, input, &mut Budget::default())
    }

    #[test]
    fn the_first_group_is_printed() {
        let program = "print \"$1\\n\" if /Current version:\\s*<a[^>]*>([^,<]+)/s";
        let page = "Current version:\n <a href=\"x\">2.1,3</a>";
        assert_eq!(call(program, page), Ok(Output::success("2.1\n".into())));
        assert_eq!(call(program, "nothing"), Ok(Output::default()));
    }

    #[test]
    fn other_programs_are_not_guessed() {
        for program in
            ["print", "print \"$1\\n\" if /(?<=a)b/", "print \"$1\\n\" if /$x/", "s/a/b/"]
        {
            assert!(matches!(call(program, "x"), Err(Stopped::Unsupported(_))), "{program}");
        }
    }
}

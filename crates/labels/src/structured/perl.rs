//! `perl`: only for one expression that prints a group of a pattern found in the whole input.

use regex::RegexBuilder;

use crate::{Budget, Output, Stopped};

/// Runs `perl -0777 -ne 'print "$1\n" if /PATTERN/FLAGS'`.
pub(super) fn run(
    arguments: &[String],
    input: &str,
    budget: &mut Budget,
) -> Result<Output, Stopped> {
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
    let regex = RegexBuilder::new(&pattern.replace("\\/", "/"))
        .dot_matches_new_line(flags.contains('s'))
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .ignore_whitespace(flags.contains('x'))
        .size_limit(1 << 20)
        .build()
        .map_err(|_| unsupported())?;
    budget.step(input.len())?;
    let Some(found) = regex.captures(input).filter(|_| !input.is_empty()) else {
        return Ok(Output::default());
    };
    let group = found.get(1).map_or("", |group| group.as_str());
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

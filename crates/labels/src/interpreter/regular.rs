//! Extended regular expressions of `[[ … =~ … ]]`, as the regex crate writes them.

use crate::{Budget, Stopped, search::Search};

/// Compiles an extended regular expression.
pub(super) fn compile(pattern: &str, budget: &mut Budget) -> Result<Search, Stopped> {
    let search = Search::compile(&translate(pattern), budget)?;
    search.ok_or_else(|| Stopped::Unsupported(format!("the expression {pattern} is not supported")))
}

/// Most signs mean the same. Within brackets a backslash stands for itself, and so do signs that
/// only the regex crate knows.
fn translate(pattern: &str) -> String {
    let mut translated = String::with_capacity(pattern.len() + 8);
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(next) if next.is_ascii_alphanumeric() => {
                    translated.push('\\');
                    translated.push(next);
                }
                Some(next) => translated.push_str(&regex::escape(next.encode_utf8(&mut [0; 4]))),
                None => translated.push_str(r"\\"),
            },
            '[' => {
                translated.push('[');
                if characters.next_if_eq(&'^').is_some() {
                    translated.push('^');
                }
                if characters.next_if_eq(&']').is_some() {
                    translated.push_str(r"\]");
                }
                while let Some(member) = characters.next() {
                    match member {
                        ']' => {
                            translated.push(']');
                            break;
                        }
                        '[' if characters.peek() == Some(&':') => {
                            translated.push('[');
                            for inner in characters.by_ref() {
                                translated.push(inner);
                                if inner == ']' {
                                    break;
                                }
                            }
                        }
                        '[' | '\\' | '&' | '~' | '^' => {
                            translated.push('\\');
                            translated.push(member);
                        }
                        other => translated.push(other),
                    }
                }
            }
            other => translated.push(other),
        }
    }
    translated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_labels_match() {
        for (pattern, text, fits) in [
            (r"^[0-9]+\.[0-9]+$", "1.2", true),
            (r"^[0-9]+\.[0-9]+$", "1.2.3", false),
            (r"^[^.]*\.[^.]*$", "26.1", true),
            (r"v([[:digit:]]+)", "v12", true),
            (r"[\d]", "\\", true),
        ] {
            let mut budget = Budget::default();
            let found = compile(pattern, &mut budget).unwrap().is_match(text, &mut budget);
            assert_eq!(found, Ok(fits), "{pattern} {text}");
        }
        assert!(compile("(", &mut Budget::default()).is_err());
    }
}

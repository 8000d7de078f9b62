//! `sub` and `gsub`.

use crate::text::pattern::{Pattern, after};
use crate::{Budget, Stopped};

/// The text after replacing the first match or all, and how many were replaced.
pub(super) fn replace(
    pattern: &Pattern,
    replacement: &str,
    text: &str,
    all: bool,
    budget: &mut Budget,
) -> Result<(String, usize), Stopped> {
    let mut result = String::new();
    let (mut copied, mut from, mut count) = (0, 0, 0);
    let mut last_end = None;
    while from <= text.len() {
        let Some(found) = pattern.find(text, from, budget)? else { break };
        from = after(text, &found);
        // An empty match right behind a match does not count.
        if found.is_empty() && last_end == Some(found.start) {
            continue;
        }
        last_end = Some(found.end);
        count += 1;
        result.push_str(text.get(copied..found.start).unwrap_or_default());
        let before = result.len();
        fill(&mut result, replacement, text.get(found.clone()).unwrap_or_default());
        budget.hold(result.len() - before)?;
        copied = found.end;
        if !all {
            break;
        }
    }
    result.push_str(text.get(copied..).unwrap_or_default());
    budget.hold(text.len())?;
    Ok((result, count))
}

/// Writes the replacement: `&` is the match, `\&` an ampersand.
fn fill(result: &mut String, replacement: &str, found: &str) {
    let mut characters = replacement.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next_if(|next| matches!(next, '&' | '\\')) {
                Some(escaped) => result.push(escaped),
                None => result.push('\\'),
            },
            '&' => result.push_str(found),
            other => result.push(other),
        }
    }
}

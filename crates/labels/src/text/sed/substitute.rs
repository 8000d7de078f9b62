//! The command `s` on one text.

use super::command::{Piece, Substitution};
use crate::text::pattern::{Groups, Pattern, after};
use crate::{Budget, Stopped};

/// The text after the substitution, if anything was replaced.
pub(super) fn substitute(
    substitution: &Substitution,
    pattern: &Pattern,
    text: &str,
    budget: &mut Budget,
) -> Result<Option<String>, Stopped> {
    let mut result = String::new();
    let (mut copied, mut from, mut count) = (0, 0, 0_usize);
    let mut replaced = false;
    let mut last_end = None;
    while from <= text.len() {
        let Some(groups) = pattern.capture(text, from, budget)? else { break };
        let Some(Some(found)) = groups.first().cloned() else { break };
        from = after(text, &found);
        // An empty match right behind a match does not count.
        if found.is_empty() && last_end == Some(found.start) {
            continue;
        }
        last_end = Some(found.end);
        count += 1;
        if count < substitution.occurrence {
            continue;
        }
        result.push_str(text.get(copied..found.start).unwrap_or_default());
        copied = found.end;
        let before = result.len();
        append(&mut result, &substitution.replacement, text, &groups);
        budget.hold(result.len() - before)?;
        replaced = true;
        if !substitution.global {
            break;
        }
    }
    if !replaced {
        return Ok(None);
    }
    result.push_str(text.get(copied..).unwrap_or_default());
    budget.hold(text.len())?;
    Ok(Some(result))
}

fn append(result: &mut String, replacement: &[Piece], text: &str, groups: &Groups) {
    for piece in replacement {
        match piece {
            Piece::Text(piece) => result.push_str(piece),
            Piece::Group(group) => {
                let range = groups.get(*group).cloned().flatten();
                result.push_str(range.and_then(|range| text.get(range)).unwrap_or_default());
            }
        }
    }
}

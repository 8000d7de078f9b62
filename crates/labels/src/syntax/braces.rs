//! `{a,b}` and `{1..5}`, which make several words of one.

use super::{Part, Word};

const MAX_WORDS: usize = 256;

#[derive(Debug)]
pub(super) struct TooMany;

/// The words that a word becomes. Only braces within one piece of unquoted text count.
pub(super) fn expand(word: Word) -> Result<Vec<Word>, TooMany> {
    let mut done = Vec::new();
    let mut waiting = vec![word];
    while let Some(word) = waiting.pop() {
        match once(&word)? {
            // The last alternative is at the bottom, so that the first one is next.
            Some(words) => waiting.extend(words.into_iter().rev()),
            None => done.push(word),
        }
        if done.len() + waiting.len() > MAX_WORDS {
            return Err(TooMany);
        }
    }
    Ok(done)
}

/// The words after the first pair of braces is expanded, if there is one.
fn once(word: &Word) -> Result<Option<Vec<Word>>, TooMany> {
    for (index, part) in word.iter().enumerate() {
        let Part::Plain(text) = part else { continue };
        for (open, close) in pairs(text) {
            let inside = text.get(open + 1..close).unwrap_or_default();
            let Some(alternatives) = alternatives(inside)? else { continue };
            let before = text.get(..open).unwrap_or_default();
            let after = text.get(close + 1..).unwrap_or_default();
            let words = alternatives.into_iter().map(|alternative| {
                let mut parts: Word = word.get(..index).unwrap_or(&[]).to_vec();
                parts.push(Part::Plain(format!("{before}{alternative}{after}")));
                parts.extend_from_slice(word.get(index + 1..).unwrap_or(&[]));
                parts
            });
            return Ok(Some(words.collect()));
        }
    }
    Ok(None)
}

/// Where the pairs of braces begin and end, by their beginnings.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (index, sign) in text.match_indices(['{', '}']) {
        if sign == "{" {
            open.push(index);
        } else if let Some(begin) = open.pop() {
            pairs.push((begin, index));
        }
    }
    pairs.sort_unstable();
    // Pairs without alternatives are looked into again for every pair around them.
    pairs.truncate(MAX_WORDS);
    pairs
}

/// What a pair of braces stands for, if it has alternatives.
fn alternatives(inside: &str) -> Result<Option<Vec<String>>, TooMany> {
    if let Some((from, to)) = inside.split_once("..") {
        let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) else {
            return Ok(None);
        };
        if first.abs_diff(last) >= MAX_WORDS as u64 {
            return Err(TooMany);
        }
        let padded = [from, to].iter().any(|end| end.len() > 1 && end.starts_with('0'));
        let width = if padded { from.len().max(to.len()) } else { 0 };
        let text = |number: i64| format!("{number:0width$}");
        return Ok(Some(if first <= last {
            (first..=last).map(text).collect()
        } else {
            (last..=first).rev().map(text).collect()
        }));
    }
    let mut parts = vec![String::new()];
    let mut depth = 0usize;
    for character in inside.chars() {
        match character {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    Ok((parts.len() > 1).then_some(parts))
}

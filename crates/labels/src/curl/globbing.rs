//! `{a,b}` and `[1-3]` in addresses.

use crate::Stopped;

/// The greatest number of addresses that one pattern becomes.
const MAX_ADDRESSES: usize = 256;

const TOO_MANY: Stopped = Stopped::TooMuch("an address stands for too many others");

/// The addresses that a pattern stands for, or nothing if it is not valid.
pub(super) fn expand(pattern: &str) -> Result<Option<Vec<String>>, Stopped> {
    let mut addresses = vec![String::new()];
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '[', '\\', ']', '}']) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        append(&mut addresses, before);
        let mut characters = from.chars();
        match characters.next() {
            Some('\\') => {
                let after = characters.as_str();
                let escaped =
                    after.chars().next().filter(|next| matches!(next, '{' | '[' | ']' | '}'));
                let sign = escaped.unwrap_or('\\');
                append(&mut addresses, sign.encode_utf8(&mut [0; 4]));
                rest = if escaped.is_some() { after.get(1..).unwrap_or_default() } else { after };
            }
            Some('{') => {
                let Some((inside, after)) = characters.as_str().split_once('}') else {
                    return Ok(None);
                };
                if inside.is_empty() || inside.contains('{') {
                    return Ok(None);
                }
                addresses = multiply(&addresses, inside.split(',').map(str::to_owned).collect())?;
                rest = after;
            }
            Some('[') => {
                let Some((inside, after)) = characters.as_str().split_once(']') else {
                    return Ok(None);
                };
                let Some(members) = range(inside)? else { return Ok(None) };
                addresses = multiply(&addresses, members)?;
                rest = after;
            }
            _ => return Ok(None),
        }
    }
    append(&mut addresses, rest);
    Ok(Some(addresses))
}

fn append(addresses: &mut [String], text: &str) {
    for address in addresses {
        address.push_str(text);
    }
}

fn multiply(addresses: &[String], members: Vec<String>) -> Result<Vec<String>, Stopped> {
    if addresses.len().saturating_mul(members.len()) > MAX_ADDRESSES {
        return Err(TOO_MANY);
    }
    let mut all = Vec::new();
    for address in addresses {
        all.extend(members.iter().map(|member| format!("{address}{member}")));
    }
    Ok(all)
}

/// The members of `1-3`, `01-12`, `a-c` or `0-10:2`, or nothing if these are none.
fn range(inside: &str) -> Result<Option<Vec<String>>, Stopped> {
    let (bounds, step) = match inside.split_once(':') {
        Some((bounds, step)) => (bounds, step.parse().ok().filter(|step| *step > 0)),
        None => (inside, Some(1)),
    };
    let (Some(step), Some((first, last))) = (step, bounds.split_once('-')) else { return Ok(None) };
    if let (Ok(from), Ok(to)) = (first.parse::<u64>(), last.parse::<u64>()) {
        if from > to {
            return Ok(None);
        }
        if to - from > MAX_ADDRESSES as u64 {
            return Err(TOO_MANY);
        }
        let width = if first.starts_with('0') { first.len() } else { 0 };
        let numbers = (from..=to).step_by(step).map(|number| format!("{number:0width$}"));
        return Ok(Some(numbers.collect()));
    }
    let letter = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|next| next.is_ascii_alphabetic() && characters.next().is_none())
    };
    let (Some(from), Some(to)) = (letter(first), letter(last)) else { return Ok(None) };
    Ok((from <= to).then(|| (from..=to).step_by(step).map(String::from).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_become_addresses() {
        let expanded = |pattern| expand(pattern).unwrap();
        assert_eq!(expanded("a").unwrap(), ["a"]);
        assert_eq!(expanded("x{a,b}y").unwrap(), ["xay", "xby"]);
        assert_eq!(expanded("x[1-2]{a,b}").unwrap(), ["x1a", "x1b", "x2a", "x2b"]);
        assert_eq!(expanded("x[08-10]").unwrap(), ["x08", "x09", "x10"]);
        assert_eq!(expanded("x[a-c]").unwrap(), ["xa", "xb", "xc"]);
        assert_eq!(expanded(r"x\[1-2\]").unwrap(), ["x[1-2]"]);
        for bad in ["x{a", "x[1", "x[0-9.]", "x]", "x{}"] {
            assert_eq!(expanded(bad), None, "{bad}");
        }
        assert!(expand("[1-200][1-200]").is_err());
        assert!(expand("[1-999999999]").is_err());
    }
}

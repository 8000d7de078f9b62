//! `{a,b}` in addresses.

use crate::Stopped;

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
                let inside = characters.as_str().split_once(']').map(|(inside, _)| inside);
                if inside.and_then(|inside| inside.split_once('-')).is_some_and(is_range) {
                    return Err(Stopped::unsupported("curl", format!("{pattern} as a range")));
                }
                return Ok(None);
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

/// Whether `1-3`, `a-c` or `0-10:2` stands between the brackets.
fn is_range((first, last): (&str, &str)) -> bool {
    let last = last.split(':').next().unwrap_or_default();
    let is_letter = |text: &str| text.len() == 1 && text.starts_with(char::is_alphabetic);
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    [first, last].into_iter().all(is_number) || [first, last].into_iter().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_become_addresses() {
        let expanded = |pattern| expand(pattern).unwrap();
        assert_eq!(expanded("a").unwrap(), ["a"]);
        assert_eq!(expanded("x{a,b}y").unwrap(), ["xay", "xby"]);
        assert_eq!(expanded("x{1,2}{a,b}").unwrap(), ["x1a", "x1b", "x2a", "x2b"]);
        assert_eq!(expanded(r"x\[1-2\]").unwrap(), ["x[1-2]"]);
        for bad in ["x{a", "x[1", "x[0-9.]", "x]", "x{}"] {
            assert_eq!(expanded(bad), None, "{bad}");
        }
        assert!(expand(&"{a,b}".repeat(9)).is_err());
        for range in ["x[08-10]", "x[a-c]", "[0-10:2]"] {
            assert!(expand(range).is_err(), "{range}");
        }
    }
}

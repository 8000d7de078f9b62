//! `test` and `[`.

use super::conditions::{by_order, test_one};
use crate::{Mac, Stopped};

pub(super) fn test(arguments: &[String], mac: &Mac) -> Result<u8, Stopped> {
    holds(arguments, mac).map(|holds| u8::from(!holds))
}

fn holds(arguments: &[String], mac: &Mac) -> Result<bool, Stopped> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(false),
        [text] => Ok(!text.is_empty()),
        ["!", rest @ ..] if rest.len() < 4 => one_or_two(rest, mac).map(|holds| !holds),
        other => one_or_two(other, mac),
    }
}

fn one_or_two(words: &[&str], mac: &Mac) -> Result<bool, Stopped> {
    match words {
        [text] => Ok(!text.is_empty()),
        [operator, text] => test_one(operator, text, mac),
        [left, "=" | "==", right] => Ok(left == right),
        [left, "!=", right] => Ok(left != right),
        [left, operator, right] => {
            let number = |text: &str| {
                let trimmed = text.trim();
                // The shell counts a missing number as 0.
                if trimmed.is_empty() {
                    return Ok(0);
                }
                trimmed
                    .parse::<i64>()
                    .map_err(|_| Stopped::Unsupported(format!("{text:?} is not a whole number")))
            };
            by_order(operator, number(left)?.cmp(&number(right)?))
        }
        _ => {
            Err(Stopped::Unsupported("a test of more than three words is not supported".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Architecture;

    #[test]
    fn texts_and_numbers_are_compared() {
        let on = |mac: &Mac, words: &[&str]| {
            test(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), mac)
        };
        let status = |words: &[&str]| on(&Mac::new(Architecture::Arm64), words);
        assert_eq!(status(&["a", "=", "a"]), Ok(0));
        assert_eq!(status(&["2", "-eq", "2"]), Ok(0));
        assert_eq!(status(&["-z", "a"]), Ok(1));
        assert_eq!(status(&["!", "-z", "a"]), Ok(0));
        assert_eq!(status(&["-e", "/Applications/A.app"]), Ok(1));
        assert!(status(&["a", "-eq", "2"]).is_err());
        assert!(status(&["-d", "/System"]).is_err());
        assert!(on(&Mac::any(Architecture::Arm64), &["-e", "/Applications/A.app"]).is_err());
    }
}

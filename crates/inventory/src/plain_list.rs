//! Plain lists: `mas list` (`497799835  Xcode  (26.1.1)`) and `brew list --cask --versions`
//! (`firefox 140.0.1`).

use crate::{
    collector::Collector, error::InventoryError, fields::Fields, format::InventoryFormat,
    slot::Text,
};

/// How many lines are looked at to recognize a list.
const LINES: usize = 20;

enum Line<'a> {
    Store { name: &'a str, version: &'a str },
    Cask { token: &'a str, version: &'a str },
}

pub(crate) fn is_plain_list(text: &str) -> bool {
    lines(text).take(LINES).all(|(_, line)| Line::of(line).is_some())
}

pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    for (number, line) in lines(text) {
        collector.count_entry()?;
        let mut fields = Fields::default();
        let format = match Line::of(line) {
            Some(Line::Store { name, version }) => {
                fields.set(Text::Name, name);
                fields.set(Text::Version, version);
                fields.set(Text::AdamId, "1");
                InventoryFormat::AppStore
            }
            Some(Line::Cask { token, version }) => {
                fields.set(Text::Token, token);
                fields.set_receipt(version);
                InventoryFormat::Homebrew
            }
            None => {
                let why =
                    format!("line {number} is neither 'ID name (version)' nor 'cask version'");
                return Err(InventoryError::Invalid { format: "list of mas or brew", why });
            }
        };
        collector.add(fields, format)?;
    }
    Ok(())
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty())
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let (first, rest) = line.split_once([' ', '\t'])?;
        let rest = rest.trim();
        if first.bytes().all(|byte| byte.is_ascii_digit()) {
            let (name, version) = rest.strip_suffix(')')?.rsplit_once('(')?;
            return Some(Self::Store { name: name.trim(), version });
        }
        let is_token = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-@+._".contains(&byte)
        };
        let versions = rest.split_whitespace();
        let is_version =
            |word: &str| word.bytes().any(|byte| byte.is_ascii_digit()) || word == "latest";
        let is_cask = first.bytes().all(is_token)
            && !rest.is_empty()
            && versions.clone().all(|word| is_version(word) && !word.contains(';'));
        // Of several installed versions, the last is the newest.
        is_cask.then(|| Self::Cask { token: first, version: versions.last().unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_no_plain_lists() {
        for list in [
            "497799835  Xcode  (26.1.1)\n1225570693  (15.2)\n",
            "firefox 140.0.1\n\nvisual-studio-code@insiders 1.2 1.3,45\nfont-x latest",
        ] {
            assert!(is_plain_list(list), "{list}");
        }
        for other in ["name,version\nFirefox,1", "name version", "Firefox 140.0", "name\n", "1 2"] {
            assert!(!is_plain_list(other), "{other}");
        }
    }
}

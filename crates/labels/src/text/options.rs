//! Options as `getopt` and `getopt_long` read them: combined letters, values that are attached or
//! follow, `--`, and long names.

use crate::Stopped;

pub(super) struct Grammar {
    /// For reasons.
    pub command: &'static str,
    /// The letters without a value.
    pub flags: &'static str,
    /// The letters with a value.
    pub valued: &'static str,
    /// Long names with the letter that means the same.
    pub long: &'static [(&'static str, char)],
    /// Whether options may follow operands, as with `getopt_long`.
    pub mixed: bool,
}

/// The options and operands of a command, in the order given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options<'a> {
    /// The letters with their values; flags have an empty value.
    pub given: Vec<(char, &'a str)>,
    pub operands: Vec<&'a str>,
}

impl Options<'_> {
    pub(super) fn has(&self, letter: char) -> bool {
        self.given.iter().any(|(given, _)| *given == letter)
    }

    /// Stops a command that would read a file. The operand `-` is the standard input.
    pub(super) fn only_standard_input(&self, command: &str) -> Result<(), Stopped> {
        match self.operands.as_slice() {
            [] | ["-"] => Ok(()),
            _ => Err(Stopped::unsupported(command, "reading a file")),
        }
    }
}

impl Grammar {
    pub(super) fn parse<'a>(&self, arguments: &'a [String]) -> Result<Options<'a>, Stopped> {
        let mut options = Options::default();
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                options.operands.extend(arguments);
                break;
            }
            if let Some(name) = argument.strip_prefix("--") {
                options.given.push(self.long(name, &mut arguments)?);
            } else if let Some(letters) = argument.strip_prefix('-').filter(|it| !it.is_empty()) {
                self.letters(letters, &mut arguments, &mut options.given)?;
            } else {
                options.operands.push(argument);
                if !self.mixed {
                    options.operands.extend(arguments);
                    break;
                }
            }
        }
        Ok(options)
    }

    fn letters<'a>(
        &self,
        letters: &'a str,
        arguments: &mut impl Iterator<Item = &'a str>,
        given: &mut Vec<(char, &'a str)>,
    ) -> Result<(), Stopped> {
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            if self.valued.contains(letter) {
                let value = match letters.as_str() {
                    "" => arguments.next().ok_or_else(|| self.missing(letter))?,
                    attached => attached,
                };
                given.push((letter, value));
                return Ok(());
            }
            if !self.flags.contains(letter) {
                return Err(self.unknown(format_args!("-{letter}")));
            }
            given.push((letter, ""));
        }
        Ok(())
    }

    fn long<'a>(
        &self,
        name: &'a str,
        arguments: &mut impl Iterator<Item = &'a str>,
    ) -> Result<(char, &'a str), Stopped> {
        let (name, attached) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        let known = self.long.iter().find(|(long, _)| *long == name);
        let (_, letter) = *known.ok_or_else(|| self.unknown(format_args!("--{name}")))?;
        if !self.valued.contains(letter) {
            return Ok((letter, ""));
        }
        let value = attached.or_else(|| arguments.next()).ok_or_else(|| self.missing(letter))?;
        Ok((letter, value))
    }

    fn unknown(&self, option: std::fmt::Arguments<'_>) -> Stopped {
        Stopped::unsupported(self.command, format_args!("the option {option}"))
    }

    fn missing(&self, letter: char) -> Stopped {
        Stopped::unsupported(self.command, format_args!("the option -{letter} without a value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUT: Grammar =
        Grammar { command: "cut", flags: "s", valued: "df", long: &[], mixed: false };
    const GREP: Grammar = Grammar {
        command: "grep",
        flags: "io",
        valued: "m",
        long: &[("max-count", 'm'), ("ignore-case", 'i')],
        mixed: true,
    };

    fn given(grammar: &Grammar, arguments: &[&str]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&it| it.into()).collect();
        match grammar.parse(&arguments) {
            Ok(options) => format!("{:?} {:?}", options.given, options.operands),
            Err(stopped) => stopped.to_string(),
        }
    }

    #[test]
    fn values_are_attached_or_follow() {
        assert_eq!(given(&CUT, &["-d", "\"", "-f2"]), r#"[('d', "\""), ('f', "2")] []"#);
        assert_eq!(given(&CUT, &["-sd.", "-f", "1"]), r#"[('s', ""), ('d', "."), ('f', "1")] []"#);
        assert_eq!(given(&CUT, &["-d"]), "cut: the option -d without a value is not supported");
    }

    #[test]
    fn only_long_getopt_takes_options_after_operands() {
        assert_eq!(given(&CUT, &["x", "-s"]), r#"[] ["x", "-s"]"#);
        assert_eq!(given(&GREP, &["h3", "--max-count", "1"]), r#"[('m', "1")] ["h3"]"#);
        assert_eq!(given(&GREP, &["-im1", "--", "-x"]), r#"[('i', ""), ('m', "1")] ["-x"]"#);
    }

    #[test]
    fn unknown_options_are_named() {
        assert_eq!(given(&CUT, &["-z"]), "cut: the option -z is not supported");
        assert_eq!(given(&GREP, &["--perl"]), "grep: the option --perl is not supported");
    }
}

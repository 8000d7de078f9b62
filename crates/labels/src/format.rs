//! The conversions of `printf`, such as `%-5.2f`, for awk and the shell.

use std::str::Chars;

use crate::Stopped;

const MAX_WIDTH: usize = 1000;

#[derive(Debug, Default)]
pub(crate) struct Conversion {
    left: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
}

impl Conversion {
    /// Reads a conversion behind its `%`, and its letter unless the format ends.
    pub(crate) fn parse(
        command: &str,
        characters: &mut Chars<'_>,
    ) -> Result<(Self, Option<char>), Stopped> {
        let mut conversion = Self::default();
        for character in characters {
            match (character, conversion.precision.as_mut()) {
                ('-', None) => conversion.left = true,
                ('0', None) if conversion.width == 0 => conversion.zeros = true,
                ('.', None) => conversion.precision = Some(0),
                ('0'..='9', precision) => {
                    let number = precision.unwrap_or(&mut conversion.width);
                    *number = *number * 10 + character as usize - '0' as usize;
                    if *number > MAX_WIDTH {
                        return Err(Stopped::unsupported(command, "a field this wide"));
                    }
                }
                (letter, _) => return Ok((conversion, Some(letter))),
            }
        }
        Ok((conversion, None))
    }

    /// `%s`
    pub(crate) fn text(&self, text: &str) -> String {
        let shown: String = text.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
        self.pad(&shown, false)
    }

    /// `%d`: a precision is a smallest number of digits.
    pub(crate) fn integer(&self, number: i64) -> String {
        let sign = if number < 0 { "-" } else { "" };
        let digits = self.precision.unwrap_or(1);
        self.pad(&format!("{sign}{:0>digits$}", number.unsigned_abs()), true)
    }

    /// `%f`
    pub(crate) fn float(&self, number: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        self.pad(&format!("{number:.precision$}"), number.is_finite())
    }

    fn pad(&self, text: &str, is_number: bool) -> String {
        let width = self.width;
        if self.left {
            return format!("{text:<width$}");
        }
        if is_number && self.zeros {
            let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
            return format!("{sign}{digits:0>width$}", width = width.saturating_sub(sign.len()));
        }
        format!("{text:>width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(format: &str) -> Conversion {
        Conversion::parse("printf", &mut format.chars()).unwrap().0
    }

    #[test]
    fn fields_are_padded_and_cut() {
        assert_eq!(parsed("5d").integer(24), "   24");
        assert_eq!(parsed("05d").integer(-24), "-0024");
        assert_eq!(parsed(".3d").integer(7), "007");
        assert_eq!(parsed("-5s").text("7.1"), "7.1  ");
        assert_eq!(parsed("4.2s").text("abc"), "  ab");
        assert_eq!(parsed("05.1f").float(-1.25), "-01.2");
        assert!(Conversion::parse("printf", &mut "99999999d".chars()).is_err());
    }
}

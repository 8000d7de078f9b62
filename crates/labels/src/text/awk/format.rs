//! `printf` and `sprintf`.

use super::refuse::refuse;
use super::value::Value;
use crate::text::number;
use crate::{Budget, Stopped};

/// Wider fields than this are refused.
const WIDTH: usize = 10_000;

/// A conversion such as `%-5.2f`.
#[derive(Default)]
struct Conversion {
    left: bool,
    zeros: bool,
    sign: Option<char>,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// Fills the values into a format.
pub(super) fn format(
    format: &str,
    values: &[Value],
    budget: &mut Budget,
) -> Result<String, Stopped> {
    let mut text = String::new();
    let mut values = values.iter();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        let mut conversion = Conversion::default();
        let kind = conversion.parse(&mut characters, &mut values)?;
        let before = text.len();
        match kind {
            None | Some('%') => text.push('%'),
            Some(kind) => {
                // Too few values are an error to awk, which prints nothing then.
                let value = values.next().ok_or_else(|| refuse("a format without a value"))?;
                text.push_str(&conversion.convert(kind, value)?);
            }
        }
        budget.step(1)?;
        budget.hold(text.len() - before)?;
    }
    budget.hold(format.len())?;
    Ok(text)
}

impl Conversion {
    /// Reads the conversion behind its `%` and gives its letter.
    fn parse<'a>(
        &mut self,
        characters: &mut std::str::Chars<'_>,
        values: &mut impl Iterator<Item = &'a Value>,
    ) -> Result<Option<char>, Stopped> {
        let mut in_precision = false;
        for character in characters.by_ref() {
            match character {
                '-' => self.left = true,
                '+' | ' ' => self.sign = Some(character),
                '#' => self.alternate = true,
                '0' if !in_precision && self.width == 0 => self.zeros = true,
                '.' => {
                    in_precision = true;
                    self.precision = Some(0);
                }
                '0'..='9' => {
                    let digit = character as usize - '0' as usize;
                    let number = if in_precision {
                        self.precision.get_or_insert(0)
                    } else {
                        &mut self.width
                    };
                    *number = *number * 10 + digit;
                }
                '*' => {
                    let value = values.next().map_or(0, Value::to_index);
                    let number = usize::try_from(value).unwrap_or(0);
                    if in_precision { self.precision = Some(number) } else { self.width = number }
                }
                'l' | 'h' | 'q' => {}
                letter => return self.check().map(|()| Some(letter)),
            }
            self.check()?;
        }
        Ok(None)
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.width > WIDTH || self.precision.is_some_and(|precision| precision > WIDTH) {
            return Err(refuse("a format this wide"));
        }
        Ok(())
    }

    fn convert(&self, kind: char, value: &Value) -> Result<String, Stopped> {
        let number = value.to_number();
        let precision = self.precision.unwrap_or(6);
        Ok(match kind {
            's' => {
                let text = value.to_text();
                let shown: String =
                    text.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
                self.pad(&shown, false)
            }
            'c' => {
                let first = match value {
                    Value::Number(code) => {
                        #[expect(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "casts saturate"
                        )]
                        let code = *code as u32;
                        char::from_u32(code)
                    }
                    other => other.to_text().chars().next(),
                };
                self.pad(&first.map(String::from).unwrap_or_default(), false)
            }
            'd' | 'i' => {
                let whole = value.to_index();
                self.pad(
                    &self.signed(whole < 0, &self.digits(&whole.unsigned_abs().to_string())),
                    true,
                )
            }
            'u' => self.pad(&self.digits(&value.to_index().unsigned_abs().to_string()), true),
            'o' => self.pad(&self.digits(&format!("{:o}", value.to_index())), true),
            'x' => self.pad(&self.digits(&format!("{:x}", value.to_index())), true),
            'X' => self.pad(&self.digits(&format!("{:X}", value.to_index())), true),
            'f' | 'F' => self.float(number, &format!("{:.precision$}", number.abs())),
            'e' => self.float(number, &number::scientific(number.abs(), precision)),
            'E' => self.float(number, &number::scientific(number.abs(), precision).to_uppercase()),
            'g' | 'G' if self.alternate => return Err(refuse("the format %#g")),
            'g' => self.float(number, &number::general(number.abs(), precision)),
            'G' => self.float(number, &number::general(number.abs(), precision).to_uppercase()),
            other => return Err(refuse(format_args!("the format %{other}"))),
        })
    }

    fn float(&self, number: f64, digits: &str) -> String {
        self.pad(&self.signed(number < 0.0, digits), number.is_finite())
    }

    fn signed(&self, negative: bool, digits: &str) -> String {
        let sign = if negative { Some('-') } else { self.sign };
        sign.into_iter().chain(digits.chars()).collect()
    }

    /// A precision is a smallest number of digits.
    fn digits(&self, digits: &str) -> String {
        format!("{digits:0>width$}", width = self.precision.unwrap_or(1))
    }

    fn pad(&self, text: &str, number: bool) -> String {
        let width = self.width;
        if self.left {
            return format!("{text:<width$}");
        }
        if number && self.zeros {
            let unsigned = text.trim_start_matches(['-', '+', ' ']);
            let sign = text.strip_suffix(unsigned).unwrap_or_default();
            return format!("{sign}{unsigned:0>rest$}", rest = width.saturating_sub(sign.len()));
        }
        format!("{text:>width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(pattern: &str, values: &[Value]) -> String {
        format(pattern, values, &mut Budget::default()).unwrap()
    }

    #[test]
    fn values_are_converted() {
        let values = [Value::Number(24.0), Value::input("7.1")];
        assert_eq!(filled("%d.0.%s", &values), "24.0.7.1");
        assert_eq!(filled("%5d|%-5s|%%", &values), "   24|7.1  |%");
        assert_eq!(
            filled(
                "%05.1f %x %c",
                &[Value::Number(-1.25), Value::Number(255.0), Value::Number(65.0)]
            ),
            "-01.2 ff A"
        );
        assert_eq!(filled("%.3d %g", &[Value::Number(7.0), Value::Number(0.5)]), "007 0.5");
        assert_eq!(filled("%*d", &[Value::Number(3.0), Value::Number(7.0)]), "  7");
        assert!(format("%s", &[], &mut Budget::default()).is_err());
        assert!(format("%99999999d", &values, &mut Budget::default()).is_err());
    }
}

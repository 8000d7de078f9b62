//! Numbers for people.

use std::fmt;

use askama::filters::HtmlSafe;

/// A number with commas: `5,273`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (position, digit) in digits.chars().enumerate() {
            if position > 0 && (digits.len() - position).is_multiple_of(3) {
                formatter.write_str(",")?;
            }
            write!(formatter, "{digit}")?;
        }
        Ok(())
    }
}

// Digits and commas.
impl HtmlSafe for Count {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let texts = [0, 7, 999, 1000, 5273, 1_234_567].map(|number| Count(number).to_string());
        assert_eq!(texts, ["0", "7", "999", "1,000", "5,273", "1,234,567"]);
    }
}

//! Values: texts, numbers, and texts from the input that count as numbers if they look like some.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::Stopped;
use crate::number;

pub(super) fn refuse(what: impl std::fmt::Display) -> Stopped {
    Stopped::unsupported("awk", what)
}

/// How many bytes of a text are looked at in a step.
const BYTES_PER_STEP: usize = 64;

#[derive(Debug, Clone, Default)]
pub(super) enum Value {
    /// A variable without a value: an empty text and 0.
    #[default]
    Unset,
    Number(f64),
    Text(Rc<str>),
    Input(Rc<str>),
}

impl Value {
    pub(super) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn input(text: impl Into<Rc<str>>) -> Self {
        Self::Input(text.into())
    }

    pub(super) fn truth(truth: bool) -> Self {
        Self::Number(f64::from(u8::from(truth)))
    }

    pub(super) fn count(count: usize) -> Self {
        // No text here is long enough to lose a bit.
        #[expect(clippy::cast_precision_loss, reason = "counts are below 2^52")]
        Self::Number(count as f64)
    }

    /// The value as a text; numbers in the form `%.6g` unless they are whole.
    pub(super) fn to_text(&self) -> Rc<str> {
        match self {
            Self::Unset => "".into(),
            Self::Number(value) => number_text(*value).into(),
            Self::Text(text) | Self::Input(text) => Rc::clone(text),
        }
    }

    /// The steps of comparing a text, or of looking for a number in it.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Unset | Self::Number(_) => 0,
            Self::Text(text) | Self::Input(text) => text.len() / BYTES_PER_STEP,
        }
    }

    /// The value as a number: that at the start of a text.
    pub(super) fn to_number(&self) -> f64 {
        match self {
            Self::Unset => 0.0,
            Self::Number(value) => *value,
            Self::Text(text) | Self::Input(text) => {
                number::leading(text).map_or(0.0, |(value, _)| value)
            }
        }
    }

    /// The value as a whole number within the limits of an index.
    pub(super) fn to_index(&self) -> i64 {
        // Casts saturate, and what is not a number becomes 0.
        #[expect(clippy::cast_possible_truncation, reason = "the language truncates")]
        let index = self.to_number() as i64;
        index
    }

    pub(super) fn is_true(&self) -> bool {
        match (self.numeric(), self) {
            (Some(number), _) => number != 0.0,
            (None, Self::Text(text) | Self::Input(text)) => !text.is_empty(),
            (None, _) => false,
        }
    }

    /// The number, if the value counts as one in comparisons.
    fn numeric(&self) -> Option<f64> {
        match self {
            Self::Unset => Some(0.0),
            Self::Number(value) => Some(*value),
            Self::Text(_) => None,
            Self::Input(text) => {
                let (value, rest) = number::leading(text)?;
                rest.trim().is_empty().then_some(value)
            }
        }
    }

    /// Compares as numbers if both are, or else as texts.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.numeric(), other.numeric()) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => Some(self.to_text().cmp(&other.to_text())),
        }
    }
}

fn number_text(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        // Without a sign for zero.
        format!("{:.0}", value + 0.0)
    } else if value.fract() == 0.0 {
        number::general(value, 30)
    } else {
        number::general(value, 6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_the_input_compare_as_numbers() {
        let less = |left: Value, right: Value| left.compare(&right) == Some(Ordering::Less);
        assert!(less(Value::input("9"), Value::input("10")));
        assert!(less(Value::input(" 9 "), Value::Number(10.0)));
        assert!(less(Value::input("10.0.1"), Value::input("9")));
        assert!(less(Value::text("10"), Value::Number(9.0)));
        assert!(less(Value::Unset, Value::Number(1.0)));
        assert!(less(Value::Unset, Value::text("a")));
    }

    #[test]
    fn numbers_become_texts() {
        assert_eq!(&*Value::Number(24.0).to_text(), "24");
        assert_eq!(&*Value::Number(-0.0).to_text(), "0");
        assert_eq!(&*Value::Number(0.1).to_text(), "0.1");
        assert_eq!(&*Value::Number(1e20).to_text(), "100000000000000000000");
    }

    #[test]
    fn zero_and_nothing_are_false() {
        assert!(!Value::input("0.0").is_true() && !Value::text("").is_true());
        assert!(Value::text("0").is_true() && Value::input("a").is_true());
        assert!(!Value::Unset.is_true() && !Value::input("").is_true());
    }
}

//! Builds: the part of a version after a comma or plus sign, or in brackets.

use std::borrow::Cow;

use super::number::Number;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Build(Vec<BuildPart>);

/// A part of a build. Builds also contain commits and dates, so letters are ordered as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum BuildPart {
    Number(Number),
    Word(Box<str>),
}

impl Build {
    /// Splits the text into runs of letters and digits; `None` if there are none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pieces = text.split(|character: char| !character.is_ascii_alphanumeric());
        let mut parts: Vec<BuildPart> = pieces
            .filter(|piece| !piece.is_empty() && !piece.eq_ignore_ascii_case("build"))
            .map(|piece| {
                if piece.bytes().all(|byte| byte.is_ascii_digit()) {
                    BuildPart::Number(Number::new(piece))
                } else {
                    BuildPart::Word(piece.to_ascii_lowercase().into())
                }
            })
            .collect();
        let found = !parts.is_empty();
        while parts.len() > 1 && parts.pop_if(|part| part.is_zero()).is_some() {}
        found.then_some(Self(parts))
    }

    /// A build of numbers without trailing zeros; without any number it is the build 0.
    pub(super) fn of_numbers(mut numbers: Vec<Number>) -> Self {
        if numbers.is_empty() {
            numbers.push(Number::new("0"));
        }
        Self(numbers.into_iter().map(BuildPart::Number).collect())
    }

    pub(super) fn written(&self) -> String {
        let parts = self.0.iter().map(|part| match part {
            BuildPart::Number(number) => number.text(),
            BuildPart::Word(word) => Cow::Borrowed(&**word),
        });
        parts.collect::<Vec<_>>().join(".")
    }

    pub(super) fn number(&self) -> Option<&Number> {
        match self.0.as_slice() {
            [BuildPart::Number(number)] => Some(number),
            _ => None,
        }
    }

    pub(super) fn leading_number(&self) -> Option<&Number> {
        match self.0.first() {
            Some(BuildPart::Number(number)) => Some(number),
            _ => None,
        }
    }

    pub(super) fn numbers(&self) -> Option<Vec<&Number>> {
        let numbers = self.0.iter().map(|part| match part {
            BuildPart::Number(number) => Some(number),
            BuildPart::Word(_) => None,
        });
        numbers.collect()
    }

    /// Whether a part has no meaningful order, such as a commit or a name.
    pub(super) fn has_words(&self) -> bool {
        self.0.iter().any(|part| matches!(part, BuildPart::Word(_)))
    }

    pub(super) fn contains(&self, number: &Number) -> bool {
        self.0.iter().any(|part| part.is(number))
    }
}

impl BuildPart {
    fn is(&self, number: &Number) -> bool {
        matches!(self, Self::Number(other) if other == number)
    }

    fn is_zero(&self) -> bool {
        matches!(self, Self::Number(number) if number.is_zero())
    }
}

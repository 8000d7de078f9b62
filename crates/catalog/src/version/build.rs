//! Builds: what stands behind a version's comma, plus sign or bracket.

use super::number::Number;

/// A build, part by part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Build(Vec<BuildPart>);

/// A part of a build. Commits and dates stand there too, so letters are ordered as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum BuildPart {
    Number(Number),
    Word(Box<str>),
}

impl Build {
    /// The runs of letters and digits; `None` where there are none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pieces = text.split(|character: char| !character.is_ascii_alphanumeric());
        let parts: Vec<BuildPart> = pieces
            .filter(|piece| !piece.is_empty())
            .map(|piece| {
                if piece.bytes().all(|byte| byte.is_ascii_digit()) {
                    BuildPart::Number(Number::new(piece))
                } else {
                    BuildPart::Word(piece.to_ascii_lowercase().into())
                }
            })
            .collect();
        (!parts.is_empty()).then_some(Self(parts))
    }

    pub(super) fn of_numbers(numbers: Vec<Number>) -> Self {
        Self(numbers.into_iter().map(BuildPart::Number).collect())
    }

    /// The number, where the build is a single one.
    pub(super) fn number(&self) -> Option<&Number> {
        match self.0.as_slice() {
            [BuildPart::Number(number)] => Some(number),
            _ => None,
        }
    }

    /// Whether a number is one of the parts.
    pub(super) fn contains(&self, number: &Number) -> bool {
        self.0.iter().any(|part| matches!(part, BuildPart::Number(own) if own == number))
    }
}

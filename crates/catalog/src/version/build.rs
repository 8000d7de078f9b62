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

    /// The number in front, where that can be held against another one.
    pub(super) fn leading_number(&self) -> Option<&Number> {
        match self.0.first() {
            Some(BuildPart::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// Whether it is these numbers and nothing else.
    pub(super) fn is_numbers(&self, numbers: &[Number]) -> bool {
        self.0.len() == numbers.len()
            && self.0.iter().zip(numbers).all(|(part, number)| part.is(number))
    }

    /// Whether a part of it cannot be ordered: a commit, a name.
    pub(super) fn has_words(&self) -> bool {
        self.0.iter().any(|part| matches!(part, BuildPart::Word(_)))
    }

    /// Whether a number is one of the parts.
    pub(super) fn contains(&self, number: &Number) -> bool {
        self.0.iter().any(|part| part.is(number))
    }
}

impl BuildPart {
    fn is(&self, number: &Number) -> bool {
        matches!(self, Self::Number(own) if own == number)
    }

    fn is_zero(&self) -> bool {
        matches!(self, Self::Number(number) if number.is_zero())
    }
}

//! The numbers of a version.

use std::{
    hash::{Hash, Hasher},
    ops::Deref,
};

use arrayvec::ArrayVec;

use super::number::Number;

/// As many numbers as most versions have.
const FEW: usize = 6;

/// A list of numbers. Comparing versions makes many of them, so a short one is kept without an
/// allocation.
#[derive(Debug, Clone)]
pub(crate) enum Numbers {
    Few(ArrayVec<Number, FEW>),
    Many(Vec<Number>),
}

impl Numbers {
    pub(crate) fn push(&mut self, number: Number) {
        match self {
            Self::Few(few) => {
                if let Err(full) = few.try_push(number) {
                    let mut many: Vec<Number> = few.drain(..).collect();
                    many.push(full.element());
                    *self = Self::Many(many);
                }
            }
            Self::Many(many) => many.push(number),
        }
    }

    pub(crate) fn trim_zeros(&mut self) {
        let kept = self.iter().rposition(|number| !number.is_zero()).map_or(0, |last| last + 1);
        match self {
            Self::Few(few) => few.truncate(kept),
            Self::Many(many) => many.truncate(kept),
        }
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Few(ArrayVec::new())
    }
}

impl From<Vec<Number>> for Numbers {
    fn from(numbers: Vec<Number>) -> Self {
        Self::Many(numbers)
    }
}

impl Deref for Numbers {
    type Target = [Number];

    fn deref(&self) -> &[Number] {
        match self {
            Self::Few(few) => few,
            Self::Many(many) => many,
        }
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Numbers {}

impl Hash for Numbers {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_numbers_are_the_same_list() {
        let all: Vec<Number> =
            ["7", "0", "1", "2", "3", "4", "5", "6", "0", "0"].map(Number::new).into();
        for count in 0..=all.len() {
            let mut numbers = Numbers::default();
            all[..count].iter().cloned().for_each(|number| numbers.push(number));
            assert_eq!(*numbers, all[..count]);
            assert_eq!(matches!(numbers, Numbers::Few(_)), count <= FEW);
            assert_eq!(numbers, Numbers::from(all[..count].to_vec()));
            numbers.trim_zeros();
            let kept = if count == 2 { 1 } else { count.min(8) };
            assert_eq!(*numbers, all[..kept]);
        }
    }
}

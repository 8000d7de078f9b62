//! Sets of numbers, with one bit for each.

use std::ops::Range;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn set(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    pub(crate) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|block| block >> (number % 64) & 1 == 1)
    }

    pub(crate) fn size(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }

    pub(crate) fn keep(&mut self, other: &Self) {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter_mut().zip(others).for_each(|(block, other)| *block &= other);
    }

    pub(crate) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(block, other)| *block &= !other);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|block| block.count_ones() as usize).sum()
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers_from(0)
    }

    /// The numbers in order, without the first ones.
    pub(crate) fn numbers_after(&self, skipped: usize) -> impl Iterator<Item = usize> {
        // Whole blocks are skipped by their counts.
        let (mut first, mut left) = (0, skipped);
        while let Some(block) = self.0.get(first)
            && left >= block.count_ones() as usize
        {
            left -= block.count_ones() as usize;
            first += 1;
        }
        self.numbers_from(first).skip(left)
    }

    pub(crate) fn numbers_within(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let numbers = self.numbers_from(range.start / 64);
        numbers
            .skip_while(move |number| *number < range.start)
            .take_while(move |number| *number < range.end)
    }

    fn numbers_from(&self, first: usize) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().skip(first).flat_map(|(number, block)| {
            let mut rest = *block;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(number * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(numbers: &[usize]) -> Bits {
        let mut bits = Bits::default();
        for number in numbers {
            bits.set(*number);
        }
        bits
    }

    #[test]
    fn numbers_are_counted_listed_and_skipped() {
        let numbers = [0, 5, 63, 64, 130, 200];
        let all = bits(&numbers);
        assert_eq!(all.count(), 6);
        assert!(all.has(63) && all.has(64) && !all.has(65) && !all.has(9999));
        for skipped in 0..=7 {
            let rest: Vec<usize> = all.numbers_after(skipped).collect();
            assert_eq!(rest, numbers[skipped.min(6)..], "{skipped}");
        }
        assert_eq!(all.numbers().collect::<Vec<_>>(), numbers);
    }

    #[test]
    fn sets_of_different_lengths_are_combined() {
        let mut kept = bits(&[1, 70, 140]);
        kept.keep(&bits(&[70]));
        assert_eq!(kept.numbers().collect::<Vec<_>>(), [70]);
        let mut kept = bits(&[1, 70, 140]);
        kept.remove(&bits(&[70]));
        assert_eq!(kept.numbers().collect::<Vec<_>>(), [1, 140]);
    }
}

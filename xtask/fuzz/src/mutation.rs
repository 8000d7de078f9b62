//! Random mistakes in an input.

use appstitch_hostile::Chance;

/// Numbers at the edges of what programs can count.
const NUMBERS: [&str; 6] =
    ["-1", "65536", "2147483648", "18446744073709551616", "1e999", "0.00000000000000000001"];

/// One of the inputs with some mistakes: parts left out, repeated, damaged, or replaced with a part of
/// another input or with a word.
pub fn mutated(words: &[&str], inputs: &[&[u8]], chance: &mut Chance) -> Vec<u8> {
    let one = |chance: &mut Chance| inputs.get(chance.below(inputs.len())).copied();
    let mut bytes = one(chance).unwrap_or_default().to_vec();
    for _ in 0..=chance.below(4) {
        let (from, to) = part(bytes.len(), chance);
        let new = match chance.below(6) {
            0 => Vec::new(),
            1 => bytes[from..to].repeat(if chance.once_in(10) { 200 } else { 2 + chance.below(6) }),
            2 => bytes[from..to].iter().map(|byte| byte ^ (1 << chance.below(8))).collect(),
            3 => {
                let other = one(chance).unwrap_or_default();
                let (first, end) = part(other.len(), chance);
                other[first..end].to_vec()
            }
            4 => chance.pick(&NUMBERS).into(),
            _ => chance.pick(words).into(),
        };
        bytes.splice(from..to, new);
    }
    bytes
}

/// A part of so many bytes, mostly a short one.
fn part(length: usize, chance: &mut Chance) -> (usize, usize) {
    let from = chance.below(length + 1);
    let most = if chance.once_in(4) { length } else { 12 };
    (from, (from + chance.below(most + 1)).min(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_follow_from_the_seed() {
        let made = |seed: u64| -> Vec<Vec<u8>> {
            let mut chance = Chance::new(seed);
            (0..200).map(|_| mutated(&["word"], &[b"{\"a\": 12}", b""], &mut chance)).collect()
        };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
        assert!(made(1).iter().any(|input| input.windows(4).any(|part| part == b"word")));
    }
}

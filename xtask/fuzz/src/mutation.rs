//! Random mistakes in an input, of the kinds that parsers stumble over.

use appstitch_hostile::Chance;

/// Numbers at the edges of what programs can count.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "127",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e999",
    "0.00000000000000000001",
];

/// What opens something in some format.
const OPENING: [&str; 9] = ["[", "{", "(", "<a>", "{\"a\":", "\"", "$(", "<table><tr><td>", "%"];

/// Bytes that mean something to some parser.
const SIGNS: &[u8] = b"\0\x01\t\n\r \"'\\/<>{}[]()$%&+,-.:;=?@*#|~`_\x7f\x80\xc3\xe2\xef\xff09azAZ";

/// Makes inputs from others.
pub(crate) struct Mutator {
    dictionary: &'static [&'static str],
}

impl Mutator {
    pub(crate) fn new(dictionary: &'static [&'static str]) -> Self {
        Self { dictionary }
    }

    /// An input of at most so many bytes with some mistakes. Parts of `other` may be put in.
    pub(crate) fn mutate(
        &self,
        input: &[u8],
        other: &[u8],
        most_bytes: usize,
        chance: &mut Chance,
    ) -> Vec<u8> {
        let mut bytes = input[..input.len().min(most_bytes)].to_vec();
        let times = if chance.once_in(8) { 12 } else { 4 };
        for _ in 0..=chance.below(times) {
            self.change(&mut bytes, other, chance);
            bytes.truncate(most_bytes);
        }
        bytes
    }

    fn change(&self, bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
        let (from, to) = range(bytes.len(), chance);
        let at = chance.below(bytes.len());
        match chance.below(14) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random_byte(chance);
                }
            }
            2 => drop(bytes.splice(from..to, [])),
            3 => {
                let new: Vec<u8> = (0..=chance.below(4)).map(|_| random_byte(chance)).collect();
                drop(bytes.splice(from..from, new));
            }
            4 => {
                let times = if chance.once_in(10) { 200 } else { 1 + chance.below(8) };
                let part = bytes[from..to].repeat(times);
                drop(bytes.splice(to..to, part));
            }
            5 => {
                let part = bytes[from..to].to_vec();
                let place = chance.below(bytes.len() + 1);
                drop(bytes.splice(place..place, part));
            }
            6 => {
                let (first, end) = range(other.len(), chance);
                drop(bytes.splice(from..to, other[first..end].to_vec()));
            }
            7 | 8 if !self.dictionary.is_empty() => {
                let word = chance.pick(self.dictionary).bytes();
                let end = if chance.once_in(2) { from } else { to };
                drop(bytes.splice(from..end, word));
            }
            9 => replace_number(bytes, at, chance),
            10 => bytes.truncate(from),
            11 => {
                let times = if chance.once_in(8) { 200 } else { 1 + chance.below(4) };
                drop(bytes.splice(from..from, chance.pick(&OPENING).repeat(times).into_bytes()));
            }
            12 => bytes[from..to].reverse(),
            _ => {
                for byte in &mut bytes[from..to] {
                    *byte = if byte.is_ascii_lowercase() {
                        byte.to_ascii_uppercase()
                    } else {
                        byte.to_ascii_lowercase()
                    };
                }
            }
        }
    }
}

fn random_byte(chance: &mut Chance) -> u8 {
    if chance.once_in(3) {
        u8::try_from(chance.below(256)).unwrap_or_default()
    } else {
        SIGNS.get(chance.below(SIGNS.len())).copied().unwrap_or_default()
    }
}

/// A part of so many bytes, mostly a short one.
fn range(length: usize, chance: &mut Chance) -> (usize, usize) {
    let from = chance.below(length + 1);
    let most = if chance.once_in(4) { length } else { 12 };
    (from, (from + chance.below(most + 1)).min(length))
}

/// Replaces the first number behind a place.
fn replace_number(bytes: &mut Vec<u8>, at: usize, chance: &mut Chance) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes.iter().skip(at).position(is_digit).map(|found| at + found) else {
        return;
    };
    let length = bytes.iter().skip(start).take_while(|byte| is_digit(byte)).count();
    drop(bytes.splice(start..start + length, chance.pick(&NUMBERS).bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_follow_from_the_seed_and_stay_within_the_limit() {
        let mutator = Mutator::new(&["word"]);
        let made = |seed: u64| -> Vec<Vec<u8>> {
            let mut chance = Chance::new(seed);
            let mutate = |_| mutator.mutate(b"{\"a\": 12}", b"other", 64, &mut chance);
            (0..200).map(mutate).collect()
        };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
        assert!(made(1).iter().all(|input| input.len() <= 64));
        assert!(made(1).iter().any(|input| input.windows(4).any(|part| part == b"word")));
    }

    #[test]
    fn nothing_is_mutated_without_a_panic() {
        let mutator = Mutator::new(&[]);
        let mut chance = Chance::new(3);
        for _ in 0..1000 {
            mutator.mutate(b"", b"", 16, &mut chance);
        }
    }
}

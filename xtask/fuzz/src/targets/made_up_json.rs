//! JSON in the shape that a reader expects, with values that it does not.

use appstitch_hostile::Chance;

pub(super) struct Vocabulary {
    pub(super) keys: &'static [&'static str],
    pub(super) texts: &'static [&'static str],
}

/// Values of other types than expected, and numbers at the edges.
const ODD: [&str; 14] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e400",
    "-0",
    "18446744073709551616",
    "[]",
    "{}",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud83d\\ude00 <b>$x`y`\"",
];

impl Vocabulary {
    /// An object, most of whose values are texts.
    pub(super) fn object(&self, chance: &mut Chance, depth: usize) -> String {
        let members: Vec<String> = (0..chance.below(8))
            .map(|_| format!("\"{}\":{}", chance.pick(self.keys), self.value(chance, depth)))
            .collect();
        format!("{{{}}}", members.join(","))
    }

    /// Some objects, separated by commas.
    pub(super) fn objects(&self, chance: &mut Chance, depth: usize) -> String {
        let objects: Vec<String> =
            (0..=chance.below(3)).map(|_| self.object(chance, depth)).collect();
        objects.join(",")
    }

    fn value(&self, chance: &mut Chance, depth: usize) -> String {
        match chance.below(if depth == 0 { 8 } else { 12 }) {
            0..=5 => format!("\"{}\"", chance.pick(self.texts)),
            6 | 7 => chance.pick(&ODD).to_owned(),
            8 => self.object(chance, depth - 1),
            _ => {
                let values: Vec<String> =
                    (0..chance.below(4)).map(|_| self.value(chance, depth - 1)).collect();
                format!("[{}]", values.join(","))
            }
        }
    }
}

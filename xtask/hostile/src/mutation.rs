//! Random mistakes in a text.

use crate::Chance;

/// A text with some mistakes: parts left out, repeated, moved or replaced, and signs put in.
pub fn mutated(text: &str, chance: &mut Chance) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(4) {
        let from = chance.below(characters.len() + 1);
        let length = if chance.once_in(4) { chance.below(200) } else { chance.below(12) };
        let to = (from + length).min(characters.len());
        let part: Vec<char> = characters.get(from..to).unwrap_or_default().to_vec();
        let new: Vec<char> = match chance.below(7) {
            0 => Vec::new(),
            1 => {
                let times = if chance.once_in(20) { 2000 } else { 1 + chance.below(8) };
                part.iter().cycle().take(part.len() * times).copied().collect()
            }
            2 => part.iter().rev().copied().collect(),
            3 => part.iter().copied().chain([chance.character()]).collect(),
            4 => (0..chance.below(6)).map(|_| chance.character()).collect(),
            5 => {
                let other = chance.below(characters.len() + 1);
                let end = (other + length).min(characters.len());
                characters.get(other..end).unwrap_or_default().to_vec()
            }
            _ => {
                let numbers = ["0", "-1", "99999999999999999999", "1e999", "65536", "2147483648"];
                chance.pick(&numbers).chars().collect()
            }
        };
        // Texts stay short enough for many runs.
        if characters.len() + new.len() < 400_000 {
            characters.splice(from..to, new);
        }
    }
    characters.into_iter().collect()
}

//! Names that are similar to a misspelled one.

/// The lowest similarity of a suggestion, between 0 and 1.
const ALIKE: f64 = 0.85;

/// The maximum number of suggestions.
const MOST: usize = 3;

/// Collects the names most similar to a text.
pub(crate) struct Similar {
    wanted: String,
    found: Vec<(f64, String)>,
}

impl Similar {
    pub(crate) fn to(wanted: &str) -> Self {
        Self { wanted: plain(wanted), found: Vec::new() }
    }

    /// Takes a name if one of its texts is similar.
    pub(crate) fn offer(&mut self, name: &str, texts: &[&str]) {
        let texts = texts.iter().map(|text| likeness(&self.wanted, &plain(text)));
        let likeness = texts.fold(0.0, f64::max);
        if likeness >= ALIKE {
            self.found.push((likeness, name.to_owned()));
        }
    }

    /// The most similar names, best first.
    pub(crate) fn into_names(mut self) -> Vec<String> {
        self.found
            .sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        self.found.into_iter().take(MOST).map(|(_, name)| name).collect()
    }
}

/// Letters and digits in lower case.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The similarity of two texts. If one starts with the other, they count as similar.
fn likeness(left: &str, right: &str) -> f64 {
    let shorter = left.len().min(right.len());
    if shorter >= 4 && (left.starts_with(right) || right.starts_with(left)) {
        return 0.95;
    }
    strsim::jaro_winkler(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_similar_and_other_words_are_not() {
        assert!(likeness("fierfox", "firefox") >= ALIKE);
        assert!(likeness("firefox", "firefoxpkg") >= ALIKE);
        assert!(likeness("googelchrome", "googlechrome") >= ALIKE);
        assert!(likeness("firefox", "thunderbird") < ALIKE);
        assert!(likeness("zoom", "vlc") < ALIKE);
    }
}

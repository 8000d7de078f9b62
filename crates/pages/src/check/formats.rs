//! The formats of lists, as people call them.

use super::reason::Word;

/// The formats whose token is not their name.
const TITLES: [(&str, &str); 9] = [
    ("jamf_pro", "Jamf Pro"),
    ("munki_inventory", "Munki"),
    ("munki_report", "Munki"),
    ("fleet", "Fleet"),
    ("intune", "Intune"),
    ("kandji", "Kandji"),
    ("homebrew", "Homebrew"),
    ("csv", "CSV"),
    ("rows", "JSON"),
];

/// The titles of formats; an unknown token stands for itself.
pub(super) fn titles(tokens: &[String]) -> String {
    let title = |token: &String| {
        let known = TITLES.iter().find(|(known, _)| known == token);
        known.map_or(token.as_str(), |(_, title)| title).to_owned()
    };
    tokens.iter().map(title).collect::<Vec<_>>().join(", ")
}

/// The same for the script.
pub(super) fn words() -> impl Iterator<Item = Word> {
    TITLES.into_iter().map(|(token, text)| Word { token, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names_and_no_word_means_two_things() {
        let tokens = ["csv", "system_profiler", "munki_report"].map(str::to_owned);
        assert_eq!(titles(&tokens), "CSV, system_profiler, Munki");
        let reasons = super::super::reason::words();
        let is_new = |word: &Word| reasons.iter().all(|reason| reason.token != word.token);
        assert!(words().all(|word| is_new(&word)));
    }
}

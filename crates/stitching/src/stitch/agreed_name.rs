//! The name of an app if the other sources agree that its cask has another or a wrongly spelled one.

use appstitch_text::{fold_case, normal_name::normal};

use super::Parts;
use crate::cask::plain_token;

/// How many sources must agree on a spelling.
const AGREEING: usize = 2;

/// What the sources besides the name of the cask call an app.
pub(super) struct Others<'a> {
    pub(super) token: &'a str,
    /// The name of the app's file.
    pub(super) file: Option<&'a str>,
    pub(super) label: Option<&'a str>,
    pub(super) title: Option<&'a str>,
    /// A name that several recipes have.
    pub(super) recipe: Option<&'a str>,
}

impl<'a> Others<'a> {
    pub(super) fn of(parts: &'a Parts<'_>) -> Option<Self> {
        let (cask, facts) = parts.cask?;
        let recipes = parts.recipes.iter().flat_map(|index| &index.recipes);
        let mut recipes: Vec<&str> = recipes.filter_map(|recipe| recipe.name.as_deref()).collect();
        recipes.sort_unstable();
        let repeated = recipes.chunk_by(|one, other| one == other).max_by_key(|same| same.len());
        Some(Self {
            token: &cask.token,
            file: facts.app_name.as_deref(),
            label: parts.label.as_ref().and_then(|(_, literals)| literals.name()),
            title: parts.title.map(|title| title.source.title.as_str()),
            recipe: repeated.filter(|same| same.len() >= AGREEING).map(|same| same[0]),
        })
    }

    /// The name instead of the cask's; `None` if that is right as far as is known.
    pub(super) fn correct(&self, name: &str) -> Option<&'a str> {
        self.spelling(name).or_else(|| self.other_name(name))
    }

    /// The same name in the letters that two other sources write, if neither the label nor the file has
    /// the cask's. Small letters, and names without their blanks or signs, are those of files.
    fn spelling(&self, name: &str) -> Option<&'a str> {
        if self.file == Some(name) || self.label == Some(name) {
            return None;
        }
        let all = [self.label, self.file, self.title, self.recipe];
        let keeps = |other: &str| {
            words(other).count() >= words(name).count()
                && name.chars().filter(|c| is_sign(*c)).all(|sign| other.contains(sign))
                && other.contains(char::is_uppercase)
        };
        let is_spelling =
            |other: &&str| *other != name && normal(other) == normal(name) && keeps(other);
        let spellings: Vec<&str> = all.into_iter().flatten().filter(is_spelling).collect();
        let votes = |one: &str| spellings.iter().filter(|other| **other == one).count();
        spellings.iter().copied().find(|one| votes(one) >= AGREEING)
    }

    /// Another name, which the token, the label and the file, if there is one, have in common. If it is only a part of the
    /// cask's, that says more; unless it is the number of a version or what the app is for.
    fn other_name(&self, name: &str) -> Option<&'a str> {
        let label = self.label?;
        let agreed = normal(label);
        // Without a file, a label's name in several words is not that of a file, either.
        let others_agree = || {
            let mut others = [self.title, self.recipe].into_iter().flatten();
            let has_other_words = words(label).any(|own| !words(name).any(|word| word == own));
            others.any(|own| normal(own) == agreed) || (label.contains(' ') && has_other_words)
        };
        let agrees = !self.token.contains('@')
            && normal(plain_token(self.token)) == agreed
            && self.file.map_or_else(others_agree, |file| normal(file) == agreed);
        let keeps_letters = name.chars().filter(|c| !c.is_ascii()).all(|c| label.contains(c));
        let adds_number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
        if !agrees || !keeps_letters || agreed.strip_prefix(&normal(name)).is_some_and(adds_number)
        {
            return None;
        }
        let best =
            [Some(label), self.file].into_iter().flatten().max_by_key(|own| words(own).count())?;
        let is_run_together = words(best).count() == 1 && words(name).count() > 1;
        let is_word = |own: &str, word: &str| fold_case(own) == fold_case(word);
        let added: Vec<&str> =
            words(name).filter(|word| !words(best).any(|own| is_word(own, word))).collect();
        let is_part = words(best).all(|own| words(name).any(|word| is_word(own, word)));
        let is_noise = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let says_more = is_part && !(added.iter().all(is_noise) || added.first() == Some(&"for"));
        ((is_part || !is_run_together) && !says_more).then_some(best)
    }
}

/// What a name of letters and digits does not have: `.` of `f.lux`, `ø`.
fn is_sign(character: char) -> bool {
    !character.is_ascii_alphanumeric() && character != ' '
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(
        name: &str,
        token: &'static str,
        others: [&'static str; 4],
    ) -> Option<&'static str> {
        let [label, file, title, recipe] =
            others.map(|text| Some(text).filter(|text| !text.is_empty()));
        Others { token, file, label, title, recipe }.correct(name)
    }

    #[test]
    fn two_other_sources_know_how_a_name_is_spelled() {
        assert_eq!(corrected("Goland", "x", ["GoLand", "GoLand", "", ""]), Some("GoLand"));
        assert_eq!(corrected("Goland", "x", ["GoLand", "", "", ""]), None, "only one");
        assert_eq!(
            corrected("GoLand", "x", ["Goland", "GoLand", "Goland", ""]),
            None,
            "as the file"
        );
        assert_eq!(corrected("LogiTune", "x", ["LogiTune", "", "Logi Tune", "Logi Tune"]), None);
        assert_eq!(
            corrected("pgAdmin4", "x", ["", "pgAdmin 4", "pgAdmin 4", ""]),
            Some("pgAdmin 4")
        );
        assert_eq!(corrected("Kit", "x", ["kit", "kit", "", ""]), None, "letters of a file");
        assert_eq!(corrected("k.it", "x", ["Kit", "Kit", "", ""]), None, "without its dot");
        assert_eq!(corrected("Scene Maker", "x", ["SceneMaker", "SceneMaker", "", ""]), None);
    }

    #[test]
    fn token_label_and_file_know_the_name() {
        let agreed = |name: &str, token: &'static str, both: &'static str| {
            corrected(name, token, [both, both, "", ""])
        };
        assert_eq!(agreed("Etcher", "balenaetcher", "balenaEtcher"), Some("balenaEtcher"));
        assert_eq!(agreed("Sample GG 108", "sample-gg", "Sample GG"), Some("Sample GG"));
        assert_eq!(agreed("Sample for the old Mac", "sample", "Sample"), Some("Sample"));
        assert_eq!(agreed("Sample", "sample2", "Sample2"), None, "its major version");
        assert_eq!(agreed("Sample Client Suite", "sample-client", "Sample client"), None);
        assert_eq!(corrected("Iriun", "iriunwebcam", ["IriunWebcam", "", "", ""]), None);
        let label = ["Logi Options+", "", "", ""];
        assert_eq!(corrected("Logitech Options+", "logi-options+", label), Some("Logi Options+"));
        let turned = ["AWS VPN Client", "", "", ""];
        assert_eq!(corrected("AWS Client VPN", "aws-vpn-client", turned), None);
        let recipe = ["AWS VPN Client", "", "", "AWS VPN Client"];
        assert_eq!(corrected("AWS Client VPN", "aws-vpn-client", recipe), Some("AWS VPN Client"));
        assert_eq!(agreed("Maker Sample", "sample", "Sample"), None, "the cask's says more");
        assert_eq!(agreed("Sample Client", "other-client", "OtherClient"), None, "a file's name");
        assert_eq!(agreed("Etcher", "balenaetcher@beta", "balenaEtcher"), None);
    }
}

//! The release channel that a name or an identifier names.

/// Different words for the same channel are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Channel {
    Alpha,
    Beta,
    /// `dev`, `developer edition`
    Developer,
    /// `nightly`, `canary`, `snapshot`
    Nightly,
    /// `preview`, `insiders`, `eap`, `rc`, `unstable`
    Preview,
    /// `esr`, `lts`: an older release that still gets fixes.
    LongTerm,
}

fn of_word(word: &str) -> Option<Channel> {
    Some(match word {
        "alpha" => Channel::Alpha,
        "beta" => Channel::Beta,
        "dev" | "developeredition" => Channel::Developer,
        "nightly" | "canary" | "snapshot" | "daily" | "tip" | "twilight" => Channel::Nightly,
        "preview" | "insider" | "insiders" | "eap" | "rc" | "unstable" | "ptb" | "testing" => {
            Channel::Preview
        }
        "esr" | "lts" => Channel::LongTerm,
        _ => return None,
    })
}

impl Channel {
    /// The channel that a name, a token or an identifier contains: `Sample Beta`, `sample@beta`,
    /// `com.example.Sample.Beta`. The first word never names a channel: `Canary` is an app.
    pub(super) fn named_in(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        if lower.contains("developer edition") || lower.ends_with("developeredition") {
            return Some(Self::Developer);
        }
        let mut words = lower.split(|character: char| !character.is_ascii_alphanumeric());
        words.next();
        words.filter_map(of_word).next_back()
    }

    /// The channel of a variant's word, such as `developer-edition`.
    pub(super) fn of_variant(word: &str) -> Option<Self> {
        of_word(&word.replace(['-', '_'], ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_after_the_first_names_a_channel() {
        for (text, channel) in [
            ("Sample", None),
            ("Canary", None),
            ("Sample Beta", Some(Channel::Beta)),
            ("com.example.sample.Beta", Some(Channel::Beta)),
            ("sample@nightly", Some(Channel::Nightly)),
            ("Sample Developer Edition", Some(Channel::Developer)),
            ("org.example.sampledeveloperedition", Some(Channel::Developer)),
            ("Sample ESR", Some(Channel::LongTerm)),
            ("Betaflight Configurator", None),
        ] {
            assert_eq!(Channel::named_in(text), channel, "{text}");
        }
    }
}

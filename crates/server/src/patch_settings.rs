//! What an operator sets for the patch source.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use appstitch_patch_source::DEFAULT_MINIMUM;

/// The lists that an operator made of slugs, and the macOS version that is required of apps whose
/// requirement is not known.
#[derive(Debug, Clone, Hash)]
pub struct PatchSettings {
    pub lists: BTreeMap<String, Vec<String>>,
    pub minimum_macos: String,
}

impl Default for PatchSettings {
    fn default() -> Self {
        Self { lists: BTreeMap::new(), minimum_macos: DEFAULT_MINIMUM.to_owned() }
    }
}

impl PatchSettings {
    /// The token of answers that depend on the settings. Servers with the same settings have the same.
    pub(crate) fn token(&self, revision: &str) -> String {
        if self.lists.is_empty() && self.minimum_macos == DEFAULT_MINIMUM {
            return revision.to_owned();
        }
        // It starts the same in every process.
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        format!("{revision}-{:016x}", hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_change_the_token() {
        let plain = PatchSettings::default();
        assert_eq!(plain.token("r"), "r");
        let higher = PatchSettings { minimum_macos: "12".to_owned(), ..plain.clone() };
        let mut listed = plain;
        listed.lists.insert("lab".to_owned(), vec!["a".to_owned()]);
        assert_ne!(higher.token("r"), listed.token("r"));
        assert_eq!(higher.token("r"), higher.clone().token("r"));
    }
}

//! The names of an app, for comparison.

use std::collections::BTreeSet;

use appstitch_text::normal_name::normal;

use super::Parts;

pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let mut names = BTreeSet::new();
        let mut add = |text: &str| {
            let name = normal(text);
            // Names of one or two letters match too many apps.
            if name.chars().count() >= 3 {
                names.insert(name);
            }
        };
        if let Some((label, literals)) = &parts.label {
            add(label.slug.as_str());
            label.used_names().iter().for_each(|name| add(name));
            literals.name().into_iter().for_each(&mut add);
        }
        if let Some((cask, facts)) = parts.cask {
            add(&cask.token);
            facts.old_tokens.iter().for_each(|name| add(name));
            facts.names.iter().for_each(|name| add(name));
            facts.app_names.iter().for_each(|name| add(name));
        }
        // A name that another product has means that one.
        if parts.cask.is_none() {
            for facts in &parts.other_casks {
                let others = facts.names.iter().chain(&facts.app_names);
                others.for_each(|name| _ = names.remove(&normal(name)));
            }
        }
        Self(names)
    }

    /// The names of all apps.
    pub(super) fn of_all(apps: &[Parts<'_>]) -> Self {
        Self(apps.iter().flat_map(|parts| Self::of(parts).0).collect())
    }

    pub(super) fn contains(&self, normalised: &str) -> bool {
        self.0.contains(normalised)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[cfg(test)]
impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }
}

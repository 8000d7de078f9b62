//! Apps of a list that have the same name. Their slugs distinguish them.

use std::collections::HashMap;

/// The names that several apps of a list have.
pub(crate) struct Namesakes<'a>(HashMap<&'a str, Slugs<'a>>);

/// The slugs of a name, as far as it matters.
#[derive(PartialEq)]
enum Slugs<'a> {
    One(&'a str),
    Several,
}

impl<'a> Namesakes<'a> {
    /// The namesakes in a list of names and slugs. An app may be in it several times.
    pub(crate) fn among(apps: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut names = HashMap::new();
        for (name, slug) in apps {
            let slugs = names.entry(name).or_insert(Slugs::One(slug));
            if *slugs != Slugs::One(slug) {
                *slugs = Slugs::Several;
            }
        }
        Self(names)
    }

    /// The slug, if the name alone is ambiguous.
    pub(crate) fn slug(&self, name: &str, slug: &str) -> Option<String> {
        (self.0.get(name) == Some(&Slugs::Several)).then(|| slug.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_name_of_different_apps_needs_a_slug() {
        let apps = [("One", "a"), ("Two", "b"), ("Two", "c"), ("One", "a")];
        let namesakes = Namesakes::among(apps);
        assert_eq!(namesakes.slug("One", "a"), None);
        assert_eq!(namesakes.slug("Two", "b").as_deref(), Some("b"));
        assert_eq!(namesakes.slug("Two", "c").as_deref(), Some("c"));
        assert_eq!(namesakes.slug("Three", "d"), None);
    }
}

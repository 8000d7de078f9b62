//! The apps whose own ID is a name: a bare name means them, and not another maker's app of that name.

use std::collections::HashMap;

use appstitch_text::normal_name::normal;

use super::Parts;

/// The position of the app with an ID, by the ID in normal form.
pub(super) struct Owners(HashMap<String, usize>);

impl Owners {
    /// Of the apps with a current cask: the recipes of what is no longer there are often those of its
    /// successor. An ID that several apps have, such as `sample` and `sample-cask`, has no owner.
    pub(super) fn new(apps: &[Parts<'_>]) -> Self {
        let mut owners: HashMap<String, Option<usize>> = HashMap::new();
        for (position, parts) in apps.iter().enumerate() {
            for id in ids(parts) {
                let owner = owners.entry(id).or_insert(Some(position));
                *owner = owner.filter(|owner| *owner == position);
            }
        }
        let is_current =
            |owner: &usize| apps[*owner].cask.is_some_and(|(_, facts)| facts.deprecation.is_none());
        let owners = owners.into_iter();
        let owners = owners.filter_map(|(id, owner)| Some((id, owner.filter(is_current)?)));
        Self(owners.collect())
    }

    /// What only counts as the name of other products than that of the app at `position`, which is not
    /// what its title is called.
    pub(super) fn others<'a>(
        &'a self,
        position: usize,
        title: Option<String>,
        groups: &'a Groups<'_>,
    ) -> OthersNames<'a> {
        OthersNames { owners: self, position, title, groups }
    }
}

/// What tells that two apps are of one product or of one maker.
pub(super) struct Groups<'a> {
    pub(super) mains: &'a [Option<usize>],
    pub(super) makers: Vec<Option<&'a str>>,
}

impl Groups<'_> {
    fn have_in_common(&self, left: usize, right: usize) -> bool {
        let is_same_product = self.mains[left].is_some() && self.mains[left] == self.mains[right];
        let is_same_maker = self.makers[left].is_some() && self.makers[left] == self.makers[right];
        left == right || is_same_product || is_same_maker
    }
}

pub(super) struct OthersNames<'a> {
    owners: &'a Owners,
    position: usize,
    title: Option<String>,
    groups: &'a Groups<'a>,
}

impl OthersNames<'_> {
    /// Whether a normal name is the ID of an app of another product and another maker.
    pub(super) fn has(&self, name: &str) -> bool {
        let owner = self.owners.0.get(name).filter(|_| self.title.as_deref() != Some(name));
        owner.is_some_and(|owner| !self.groups.have_in_common(self.position, *owner))
    }
}

/// The slug and the cask's token, without what the catalog adds to a slug that is taken.
fn ids(parts: &Parts<'_>) -> impl Iterator<Item = String> {
    let label = parts.label.is_some().then(|| normal(parts.slug.as_str()));
    let token = parts.cask.map(|(cask, _)| normal(&cask.token));
    label.into_iter().chain(token)
}

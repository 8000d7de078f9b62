//! Which app a title of the patch catalog leads to.
//!
//! A title has a code, a name, a publisher and a version, and nothing that identifies an app by
//! itself. It leads to an app that has the name, if publisher and version do not speak against it; a
//! short name needs one of them to speak for it. A number in the name is the major version of the
//! app. If several products remain, the title leads nowhere.

mod evidence;
mod facts;
mod families;
mod name;

use std::{
    cell::OnceCell,
    collections::{BTreeSet, HashMap},
};

use appstitch_text::{fold_case, normal_name::normal, served};
use appstitch_types::TitleCode;

use super::{Parts, keyed::Keyed, names::Names, vendors::Attributed};
use crate::{
    bounds::CODES_PER_APP,
    documents::{PatchTitle, TitleDocument},
    left_out::LeftOut,
};
use evidence::{Clue, Evidence};
use facts::Facts;
use families::Families;
use name::{Form, Reading, number_behind};

/// The codes that lead to each app, in the order of the apps. A code that an installer title of an app
/// has already leads to that app, whatever the patch catalog calls it.
pub(super) fn title_codes(
    patch_titles: &[PatchTitle],
    installer_titles: &[TitleDocument],
    apps: &[Parts<'_>],
    mains: &[Option<usize>],
    vendors: &[Attributed<String>],
    left_out: &mut LeftOut,
) -> Vec<Vec<TitleCode>> {
    let mut codes = vec![Vec::new(); apps.len()];
    if patch_titles.is_empty() {
        return codes;
    }
    let matcher = Matcher::new(patch_titles, installer_titles, apps, mains, vendors);
    let mut titles: Vec<&PatchTitle> = patch_titles.iter().collect();
    titles.sort_by_key(|title| title.code.as_str());
    for title in titles {
        let Some((position, evidence)) = matcher.find(title) else { continue };
        if codes[position].len() >= CODES_PER_APP {
            left_out.patch_titles += 1;
            continue;
        }
        // A name that may not be served has been refused by the reader.
        let Ok(name) = served::text("title", &title.name) else { continue };
        codes[position].push(TitleCode {
            code: title.code.clone(),
            title: name,
            evidence: evidence.sentences(),
        });
    }
    codes
}

struct Matcher<'a> {
    apps: &'a [Parts<'a>],
    mains: &'a [Option<usize>],
    vendors: &'a [Attributed<String>],
    /// The apps with a normal name.
    by_name: HashMap<String, Keyed>,
    /// The apps with a name that has a number behind it, by the rest of the name, and the number.
    by_stem: HashMap<String, Keyed>,
    by_bundle_id: HashMap<String, Keyed>,
    /// The codes of installer titles that are attached to apps.
    attached: BTreeSet<&'a str>,
    /// The bundle identifiers of installer titles that are not attached, by their codes.
    installer_ids: HashMap<&'a str, String>,
    families: Families,
    /// What is compared of each app, once a title has its name.
    facts: Vec<OnceCell<Facts>>,
}

impl<'a> Matcher<'a> {
    fn new(
        patch_titles: &[PatchTitle],
        installer_titles: &'a [TitleDocument],
        apps: &'a [Parts<'a>],
        mains: &'a [Option<usize>],
        vendors: &'a [Attributed<String>],
    ) -> Self {
        let mut by_name: HashMap<String, Keyed> = HashMap::new();
        let mut by_stem: HashMap<String, Keyed> = HashMap::new();
        let mut by_bundle_id: HashMap<String, Keyed> = HashMap::new();
        for (position, parts) in apps.iter().enumerate() {
            let names = Names::of(parts);
            let title = parts.title.map(|title| normal(&title.source.title));
            let names: BTreeSet<&str> = names.iter().chain(title.as_deref()).collect();
            let stems: BTreeSet<&str> =
                names.iter().copied().filter_map(|name| Some(number_behind(name)?.0)).collect();
            for name in names {
                by_name.entry(name.to_owned()).or_default().add(position);
            }
            for stem in stems {
                by_stem.entry(stem.to_owned()).or_default().add(position);
            }
            if let Some((_, id)) = super::fields::bundle_id(parts) {
                by_bundle_id.entry(fold_case(&id)).or_default().add(position);
            }
        }
        let attached: BTreeSet<&str> =
            apps.iter().filter_map(|parts| parts.title?.source.mgmt_id.as_deref()).collect();
        let mut installer_ids = HashMap::new();
        let mut owners: HashMap<String, usize> = HashMap::new();
        for title in installer_titles {
            let Some(id) = title.source.bundle_id.as_deref().map(fold_case) else { continue };
            *owners.entry(id.clone()).or_default() += 1;
            if let Some(code) = title.source.mgmt_id.as_deref() {
                installer_ids.insert(code, id);
            }
        }
        // An identifier of several titles, such as one for each year, does not tell them apart.
        installer_ids.retain(|_, id| owners.get(id) == Some(&1));
        Self {
            apps,
            mains,
            vendors,
            by_name,
            by_stem,
            by_bundle_id,
            attached,
            installer_ids,
            families: Families::of(patch_titles),
            facts: std::iter::repeat_with(OnceCell::new).take(apps.len()).collect(),
        }
    }

    /// The app that a title leads to. The closest reading of its name that leads anywhere counts.
    fn find(&self, title: &PatchTitle) -> Option<(usize, Evidence)> {
        if self.attached.contains(title.code.as_str()) {
            return None;
        }
        let of_installer =
            self.installer_ids.get(title.code.as_str()).and_then(|id| self.by_bundle_id.get(id));
        let of_installer = of_installer.into_iter().flat_map(Keyed::positions).copied();
        let reading = Reading::of(title);
        let same_id = self.weigh(of_installer, |facts| {
            self.families.fit(title, reading.number(), facts).then(Evidence::of_bundle_id)
        });
        if !same_id.is_empty() {
            return self.only_product(same_id);
        }
        reading.forms().into_iter().find_map(|form| {
            let index = if form.is_stem_of_the_app { &self.by_stem } else { &self.by_name };
            let named = index.get(&form.name).into_iter().flat_map(Keyed::positions).copied();
            let found = self.weigh(named, |facts| self.evidence(title, &form, facts));
            // Several products with the name end the search, too.
            (!found.is_empty()).then(|| self.only_product(found))
        })?
    }

    fn weigh(
        &self,
        positions: impl Iterator<Item = usize>,
        evidence: impl Fn(&Facts) -> Option<Evidence>,
    ) -> Vec<(usize, Evidence)> {
        let weighed = positions.filter_map(|position| {
            let facts = || Facts::of(self.apps, self.mains, position, self.vendors);
            Some((position, evidence(self.facts[position].get_or_init(facts))?))
        });
        weighed.collect()
    }

    fn evidence(&self, title: &PatchTitle, form: &Form, facts: &Facts) -> Option<Evidence> {
        let publisher = facts.publisher(title.publisher.as_deref());
        let release = facts.release(title.version.as_deref());
        let slug = facts.has_slug(&form.name).then_some(Clue::Slug);
        let evidence = Evidence::of([Some(form.clue(facts)?), slug, publisher, release]);
        let speaks = |clue: Clue| evidence.has(clue);
        let is_release = speaks(Clue::SameRelease) || speaks(Clue::SameMajor);
        let is_sure = match form.number {
            Some(_) => !speaks(Clue::OtherPublisher),
            // A title beside one for all versions, with the same name, is for one of them.
            None if !title.covers_all_versions && self.families.has_twin(title) => is_release,
            None => true,
        } && (!form.needs_release || (is_release && speaks(Clue::SamePublisher)))
            && (!form.is_stem_of_the_app || is_release);
        let fits = facts.is_channel_of(&title.name)
            && self.families.fit(title, form.number.as_deref(), facts)
            && facts.may_be_named(form.written_number.as_deref(), title.version.as_deref());
        (is_sure && fits && evidence.is_enough()).then_some(evidence)
    }

    /// The record of the only product among those found: its main record, or else the one with the best
    /// evidence and the shortest slug.
    fn only_product(&self, found: Vec<(usize, Evidence)>) -> Option<(usize, Evidence)> {
        let product = |position: usize| self.mains[position].unwrap_or(position);
        let best = found.iter().map(|(_, evidence)| evidence.weight()).max()?;
        let (first, _) = found.iter().find(|(_, evidence)| evidence.weight() == best)?;
        let main = product(*first);
        let is_rival = |(position, evidence): &(usize, Evidence)| {
            product(*position) != main && evidence.weight() == best
        };
        if found.iter().any(is_rival) {
            return None;
        }
        let slug = |position: usize| self.apps[position].slug.as_str();
        found.into_iter().filter(|(position, _)| product(*position) == main).min_by_key(
            |(position, evidence)| {
                let slug = slug(*position);
                (*position != main, -evidence.weight(), slug.len(), slug)
            },
        )
    }
}

#[cfg(test)]
mod tests;

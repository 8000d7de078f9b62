//! Finds the cask of a label.

use std::collections::{BTreeSet, HashMap, HashSet};

use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::CaskCatalogSource;

use super::{
    addresses::{folder, repository_of},
    candidate::Candidate,
    evidence::Evidence,
    keyed::Keyed,
    label_traits::{LabelTraits, release_key},
    similar::shortened,
};
use crate::{
    bounds::{CANDIDATES, FOLDERS},
    cask::{CaskFacts, plain_token},
};

/// Casks by the keys that labels can refer to. Only keys of existing labels are indexed, so the
/// size of the index depends on the number of labels.
pub(super) struct CaskIndex<'a> {
    casks: &'a [CaskCatalogSource],
    facts: &'a [CaskFacts],
    by_key: HashMap<String, Keyed>,
}

impl<'a> CaskIndex<'a> {
    pub(super) fn new<'l>(
        casks: &'a [CaskCatalogSource],
        facts: &'a [CaskFacts],
        labels: impl Iterator<Item = &'l LabelTraits>,
    ) -> Self {
        let requested: HashSet<String> = labels.flat_map(LabelTraits::keys).collect();
        let mut by_key: HashMap<String, Keyed> = HashMap::new();
        for (position, (cask, facts)) in casks.iter().zip(facts).enumerate() {
            let mut keys = BTreeSet::new();
            let token = normal(&cask.token);
            // A name that too many casks have does not hide the one whose token it is.
            keys.insert(format!("token:{token}"));
            keys.insert(format!("name:{token}"));
            if let Some((family, _)) = cask.token.rsplit_once('-') {
                keys.insert(format!("family:{}", normal(family)));
            }
            keys.extend(facts.old_tokens.iter().map(|token| format!("name:{}", normal(token))));
            keys.extend(facts.names.iter().map(|name| format!("name:{}", normal(name))));
            keys.extend(facts.app_names.iter().map(|name| format!("name:{}", normal(name))));
            keys.extend(facts.other_app_names.iter().map(|name| format!("name:{}", normal(name))));
            let plain = plain_token(&cask.token);
            let names = facts.names.iter().chain(&facts.app_names).map(String::as_str);
            let similar = names.chain([plain]).flat_map(shortened);
            keys.extend(similar.map(|name| format!("similar:{name}")));
            keys.extend(facts.url.iter().flat_map(|url| folders(url.as_str())));
            keys.extend(facts.url.iter().map(|url| format!("file:{url}")));
            let release = facts.url.as_ref().zip(facts.full_version.as_deref());
            keys.extend(release.and_then(|(url, version)| release_key(url.as_str(), version)));
            keys.extend(facts.bundle_id.iter().map(|id| format!("bundle:{}", fold_case(id))));
            keys.extend(facts.receipts.iter().map(|receipt| format!("receipt:{receipt}")));
            if let Some(repository) = repository_of(facts) {
                let name = repository.split('/').nth(1).unwrap_or_default();
                keys.insert(format!("project:{name}"));
                keys.insert(format!("repository:{repository}"));
            }
            for key in keys.into_iter().filter(|key| requested.contains(key)) {
                by_key.entry(key).or_default().add(position);
            }
        }
        Self { casks, facts, by_key }
    }

    /// The cask with the best evidence, if the evidence is sufficient.
    pub(super) fn find(&self, label: &LabelTraits) -> FoundCask {
        let mut candidates = BTreeSet::new();
        let keyed = label.keys().filter_map(|key| self.by_key.get(&key));
        for position in keyed.flat_map(Keyed::positions) {
            if candidates.len() == CANDIDATES {
                break;
            }
            candidates.insert(*position);
        }
        let shared = SharedKeys::of(label, &self.by_key);
        let weighed: Vec<(usize, Evidence)> = candidates
            .into_iter()
            .map(|position| (position, self.candidate(label, &shared, position).evidence()))
            .collect();
        let others = weighed.iter().filter(|(_, evidence)| evidence.is_other_product());
        let others = others.map(|(position, _)| *position).collect();
        let enough: Vec<(usize, Evidence)> =
            weighed.iter().filter(|(_, evidence)| evidence.is_enough()).cloned().collect();
        let best = self.best(&enough).map(|best| {
            let better =
                weighed.iter().find(|other| self.is_preferred(other, best, label, &shared));
            better.unwrap_or(best).clone()
        });
        FoundCask { best, others }
    }

    fn best<'e>(&self, enough: &'e [(usize, Evidence)]) -> Option<&'e (usize, Evidence)> {
        let most = enough.iter().map(|(_, evidence)| evidence.weight()).max()?;
        let best = enough.iter().filter(|(_, evidence)| evidence.weight() == most);
        let (specific, vague): (Vec<_>, Vec<_>) =
            best.partition(|(_, evidence)| evidence.is_specific());
        // Several apps of one vendor with the same evidence: the match would be ambiguous.
        if specific.is_empty() && vague.len() > 1 {
            return None;
        }
        // Ties: prefer the same token, no variant, then the shortest and the first token.
        let best = if specific.is_empty() { vague } else { specific };
        best.into_iter().min_by_key(|(position, evidence)| {
            let token = &self.casks[*position].token;
            (!evidence.is_same_token(), token.contains('@'), token.len(), token.clone())
        })
    }

    /// Whether the label's release tells that a cask is meant instead of the best one: it is that of
    /// another edition or channel, it is the successor's of a product that is given up, or the very
    /// file is another cask's.
    fn is_preferred(
        &self,
        (position, evidence): &(usize, Evidence),
        (best, _): &(usize, Evidence),
        label: &LabelTraits,
        shared: &SharedKeys,
    ) -> bool {
        let candidate = |position| self.candidate(label, shared, position);
        if position == best || !candidate(*position).is_of_release() {
            return false;
        }
        let is_variant = self.casks[*position].token.contains('@');
        let is_file = !is_variant
            && evidence.is_enough()
            && candidate(*position).has_file()
            && !candidate(*best).has_file();
        if is_file {
            return true;
        }
        // The name of another edition says less, but its release is the label's.
        let is_edition = || evidence.weight() > 0 && !is_variant;
        let is_sibling = || self.is_sibling(*position, *best);
        let is_successor = || {
            !is_variant
                && self.facts[*best].deprecation.is_some()
                && self.facts[*position].deprecation.is_none()
                && candidate(*position).is_beside_the_labels_file()
        };
        !candidate(*best).is_of_release()
            && ((is_sibling() && (evidence.is_enough() || is_edition())) || is_successor())
    }

    /// Whether a cask is another edition or channel of one: `sample@beta` or `sample-classic`.
    fn is_sibling(&self, position: usize, of: usize) -> bool {
        let rest = self.casks[position].token.strip_prefix(&self.casks[of].token);
        rest.is_some_and(|rest| rest.starts_with(['@', '-']))
    }

    fn candidate<'c>(
        &'c self,
        label: &'c LabelTraits,
        shared: &SharedKeys,
        position: usize,
    ) -> Candidate<'c> {
        let (cask, facts) = (&self.casks[position], &self.facts[position]);
        let SharedKeys { receipt_owners, has_folder_alone } = *shared;
        Candidate { cask, facts, label, receipt_owners, has_folder_alone }
    }
}

pub(super) struct FoundCask {
    pub(super) best: Option<(usize, Evidence)>,
    /// Casks of other products with the label's name.
    pub(super) others: Vec<usize>,
}

/// Which keys of a label several casks have. It is the same for all candidates.
struct SharedKeys {
    receipt_owners: usize,
    has_folder_alone: bool,
}

impl SharedKeys {
    fn of(label: &LabelTraits, by_key: &HashMap<String, Keyed>) -> Self {
        let receipt = label.package_id.as_ref().map(|id| format!("receipt:{id}"));
        let folders = label.folders.iter().map(|folder| format!("folder:{folder}"));
        let sharing = folders.filter_map(|key| by_key.get(&key)).map(Keyed::count).max();
        Self {
            receipt_owners: receipt.and_then(|key| by_key.get(&key)).map_or(0, Keyed::count),
            has_folder_alone: sharing == Some(1),
        }
    }
}

fn folders(url: &str) -> Vec<String> {
    let url = url.replace("%20", " ");
    let Some((_, address)) = url.split_once("://") else { return Vec::new() };
    let ends = address.match_indices('/').map(|(end, _)| &address[..=end]);
    let folders = ends.take(FOLDERS).filter_map(folder);
    folders.map(|folder| format!("folder:{folder}")).collect()
}

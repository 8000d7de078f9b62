//! The identifiers that a cask names, each with its evidence.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use appstitch_text::normal_name::normal;
use serde_json::{Map, Value};

use super::{
    component::{is_companion, is_foreign},
    is_bundle_id,
    product::{Edition, Product},
    trace::{Named, Trace},
};
use crate::{bounds::NAME_BYTES, cask::strings, shared_keys::is_shared_prefix};

/// What it weighs that nothing else is quit, if the product has a domain of its own.
const ALONE_QUIT: i32 = 10;

/// The identifiers that may be the app's, and further evidence.
#[derive(Default)]
pub(super) struct IdCandidates {
    /// By the identifier in lowercase: the case of the traces differs.
    possible: BTreeMap<String, IdCandidate>,
    /// The identifiers of components, in lowercase.
    foreign: BTreeSet<String>,
    /// The beginnings of identifiers in the patterns of files, in lowercase.
    beginnings: BTreeSet<String>,
    receipts: Vec<String>,
    /// The identifiers that are quit, in lowercase, without those of components.
    quit: BTreeSet<String>,
}

pub(super) struct IdCandidate {
    pub(super) id: String,
    /// How far its spelling is from the preferred one.
    spelling: u8,
    pub(super) traces: Vec<Trace>,
}

pub(super) struct Weighed<'a> {
    pub(super) candidate: &'a IdCandidate,
    pub(super) likeness: i32,
    pub(super) support: i32,
    pub(super) weight: i32,
    pub(super) is_of_the_channel: bool,
}

impl IdCandidates {
    pub(super) fn read(artifacts: &[&Map<String, Value>], product: &Product) -> Self {
        let mut candidates = Self { foreign: loaded(artifacts), ..Self::default() };
        let directives = |stanza: &'static str| {
            let lists =
                artifacts.iter().filter_map(move |artifact| artifact.get(stanza)?.as_array());
            lists.flatten()
        };
        for directive in directives("uninstall") {
            for id in strings(directive.get("quit")) {
                candidates.add(&id, Trace::Quit, product);
            }
            for id in signalled(directive) {
                candidates.add(id, Trace::Signal, product);
            }
            candidates.receipts.extend(
                strings(directive.get("pkgutil")).into_iter().filter(|id| is_bundle_id(id)),
            );
        }
        for directive in directives("zap").chain(directives("uninstall")) {
            for key in ["trash", "delete", "rmdir"] {
                for path in strings(directive.get(key)) {
                    match Trace::of_path(&path) {
                        Some((trace, Named::Id(id))) => candidates.add(id, trace, product),
                        Some((_, Named::Beginning(id))) => {
                            candidates.beginnings.insert(id.to_ascii_lowercase());
                        }
                        None => {}
                    }
                }
            }
        }
        candidates
    }

    fn add(&mut self, id: &str, trace: Trace, product: &Product) {
        let key = id.to_ascii_lowercase();
        if id.len() > NAME_BYTES || !is_bundle_id(id) || self.foreign.contains(&key) {
            return;
        }
        if !self.possible.contains_key(&key) && is_foreign(id, product) {
            self.foreign.insert(key);
            return;
        }
        let spelling = trace.spelling();
        let candidate = self.possible.entry(key).or_insert_with(|| IdCandidate {
            id: id.to_owned(),
            spelling,
            traces: Vec::new(),
        });
        if (spelling, id) < (candidate.spelling, candidate.id.as_str()) {
            id.clone_into(&mut candidate.id);
            candidate.spelling = spelling;
        }
        if !candidate.traces.contains(&trace) {
            candidate.traces.push(trace);
        }
        if trace == Trace::Quit {
            self.quit.insert(id.to_ascii_lowercase());
        }
    }

    /// The candidates, best first.
    pub(super) fn weigh(&self, product: &Product) -> Vec<Weighed<'_>> {
        let mut all: Vec<Weighed<'_>> = self
            .possible
            .iter()
            .map(|(key, candidate)| self.weighed(key, candidate, product))
            .collect();
        all.sort_by_key(|weighed| std::cmp::Reverse(weighed.order()));
        all
    }

    fn weighed<'a>(
        &'a self,
        key: &str,
        candidate: &'a IdCandidate,
        product: &Product,
    ) -> Weighed<'a> {
        // Identifiers are ASCII, so every position is the end of a beginning.
        let is_covered = (0..=key.len()).any(|end| self.beginnings.contains(&key[..end]));
        let likeness = product.likeness(&candidate.id);
        let support = candidate.traced() + likeness + i32::from(is_covered);
        // The app's identifier is the beginning of its components'.
        let component = format!("{key}.");
        let from = (Bound::Included(component.as_str()), Bound::Unbounded);
        let mut components = self.foreign.range::<str, _>(from);
        let has_components = components.next().is_some_and(|other| other.starts_with(&component));
        let mut parents = key.match_indices('.').map(|(end, _)| &key[..end]);
        let is_extension = candidate.traces.iter().all(|trace| trace.is_of_an_extension())
            && parents.any(|parent| self.possible.get(parent).is_some_and(IdCandidate::is_traced));
        let edition = product.edition(&candidate.id);
        let of_the_edition = match edition {
            Edition::None => 0,
            Edition::Same => 30,
            Edition::AlsoEarly => 15,
            Edition::Other => -4,
        };
        // A prefix that a framework writes, such as `com.electron`, says less than the maker's.
        let mut beginnings = key.match_indices('.').map(|(end, _)| &key[..end]);
        let is_frameworks = beginnings.any(is_shared_prefix);
        // Files are also removed of former versions, but only the current app is quit.
        let is_products_own = || {
            let domain = key.split('.').nth(1).map(normal);
            domain.is_some_and(|domain| product.all.contains(&domain))
        };
        let is_alone_quit = self.quit.len() == 1 && self.quit.contains(key) && is_products_own();
        let weight = support
            + of_the_edition
            + i32::from(has_components)
            + ALONE_QUIT * i32::from(is_alone_quit)
            - i32::from(is_frameworks)
            - 4 * i32::from(is_extension)
            - 4 * i32::from(is_companion(&candidate.id, product));
        let is_of_the_channel = edition == Edition::Same;
        Weighed { candidate, likeness, support, weight, is_of_the_channel }
    }

    /// The receipt of the product's newer generation, if the files of both are removed: the
    /// receipt `com.example.sample2` beside `com.example.sample` and `com.example.sample*`.
    pub(super) fn newer_generation(&self, id: &str) -> Option<&String> {
        let id = id.to_ascii_lowercase();
        self.receipts.iter().find(|receipt| {
            let receipt = receipt.to_ascii_lowercase();
            let number = receipt.strip_prefix(&id).unwrap_or_default();
            !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && self.beginnings.contains(&id)
        })
    }
}

impl IdCandidate {
    pub(super) fn traced(&self) -> i32 {
        self.traces.iter().map(|trace| trace.weight()).sum()
    }

    /// Whether only the index of a help book has it.
    pub(super) fn is_of_help(&self) -> bool {
        self.traces.iter().all(|trace| *trace == Trace::HelpIndex)
    }

    /// Whether only a program that opens windows or files leaves one of the traces.
    pub(super) fn is_seen_running(&self) -> bool {
        self.traces.iter().any(|trace| trace.is_of_a_running_app())
    }

    /// Whether a trace shows that it is an identifier.
    pub(super) fn is_traced(&self) -> bool {
        self.traces.iter().any(|trace| trace.is_of_an_app())
    }
}

impl Weighed<'_> {
    /// Candidates with the same order are tied.
    pub(super) fn order(&self) -> (i32, i32) {
        (self.weight, self.candidate.traced())
    }
}

/// The identifiers of kernel extensions, in lowercase: these are no apps.
fn loaded(artifacts: &[&Map<String, Value>]) -> BTreeSet<String> {
    let directives = artifacts.iter().filter_map(|artifact| artifact.get("uninstall")?.as_array());
    let ids = directives.flatten().flat_map(|directive| strings(directive.get("kext")));
    ids.map(|id| id.to_ascii_lowercase()).collect()
}

/// The identifiers that `uninstall` sends a signal: pairs of signal and identifier, or one pair.
fn signalled(directive: &Value) -> Vec<&str> {
    let Some(list) = directive.get("signal").and_then(Value::as_array) else { return Vec::new() };
    let pairs: Vec<&[Value]> = match list.first() {
        Some(Value::String(_)) => vec![list.as_slice()],
        _ => list.iter().filter_map(Value::as_array).map(Vec::as_slice).collect(),
    };
    pairs.into_iter().filter_map(|pair| pair.get(1)?.as_str()).collect()
}

//! Stitching: builds one record per app from the entries of all upstreams.
//!
//! Every label is an app. A cask without a matching label is also an app, unless it is a font,
//! disabled or for Linux. Recipes, titles and store listings are attached to apps and never create
//! one. Every match needs evidence (see [`evidence`]), and every served field has a source.

mod addresses;
mod agreed_name;
mod attach;
mod candidate;
mod casks;
mod display_name;
mod evidence;
mod fields;
mod keyed;
mod label_traits;
mod likeness;
mod majors;
mod names;
mod owners;
mod patch_titles;
mod product;
mod product_scope;
mod shared_ids;
mod sharing;
mod similar;
mod spellings;
mod team_ids;
mod variants;
mod vendors;

use std::collections::{BTreeMap, HashSet};

use appstitch_text::{fold_case, normal_name::normal, served};
use appstitch_types::{
    AppSources, CaskCatalogSource, LabelValues, Provenance, RecipeIndexSource, SeenVersion, Slug,
    Source, StoreListingSource, Uri,
};
use attach::{AttachedRecipes, Attachment, Listings, Recipes, Titles};
use casks::CaskIndex;
use evidence::Evidence;
use fields::Attributes;
use jiff::Timestamp;
use label_traits::LabelTraits;
use names::Names;
use owners::{Groups, OthersNames, Owners};
use product_scope::ProductScope;
use sharing::Sharing;
use spellings::Spellings;
use team_ids::team_ids;
use variants::{Profile, main_records};
use vendors::{Attributed, Vendors};

use crate::{
    cask::{CaskFacts, RunsOn},
    documents::{Documents, LabelDocument, TitleDocument},
    label::{literal::Literals, stated_version::label_version},
    left_out::LeftOut,
    provenance::source_matches,
    publishers,
    record::Record,
    variant::language_of,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stitched {
    pub record: Record,
    pub provenance: Provenance,
    /// The main record of the product, if there are several records for it.
    pub variant_of: Option<Slug>,
}

struct Parts<'a> {
    slug: Slug,
    label: Option<(&'a LabelDocument, Literals)>,
    /// When the tracker first saw each version of the label.
    seen: &'a [SeenVersion],
    /// Since when the tracker has looked at labels.
    tracked_since: Option<Timestamp>,
    cask: Option<(&'a CaskCatalogSource, &'a CaskFacts)>,
    /// Casks of other products with the label's name.
    other_casks: Vec<&'a CaskFacts>,
    title: Option<&'a TitleDocument>,
    listing: Option<&'a StoreListingSource>,
    recipes: Option<RecipeIndexSource>,
    /// Whether more recipes have a name of the app than are attached to it.
    has_more_recipes: bool,
    evidence: Vec<(Source, Evidence)>,
}

/// Builds one record per app and passes each to `visit`, in slug order. The records are not
/// collected, so that a large catalog is not in memory twice. Returns what was left out because of
/// the [bounds](crate::bounds).
pub fn stitch<E>(
    documents: &Documents,
    mut visit: impl FnMut(Stitched) -> Result<(), E>,
) -> Result<LeftOut, E> {
    let facts = read_casks(&documents.casks);
    let label_slugs = documents.labels.iter().map(|label| label.slug.as_str()).collect();
    let mut labels: Vec<(&LabelDocument, Literals, LabelTraits)> = documents
        .labels
        .iter()
        .map(|label| {
            let literals = Literals::read(&label.source.raw);
            let traits = LabelTraits::read(label, &literals, &label_slugs);
            (label, literals, traits)
        })
        .collect();
    let traits = labels.iter().map(|(_, _, traits)| traits);
    let casks = CaskIndex::new(&documents.casks, &facts, traits);
    let titles = Titles::new(&documents.titles);
    let listings = Listings::new(&documents.listings);
    let vendors = Vendors::new(publishers::directory());
    let mut sharing = Sharing::new(documents);

    let tracked_since = documents.tracked.values().flatten().map(|seen| seen.at).min();
    let mut apps: BTreeMap<Slug, Parts<'_>> = BTreeMap::new();
    let mut taken = TakenSlugs::default();
    let mut used_casks = HashSet::new();
    // Of slugs that differ in case the first one is taken, in whatever order they arrive.
    labels.sort_by_key(|(label, _, _)| label.slug.as_str());
    for (label, literals, traits) in labels {
        let mut parts = Parts::new(&label.slug);
        // A label that is not served must not take a cask away from the catalog.
        if !taken.take(&parts.slug) {
            continue;
        }
        parts.note(Source::LabelTool, Evidence::slug());
        let found = casks.find(&traits);
        parts.other_casks = found.others.iter().map(|position| &facts[*position]).collect();
        if let Some((position, evidence)) = found.best {
            used_casks.insert(position);
            if sharing.admits_cask(position, documents) {
                parts.cask = Some((&documents.casks[position], &facts[position]));
                parts.note(Source::CaskCatalog, evidence);
            }
        }
        let seen = documents.tracked.get(&label.source.label_name);
        parts.seen = seen.map(Vec::as_slice).unwrap_or_default();
        parts.tracked_since = tracked_since;
        parts.label = Some((label, literals));
        apps.insert(parts.slug.clone(), parts);
    }
    let mut others: Vec<(usize, (&CaskCatalogSource, &CaskFacts))> =
        documents.casks.iter().zip(&facts).enumerate().collect();
    others.sort_by_key(|(_, (cask, _))| cask.token.as_str());
    for (position, (cask, facts)) in others {
        if used_casks.contains(&position)
            || facts.is_font
            || facts.disabled
            || facts.runs_on == RunsOn::Linux
        {
            continue;
        }
        let Ok(slug) = Slug::parse(&cask.token) else { continue };
        let mut parts = Parts::new(&slug);
        parts.cask = Some((cask, facts));
        parts.note(Source::CaskCatalog, Evidence::slug());
        // If a label for a different app has the same slug, the label keeps it.
        let mut text = cask.token.clone();
        while taken.contains(&parts.slug) {
            text.push_str("-cask");
            let Ok(slug) = Slug::parse(&text) else { break };
            parts.slug = slug;
        }
        if taken.take(&parts.slug) {
            apps.insert(parts.slug.clone(), parts);
        }
    }
    let mut apps: Vec<Parts<'_>> = apps.into_values().collect();
    for parts in &mut apps {
        let names = Names::of(parts);
        parts.attach(&names, &titles, &listings, &mut sharing);
    }
    let vendors: Vec<Attributed<String>> = apps.iter().map(|parts| vendors.of(parts)).collect();
    let spellings = Spellings::of_apps(&apps, &vendors);
    let profiles = apps.iter().zip(&vendors).map(|(parts, vendor)| parts.profile(vendor.as_ref()));
    let mains = main_records(&profiles.collect::<Vec<_>>());
    attach_recipes(&mut apps, documents, &vendors, &mains, &mut sharing);
    let team_ids = team_ids(&apps, &mains, &vendors);
    let codes = patch_titles::title_codes(
        &documents.patch_titles, &documents.titles, &apps, &mains, &vendors, &mut sharing.left_out,
    );
    let ids = product::bundle_ids(&apps, &mains);
    let values = vendors.into_iter().zip(ids).zip(team_ids);
    let values =
        values.map(|((vendor, bundle_id), team_id)| Attributes { vendor, bundle_id, team_id });
    let mains: Vec<Option<Slug>> =
        mains.into_iter().map(|main| main.map(|position| apps[position].slug.clone())).collect();
    let values = mains.into_iter().zip(values).zip(codes);
    apps.into_iter().zip(values).try_for_each(|(parts, ((variant_of, values), codes))| {
        let file = parts.cask.and_then(|(_, facts)| facts.app_name.as_deref());
        let mut stitched = parts.finish(values, variant_of);
        stitched.provenance.title_codes = codes;
        let is_labels =
            stitched.provenance.fields.name.as_deref() == Some(Source::LabelTool.token());
        spellings.apply(&mut stitched.record.app, file, is_labels);
        visit(stitched)
    })?;
    Ok(sharing.left_out)
}

/// Attaches recipes last: whose name is meant depends on the makers and the variants of the apps.
fn attach_recipes<'a>(
    apps: &mut [Parts<'a>],
    documents: &'a Documents,
    vendors: &[Attributed<String>],
    mains: &[Option<usize>],
    sharing: &mut Sharing,
) {
    let recipes = Recipes::new(&documents.recipes, Names::of_all(apps));
    let owners = Owners::new(apps);
    let makers = vendors.iter().map(|vendor| vendor.as_ref().map(|(_, name)| &**name)).collect();
    let groups = Groups { mains, makers };
    for (position, parts) in apps.iter_mut().enumerate() {
        let title = parts.title.map(|title| normal(&title.source.title));
        let others = owners.others(position, title, &groups);
        parts.attach_recipes(&recipes, &others, sharing);
    }
}

/// In the provenance of an app that has fewer recipes than have its name.
const MORE_RECIPES: &str = "more recipes have the name; the limits leave them out";

/// The slugs that are in use. Slugs that differ only in case are the same one: file systems, caches
/// and people mix them up.
#[derive(Default)]
struct TakenSlugs(HashSet<String>);

impl TakenSlugs {
    fn contains(&self, slug: &Slug) -> bool {
        self.0.contains(&slug.folded())
    }

    /// Takes a slug, unless it is in use.
    fn take(&mut self, slug: &Slug) -> bool {
        self.0.insert(slug.folded())
    }
}

/// Reads the casks, without bundle identifiers that belong to another cask.
fn read_casks(casks: &[CaskCatalogSource]) -> Vec<CaskFacts> {
    let mut facts: Vec<CaskFacts> =
        casks.iter().map(|cask| CaskFacts::read(&cask.entry_json)).collect();
    let tokens: Vec<&str> = casks.iter().map(|cask| cask.token.as_str()).collect();
    shared_ids::separate(&tokens, &mut facts);
    facts
}

/// The part of a bundle identifier that names the maker.
fn maker(id: &str) -> Option<String> {
    id.split('.').nth(1).map(fold_case)
}

fn last_part(id: &str) -> Option<String> {
    id.rsplit('.').next().map(fold_case)
}

impl<'a> Parts<'a> {
    fn new(slug: &Slug) -> Self {
        Self {
            slug: slug.unshadowed().unwrap_or_else(|| slug.clone()),
            label: None,
            seen: &[],
            tracked_since: None,
            cask: None,
            other_casks: Vec::new(),
            title: None,
            listing: None,
            recipes: None,
            has_more_recipes: false,
            evidence: Vec::new(),
        }
    }

    fn note(&mut self, source: Source, evidence: Evidence) {
        self.evidence.push((source, evidence));
    }

    fn attach(
        &mut self,
        names: &Names,
        titles: &Titles<'a>,
        listings: &Listings<'a>,
        sharing: &mut Sharing,
    ) {
        let facts = self.cask.map(|(_, facts)| facts);
        let cask_id = facts.and_then(|facts| facts.bundle_id.as_deref());
        let is_firm = facts.is_some_and(|facts| facts.firm_bundle_id().is_some());
        // An identifier with little evidence does not speak against a title with the same name and
        // the same maker, and none against a title with a former identifier.
        let by_name = || {
            titles.find(None, names).filter(|found| {
                let id = found.entry.source.bundle_id.as_deref();
                let is_same_maker = || id.and_then(maker) == cask_id.and_then(maker);
                let is_former = || id.and_then(last_part) == cask_id.and_then(last_part);
                (!is_firm && is_same_maker()) || is_former()
            })
        };
        let scope = ProductScope::of(self);
        let found = titles.find(cask_id, names).or_else(by_name);
        if let Some(Attachment { position, entry, evidence }) =
            found.filter(|found| scope.fits_title(&found.entry.source))
            && sharing.admits_title(position, entry)
        {
            self.title = Some(entry);
            self.note(Source::MdmInstaller, evidence);
        }
        let title_id = self.title.and_then(|title| title.source.bundle_id.as_deref());
        let id = if is_firm { cask_id } else { title_id.or(cask_id) };
        // The store has the plain app only.
        let listing = if scope.edition.is_none() { listings.find(id) } else { None };
        if let Some(Attachment { position, entry, evidence }) = listing
            && sharing.admits_listing(position, entry)
        {
            self.listing = Some(entry);
            self.note(Source::StoreListing, evidence);
        }
    }

    fn attach_recipes(
        &mut self,
        recipes: &Recipes<'a>,
        others: &OthersNames<'_>,
        sharing: &mut Sharing,
    ) {
        let (names, scope) = (Names::of(self), ProductScope::of(self));
        let AttachedRecipes { entries, is_incomplete } =
            recipes.find(&names, &scope, others, sharing);
        if !entries.is_empty() {
            self.recipes = Some(RecipeIndexSource { recipes: entries });
            self.has_more_recipes = is_incomplete;
            self.note(Source::RecipeIndex, AttachedRecipes::evidence());
        }
    }

    /// The cask with the file for the only language that the label is for.
    fn cask_in_language(&self) -> Option<CaskFacts> {
        let language = language_of(self.label.as_ref()?.0.source.label_name.as_str())?;
        let (cask, facts) = self.cask?;
        facts.in_language(&cask.entry_json, language)
    }

    /// What the cask or else the label calls the app.
    fn given_name(&self) -> Option<&str> {
        match self.cask {
            Some((_, facts)) => facts.names.first().map(String::as_str),
            None => self.label.as_ref()?.1.name(),
        }
    }

    fn profile<'p>(&'p self, vendor: Option<&'p (&'static str, String)>) -> Profile<'p> {
        let literals = self.label.as_ref().map(|(_, literals)| literals);
        let facts = self.cask.map(|(_, facts)| facts);
        let name = self.given_name();
        let is_command = facts.is_some_and(|facts| facts.is_command);
        let full_version = facts.and_then(|facts| facts.full_version.as_deref());
        Profile {
            slug: self.slug.as_str(),
            has_label: self.label.is_some(),
            cask: self.cask.map(|(cask, _)| cask.token.as_str()),
            bundle_id: fields::bundle_id(self).map(|(_, id)| id),
            team_id: literals.and_then(|literals| literals.text("expectedTeamID")),
            maker_and_name: vendor
                .zip(name)
                .map(|((_, vendor), name)| (&**vendor, name, is_command)),
            file: facts.and_then(|facts| facts.url.as_ref()).map(Uri::as_str),
            version: literals
                .and_then(|label| label_version(label, full_version))
                .or_else(|| facts?.version.as_deref()),
        }
    }

    fn finish(self, values: Attributes, variant_of: Option<Slug>) -> Stitched {
        let (app, fields, reasons) = fields::app(&self, values);
        let names = self.label.iter().flat_map(|(label, _)| label.used_names());
        let is_served = |name: &&String| served::check_text("label", name).is_ok();
        let other_names: Vec<String> = names.filter(is_served).cloned().collect();
        let found = self.label.as_ref().map(|(label, _)| label.found);
        let sources = AppSources {
            label_tool: self.label.map(|(label, _)| label.source.clone()),
            cask_catalog: self.cask.map(|(cask, _)| cask.clone()),
            recipe_index: self.recipes,
            store_listing: self.listing.cloned(),
            mdm_installer: self.title.map(|title| title.source.clone()),
        };
        let evidence = |source: Source| {
            let known = self.evidence.iter().find(|(noted, _)| *noted == source);
            let mut sentences = known.map(|(_, evidence)| evidence.sentences()).unwrap_or_default();
            if source == Source::RecipeIndex && self.has_more_recipes {
                sentences.push(MORE_RECIPES.to_owned());
            }
            sentences
        };
        let provenance = Provenance {
            slug: app.slug.to_string(),
            other_names,
            fields,
            reasons,
            sources: source_matches(&sources, evidence),
            label_values: found.filter(|found| *found != LabelValues::default()),
            title_codes: Vec::new(),
            manual_record: false,
        };
        let record = Record { app, sources: Some(sources) };
        Stitched { record, provenance, variant_of }
    }
}

#[cfg(test)]
mod growth;
#[cfg(test)]
mod preferred_tests;
#[cfg(test)]
mod tests;

//! The text rule for the payloads of sources.
//!
//! Raw payloads keep what upstream wrote. The fields beside them are served as they are or not at
//! all: an entry is rejected if a field that identifies it breaks the rule, and any other field
//! becomes null.

use appstitch_text::{rule, served};
use appstitch_types::{
    AppSources, BrokenRule, CaskCatalogSource, LabelToolSource, MdmInstallerSource, RecipeEntry,
    RecipeIndexSource, Source, StoreListingSource,
};

use crate::label;

pub trait CheckedEntry: Sized {
    /// The entry without optional texts that break the rule; an error if a text that identifies it
    /// breaks the rule.
    fn admit(self) -> Result<Self, BrokenRule>;
}

impl CheckedEntry for RecipeEntry {
    fn admit(self) -> Result<Self, BrokenRule> {
        check("identifier", &self.identifier)?;
        check("repo", &self.repo)?;
        check("path", &self.path)?;
        Ok(Self {
            name: plain("name", self.name),
            shortname: plain("shortname", self.shortname),
            parent_identifier: plain("parent_identifier", self.parent_identifier),
            inferred_type: plain("inferred_type", self.inferred_type),
            ..self
        })
    }
}

impl CheckedEntry for MdmInstallerSource {
    /// The title is in its normal form afterwards.
    fn admit(self) -> Result<Self, BrokenRule> {
        let title = served::text("title", &self.title)?;
        check("source", &self.source)?;
        Ok(Self {
            title,
            host: plain("host", self.host),
            bundle_id: plain("bundle_id", self.bundle_id),
            version: plain("version", self.version),
            mgmt_id: plain("mgmt_id", self.mgmt_id),
            download_url: self.download_url.filter(|url| rule::check_characters(url).is_ok()),
            architecture: plain("architecture", self.architecture),
            ..self
        })
    }
}

impl CheckedEntry for LabelToolSource {
    fn admit(self) -> Result<Self, BrokenRule> {
        check("label_name", &self.label_name).map(|()| self)
    }
}

impl CheckedEntry for CaskCatalogSource {
    fn admit(self) -> Result<Self, BrokenRule> {
        check("token", &self.token).map(|()| self)
    }
}

impl CheckedEntry for StoreListingSource {
    fn admit(self) -> Result<Self, BrokenRule> {
        check("bundle_id", &self.bundle_id).map(|()| self)
    }
}

/// The payloads of a manual record without those that break the rule, which are noted.
pub(crate) fn admit(given: AppSources, notes: &mut Vec<String>) -> AppSources {
    let admitted = AppSources {
        label_tool: kept(
            Source::LabelTool.token(),
            given.label_tool,
            LabelToolSource::admit,
            notes,
        ),
        cask_catalog: kept(
            Source::CaskCatalog.token(),
            given.cask_catalog,
            CaskCatalogSource::admit,
            notes,
        ),
        recipe_index: given.recipe_index.and_then(|index| recipes(index, notes)),
        store_listing: kept(
            Source::StoreListing.token(),
            given.store_listing,
            StoreListingSource::admit,
            notes,
        ),
        mdm_installer: kept(
            Source::MdmInstaller.token(),
            given.mdm_installer,
            MdmInstallerSource::admit,
            notes,
        ),
    };
    let function =
        admitted.label_tool.as_ref().and_then(|tool| label::function::problem(&tool.raw));
    if let Some(why) = function {
        notes.push(format!(
            "sources.label_tool.raw.{} is not used in generated labels: {why}",
            LabelToolSource::VERSION_FUNCTION
        ));
    }
    admitted
}

fn kept<T>(
    name: &str,
    payload: Option<T>,
    admit: impl FnOnce(T) -> Result<T, BrokenRule>,
    notes: &mut Vec<String>,
) -> Option<T> {
    match admit(payload?) {
        Ok(payload) => Some(payload),
        Err(broken) => {
            notes.push(format!("sources.{name} omitted: {broken}"));
            None
        }
    }
}

/// `None` if no recipe keeps the rule.
fn recipes(given: RecipeIndexSource, notes: &mut Vec<String>) -> Option<RecipeIndexSource> {
    let received = given.recipes.len();
    let recipes: Vec<RecipeEntry> = (0..)
        .zip(given.recipes)
        .filter_map(|(number, recipe): (usize, _)| {
            let name = format!("recipe_index.recipes[{number}]");
            kept(&name, Some(recipe), RecipeEntry::admit, notes)
        })
        .collect();
    (received == 0 || !recipes.is_empty()).then_some(RecipeIndexSource { recipes })
}

fn check(field: &'static str, text: &str) -> Result<(), BrokenRule> {
    served::check_text(field, text)
}

/// The text, if the rule allows it. An empty text always does.
fn plain(field: &'static str, text: Option<String>) -> Option<String> {
    text.filter(|text| text.is_empty() || check(field, text).is_ok())
}

//! The text rule for the payloads of sources.
//!
//! Raw payloads keep what upstream wrote. The fields beside them are served as they are or not at
//! all: an entry is rejected if a field that identifies it breaks the rule, and any other field
//! becomes null.

use crate::{
    AppSources, BrokenRule, CaskCatalogSource, LabelToolSource, MdmInstallerSource, RecipeEntry,
    RecipeIndexSource, StoreListingSource, label, served, text,
};

impl RecipeEntry {
    /// Checks the texts of a recipe.
    pub fn admit(self) -> Result<Self, BrokenRule> {
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

impl MdmInstallerSource {
    /// Checks the texts of an installer title. The title is in its normal form afterwards.
    pub fn admit(self) -> Result<Self, BrokenRule> {
        let title = served::text("title", &self.title)?;
        check("source", &self.source)?;
        Ok(Self {
            title,
            host: plain("host", self.host),
            bundle_id: plain("bundle_id", self.bundle_id),
            version: plain("version", self.version),
            mgmt_id: plain("mgmt_id", self.mgmt_id),
            download_url: self.download_url.filter(|url| text::check_characters(url).is_ok()),
            architecture: plain("architecture", self.architecture),
            ..self
        })
    }
}

impl LabelToolSource {
    fn admit(self) -> Result<Self, BrokenRule> {
        check("label_name", &self.label_name).map(|()| self)
    }
}

impl CaskCatalogSource {
    /// Checks the token of a cask.
    pub fn admit(self) -> Result<Self, BrokenRule> {
        check("token", &self.token).map(|()| self)
    }
}

impl StoreListingSource {
    /// Checks the identifier of a listing.
    pub fn admit(self) -> Result<Self, BrokenRule> {
        check("bundle_id", &self.bundle_id).map(|()| self)
    }
}

/// The payloads of a manual record without those that break the rule, which are noted.
pub(crate) fn admit(given: AppSources, notes: &mut Vec<String>) -> AppSources {
    let admitted = AppSources {
        label_tool: kept("label_tool", given.label_tool, LabelToolSource::admit, notes),
        cask_catalog: kept("cask_catalog", given.cask_catalog, CaskCatalogSource::admit, notes),
        recipe_index: given.recipe_index.and_then(|index| recipes(index, notes)),
        store_listing: kept("store_listing", given.store_listing, StoreListingSource::admit, notes),
        mdm_installer: kept("mdm_installer", given.mdm_installer, MdmInstallerSource::admit, notes),
    };
    let function = admitted.label_tool.as_ref().and_then(|own| label::function::problem(&own.raw));
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

/// The recipes that keep the rule; nothing if that is none of them.
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

/// The text, if the rule allows it. An empty one is kept: it is no text.
fn plain(field: &'static str, text: Option<String>) -> Option<String> {
    text.filter(|text| text.is_empty() || check(field, text).is_ok())
}

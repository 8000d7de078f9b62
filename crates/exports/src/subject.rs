//! What a file is made of.

use appstitch_stitching::{Delivery, InstalledFacts, ParsedSources, VersionPlace};
use appstitch_types::{App, AppDetails, Provenance};

/// An app with everything that is known of it.
pub struct Subject<'a> {
    pub(crate) app: &'a App,
    pub(crate) details: &'a AppDetails,
    pub(crate) provenance: &'a Provenance,
    pub(crate) parsed: &'a ParsedSources<'a>,
    pub(crate) delivery: Delivery,
    pub(crate) installed: InstalledFacts,
    /// Another app that has the same bundle identifier and another version.
    pub(crate) shares_id_with: Option<&'a str>,
}

impl<'a> Subject<'a> {
    pub fn new(
        app: &'a App,
        details: &'a AppDetails,
        provenance: &'a Provenance,
        parsed: &'a ParsedSources<'a>,
    ) -> Self {
        let files = details.app_files.as_deref().unwrap_or_default();
        let delivery = Delivery::of(app, files, parsed);
        let installed = InstalledFacts::of(app, parsed);
        Self { app, details, provenance, parsed, delivery, installed, shares_id_with: None }
    }

    /// The same, which shares its bundle identifier with another app.
    #[must_use]
    pub fn sharing(self, other: Option<&'a str>) -> Self {
        Self { shares_id_with: other, ..self }
    }

    pub fn app(&self) -> &'a App {
        self.app
    }

    /// What to check if the app is found by a bundle identifier that another app has, too.
    pub(crate) fn shared_id(&self) -> Option<String> {
        let is_app = !matches!(self.installed.version_place, VersionPlace::Receipt(_));
        let other = self.shares_id_with.filter(|_| is_app)?;
        Some(format!(
            "'{other}' has the same bundle identifier and another version; its installs count as well"
        ))
    }

    /// Whether another record is the main one of the product.
    pub(crate) fn is_variant(&self) -> bool {
        let variants = self.details.variants.as_deref().unwrap_or_default();
        variants.iter().any(|other| other.is_main)
    }

    /// The name of the app's label in Installomator.
    pub(crate) fn label_name(&self) -> Option<&'a str> {
        let label = self.parsed.sources().label_tool.as_ref()?;
        Some(&label.label_name)
    }
}

//! What a file is made of.

use appstitch_stitching::{Delivery, ParsedSources};
use appstitch_types::{App, AppDetails, Provenance};

/// An app with everything that is known of it.
pub struct Subject<'a> {
    pub(crate) app: &'a App,
    pub(crate) details: &'a AppDetails,
    pub(crate) provenance: &'a Provenance,
    pub(crate) parsed: &'a ParsedSources<'a>,
    pub(crate) delivery: Delivery,
    /// The token of the catalog's revision.
    pub(crate) token: &'a str,
}

impl<'a> Subject<'a> {
    pub fn new(
        app: &'a App,
        details: &'a AppDetails,
        provenance: &'a Provenance,
        parsed: &'a ParsedSources<'a>,
        token: &'a str,
    ) -> Self {
        let files = details.app_files.as_deref().unwrap_or_default();
        let delivery = Delivery::of(app, files, parsed);
        Self { app, details, provenance, parsed, delivery, token }
    }

    pub fn app(&self) -> &'a App {
        self.app
    }

    /// The name of the app's label in Installomator.
    pub(crate) fn label_name(&self) -> Option<&'a str> {
        let label = self.parsed.sources().label_tool.as_ref()?;
        Some(&label.label_name)
    }
}

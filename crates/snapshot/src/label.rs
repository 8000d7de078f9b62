//! Installer labels, generated from the source payloads.

use appstitch_catalog::{
    AppSources, GeneratedLabel, Slug, generate_label, generate_label_fragment,
};

use crate::{ReadError, Snapshot};

impl Snapshot {
    /// The label of an app.
    pub fn generate_label(&self, slug: &str) -> Result<GeneratedLabel, ReadError> {
        let (slug, sources) = self.label_input(slug)?;
        Ok(generate_label(&slug, &sources))
    }

    /// The same label as shell text.
    pub fn generate_label_fragment(&self, slug: &str) -> Result<String, ReadError> {
        let (slug, sources) = self.label_input(slug)?;
        Ok(generate_label_fragment(&slug, &sources))
    }

    fn label_input(&self, slug: &str) -> Result<(Slug, AppSources), ReadError> {
        let position = self.find(slug)?;
        let sources = self.source_detail(position).map_err(|error| {
            tracing::error!(%error, slug, "cannot parse the stored sources of an app");
            ReadError::Internal
        })?;
        if sources.is_empty() {
            return Err(ReadError::NoSourceDetail(slug.to_owned()));
        }
        let slug = Slug::parse(slug).map_err(|_| ReadError::UnknownSlug(slug.to_owned()))?;
        Ok((slug, sources))
    }
}

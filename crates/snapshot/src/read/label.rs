//! Installer labels, generated from the source payloads.

use appstitch_stitching::{ParsedSources, generate_label, generate_label_fragment};
use bytes::Bytes;

use crate::{
    cache::LabelForm,
    snapshot::{ReadError, Snapshot},
};

impl Snapshot {
    /// The label of an app, if it was made before.
    pub fn cached_label(&self, slug: &str, form: LabelForm) -> Result<Option<Bytes>, ReadError> {
        Ok(self.contents.labels.get(&(self.find(slug)?, form)))
    }

    /// The label of an app. It is made on first request and kept.
    pub fn generated_label(&self, slug: &str, form: LabelForm) -> Result<Bytes, ReadError> {
        let position = self.find(slug)?;
        self.contents.labels.get_or_make((position, form), || {
            let sources = self.source_detail(position).map_err(|error| {
                tracing::error!(%error, slug, "cannot parse the stored sources of an app");
                ReadError::Internal
            })?;
            self.make_label(position, form, &ParsedSources::of(&sources))
        })
    }

    pub fn generated_label_from(
        &self,
        position: u32,
        form: LabelForm,
        parsed: &ParsedSources<'_>,
    ) -> Result<Bytes, ReadError> {
        let make = || self.make_label(position, form, parsed);
        self.contents.labels.get_or_make((position, form), make)
    }

    fn make_label(
        &self,
        position: u32,
        form: LabelForm,
        parsed: &ParsedSources<'_>,
    ) -> Result<Bytes, ReadError> {
        let slug = self.slug(position);
        if parsed.sources().is_empty() {
            return Err(ReadError::NoSourceDetail(slug.to_owned()));
        }
        let app = self.read_app(position).map_err(|_| ReadError::Internal)?;
        Ok(match form {
            // Without spare room, which would be kept as well.
            LabelForm::Shell => {
                generate_label_fragment(&app, parsed).into_bytes().into_boxed_slice().into()
            }
            LabelForm::Json => {
                let label = generate_label(&app, parsed);
                let json = serde_json::to_vec(&label).map_err(|_| ReadError::Internal)?;
                json.into_boxed_slice().into()
            }
        })
    }
}

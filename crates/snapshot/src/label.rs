//! Installer labels, generated from the source payloads.

use appstitch_catalog::{AppSources, Slug, generate_label, generate_label_fragment};
use bytes::Bytes;

use crate::{LabelForm, ReadError, Snapshot};

impl Snapshot {
    /// The label of an app. It is made on first request and kept.
    pub fn generated_label(&self, slug: &str, form: LabelForm) -> Result<Bytes, ReadError> {
        let position = self.find(slug)?;
        self.contents.labels.get_or_make((position, form), || {
            let (slug, sources) = self.label_input(slug, position)?;
            Ok(match form {
                // Without spare room, which would be kept as well.
                LabelForm::Shell => {
                    generate_label_fragment(&slug, &sources).into_bytes().into_boxed_slice().into()
                }
                LabelForm::Json => {
                    let label = generate_label(&slug, &sources);
                    let json = serde_json::to_vec(&label).map_err(|_| ReadError::Internal)?;
                    json.into_boxed_slice().into()
                }
            })
        })
    }

    fn label_input(&self, slug: &str, position: u32) -> Result<(Slug, AppSources), ReadError> {
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

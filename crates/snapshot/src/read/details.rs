//! The details of an app, collected from its payloads on request.

use appstitch_stitching::{
    ParsedSources, bounds::LISTED_VARIANTS, collect_details, describe_variant,
};
use appstitch_types::{App, AppDetails, Provenance, Variant};
use bytes::Bytes;

use crate::snapshot::Snapshot;

impl Snapshot {
    pub(crate) fn details(&self, position: u32) -> Bytes {
        let written = self.read_details(position).and_then(|details| serde_json::to_vec(&details));
        match written {
            Ok(body) => body.into(),
            Err(error) => {
                // This crate wrote the rows, so they can always be parsed.
                tracing::error!(%error, position, "cannot parse the rows of an app");
                Bytes::from_static(b"null")
            }
        }
    }

    /// The slug of the main one of the records of an app's product: of the app itself if it is the only
    /// one.
    pub fn main_variant(&self, position: u32) -> &str {
        let main = self.contents.variants.of(position).first();
        self.contents.rows.slug(main.copied().unwrap_or(position))
    }

    /// Whether an app is the only or the main one of the records of its product.
    pub fn is_main_variant(&self, slug: &str) -> bool {
        self.find(slug).is_ok_and(|position| self.main_variant(position) == slug)
    }

    pub fn read_details(&self, position: u32) -> Result<AppDetails, serde_json::Error> {
        let sources = self.source_detail(position)?;
        let provenance = self.read_provenance(position)?;
        let parsed = ParsedSources::of(&sources);
        self.details_from(position, &self.read_app(position)?, &parsed, &provenance)
    }

    /// The same from rows that the caller has already read.
    pub fn details_from(
        &self,
        position: u32,
        app: &App,
        parsed: &ParsedSources<'_>,
        provenance: &Provenance,
    ) -> Result<AppDetails, serde_json::Error> {
        let rows = &self.contents.rows;
        let members = self.contents.variants.of(position);
        let main = members.first().map_or("", |main| rows.slug(*main));
        // The first ones of a product with very many, and always this one.
        let (first, others) = members.split_at(members.len().min(LISTED_VARIANTS));
        let this = others.iter().filter(|member| **member == position);
        let listed = first.iter().chain(this);
        let variants = listed.map(|member| Ok(describe_variant(&self.read_app(*member)?, main)));
        let variants = variants.collect::<Result<Vec<Variant>, serde_json::Error>>()?;
        Ok(collect_details(app, parsed, Some(provenance), variants))
    }
}

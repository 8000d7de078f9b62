//! The patch source: lists of titles, their definitions, and the apps without one.

use appstitch_patch_source::{Definition, OmittedApp, Title, title_id};
use appstitch_types::Source;
use bytes::Bytes;

use crate::{
    listing::{Filter, Selection},
    snapshot::{ReadError, Snapshot},
};

/// The apps that a part of the patch source has.
pub enum PatchSelection {
    Everything,
    Of(Selection),
    /// The positions of the apps of a list.
    Listed(Vec<u32>),
}

impl Snapshot {
    /// A part by the slugs of a list, or by the token of a source, or by a vendor.
    pub fn patch_selection(
        &self,
        name: &str,
        listed: Option<&[String]>,
    ) -> Result<PatchSelection, ReadError> {
        if let Some(slugs) = listed {
            let mut found: Vec<u32> =
                slugs.iter().filter_map(|slug| self.find_named(slug)).collect();
            found.sort_unstable();
            return Ok(PatchSelection::Listed(found));
        }
        let filter = match Source::from_token(name) {
            Some(source) => Filter { source: Some(source.token().to_owned()), ..Filter::default() },
            None => Filter { vendor: Some(appstitch_text::fold_case(name)), ..Filter::default() },
        };
        let selection = self.contents.rows.apps.select(&filter);
        if self.contents.rows.apps.count(selection) == 0 {
            return Err(ReadError::UnknownVendor(name.to_owned()));
        }
        Ok(PatchSelection::Of(selection))
    }

    /// The summaries of a part, in slug order.
    pub fn patch_summaries(&self, selection: &PatchSelection) -> Bytes {
        let titles = &self.contents.patch.chosen.titles;
        let rows: Vec<u32> = (0..)
            .zip(titles)
            .filter(|(_, title)| self.is_selected(selection, title.app))
            .map(|(row, _)| row)
            .collect();
        self.list_of(&rows)
    }

    /// The summaries of the titles with these identifiers, each once, in their order. Those that the part
    /// does not have are left out.
    pub fn patch_summaries_of<'a>(
        &self,
        selection: &PatchSelection,
        ids: impl Iterator<Item = &'a str>,
    ) -> Bytes {
        let mut rows = Vec::new();
        for (row, title) in ids.filter_map(|id| self.find_title(id)) {
            if self.is_selected(selection, title.app) && !rows.contains(&row) {
                rows.push(row);
            }
        }
        self.list_of(&rows)
    }

    /// The definition of a title, and the number of its versions.
    pub fn patch_definition(
        &self,
        selection: &PatchSelection,
        id: &str,
        minimum: &str,
    ) -> Result<Definition, ReadError> {
        let unknown = || ReadError::UnknownTitle(id.to_owned());
        let (_, title) = self.find_title(id).ok_or_else(unknown)?;
        if !self.is_selected(selection, title.app) {
            return Err(unknown());
        }
        let app = &self.contents.patch.apps[title.app as usize];
        let history = self.journal().patch_title(&app.slug).ok_or_else(unknown)?;
        Ok(Definition::new(app, title, history, minimum))
    }

    /// The apps of a part without a definition, in slug order.
    pub fn patch_omitted(&self, selection: &PatchSelection) -> Vec<OmittedApp> {
        let patch = &self.contents.patch;
        let omitted = patch.chosen.omitted.iter();
        let selected = omitted.filter(|omission| self.is_selected(selection, omission.app));
        selected
            .map(|omission| {
                let other = omission.other.map(|app| patch.apps[app as usize].slug.as_str());
                let app = &patch.apps[omission.app as usize];
                OmittedApp::new(app, omission.reason, other)
            })
            .collect()
    }

    /// The identifiers of all titles, in the order of their apps.
    pub fn patch_ids(&self) -> impl Iterator<Item = String> {
        let patch = &self.contents.patch;
        patch
            .chosen
            .titles
            .iter()
            .map(|title| title_id(&patch.apps[title.app as usize].slug).into_owned())
    }

    /// The number of versions that a definition has; zero if there is no such title.
    pub fn patch_versions(&self, id: &str) -> usize {
        let slug = |title: Title| &self.contents.patch.apps[title.app as usize].slug;
        let found =
            self.find_title(id).and_then(|(_, title)| self.journal().patch_title(slug(title)));
        found.map_or(0, |history| history.versions.len())
    }

    fn list_of(&self, rows: &[u32]) -> Bytes {
        [b"[", &self.contents.patch.summaries.gather(rows)[..], b"]"].concat().into()
    }

    fn is_selected(&self, selection: &PatchSelection, app: u32) -> bool {
        match selection {
            PatchSelection::Everything => true,
            PatchSelection::Of(selection) => self.contents.rows.apps.contains(*selection, app),
            PatchSelection::Listed(apps) => apps.binary_search(&app).is_ok(),
        }
    }

    /// The number of a title and the title.
    fn find_title(&self, id: &str) -> Option<(u32, Title)> {
        let app = self.contents.patch.find(id, |slug| self.find(slug).ok())?;
        let titles = &self.contents.patch.chosen.titles;
        let row = titles.binary_search_by_key(&app, |title| title.app).ok()?;
        Some((u32::try_from(row).ok()?, titles[row]))
    }
}

//! The apps as titles of the patch source.

use std::{cmp::Reverse, collections::HashMap};

use appstitch_patch_source::{
    Candidate, Chosen, OtherVersion, Standing, Summary, choose, title_id,
};
use appstitch_types::{App, Source};

use crate::{
    entry::Notes,
    journal::Journal,
    rows::{Rows, RowsBuilder},
};

/// What is known of each app, which of them are titles, and the list of these.
#[derive(Default)]
pub(crate) struct PatchTitles {
    pub(crate) apps: Box<[Candidate]>,
    pub(crate) chosen: Chosen,
    /// A summary of each title, in the order of the titles.
    pub(crate) summaries: Rows,
    /// The apps whose identifier is not their slug, by identifier.
    spelled: HashMap<Box<str>, u32>,
}

pub(crate) fn candidate(app: &App, notes: &Notes) -> Candidate {
    let installed = &notes.installed;
    let other = installed.shown_otherwise.clone();
    Candidate {
        slug: app.slug.to_string(),
        name: app.name.clone(),
        vendor: app.vendor.clone(),
        bundle_id: app.bundle_id.clone(),
        has_unsure_id: installed.has_unsure_id,
        version: app.current_version.clone(),
        released: app.latest_release_date,
        app_file: installed.app_file.clone(),
        minimum_macos: installed.minimum_macos.clone(),
        counts_builds: installed.version_place.is_of_build(),
        is_elsewhere: installed.is_elsewhere(),
        other_version: other.map(|other| {
            let (source, version) = (other.source, other.version);
            OtherVersion { source, version }
        }),
        seen: notes.seen.clone(),
        standing: Standing {
            is_variant: notes.variant_of.is_some(),
            is_deprecated: notes.is_deprecated,
            lacks_label: !app.sources.contains(Source::LabelTool),
            recipes: Reverse(notes.recipes),
        },
    }
}

impl PatchTitles {
    pub(crate) fn new(mut apps: Vec<Candidate>) -> Self {
        apps.shrink_to_fit();
        let chosen = choose(&apps);
        let spelled = chosen.titles.iter().filter_map(|title| {
            let slug = apps[title.app as usize].slug.as_str();
            let id = title_id(slug);
            (id != slug).then(|| (id.into_owned().into(), title.app))
        });
        Self { spelled: spelled.collect(), chosen, apps: apps.into(), ..Self::default() }
    }

    /// The same apps, with the versions that the journal knows for titles whose version is in doubt now;
    /// `None` if there are no such titles.
    pub(crate) fn held(&self, journal: &Journal) -> Option<Self> {
        let held = self.chosen.omitted.iter().filter_map(|omission| {
            let app = &self.apps[omission.app as usize];
            let last = journal.patch_title(&app.slug)?;
            Some((omission.app, app.held(last)?))
        });
        let held: Vec<(u32, Candidate)> = held.collect();
        if held.is_empty() {
            return None;
        }
        let mut apps = self.apps.to_vec();
        for (app, last) in held {
            apps[app as usize] = last;
        }
        Some(Self::new(apps))
    }

    /// The position of the app with an identifier. `find` finds a slug.
    pub(crate) fn find(&self, id: &str, find: impl Fn(&str) -> Option<u32>) -> Option<u32> {
        let of_slug = || find(id).filter(|app| title_id(&self.apps[*app as usize].slug) == id);
        self.spelled.get(id).copied().or_else(of_slug)
    }

    /// Makes the list. What was seen earlier is in the journal by now.
    pub(crate) fn list_with(&mut self, journal: &Journal) {
        if let Some(held) = self.held(journal) {
            *self = held;
        }
        let mut summaries = RowsBuilder::new();
        let apps = &mut self.apps;
        self.chosen.titles.retain(|title| {
            let app = &mut apps[title.app as usize];
            app.seen = Vec::new();
            // Every title of the journal's revision has a history.
            let Some(history) = journal.patch_title(&app.slug) else { return false };
            let summary = Summary::new(app, history);
            summaries.push(|buffer| serde_json::to_writer(buffer, &summary)).is_ok()
        });
        self.summaries = summaries.finish();
    }

    pub(crate) fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let texts = |app: &Candidate| {
            app.slug.len()
                + app.name.len()
                + text(&app.vendor)
                + text(&app.bundle_id)
                + text(&app.version)
                + text(&app.app_file)
                + text(&app.minimum_macos)
        };
        size_of_val(&*self.apps)
            + self.apps.iter().map(texts).sum::<usize>()
            + size_of_val(&*self.chosen.titles)
            + size_of_val(&*self.chosen.omitted)
    }
}

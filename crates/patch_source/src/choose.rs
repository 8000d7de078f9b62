//! Which apps get a definition, and why others do not.

use std::collections::HashMap;

use appstitch_text::fold_case;
use appstitch_versions::shown::{has_number_of_channel, is_long_number, is_shown};

use crate::{candidate::Candidate, id::title_id, reason::Reason};

/// The titles and the apps without one, each in the order of the apps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    pub titles: Vec<Title>,
    pub omitted: Vec<Omission>,
}

/// An app with a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Title {
    /// The position of the app.
    pub app: u32,
    /// Whether another app has the same bundle identifier, so that the name of the file decides.
    pub by_file: bool,
}

/// An app without a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    pub app: u32,
    pub reason: Reason,
    /// The position of the app that has what both need.
    pub other: Option<u32>,
}

/// Decides about every app. There are fewer than 2³² of them.
pub fn choose(apps: &[Candidate]) -> Chosen {
    let mut decided: Vec<Result<Title, Omission>> = (0..)
        .zip(apps)
        .map(|(app, candidate)| match unfit(candidate) {
            None => Ok(Title { app, by_file: false }),
            Some(reason) => Err(Omission { app, reason, other: None }),
        })
        .collect();
    share_bundle_ids(apps, &mut decided);
    share_ids(apps, &mut decided);
    let mut chosen = Chosen::default();
    for outcome in decided {
        match outcome {
            Ok(title) => chosen.titles.push(title),
            Err(omission) => chosen.omitted.push(omission),
        }
    }
    chosen
}

/// What is missing, as far as the app itself tells.
pub(crate) fn unfit(app: &Candidate) -> Option<Reason> {
    let Some(version) = app.version.as_deref() else {
        return Some(if app.bundle_id.is_none() { Reason::NoBundleId } else { Reason::NoVersion });
    };
    if app.bundle_id.is_none() {
        Some(Reason::NoBundleId)
    } else if app.has_unsure_id {
        Some(Reason::UnsureBundleId)
    } else if app.counts_builds {
        Some(Reason::BuildVersion)
    } else if app.is_elsewhere {
        Some(Reason::VersionElsewhere)
    } else if !is_shown(version) || app.standing.is_variant && has_number_of_channel(version) {
        Some(Reason::VersionForm)
    } else if is_long_number(version) {
        Some(Reason::BuildVersion)
    } else {
        app.other_version.as_ref().map(|_| Reason::OtherVersion)
    }
}

/// Of several apps with one bundle identifier, those are kept that the name of their file tells apart.
/// If no file is known, only the main app is.
fn share_bundle_ids(apps: &[Candidate], decided: &mut [Result<Title, Omission>]) {
    for group in groups(apps, decided, |app| app.bundle_id.as_deref().map(fold_case)) {
        let file = |app: u32| apps[app as usize].app_file.as_deref().map(fold_case);
        let mut main_of_file: HashMap<String, u32> = HashMap::new();
        let mut by_rank = group.clone();
        by_rank.sort_by_key(|app| rank(apps, *app));
        for app in &by_rank {
            if let Some(file) = file(*app) {
                main_of_file.entry(file).or_insert(*app);
            }
        }
        // The files of variants do not tell an app apart whose file is not known.
        let is_variant = |app: &u32| apps[*app as usize].standing.is_variant;
        let lone = by_rank.first().copied().filter(|main| {
            file(*main).is_none() && !is_variant(main) && by_rank[1..].iter().all(is_variant)
        });
        if lone.is_some() {
            main_of_file.clear();
        }
        for app in &group {
            let main = match file(*app).filter(|_| lone.is_none()) {
                Some(file) => main_of_file.get(&file).copied(),
                None if main_of_file.is_empty() => by_rank.first().copied(),
                None => by_rank.iter().copied().find(|app| file(*app).is_some()),
            };
            decided[*app as usize] = match main {
                Some(main) if main != *app => {
                    let reason = Reason::SharedBundleId;
                    Err(Omission { app: *app, reason, other: Some(main) })
                }
                _ => Ok(Title { app: *app, by_file: main_of_file.len() > 1 }),
            };
        }
    }
}

/// Two slugs can become one identifier.
fn share_ids(apps: &[Candidate], decided: &mut [Result<Title, Omission>]) {
    for mut group in groups(apps, decided, |app| Some(fold_case(&title_id(&app.slug)))) {
        // The app whose slug is the identifier keeps it.
        let is_spelled =
            |app: &u32| title_id(&apps[*app as usize].slug) != apps[*app as usize].slug;
        group.sort_by_key(is_spelled);
        for app in &group[1..] {
            let (reason, other) = (Reason::SharedId, Some(group[0]));
            decided[*app as usize] = Err(Omission { app: *app, reason, other });
        }
    }
}

/// The apps that still have a title and share a key, in their order.
fn groups(
    apps: &[Candidate],
    decided: &[Result<Title, Omission>],
    key: impl Fn(&Candidate) -> Option<String>,
) -> Vec<Vec<u32>> {
    let mut by_key: HashMap<String, Vec<u32>> = HashMap::new();
    for title in decided.iter().flatten() {
        if let Some(key) = key(&apps[title.app as usize]) {
            by_key.entry(key).or_default().push(title.app);
        }
    }
    by_key.into_values().filter(|group| group.len() > 1).collect()
}

fn rank(apps: &[Candidate], app: u32) -> (&crate::Standing, usize, &str) {
    let Candidate { standing, slug, .. } = &apps[app as usize];
    (standing, slug.len(), slug)
}

#[cfg(test)]
mod tests;

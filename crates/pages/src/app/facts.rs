//! The facts about an app, and the notice if it is deprecated.

use appstitch_types::{Deprecation, DeprecationStatus};

use super::known::Known;
use crate::{address::app_page, display::Day, site::Site};

const LISTED: usize = 12;

/// Facts about an app; what is unknown is left out.
pub(super) struct Facts {
    pub(super) released: Option<Day>,
    pub(super) team_id: Option<String>,
    /// Who expects the Team ID.
    pub(super) signer_source: Option<&'static str>,
    pub(super) bundle_id: Option<String>,
    pub(super) download: Option<String>,
    pub(super) method: Option<&'static str>,
    pub(super) sha256: Option<String>,
    pub(super) minimum_macos: Option<String>,
    pub(super) architectures: Option<String>,
    pub(super) updates_itself: bool,
    pub(super) app_files: Listed,
    pub(super) receipts: Listed,
    /// `None` if no source knows; empty if there are none.
    pub(super) blocking: Option<Listed>,
}

#[derive(Default)]
pub(super) struct Listed {
    pub(super) values: Vec<String>,
    /// How many there are besides.
    pub(super) more: usize,
}

impl Listed {
    pub(super) fn of(values: &[String], most: usize) -> Self {
        let shown = values.iter().take(most).cloned().collect();
        Self { values: shown, more: values.len().saturating_sub(most) }
    }
}

impl Facts {
    pub(super) fn of(known: &Known<'_>) -> Self {
        let Known { app, details, provenance, .. } = known;
        let listed = |values: &Option<Vec<String>>| {
            values.as_deref().map(|values| Listed::of(values, LISTED))
        };
        let by_hand = provenance.fields.expected_team_id.as_deref() == Some("records");
        Self {
            released: app.latest_release_date.map(Day),
            team_id: app.expected_team_id.as_ref().map(ToString::to_string),
            signer_source: app
                .expected_team_id
                .as_ref()
                .map(|_| if by_hand { "a manual record" } else { "the Installomator label" }),
            bundle_id: app.bundle_id.clone(),
            download: app.download_url.as_ref().map(ToString::to_string),
            method: app.install_method.map(appstitch_types::InstallMethod::word),
            sha256: app.sha256.as_ref().map(ToString::to_string),
            minimum_macos: details.minimum_macos.clone(),
            architectures: details.architectures.as_deref().map(architectures),
            updates_itself: details.updates_itself == Some(true),
            app_files: listed(&details.app_files).unwrap_or_default(),
            receipts: listed(&details.package_receipts).unwrap_or_default(),
            blocking: listed(&details.blocking_processes),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let texts = [
            &self.team_id, &self.bundle_id, &self.download, &self.minimum_macos,
            &self.architectures,
        ];
        let lists = [&self.app_files, &self.receipts];
        texts.iter().all(|text| text.is_none())
            && lists.iter().all(|list| list.values.is_empty())
            && self.released.is_none()
            && self.blocking.is_none()
            && !self.updates_itself
    }
}

/// The processors that an app runs on, in the words of people.
pub(crate) fn architectures(names: &[String]) -> String {
    let name = |name: &String| match name.as_str() {
        "arm64" => "Apple silicon",
        "x86_64" => "Intel",
        _ => "other",
    };
    names.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// That an app should no longer be deployed.
pub(super) struct Notice {
    pub(super) title: &'static str,
    pub(super) day: Option<Day>,
    pub(super) reason: Option<String>,
    pub(super) disabled_from: Option<Day>,
    /// The name of the replacement, and its page if the catalog has it.
    pub(super) replacement: Option<(String, Option<String>)>,
}

impl Notice {
    pub(super) fn of(site: &Site<'_>, known: &Known<'_>) -> Option<Self> {
        let Deprecation { status, date, reason, replacement, disabled_from } =
            known.details.deprecation.clone()?;
        let page = |name: &str| {
            let position = site.snapshot.find_named(name)?;
            Some(app_page(site.snapshot.slug(position)))
        };
        Some(Self {
            title: match status {
                DeprecationStatus::Deprecated => "Homebrew deprecated this app",
                DeprecationStatus::Disabled => "Homebrew disabled this app",
            },
            day: date.map(Day),
            reason,
            disabled_from: disabled_from.map(Day),
            replacement: replacement.map(|name| {
                let page = page(&name);
                (name, page)
            }),
        })
    }
}

//! A row of an inventory in the form in which it is matched.

use appstitch_text::{
    fold_case,
    normal_name::{has_normal_form, normal},
    served::{self, trimmed},
};
use arrayvec::ArrayVec;

use super::{
    channel::Channel,
    install_location::{InstallLocation, file_name, without_ending},
    installed_version::InstalledVersion,
};
use crate::installed_app::{InstalledApp, InstalledFrom};

/// In bytes, of a name or an identifier.
const LONGEST: usize = 512;

const NAMES: usize = 8;

#[expect(clippy::struct_excessive_bools, reason = "independent facts about a row")]
pub(super) struct Row<'a> {
    pub(super) token: Option<String>,
    /// Folded.
    pub(super) bundle_id: Option<String>,
    pub(super) team_id: Option<String>,
    /// The normal forms of all names, that of the file without `.app` first.
    pub(super) names: ArrayVec<String, NAMES>,
    pub(super) location: InstallLocation,
    pub(super) is_store: bool,
    pub(super) is_system: bool,
    /// Whether the inventory says that it is not from the store.
    pub(super) is_download: bool,
    pub(super) version: InstalledVersion<'a>,
    /// Whether the version is that of a package manager's receipt, not of the app itself.
    pub(super) is_from_receipt: bool,
    file: File,
    path: Option<&'a str>,
    /// The file name as the inventory writes it, without `.app`.
    spelled_file: Option<&'a str>,
    /// The names as the inventory writes them, without `.app`.
    spelled: ArrayVec<&'a str, NAMES>,
    spelled_id: Option<&'a str>,
    spelled_version: Option<&'a str>,
}

/// The normal form of the file name, without `.app`.
enum File {
    Unknown,
    FirstName,
    /// It is none of the names, because it ends in `.app` twice or has no letters.
    Other(String),
}

/// A text that is not empty, not a placeholder and not too long.
fn given(text: Option<&String>) -> Option<&str> {
    let text = trimmed(text?);
    let is_given = !text.is_empty() && text.len() <= LONGEST && !served::is_trimmed_sentinel(text);
    is_given.then_some(text)
}

impl<'a> Row<'a> {
    pub(super) fn of(app: &'a InstalledApp) -> Self {
        let path = given(app.path.as_ref());
        let name = given(app.name.as_ref());
        let file = path.and_then(file_name).or_else(|| name.and_then(without_ending));
        let spelled_file = file;
        let others = app.other_names.iter().filter_map(|name| given(Some(name)));
        let all = file.into_iter().chain(name).chain(others);
        // The same name is usually given several times.
        let mut spelled: ArrayVec<&str, NAMES> = ArrayVec::new();
        for name in all.map(|name| without_ending(name).unwrap_or(name)).take(NAMES) {
            if !spelled.contains(&name) {
                spelled.push(name);
            }
        }
        let mut names: ArrayVec<String, NAMES> = ArrayVec::new();
        for name in spelled.iter().map(|name| normal(name)) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let file = match file {
            None => File::Unknown,
            Some(file) if spelled.first() == Some(&file) && has_normal_form(file) => {
                File::FirstName
            }
            Some(file) => File::Other(normal(file)),
        };
        let bundle_id = given(app.bundle_id.as_ref());
        let location = path.map_or(InstallLocation::Usual, InstallLocation::of);
        Self {
            token: given(app.token.as_ref()).map(fold_case),
            bundle_id: bundle_id.map(fold_case),
            team_id: given(app.team_id.as_ref()).map(str::to_ascii_uppercase),
            names,
            location,
            is_store: app.origin == InstalledFrom::Store || location == InstallLocation::Wrapped,
            is_system: app.origin == InstalledFrom::System,
            is_download: app.origin == InstalledFrom::Developer,
            version: InstalledVersion::of(app),
            is_from_receipt: app.version_from_receipt,
            file,
            path,
            spelled_file,
            spelled,
            spelled_id: bundle_id,
            spelled_version: given(app.short_version.as_ref()),
        }
    }

    pub(super) fn file(&self) -> Option<&str> {
        match &self.file {
            File::Unknown => None,
            File::FirstName => self.names.first().map(String::as_str),
            File::Other(file) => Some(file),
        }
    }

    /// Whether it is where people install apps, not in a library; `None` if its path is unknown.
    pub(super) fn is_among_apps(&self) -> Option<bool> {
        let is_usual = self.location == InstallLocation::Usual;
        self.path.map(|path| is_usual && !path.contains("/Library/"))
    }

    /// The names as the inventory writes them, without `.app`.
    pub(super) fn spelled_names(&self) -> impl Iterator<Item = &'a str> {
        self.spelled.iter().copied()
    }

    /// Whether it is from Setapp, which publishes and updates separate editions of apps.
    pub(super) fn is_from_setapp(&self) -> bool {
        self.spelled_id.is_some_and(|id| id.ends_with("-setapp"))
            || self.path.is_some_and(|path| path.contains("/Setapp/"))
    }

    /// The numbers of major versions that the names of the file and its folder and the bundle
    /// identifier end with: `Sample 4.app`, `com.example.sample2025`.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &'a str> {
        let folder = self.path.and_then(|path| path.rsplit('/').nth(1));
        let names = [self.spelled_file, folder].into_iter().flatten();
        names.filter_map(number_at_end).chain(self.spelled_id.and_then(year_at_end))
    }

    /// The channel that the names, the identifier or the version name. Few rows need it.
    pub(super) fn channel(&self) -> Option<Channel> {
        let is_long_term = |version: &&str| version.ends_with("esr");
        let names = self.spelled.iter().copied().chain(self.spelled_id);
        names
            .into_iter()
            .find_map(Channel::named_in)
            .or_else(|| self.spelled_version.filter(is_long_term).map(|_| Channel::LongTerm))
    }
}

/// The year at the end of a bundle identifier: 2025 in `com.example.sample2025`. Shorter numbers often
/// stay the same while the version counts on.
fn year_at_end(id: &str) -> Option<&str> {
    let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
    let year = &id[id.len() - digits..];
    (year.len() == 4 && year.starts_with("20")).then_some(year)
}

/// The number behind the last blank of a name: 4 in `Sample 4`.
fn number_at_end(name: &str) -> Option<&str> {
    let (_, end) = name.rsplit_once(' ')?;
    let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(end)
}

//! A row of an inventory in the form in which it is matched.

use super::{
    channel::Channel,
    installed_version::InstalledVersion,
    place::{Place, file_name, without_ending},
};
use crate::{InstalledApp, InstalledFrom, fold_case, normal_name::normal, served};

/// The most bytes of a name or an identifier that is compared.
const LONGEST: usize = 512;

/// The most names of a row that are compared.
const NAMES: usize = 8;

/// A row, normalized.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a row")]
pub(super) struct Row<'a> {
    pub(super) token: Option<String>,
    /// Folded.
    pub(super) bundle_id: Option<String>,
    pub(super) team_id: Option<String>,
    /// The normal form of the file name, without `.app`.
    pub(super) file: Option<String>,
    /// The normal forms of all names, the file name included.
    pub(super) names: Vec<String>,
    /// The number at the end of the file name, such as that of `Sample 4.app`.
    pub(super) numbered: Option<String>,
    pub(super) place: Place,
    pub(super) is_store: bool,
    pub(super) is_system: bool,
    /// Whether the inventory says that it is not from the store.
    pub(super) is_download: bool,
    pub(super) channel: Option<Channel>,
    pub(super) version: InstalledVersion<'a>,
    /// Whether the version is that of a package manager's receipt, not the app's own.
    pub(super) is_from_receipt: bool,
}

/// A text that is not empty, not a placeholder and not too long.
fn given(text: Option<&String>) -> Option<&str> {
    let text = text?.trim();
    let is_given = !text.is_empty() && text.len() <= LONGEST && !served::is_sentinel(text);
    is_given.then_some(text)
}

impl<'a> Row<'a> {
    pub(super) fn of(app: &'a InstalledApp) -> Self {
        let path = given(app.path.as_ref());
        let name = given(app.name.as_ref());
        let file = path.and_then(file_name).or_else(|| name.and_then(without_ending));
        let others = app.other_names.iter().filter_map(|name| given(Some(name)));
        let all = file.into_iter().chain(name).chain(others);
        // The same name is usually given several times.
        let mut spelled: Vec<&str> = Vec::new();
        for name in all.map(|name| without_ending(name).unwrap_or(name)).take(NAMES) {
            if !spelled.contains(&name) {
                spelled.push(name);
            }
        }
        let mut names: Vec<String> = Vec::with_capacity(spelled.len());
        for name in spelled.iter().map(|name| normal(name)) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let bundle_id = given(app.bundle_id.as_ref());
        let short = given(app.short_version.as_ref());
        let place = path.map_or(Place::Usual, Place::of);
        Self {
            token: given(app.token.as_ref()).map(fold_case),
            bundle_id: bundle_id.map(fold_case),
            team_id: given(app.team_id.as_ref()).map(str::to_ascii_uppercase),
            file: file.map(normal),
            names,
            numbered: file.and_then(number_at_end),
            place,
            is_store: app.origin == InstalledFrom::Store || place == Place::Wrapped,
            is_system: app.origin == InstalledFrom::System,
            is_download: app.origin == InstalledFrom::Developer,
            channel: spelled
                .iter()
                .find_map(|name| Channel::told_by(name))
                .or_else(|| bundle_id.and_then(Channel::told_by))
                .or_else(|| short.filter(|text| text.ends_with("esr")).map(|_| Channel::LongTerm)),
            version: InstalledVersion::of(app),
            is_from_receipt: app.version_from_receipt,
        }
    }
}

/// The number behind the last blank of a name: 4 in `Sample 4`.
pub(super) fn number_at_end(name: &str) -> Option<String> {
    let (_, end) = name.rsplit_once(' ')?;
    let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| end.to_owned())
}

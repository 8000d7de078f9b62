//! An installed app, as an inventory lists it.

/// One app on one Mac. Inventories differ in what they list, so every field may be missing. An
/// empty text counts as missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstalledApp {
    /// The Mac, if the inventory lists several.
    pub host: Option<String>,
    /// The name: a display name, or a file name with or without `.app`.
    pub name: Option<String>,
    /// Other names of the same app, such as the bundle's name.
    pub other_names: Vec<String>,
    /// The name of a package in a package manager: a cask's token.
    pub token: Option<String>,
    /// `CFBundleIdentifier`.
    pub bundle_id: Option<String>,
    /// `CFBundleShortVersionString`, or the only version that the inventory lists.
    pub short_version: Option<String>,
    /// Whether `short_version` is what a package manager noted when it installed the app. An app
    /// that updates itself may be newer than that.
    pub version_from_receipt: bool,
    /// `CFBundleVersion`.
    pub build: Option<String>,
    pub path: Option<String>,
    pub team_id: Option<String>,
    /// How many Macs have it, if the inventory counts them instead of listing each one. Entries with
    /// a count are versions in use, not copies on the same Mac.
    pub hosts_count: Option<u64>,
    pub origin: InstalledFrom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum InstalledFrom {
    #[default]
    Unknown,
    System,
    Store,
    /// A developer, by a download.
    Developer,
}

//! An installed app, as an inventory lists it.

/// One app on one Mac. Inventories differ in what they list, so every field may be missing. An empty
/// text is missing, too.
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
    /// Whether `short_version` is what a package manager noted when it installed the app. An app that
    /// updates itself may be newer than that. `false` if the version is the app's own.
    pub version_from_receipt: bool,
    /// `CFBundleVersion`.
    pub build: Option<String>,
    /// Where the app is on the Mac.
    pub path: Option<String>,
    /// The Team ID of the signature.
    pub team_id: Option<String>,
    /// How many Macs have it, if the inventory counts them instead of listing each one. Entries with
    /// a count are versions in use, not copies on the same Mac.
    pub hosts_count: Option<u64>,
    /// Where the app came from.
    pub origin: InstalledFrom,
}

/// Where an installed app came from, if the inventory says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum InstalledFrom {
    /// The inventory does not say.
    #[default]
    Unknown,
    /// Part of macOS.
    System,
    /// The Mac App Store.
    Store,
    /// A developer, by a download.
    Developer,
}

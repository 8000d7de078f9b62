//! The rules of the inventory check, by name.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::version_comparison::SameReleaseRule;

crate::words! {
    /// The rule that decided a verdict.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[schema(example = "older_version")]
    pub enum CheckRule {
        /// `system`: the path is one of macOS.
        SystemPath = "system_path",
        /// `system`: the inventory says that the app is a part of macOS.
        SystemOrigin = "system_origin",
        /// `system`: an app of Apple that is not in the catalog.
        AppleBundleId = "apple_bundle_id",
        /// `system`: only the name is known, and it is that of an app of macOS.
        AppleName = "apple_name",
        /// `ignored`: the app is inside another app or another bundle.
        NestedApp = "nested_app",
        /// `ignored`: the folder's name does not end in `.app`, as that of a backup.
        BackupCopy = "backup_copy",
        /// `ignored`: in the trash, among the downloads, in a cache, on a mounted image or in a temporary
        /// folder.
        NotInstalled = "not_installed",
        /// `ignored`: a web site that a browser keeps as an app.
        WebApp = "web_app",
        /// `ignored`: the same Mac has a newer copy, or the same version in a better place.
        OtherCopy = "other_copy",
        /// `unmatched`: the row has neither a name nor an identifier.
        NoIdentity = "no_identity",
        /// `unmatched`: no cask and no label has the token.
        UnknownToken = "unknown_token",
        /// `unmatched`: neither the bundle identifier nor the name is known.
        UnknownBundleId = "unknown_bundle_id",
        /// `unmatched`: apps with this name are known, but they have another bundle identifier, another
        /// Team ID or another file name.
        OtherIdentity = "other_identity",
        /// `unmatched`: the name is not known.
        UnknownName = "unknown_name",
        /// `unmatched`: only the name is known, and it is too short to identify an app.
        ShortName = "short_name",
        /// `ambiguous`: several apps fit.
        SeveralApps = "several_apps",
        /// `store`: the catalog has no store listing of the app, or an older one, or the app is from Setapp.
        NoStoreListing = "no_store_listing",
        /// `store`: it is the version of the store, so it may be the store's edition, which can be
        /// behind the vendor's.
        StoreVersion = "store_version",
        /// `no_version`: the inventory has no usable version.
        NoInstalledVersion = "no_installed_version",
        /// `no_version`: the catalog has no version.
        NoCatalogVersion = "no_catalog_version",
        /// Both versions are the same text.
        Equal = "equal",
        /// The same after normalization: `v4.32` and `4.32.0`.
        SameVersion = "same_version",
        /// One has a build, and the other has none: `5.0.4,1234` and `5.0.4`.
        BuildOnOneSide = "build_on_one_side",
        /// One has the build number appended: `3.8.2` and `3.8.2.6009`, or `3.8.2-1`.
        BuildBehind = "build_behind",
        /// Both have the same build in different places: `3.8.2,6009` and `3.8.2.6009`.
        SameBuild = "same_build",
        /// One is only the build: `6009` and `3.8.2,6009`.
        BuildAlone = "build_alone",
        /// The same text apart from case and separators.
        SameText = "same_text",
        /// The same numbers, and a build is set off differently: `8u502-b07` and `8,502,07`.
        SameNumbers = "same_numbers",
        /// One has the release between other numbers: `8.18.0` and `2603-8.18.0-24230061568`.
        VersionInside = "version_inside",
        /// One has two digits of the year: `26.2.1` and `2026.2.1`.
        ShortYear = "short_year",
        /// One has a word that is not part of the version: `Build 4200` and `4200`.
        WordOnOneSide = "word_on_one_side",
        /// One has only the first parts: `8.34` and `8.34.26223.11002`.
        SaysLess = "says_less",
        /// One has lost separators: `2681` and `26.8.1`.
        RunTogether = "run_together",
        /// One has lost the letters at the end: `1.21.15` and `1.21.15b`.
        LettersLost = "letters_lost",
        /// One has lost the zero of a decimal number: `7.3` and `7.30`.
        ZeroLost = "zero_lost",
        /// One has lost its first part: `0.5.1` and `2.0.5.1`.
        FirstPartLost = "first_part_lost",
        /// The installed build is the catalog's version or a part of it.
        InstalledBuild = "installed_build",
        /// `current`: the version of a maintained cask. Another source states a newer one.
        CaskVersion = "cask_version",
        /// The installed version has a part before that of the catalog: `137.1.79.123` and `1.79.123`.
        PartBefore = "part_before",
        /// `outdated`: the installed version is older.
        OlderVersion = "older_version",
        /// `outdated`: the installed build is older.
        OlderBuild = "older_build",
        /// `newer`: the installed version is newer.
        NewerVersion = "newer_version",
        /// `newer`: the installed build is newer.
        NewerBuild = "newer_build",
        /// `not_comparable`: a version has no order, such as a date or a word.
        Unordered = "unordered",
        /// `not_comparable`: the versions are counted differently.
        OtherScheme = "other_scheme",
        /// `not_comparable`: one version has more parts, and the others are equal: `122.0` and
        /// `122.0.1`.
        MoreParts = "more_parts",
        /// `not_comparable`: older than the version of one source, but newer than that of the cask.
        SourcesDisagree = "sources_disagree",
        /// `not_comparable`: another major version that is sold as a product of its own.
        OtherMajor = "other_major",
        /// `not_comparable`: older, but only the version that a package manager installed is known, and
        /// the app updates itself.
        SelfUpdating = "self_updating",
    }
}

impl From<SameReleaseRule> for CheckRule {
    fn from(rule: SameReleaseRule) -> Self {
        match rule {
            SameReleaseRule::SameVersion => Self::SameVersion,
            SameReleaseRule::BuildOnOneSide => Self::BuildOnOneSide,
            SameReleaseRule::BuildBehind => Self::BuildBehind,
            SameReleaseRule::SameBuild => Self::SameBuild,
            SameReleaseRule::BuildAlone => Self::BuildAlone,
            SameReleaseRule::SameText => Self::SameText,
            SameReleaseRule::SameNumbers => Self::SameNumbers,
            SameReleaseRule::VersionInside => Self::VersionInside,
            SameReleaseRule::ShortYear => Self::ShortYear,
            SameReleaseRule::WordOnOneSide => Self::WordOnOneSide,
            SameReleaseRule::SaysLess => Self::SaysLess,
            SameReleaseRule::RunTogether => Self::RunTogether,
            SameReleaseRule::LettersLost => Self::LettersLost,
            SameReleaseRule::ZeroLost => Self::ZeroLost,
            SameReleaseRule::FirstPartLost => Self::FirstPartLost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_written_as_its_word_and_no_word_is_used_twice() {
        let mut words: Vec<&str> = CheckRule::ALL.iter().map(|rule| rule.word()).collect();
        for rule in CheckRule::ALL {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.word());
        }
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), CheckRule::ALL.len());
    }
}

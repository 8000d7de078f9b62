//! The rules of the check in words.

use appstitch_types::inventory::{CheckRule, CheckedApp, MatchedBy};

/// Why an app got its verdict, and what led to the app of the catalog.
pub(super) fn why(app: &CheckedApp) -> String {
    let reason = reason(app.rule);
    match app.matched_by {
        Some(by) => format!("{reason}; found by {}", way(by)),
        None => reason.to_owned(),
    }
}

pub(super) fn way(by: MatchedBy) -> &'static str {
    match by {
        MatchedBy::Token => "token",
        MatchedBy::BundleId => "bundle ID",
        MatchedBy::NameAndTeamId => "name and Team ID",
        MatchedBy::Name => "name",
    }
}

pub(super) fn reason(rule: CheckRule) -> &'static str {
    match rule {
        CheckRule::SystemPath => "In a folder of macOS",
        CheckRule::SystemOrigin => "Part of macOS",
        CheckRule::AppleBundleId => "App of Apple, not in the catalog",
        CheckRule::AppleName => "Named like an app of macOS",
        CheckRule::NestedApp => "Inside another app",
        CheckRule::BackupCopy => "Backup copy",
        CheckRule::NotInstalled => "In the trash, a download or an image",
        CheckRule::WebApp => "Web site kept as an app",
        CheckRule::OtherCopy => "Another copy on the Mac counts",
        CheckRule::NoIdentity => "Neither a name nor a bundle ID",
        CheckRule::UnknownToken => "Token not in the catalog",
        CheckRule::UnknownBundleId => "Bundle ID not in the catalog",
        CheckRule::OtherIdentity => "Same name, but another app",
        CheckRule::UnknownName => "Name not in the catalog",
        CheckRule::ShortName => "Name too short to match",
        CheckRule::SeveralApps => "Several apps fit",
        CheckRule::NoStoreListing => "App Store has no version to compare",
        CheckRule::StoreVersion => "Version of the App Store",
        CheckRule::NoInstalledVersion => "No version in the list",
        CheckRule::NoCatalogVersion => "No version in the catalog",
        CheckRule::Equal => "Same version",
        CheckRule::SameVersion
        | CheckRule::BuildOnOneSide
        | CheckRule::BuildBehind
        | CheckRule::SameBuild
        | CheckRule::BuildAlone
        | CheckRule::SameText
        | CheckRule::SameNumbers
        | CheckRule::VersionInside
        | CheckRule::ShortYear
        | CheckRule::WordOnOneSide
        | CheckRule::SaysLess
        | CheckRule::RunTogether
        | CheckRule::LettersLost
        | CheckRule::ZeroLost
        | CheckRule::FirstPartLost
        | CheckRule::InstalledBuild
        | CheckRule::PartBefore => "Same release, written differently",
        CheckRule::CaskVersion => "Version of Homebrew; another source states a newer one",
        CheckRule::OlderVersion => "Older version",
        CheckRule::OlderBuild => "Older build",
        CheckRule::NewerVersion => "Newer version",
        CheckRule::NewerBuild => "Newer build",
        CheckRule::Unordered => "Versions have no order",
        CheckRule::OtherScheme => "Uses another numbering",
        CheckRule::MoreParts => "One version has more parts",
        CheckRule::SourcesDisagree => "Sources disagree",
        CheckRule::OtherMajor => "Another major version, sold apart",
        CheckRule::SelfUpdating => "Updates itself; installed version unknown",
    }
}

/// The words of a rule or of a way, for the script.
pub(super) struct Word {
    pub(super) token: &'static str,
    pub(super) text: &'static str,
}

pub(super) fn words() -> Vec<Word> {
    let rules = CheckRule::ALL.iter().map(|rule| Word { token: rule.word(), text: reason(*rule) });
    let ways = MatchedBy::ALL.into_iter().map(|by| Word { token: by.word(), text: way(by) });
    rules.chain(ways).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reason_is_a_token_and_no_word_means_two_things() {
        let words = words();
        for (number, word) in words.iter().enumerate() {
            assert!(!word.text.contains('_'), "{}", word.text);
            assert!(
                words[..number].iter().all(|other| other.token != word.token),
                "{}",
                word.token
            );
        }
    }
}

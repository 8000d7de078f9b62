//! The places in a cask that name the bundle identifier of an app.

use super::is_bundle_id;
use crate::cask::is_pattern;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Trace {
    Quit,
    Signal,
    Preferences,
    PreferencesOfOneMac,
    SavedState,
    RecentDocuments,
    Container,
    Scripts,
    Cache,
    Storage,
    Cookies,
    WebKit,
    /// A folder of a crash reporter or of the system, with one entry per app.
    Records,
    HelpIndex,
    Support,
    Log,
}

/// Folders whose entries are named after bundle identifiers, with the ending of the entries. A
/// folder inside another one is first.
const FOLDERS: [(&str, &str, Trace); 22] = [
    ("/Preferences/ByHost/", ".plist", Trace::PreferencesOfOneMac),
    ("/Preferences/", ".plist", Trace::Preferences),
    ("/Saved Application State/", ".savedState", Trace::SavedState),
    ("/com.apple.LSSharedFileList.ApplicationRecentDocuments/", ".sfl", Trace::RecentDocuments),
    ("/Containers/", "", Trace::Container),
    ("/Application Scripts/", "", Trace::Scripts),
    ("/Caches/com.plausiblelabs.crashreporter.data/", "", Trace::Records),
    ("/Caches/com.crashlytics.data/", "", Trace::Records),
    ("/Caches/io.fabric.sdk.mac.data/", "", Trace::Records),
    ("/Caches/CloudKit/", "", Trace::Records),
    ("/Caches/com.apple.nsurlsessiond/Downloads/", "", Trace::Records),
    ("/Caches/com.apple.helpd/Generated/", ".help", Trace::HelpIndex),
    ("/Caches/", "", Trace::Cache),
    ("/HTTPStorages/", ".binarycookies", Trace::Storage),
    ("/HTTPStorages/", "", Trace::Storage),
    ("/Cookies/", ".binarycookies", Trace::Cookies),
    ("/WebKit/", "", Trace::WebKit),
    ("/Application Support/CrashReporter/", "", Trace::Log),
    ("/Application Support/", "", Trace::Support),
    ("/Autosave Information/", ".plist", Trace::Support),
    ("/Logs/DiagnosticReports/", "", Trace::Log),
    ("/Logs/", "", Trace::Log),
];

/// The first parts of identifiers with only two parts. In folders with free names, other such
/// names are files (`Counts.txt`) and versions (`Sample2026.1`).
const TOP_LEVELS: [&str; 9] = ["com", "org", "net", "io", "app", "dev", "me", "co", "de"];

/// What a file name contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named<'a> {
    Id(&'a str),
    /// The beginning of the identifier: `com.example.app*`.
    Beginning(&'a str),
}

impl Trace {
    pub(super) const fn weight(self) -> i32 {
        match self {
            Self::Quit => 7,
            Self::Signal => 5,
            Self::Preferences | Self::SavedState | Self::RecentDocuments | Self::Container => 3,
            Self::PreferencesOfOneMac
            | Self::Scripts
            | Self::Cache
            | Self::Storage
            | Self::Cookies
            | Self::WebKit
            | Self::Records => 2,
            Self::HelpIndex | Self::Support | Self::Log => 1,
        }
    }

    /// Whether the name can only be an identifier. Other folders also have entries with free
    /// names.
    pub(super) const fn is_of_an_app(self) -> bool {
        !matches!(self, Self::HelpIndex | Self::Support | Self::Log)
    }

    /// Whether only a program with windows or files leaves it, no part.
    pub(super) const fn is_of_a_running_app(self) -> bool {
        matches!(
            self,
            Self::Quit
                | Self::Signal
                | Self::SavedState
                | Self::RecentDocuments
                | Self::Container
                | Self::WebKit
        )
    }

    /// Whether extensions inside an app also have it.
    pub(super) const fn is_of_an_extension(self) -> bool {
        matches!(
            self,
            Self::Container | Self::Scripts | Self::Preferences | Self::Support | Self::Log
        )
    }

    /// The order in which spellings are preferred. The system writes the names of its lists of
    /// documents in lowercase.
    pub(super) const fn spelling(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Preferences => 1,
            Self::RecentDocuments => 3,
            _ => 2,
        }
    }

    /// The identifier that the last part of a path is named after.
    pub(super) fn of_path(path: &str) -> Option<(Self, Named<'_>)> {
        let (above, name) = path.split_at(path.rfind('/')? + 1);
        let named = FOLDERS.iter().find_map(|(folder, ending, trace)| {
            // Few paths end in a folder, so this is faster than a search for all of them. The name of
            // a folder inside one of the same name is not an identifier.
            let start = above.len().checked_sub(folder.len())?;
            if !above.ends_with(folder) || above.find(folder) != Some(start) {
                return None;
            }
            let named = match (trace, Named::read(name, ending)?) {
                // Nothing but the ending follows the dot: `com.example.app.*`.
                (Self::RecentDocuments, Named::Beginning(id)) if name.ends_with(".*") => {
                    Named::Id(id)
                }
                (_, named) => named,
            };
            trace.fits(named).then_some((*trace, named))
        });
        let elsewhere = || {
            let id = name.strip_suffix(".plist").unwrap_or(name);
            let depth = above.strip_prefix("~/Library/")?.matches('/').count();
            let first = id.split('.').next().filter(|_| depth <= 2)?;
            let is_id =
                TOP_LEVELS.contains(&first) && id.split('.').count() > 2 && is_bundle_id(id);
            is_id.then_some((Self::Support, Named::Id(id)))
        };
        named.or_else(elsewhere)
    }

    fn fits(self, named: Named<'_>) -> bool {
        let (Named::Id(id) | Named::Beginning(id)) = named;
        let Some((first, second)) = id.split_once('.') else { return false };
        let is_short = !second.contains('.');
        let has_free_names = matches!(self, Self::Cache | Self::Support | Self::Log);
        is_bundle_id(id)
            && !(is_short && second.bytes().all(|byte| byte.is_ascii_digit()))
            && !(is_short && has_free_names && !TOP_LEVELS.contains(&first))
    }
}

impl<'a> Named<'a> {
    fn read(name: &'a str, ending: &str) -> Option<Self> {
        let beginning = |text: &'a str| {
            let text = text.strip_suffix('*')?.trim_end_matches(['.', '-', '_']);
            (!is_pattern(text)).then_some(Self::Beginning(text))
        };
        if ending.is_empty() {
            return if is_pattern(name) { beginning(name) } else { Some(Self::Id(name)) };
        }
        let Some(end) = name.rfind(ending) else { return beginning(name) };
        // The lists of documents have a version behind their ending: `.sfl2`, `.sfl*`.
        let rest = &name[end + ending.len()..];
        if !matches!(rest, "" | "*" | "2" | "3" | "4") {
            return None;
        }
        let id = &name[..end];
        if is_pattern(id) { beginning(id) } else { Some(Self::Id(id)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<(Trace, Named<'_>)> {
        Trace::of_path(path)
    }

    #[test]
    fn files_are_named_after_the_app() {
        let app = Named::Id("com.example.app");
        let documents = "~/Library/x/com.apple.LSSharedFileList.ApplicationRecentDocuments/com.example.app.sfl*";
        assert_eq!(
            read("~/Library/Preferences/com.example.app.plist"),
            Some((Trace::Preferences, app))
        );
        assert_eq!(read(documents), Some((Trace::RecentDocuments, app)));
        let documents = documents.replace("sfl*", "*");
        assert_eq!(read(&documents), Some((Trace::RecentDocuments, app)));
        assert_eq!(
            read("~/Library/HTTPStorages/com.example.app.binarycookies"),
            Some((Trace::Storage, app))
        );
        assert_eq!(
            read("~/Library/Caches/com.crashlytics.data/com.example.app"),
            Some((Trace::Records, app))
        );
    }

    #[test]
    fn a_pattern_names_the_beginning() {
        let beginning = Some((Trace::Preferences, Named::Beginning("com.example.app")));
        assert_eq!(read("~/Library/Preferences/com.example.app*.plist"), beginning);
        assert_eq!(read("~/Library/Preferences/com.example.app.*"), beginning);
        assert_eq!(read("~/Library/Preferences/*.example.app.plist"), None);
    }

    #[test]
    fn other_files_have_other_names() {
        for path in [
            "~/Library/Caches/SampleCounts.txt",
            "~/Library/Caches/Sample2026.1",
            "~/Library/Caches/Some Folder",
            "~/Library/Caches/com.example.app/part",
            "~/Library/Caches/x/Caches/com.example.app",
            "~/Library/Preferences/Sample2026.1.plist",
            "com.example.app",
            "/",
            "",
        ] {
            assert_eq!(read(path), None, "{path}");
        }
        assert!(read("~/Library/Containers/maker.Sample").is_some(), "only identifiers are here");
    }
}

//! What the path of an app says about it.

use appstitch_text::served::trimmed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstallLocation {
    /// A folder for installed apps, or unknown.
    Usual,
    /// Part of macOS.
    System,
    /// Inside another app or another bundle.
    Nested,
    /// An iPhone or iPad app inside the Mac's wrapper.
    Wrapped,
    /// A folder whose name does not end in `.app`.
    Backup,
    /// The trash, the downloads, a cache, a mounted image or a temporary folder.
    NotInstalled,
    /// A folder in which a browser keeps web sites as apps.
    WebApps,
}

const SYSTEM: [&str; 5] =
    ["/system/", "/library/apple/", "/usr/", "/library/coreservices/", "/library/image capture/"];

/// Where macOS mounts the volume of everything that is not a part of it. The same folders are also
/// at the root.
const DATA_VOLUME: &str = "/system/volumes/data";

/// The folder below `/usr` that is not a part of macOS.
const LOCAL: &str = "/usr/local/";

/// Folders whose apps are not installed: mounted images and temporary files.
const TEMPORARY: [&str; 4] = ["/volumes/", "/private/var/", "/private/tmp/", "/tmp/"];

/// Names of folders whose apps are not installed, wherever the folder is.
const UNUSED: [&str; 6] =
    [".trash", ".trashes", "apptranslocation", "backups.backupdb", "caches", "downloads"];

/// The ending of the folders in which browsers keep web sites as apps: `Chrome Apps.localized`.
const WEB_APPS: &str = " apps.localized";

const BUNDLES: [&str; 9] = [
    ".app", ".appex", ".bundle", ".component", ".framework", ".kext", ".plugin", ".prefpane",
    ".xpc",
];

impl InstallLocation {
    pub(super) fn of(path: &str) -> Self {
        let path = trimmed(path).trim_end_matches('/');
        // Most apps are here, with a plain name.
        let file = path.strip_prefix("/Applications/").and_then(|file| file.strip_suffix(".app"));
        if file.is_some_and(|file| !file.contains(['/', '.'])) {
            return Self::Usual;
        }
        let path = path.to_ascii_lowercase();
        let path = match path.strip_prefix(DATA_VOLUME) {
            Some(rest) if rest.starts_with('/') => rest,
            _ => &path,
        };
        let is_below = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
        if is_below(&SYSTEM) && !path.starts_with(LOCAL) {
            return Self::System;
        }
        let Some((folder, file)) = path.rsplit_once('/') else { return Self::Usual };
        if is_app_of_framework(folder, file) {
            return Self::Usual;
        }
        let mut folders = folder.split('/').peekable();
        while let Some(name) = folders.next() {
            if BUNDLES.iter().any(|ending| name.ends_with(ending) && name.len() > ending.len()) {
                let is_wrapper = folders.peek().is_some_and(|next| next.starts_with("wrap"));
                return if is_wrapper { Self::Wrapped } else { Self::Nested };
            }
        }
        if is_below(&TEMPORARY) || folder.split('/').any(|name| UNUSED.contains(&name)) {
            return Self::NotInstalled;
        }
        if folder.split('/').any(|name| name.ends_with(WEB_APPS)) {
            return Self::WebApps;
        }
        // `Sample.app.back`, but also a row for something that is not an app.
        if file.contains(".app.") || file.contains(".app-") || file.contains(".app_") {
            return Self::Backup;
        }
        Self::Usual
    }

    /// How usual a path is: of two copies of the same version, the one with the lower number counts.
    pub(super) fn rank(path: Option<&str>) -> (u8, usize) {
        let Some(path) = path else { return (2, 0) };
        let is_usual = path.strip_prefix("/Applications/").is_some_and(|rest| !rest.contains('/'));
        let is_home = path.starts_with("/Users/") && !path.starts_with("/Users/Shared/");
        (u8::from(!is_usual) + u8::from(is_home), path.len())
    }
}

pub(super) fn file_name(path: &str) -> Option<&str> {
    let path = trimmed(path).trim_end_matches('/');
    let start = memchr::memrchr(b'/', path.as_bytes()).map_or(0, |slash| slash + 1);
    without_ending(&path[start..])
}

/// A name without `.app`; `None` if it has no such ending.
pub(super) fn without_ending(name: &str) -> Option<&str> {
    let start = name.len().checked_sub(".app".len())?;
    let (front, ending) = name.split_at_checked(start)?;
    (ending.eq_ignore_ascii_case(".app") && !front.is_empty()).then_some(front)
}

/// Whether an app is what its framework is installed for, such as Python's: it has the same name, and
/// the framework is not inside another app.
fn is_app_of_framework(folder: &str, file: &str) -> bool {
    let framework =
        folder.strip_prefix("/library/frameworks/").and_then(|rest| rest.split('/').next());
    let name = framework.and_then(|name| name.strip_suffix(".framework"));
    name.is_some_and(|name| file.strip_suffix(".app") == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_whether_an_app_is_installed() {
        for (path, location) in [
            ("/Applications/Sample.app", InstallLocation::Usual),
            ("/Applications/Sample/Sample.app/", InstallLocation::Usual),
            ("/Library/Application Support/Vendor/Sample.app", InstallLocation::Usual),
            ("/Users/anna/Applications/Sample.app", InstallLocation::Usual),
            ("/Users/anna/.cache/tool/Sample.app", InstallLocation::Usual),
            ("Sample.app", InstallLocation::Usual),
            ("", InstallLocation::Usual),
            ("/System/Applications/Console.app", InstallLocation::System),
            ("/System/Library/CoreServices/Finder.app", InstallLocation::System),
            ("/System/Volumes/Data/Applications/Slack.app", InstallLocation::Usual),
            ("/SYSTEM/volumes/data/Users/anna/Downloads/Sample.app", InstallLocation::NotInstalled),
            ("/System/Volumes/Data/Library/Apple/Sample.app", InstallLocation::System),
            ("/System/Volumes/Database/Sample.app", InstallLocation::System),
            ("/usr/local/Cellar/emacs/30.1/Emacs.app", InstallLocation::Usual),
            ("/usr/libexec/Sample.app", InstallLocation::System),
            ("/Applications/Sample.app/Contents/MacOS/Helper.app", InstallLocation::Nested),
            (
                "/Library/Frameworks/Python.framework/Versions/3/Resources/Python.app",
                InstallLocation::Usual,
            ),
            ("/Library/Frameworks/Python.framework/Helper.app", InstallLocation::Nested),
            (
                "/Applications/Sample.app/Contents/Frameworks/Python.framework/Python.app",
                InstallLocation::Nested,
            ),
            ("/Applications/Sample.app/Wrapper/Sample.app", InstallLocation::Wrapped),
            ("/Applications/Sample.app.back", InstallLocation::Backup),
            ("/Volumes/Sample 1.0/Sample.app", InstallLocation::NotInstalled),
            ("/Users/anna/.Trash/Sample.app", InstallLocation::NotInstalled),
            ("/Users/anna/Downloads/Sample/Sample.app", InstallLocation::NotInstalled),
            ("/private/var/folders/x/Sample.app", InstallLocation::NotInstalled),
        ] {
            assert_eq!(InstallLocation::of(path), location, "{path}");
        }
    }

    #[test]
    fn the_file_name_is_the_last_part_without_its_ending() {
        assert_eq!(file_name("/Applications/Sample.app/"), Some("Sample"));
        assert_eq!(file_name("Sample.APP"), Some("Sample"));
        assert_eq!(file_name("/Applications/.app"), None);
        assert_eq!(file_name("/usr/bin/sample"), None);
    }
}

//! The names of the apps that are part of macOS.
//!
//! They matter only if nothing but the name is known: many apps of other vendors have the same names.

/// The normal forms of the names, sorted.
const NAMES: &[&str] = &[
    "activitymonitor", "airportutility", "appstore", "audiomidisetup", "automator",
    "bluetoothfileexchange", "books", "calculator", "calendar", "chess", "clock",
    "colorsyncutility", "console", "contacts", "dictionary", "digitalcolormeter", "diskutility",
    "facetime", "finder", "findmy", "fontbook", "freeform", "grapher", "home", "imagecapture",
    "journal", "keychainaccess", "launchpad", "magnifier", "mail", "maps", "messages",
    "migrationassistant", "missioncontrol", "music", "news", "notes", "passwords", "phone",
    "photobooth", "photos", "podcasts", "preview", "printcenter", "quicktimeplayer", "reminders",
    "safari", "screensharing", "screenshot", "scripteditor", "shortcuts", "siri", "stickies",
    "stocks", "systeminformation", "systempreferences", "systemsettings", "terminal", "textedit",
    "timemachine", "tips", "tv", "voicememos", "voiceoverutility", "weather",
];

pub(super) fn is_name_of_macos(normal: &str) -> bool {
    NAMES.binary_search(&normal).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted_and_found() {
        assert!(NAMES.is_sorted());
        assert!(is_name_of_macos("console"));
        assert!(!is_name_of_macos("firefox"));
    }
}

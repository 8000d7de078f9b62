//! Why the label tool cannot install what a cask downloads.

use serde_json::{Map, Value};

use crate::{cask::CaskFacts, package_type};

/// Stanzas that install something else than an app or a package, and what that is.
const OTHER_KINDS: [(&str, &str); 17] = [
    ("artifact", "files"),
    ("audio_unit_plugin", "an audio plug-in"),
    ("binary", "a command"),
    ("colorpicker", "a color picker"),
    ("command_wrapper", "a command"),
    ("dictionary", "a dictionary"),
    ("font", "fonts"),
    ("input_method", "an input method"),
    ("keyboard_layout", "a keyboard layout"),
    ("mdimporter", "a Spotlight importer"),
    ("prefpane", "a preference pane"),
    ("qlplugin", "a Quick Look plug-in"),
    ("screen_saver", "a screen saver"),
    ("service", "a service"),
    ("stage_only", "files"),
    ("vst3_plugin", "an audio plug-in"),
    ("vst_plugin", "an audio plug-in"),
];

/// The reason why a cask's download has no type; `None` if only its format is unknown.
pub(super) fn reason(cask: &CaskFacts, entry: &Map<String, Value>) -> Option<String> {
    let artifacts = || entry.get("artifacts").and_then(Value::as_array).into_iter().flatten();
    let has = |stanza: &str| artifacts().any(|artifact| artifact.get(stanza).is_some());
    let brings_apps = !cask.app_names.is_empty() || cask.installer.is_some();
    if brings_apps && !cask.packages.is_empty() {
        return Some("the cask installs an app and a package, but a label only one".to_owned());
    }
    if brings_apps || !cask.packages.is_empty() {
        let known = cask.url.as_ref().and_then(|url| package_type::extension(url.as_str()));
        return known.map(|_| "Installomator cannot unpack what the download contains".to_owned());
    }
    if has("installer") {
        return Some("the cask needs a user or runs a script; no label can install it".to_owned());
    }
    if has("suite") {
        return Some("the cask installs a folder; Installomator needs the app in it".to_owned());
    }
    let (_, what) = OTHER_KINDS.into_iter().find(|(stanza, _)| has(stanza))?;
    Some(format!("the cask installs {what} and no app; no label can install it"))
}

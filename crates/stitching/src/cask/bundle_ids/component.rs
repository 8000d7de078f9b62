//! Identifiers that are not the app's: helpers, updaters, extensions, groups, libraries.

use appstitch_text::normal_name::normal;

use super::product::Product;

const COMPONENTS: [&str; 39] = [
    "helper", "agent", "updat", "install", "remove", "shipit", "daemon", "crashreport", "crashpad",
    "crashhandler", "errorreport", "loginitem", "launchatlogin", "startatlogin", "findersync",
    "finderext", "safariext", "extension", "quicklook", "thumbnail", "importer", "widget",
    "sparkle", "prefpane", "preferencepane", "renderer", "service", "notification", "plugin",
    "downloader", "fileprovider", "fprovider", "sharemenu", "helpbook", "menubar", "wizard",
    "dialog", "container", "backgrounder",
];

/// Whole last parts of a component's identifier.
const LAST_PARTS: [&str; 24] = [
    "alarm", "bootstrap", "cli", "finder", "group", "help", "intents", "keychain", "licensing",
    "menu", "monitor", "preference", "preferences", "prefs", "registration", "setup", "share",
    "shared", "sync", "tests", "today", "tool", "watchdog", "xpc",
];

/// Whole middle parts of a component's identifier: `com.example.helper.renderer`.
const MIDDLE_PARTS: [&str; 8] =
    ["agent", "extension", "helper", "launcher", "plugin", "preferencepanes", "service", "shipit"];

/// The beginnings of identifiers of groups, of clouds and of libraries that many apps contain.
const NOT_APPS: [&str; 13] = [
    // Run-times that many products bring.
    "net.java.openjdk.",
    "org.eclipse.platform.",
    "group.",
    "icloud.",
    "org.sparkle-project.",
    "com.plausiblelabs.",
    "com.crashlytics",
    "io.fabric.",
    "net.hockeyapp.",
    "com.bugsnag.",
    "bugsnag-shared-",
    "com.microsoft.appcenter",
    "com.google.keystone",
];

/// Words that only parts of an app have in their identifiers, or the files of its settings.
const PARTS: [&str; 9] = [
    "default", "dext", "driver", "engine", "history", "lssharedfilelist", "pane", "preferences",
    "printers",
];

/// How the last parts of such identifiers end.
const ENDS: [&str; 3] = ["engine", "menu", "prefs"];

/// The beginnings of identifiers that a run-time gives to programs of many makers, or to its own tools.
const RUNTIMES: [&str; 3] = ["com.install4j.", "com.sap.openjdk.", "org.struma.mkxp"];

/// Whether the identifier is given by a run-time.
pub(super) fn is_of_a_runtime(id: &str) -> bool {
    let lowercase = id.to_ascii_lowercase();
    RUNTIMES.iter().any(|start| lowercase.starts_with(start))
}

/// Whether the identifier is named like a part of an app. Some apps have such identifiers, too.
pub(super) fn may_be_of_a_part(id: &str, product: &Product) -> bool {
    let parts: Vec<String> = id.split('.').map(normal).collect();
    let is_named = |word: &str| product.all.iter().any(|name| name.contains(word));
    let own = &parts[parts.len().min(3) - 1..];
    let last = own.last().map_or("", String::as_str);
    own.iter().any(|part| PARTS.contains(&part.as_str()) && !is_named(part))
        || ENDS.iter().any(|end| last.ends_with(end) && !is_named(end))
}

/// Whether the identifier belongs to a component or another product. A word that is also in the
/// product's name does not make it a component: the app of Sample Updater is
/// `com.example.sampleupdater`.
pub(super) fn is_foreign(id: &str, product: &Product) -> bool {
    let lowercase = id.to_ascii_lowercase();
    if lowercase.starts_with("com.apple.") && !product.is_of_apple {
        return true;
    }
    let parts: Vec<String> = id.split('.').map(normal).collect();
    is_of_no_app(id) || is_component(&parts, product)
}

/// Whether the identifier is of a group or of a library, or has a hash, whatever the product.
pub(crate) fn is_of_no_app(id: &str) -> bool {
    let lowercase = id.to_ascii_lowercase();
    has_team_id(id) || has_hash(id) || NOT_APPS.iter().any(|start| lowercase.starts_with(start))
}

/// Whether the identifier may be of an app that comes along with the product: a launcher, or the
/// product's name with a component's word. Some products have only this one.
pub(super) fn is_companion(id: &str, product: &Product) -> bool {
    let last = normal(id.rsplit('.').next().unwrap_or_default());
    let is_named = |word: &str| product.all.iter().any(|name| name.contains(word));
    let mut rests = product.all.iter().filter_map(|name| last.strip_prefix(name.as_str()));
    (last.contains("launcher") && !is_named("launcher"))
        || rests.any(|word| LAST_PARTS.contains(&word) && !is_named(word))
}

fn is_component(parts: &[String], product: &Product) -> bool {
    let is_named = |word: &str| product.all.iter().any(|name| name.contains(word));
    // The first parts name the maker, if there are enough parts.
    let Some((last, middle)) = parts[parts.len().min(3) - 1..].split_last() else { return false };
    let in_last = COMPONENTS.iter().any(|word| last.contains(word) && !is_named(word))
        || (parts.len() > 2 && LAST_PARTS.contains(&last.as_str()) && !is_named(last));
    let is_middle =
        |part: &String| MIDDLE_PARTS.contains(&part.as_str()) || part.ends_with("helper");
    in_last || middle.iter().any(|part| is_middle(part) && !is_named(part))
}

/// Whether a Team ID is in front, as in the identifiers of groups.
fn has_team_id(id: &str) -> bool {
    let is_team = |part: &str| {
        part.len() == 10
            && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    id.split('.').next().is_some_and(is_team)
}

/// Whether the last part is a hash: `example.app.71e559ef`.
fn has_hash(id: &str) -> bool {
    let last = id.rsplit('.').next().unwrap_or_default();
    let is_lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    last.len() >= 8
        && last.bytes().all(is_lower_hex)
        && last.bytes().any(|byte| byte.is_ascii_digit())
        && last.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_foreign_to(names: &[&str], id: &str) -> bool {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        is_foreign(id, &Product::new("sample", &names, &[], false))
    }

    #[test]
    fn components_groups_and_libraries_are_not_the_app() {
        for id in [
            "com.example.SampleHelper",
            "com.example.agent",
            "com.example.sample.helper.Renderer",
            "com.example.sample.help",
            "com.example.SampleInstaller",
            "com.example.sample.uninstaller",
            "ABCDE12345.com.example.sample",
            "group.com.example.sample",
            "com.apple.mail",
            "org.sparkle-project.Sparkle",
            "example.sample.71e559ef",
        ] {
            assert!(is_foreign_to(&["Sample"], id), "{id}");
        }
    }

    #[test]
    fn a_companion_is_named_like_the_product() {
        let product = Product::new("sample", &[], &[], false);
        assert!(is_companion("com.example.SampleMonitor", &product));
        assert!(is_companion("com.example.launcher", &product));
        assert!(!is_companion("com.example.Sample", &product));
        let monitor = Product::new("sample-monitor", &["Sample".to_owned()], &[], false);
        assert!(!is_companion("com.example.SampleMonitor", &monitor));
    }

    #[test]
    fn the_products_own_words_are_no_sign_of_a_component() {
        assert!(!is_foreign_to(&["Sample Updater"], "com.example.sampleupdater"));
        assert!(!is_foreign_to(&["Sample"], "com.smartservices.sample"), "a maker's name");
        assert!(!is_foreign_to(&["Sample"], "com.example.20231105"), "no letter, no hash");
        let apple = Product::new("sample", &[], &[], true);
        assert!(!is_foreign("com.apple.Sample", &apple));
    }
}

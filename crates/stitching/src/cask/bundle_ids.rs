//! The app's bundle identifier, derived from a cask's `uninstall` and `zap` stanzas.
//!
//! A cask does not state the identifier. It names the apps to quit and the files to remove, and
//! most of these are named after the app, its helpers and other apps of the maker. Each name is a
//! trace of an identifier; identifiers that cannot be the app's are left out; the others are
//! weighed against each other.

mod candidates;
pub mod component;
pub mod product;
mod trace;

use serde_json::{Map, Value};

use super::is_pattern;
use candidates::{IdCandidates, Weighed};
use component::{is_of_a_runtime, may_be_of_a_part};
use product::Product;

/// The minimum weight of the evidence for an identifier.
const ENOUGH: i32 = 3;

/// The minimum weight of the evidence for an identifier that another source cannot replace.
const FIRM: i32 = 6;

/// The minimum likeness of an identifier that only folders with free names show.
const LIKE_THE_NAME: i32 = 3;

/// The number of other apps that make a suite, whose apps are all unlike its name.
const SUITE: usize = 2;

/// An app of a suite has at most this much less weight than the best one.
const CLOSE: i32 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    /// It may be that of a part or of a run-time.
    Doubtful,
    /// Another source can replace it.
    Little,
    Much,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub id: String,
    pub(crate) support: Support,
}

/// The identifier with the most evidence; `None` if there is too little or if it is ambiguous.
pub(super) fn bundle_id(artifacts: &[&Map<String, Value>], product: &Product) -> Option<Choice> {
    let candidates = IdCandidates::read(artifacts, product);
    let weighed = candidates.weigh(product);
    let (best, others) = weighed.split_first()?;
    let is_tied = others.first().is_some_and(|next| next.order() == best.order());
    let is_alone = others.is_empty() && is_the_only_one(best);
    if is_tied || !(is_enough(best) || is_alone) || is_one_of_a_suite(best, others) {
        return None;
    }
    let id = &best.candidate.id;
    let id = candidates.newer_generation(id).unwrap_or(id).clone();
    let support = if best.support >= FIRM || best.is_of_the_channel {
        Support::Much
    } else if is_doubtful(best, product) {
        Support::Doubtful
    } else {
        Support::Little
    };
    Some(Choice { id, support })
}

fn is_enough(best: &Weighed<'_>) -> bool {
    let is_like = best.likeness >= LIKE_THE_NAME && best.candidate.id.split('.').count() > 2;
    best.support >= ENOUGH
        && (best.candidate.is_traced() || (is_like && !best.candidate.is_of_help()))
}

/// Whether the only identifier that a cask names is like the product's name.
fn is_the_only_one(best: &Weighed<'_>) -> bool {
    best.likeness >= LIKE_THE_NAME
        && !best.candidate.is_of_help()
        && best.candidate.id.split('.').count() > 2
}

/// Whether an identifier is named like that of a part or a run-time. This is quick, and hardly any is;
/// [`Choice`] says whether little shows it, too.
pub(crate) fn is_named_like_no_app(id: &str) -> bool {
    is_of_a_runtime(id) || may_be_of_a_part(id, &Product::new("", &[], &[], false))
}

/// Whether little shows an identifier that may be of no app, or of many.
fn is_doubtful(best: &Weighed<'_>, product: &Product) -> bool {
    let id = &best.candidate.id;
    is_of_a_runtime(id) || (!best.candidate.is_seen_running() && may_be_of_a_part(id, product))
}

/// Whether several apps are removed and the best one is not named like the product.
fn is_one_of_a_suite(best: &Weighed<'_>, others: &[Weighed<'_>]) -> bool {
    let app = best.candidate.id.to_ascii_lowercase();
    let is_another_app = |other: &&Weighed<'_>| {
        other.weight >= best.weight - CLOSE
            && !other.candidate.id.to_ascii_lowercase().starts_with(&app)
    };
    best.likeness == 0 && others.iter().filter(is_another_app).count() >= SUITE
}

/// Whether the text is a bundle identifier in reverse-domain form.
pub(crate) fn is_bundle_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    !is_pattern(text)
        && text.bytes().all(allowed)
        && text.split('.').count() >= 2
        && !is_file_of_app(text)
        && text.split('.').all(|part| !part.is_empty())
        && text.contains(|character: char| character.is_ascii_alphabetic())
}

/// `Sample.app` is a file; in an identifier, the maker stands before `app`.
fn is_file_of_app(text: &str) -> bool {
    text.strip_suffix(".app").is_some_and(|name| !name.contains('.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn choose(token: &str, artifacts: Value) -> Option<Choice> {
        let artifacts: Vec<&Map<String, Value>> =
            artifacts.as_array().unwrap().iter().filter_map(Value::as_object).collect();
        bundle_id(&artifacts, &Product::new(token, &[], &[], false))
    }

    fn read(artifacts: Value) -> Option<String> {
        choose("sample", artifacts).map(|choice| choice.id)
    }

    fn zap(paths: &[&str]) -> Value {
        let paths: Vec<String> = paths.iter().map(|path| format!("~/Library/{path}")).collect();
        json!([{"zap": [{"trash": paths}]}])
    }

    #[test]
    fn what_is_quit_is_the_app() {
        let id = read(
            json!([{"uninstall": [{"quit": "com.example.app"}]}, {"zap": [{"trash": "~/Library/Preferences/com.example.other.plist"}]}]),
        );
        assert_eq!(id.as_deref(), Some("com.example.app"));
        for signal in [json!(["TERM", "com.example.app"]), json!([["TERM", "com.example.app"]])] {
            let id = read(json!([{"uninstall": [{"signal": signal}]}]));
            assert_eq!(id.as_deref(), Some("com.example.app"));
        }
    }

    #[test]
    fn extensions_removers_and_files_are_no_apps() {
        for id in ["com.example.sample.RemoveSample", "Sample-launcher.app"] {
            assert_eq!(read(json!([{"uninstall": [{"quit": id}]}])), None, "{id}");
        }
        let driver =
            json!([{"uninstall": [{"quit": "com.example.sample", "kext": "com.example.sample"}]}]);
        assert_eq!(read(driver), None);
    }

    #[test]
    fn files_of_a_former_version_count_less_than_what_is_quit() {
        let former = json!([{"uninstall": [{"quit": "org.sample.sample"}]}, {"zap": [{"trash":
            ["~/Library/Preferences/org.former.sample.plist", "~/Library/Caches/org.former.sample",
                "~/Library/Saved Application State/org.former.sample.savedState"]}]}]);
        assert_eq!(read(former).as_deref(), Some("org.sample.sample"));
    }

    #[test]
    fn what_is_quit_may_be_a_component() {
        let word = json!([
            {"uninstall": [{"quit": "com.example.autoupdate"}]},
            {"zap": [{"trash": ["~/Library/Preferences/com.example.Word.plist",
                "~/Library/Saved Application State/com.example.Word.savedState"]}]},
        ]);
        assert_eq!(read(word).as_deref(), Some("com.example.Word"));
        assert_eq!(read(json!([{"uninstall": [{"quit": "com.apple.mail"}]}])), None);
        let installer = "Saved Application State/maker.com.Maker-Installer.savedState";
        assert_eq!(read(zap(&[installer])), None);
        assert_eq!(read(json!([{"uninstall": [{"quit": "com.example.*"}]}])), None);
    }

    #[test]
    fn removed_files_decide_and_a_tie_decides_nothing() {
        let files = zap(&[
            "Preferences/com.example.app.plist",
            "Saved Application State/com.example.app.savedState",
            "Caches/com.example.other",
            "Caches/Some Folder",
        ]);
        assert_eq!(read(files).as_deref(), Some("com.example.app"));
        assert_eq!(read(zap(&["Caches/com.one.app", "Caches/com.two.app"])), None);
        assert_eq!(read(zap(&["Caches/com.example.app"])), None, "too little");
        let alone = zap(&["Application Support/com.example.sampler2"]);
        assert_eq!(
            choose("sampler", alone).map(|choice| choice.id).as_deref(),
            Some("com.example.sampler2")
        );
        let help = zap(&["Caches/com.apple.helpd/Generated/com.maker.sample.help*1.2"]);
        assert_eq!(read(help), None, "a help book");
    }

    #[test]
    fn the_makers_own_prefix_decides_between_equals() {
        let quit = |ids: [&str; 2]| json!([{"uninstall": [{"quit": ids}]}]);
        let ids = quit(["com.electron.sample", "com.acme.sample"]);
        assert_eq!(read(ids).as_deref(), Some("com.acme.sample"));
        let ids = quit(["com.electron.sample", "com.electron.other"]);
        assert_eq!(read(ids).as_deref(), Some("com.electron.sample"));
    }

    #[test]
    fn the_name_decides_between_files_of_several_apps() {
        let both =
            zap(&["Preferences/com.maker.sample.plist", "Preferences/com.maker.other.plist"]);
        assert_eq!(read(both).as_deref(), Some("com.maker.sample"));
        let folder = zap(&["Application Support/com.maker.sample", "Application Support/com.x.y"]);
        assert_eq!(read(folder).as_deref(), Some("com.maker.sample"));
        assert_eq!(read(zap(&["Application Support/com.maker.samples"])), None);
    }

    #[test]
    fn spellings_count_together_and_the_one_that_is_quit_is_used() {
        let id = read(json!([
            {"uninstall": [{"quit": "com.example.App"}]},
            {"zap": [{"trash": ["~/Library/Preferences/com.example.app.plist",
                "~/Library/Caches/com.example.app", "~/Library/Caches/com.example.other"]}]},
        ]));
        assert_eq!(id.as_deref(), Some("com.example.App"));
    }

    #[test]
    fn an_extension_is_part_of_the_app_it_extends() {
        let id = read(zap(&[
            "Preferences/com.example.app.plist",
            "Containers/com.example.app.Preview",
            "Application Scripts/com.example.app.Preview",
        ]));
        assert_eq!(id.as_deref(), Some("com.example.app"));
    }

    #[test]
    fn a_launcher_is_the_app_only_without_another_one() {
        let alone = zap(&["Preferences/com.example.launcher.plist"]);
        assert_eq!(read(alone).as_deref(), Some("com.example.launcher"));
        let beside = json!([{"uninstall": [{"quit": "com.example.launcher"}]}, {"zap": [{"trash":
            ["~/Library/Preferences/com.example.app.plist", "~/Library/WebKit/com.example.app"]}]}]);
        assert_eq!(read(beside).as_deref(), Some("com.example.app"));
    }

    #[test]
    fn a_channel_has_its_own_identifier_where_one_is_named() {
        let files = zap(&[
            "Preferences/com.example.browser.plist",
            "Caches/com.example.browser",
            "Preferences/com.example.nightly.plist",
        ]);
        let id = |token: &str| choose(token, files.clone()).map(|choice| choice.id);
        assert_eq!(id("browser@nightly").as_deref(), Some("com.example.nightly"));
        assert_eq!(id("browser").as_deref(), Some("com.example.browser"));
    }

    #[test]
    fn a_suite_has_no_identifier() {
        let files = |apps: &[&str]| {
            let paths = apps.iter().flat_map(|app| {
                [format!("Preferences/com.maker.{app}.plist"), format!("Caches/com.maker.{app}")]
            });
            let mut paths: Vec<String> = paths.collect();
            paths.push("WebKit/com.maker.text".to_owned());
            zap(&paths.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert_eq!(read(files(&["text", "table", "slide"])), None);
        assert_eq!(read(files(&["text", "table"])).as_deref(), Some("com.maker.text"));
    }

    #[test]
    fn the_receipt_tells_the_newer_generation() {
        let id = |pattern: &str| {
            read(json!([
                {"uninstall": [{"pkgutil": ["com.example.other", "com.example.sample2"]}]},
                {"zap": [{"trash": ["~/Library/Preferences/com.example.sample.plist", pattern]}]},
            ]))
        };
        let both = id("~/Library/Containers/com.example.sample*");
        assert_eq!(both.as_deref(), Some("com.example.sample2"));
        assert_eq!(id("~/Library/x").as_deref(), Some("com.example.sample"));
    }

    #[test]
    fn much_evidence_is_firm() {
        let is_firm = |token: &str, paths: &[&str]| {
            choose(token, zap(paths)).unwrap().support == Support::Much
        };
        let file = "Preferences/com.example.app.plist";
        assert!(!is_firm("sample", &[file]));
        assert!(is_firm("sample", &[file, "Saved Application State/com.example.app.savedState"]));
        assert!(is_firm("sample", &["Preferences/com.example.sample.plist"]));
        assert!(is_firm("sample@beta", &["Preferences/com.example.beta.plist"]));
    }

    #[test]
    fn a_name_of_a_part_or_of_a_runtime_is_doubtful_unless_much_shows_it() {
        let is_doubtful = |token: &str, paths: &[&str]| {
            choose(token, zap(paths)).unwrap().support == Support::Doubtful
        };
        for id in [
            "org.maker.engine",
            "org.maker.preferences.servers",
            "com.maker.MakerPrefs",
            "com.maker.printers.c750",
            "com.install4j.1106-5897.5",
        ] {
            assert!(is_doubtful("sample", &[&format!("Preferences/{id}.plist")]), "{id}");
        }
        assert!(is_doubtful("sample", &["Saved Application State/com.install4j.1.5.savedState"]));
        for path in [
            "Preferences/com.maker.app.plist",
            "Preferences/kontur.talk.plist",
            "Saved Application State/org.maker.engine.savedState",
            "Containers/com.maker.other",
        ] {
            assert!(!is_doubtful("sample", &[path]), "{path}");
        }
        let engine = "Preferences/org.maker.engine.plist";
        assert!(!is_doubtful("engine", &[engine]), "the product's name");
        let both = [engine, "Caches/org.maker.engine", "WebKit/org.maker.engine"];
        assert!(!is_doubtful("sample", &both), "much shows it");
    }
}

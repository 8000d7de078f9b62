//! The app's bundle identifier, derived from a cask's `uninstall` and `zap` stanzas.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{is_pattern, strings};

/// Folders whose entries are named after a bundle identifier, with the entries' extension.
const NAMED_AFTER_APPS: [(&str, &str); 6] = [
    ("/Preferences/", ".plist"),
    ("/Saved Application State/", ".savedState"),
    ("/Containers/", ""),
    ("/Caches/", ""),
    ("/HTTPStorages/", ""),
    ("/Application Scripts/", ""),
];

/// The number of files that must agree to override the identifier that `uninstall` quits.
const CLEAR: usize = 2;

/// The identifier that `uninstall` quits, if there is exactly one. If the removed files clearly
/// name a different one, the quit identifier belongs to a helper and the files' identifier is
/// used. If `uninstall` quits several or none, the identifier that most files are named after is
/// used. `None` if the result is ambiguous.
pub(super) fn bundle_id(artifacts: &[&Map<String, Value>]) -> Option<String> {
    let directives = |stanza: &'static str| {
        let lists = artifacts.iter().filter_map(move |artifact| artifact.get(stanza)?.as_array());
        lists.flatten()
    };
    let quit: Vec<String> = directives("uninstall")
        .flat_map(|directive| strings(directive.get("quit")))
        .filter(|id| is_bundle_id(id) && is_of_an_app(id))
        .collect();
    let removed = directives("zap").flat_map(|directive| {
        [strings(directive.get("trash")), strings(directive.get("delete"))].concat()
    });
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for id in removed.filter_map(|path| named_after(&path)).filter(|id| is_of_an_app(id)) {
        *votes.entry(id).or_default() += 1;
    }
    if let [id] = quit.as_slice() {
        let of_files = winner(&votes).filter(|(_, count)| *count >= CLEAR);
        return of_files.filter(|_| !votes.contains_key(id)).map(|(id, _)| id).or(Some(id.clone()));
    }
    votes.retain(|id, _| quit.is_empty() || quit.contains(id));
    winner(&votes).map(|(id, _)| id)
}

/// The identifier with the most votes, unless there is a tie.
fn winner(votes: &BTreeMap<String, usize>) -> Option<(String, usize)> {
    let most = votes.values().copied().max()?;
    let mut winners = votes.iter().filter(|(_, count)| **count == most);
    let (id, _) = winners.next()?;
    winners.next().is_none().then(|| (id.clone(), most))
}

/// Excludes system components, which casks also quit, and installers, whose files they remove.
fn is_of_an_app(id: &str) -> bool {
    let last = id.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    !id.starts_with("com.apple.") && !last.contains("installer")
}

/// The bundle identifier that the last part of a path is named after.
fn named_after(path: &str) -> Option<String> {
    NAMED_AFTER_APPS.iter().find_map(|(folder, ending)| {
        let (_, name) = path.split_once(folder)?;
        let id = name.strip_suffix(ending)?;
        is_bundle_id(id).then(|| id.to_owned())
    })
}

/// Whether the text is a bundle identifier in reverse-domain form.
pub(crate) fn is_bundle_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    !is_pattern(text)
        && text.bytes().all(allowed)
        && text.split('.').count() >= 2
        && text.split('.').all(|part| !part.is_empty())
        && text.contains(|character: char| character.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(artifacts: Value) -> Option<String> {
        let artifacts: Vec<&Map<String, Value>> =
            artifacts.as_array().unwrap().iter().filter_map(Value::as_object).collect();
        bundle_id(&artifacts)
    }

    #[test]
    fn what_is_quit_is_the_app() {
        let id = read(
            json!([{"uninstall": [{"quit": "com.example.app"}]}, {"zap": [{"trash": "~/Library/Preferences/com.example.other.plist"}]}]),
        );
        assert_eq!(id.as_deref(), Some("com.example.app"));
    }

    #[test]
    fn what_is_quit_may_be_a_helper() {
        let word = json!([
            {"uninstall": [{"quit": "com.example.autoupdate"}]},
            {"zap": [{"trash": ["~/Library/Preferences/com.example.Word.plist",
                "~/Library/Saved Application State/com.example.Word.savedState"]}]},
        ]);
        assert_eq!(read(word).as_deref(), Some("com.example.Word"));
        assert_eq!(read(json!([{"uninstall": [{"quit": "com.apple.mail"}]}])), None);
        let installer = "~/Library/Saved Application State/maker.com.Maker-Installer.savedState";
        assert_eq!(read(json!([{"zap": [{"trash": installer}]}])), None);
    }

    #[test]
    fn removed_files_decide_between_several_and_stand_in_for_none() {
        let zap = json!({"zap": [{"trash": [
            "~/Library/Preferences/com.example.app.plist",
            "~/Library/Saved Application State/com.example.app.savedState",
            "~/Library/Caches/com.example.helper",
            "~/Library/Caches/Some Folder",
        ]}]});
        assert_eq!(read(json!([zap])).as_deref(), Some("com.example.app"));
        let quit = json!({"uninstall": [{"quit": ["com.example.helper", "com.example.agent"]}]});
        assert_eq!(read(json!([quit, zap])).as_deref(), Some("com.example.helper"));
        let tie = json!([{"zap": [{"trash": ["~/Library/Caches/a.b", "~/Library/Caches/c.d"]}]}]);
        assert_eq!(read(tie), None);
        assert_eq!(read(json!([{"uninstall": [{"quit": "com.example.*"}]}])), None);
    }
}

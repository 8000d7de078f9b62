//! The app's bundle identifier, read from what a cask removes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{is_pattern, strings};

/// Folders whose entries are named after a bundle identifier, and how the names end.
const NAMED_AFTER_APPS: [(&str, &str); 6] = [
    ("/Preferences/", ".plist"),
    ("/Saved Application State/", ".savedState"),
    ("/Containers/", ""),
    ("/Caches/", ""),
    ("/HTTPStorages/", ""),
    ("/Application Scripts/", ""),
];

/// The identifier that `uninstall` quits; where it quits several or none, the one that most of
/// the files to remove are named after. Nothing where there is no clear answer.
pub(super) fn bundle_id(artifacts: &[&Map<String, Value>]) -> Option<String> {
    let directives = |stanza: &'static str| {
        let lists = artifacts.iter().filter_map(move |artifact| artifact.get(stanza)?.as_array());
        lists.flatten()
    };
    let quit: Vec<String> = directives("uninstall")
        .flat_map(|directive| strings(directive.get("quit")))
        .filter(|id| is_bundle_id(id))
        .collect();
    if let [id] = quit.as_slice() {
        return Some(id.clone());
    }
    let removed = directives("zap").flat_map(|directive| {
        [strings(directive.get("trash")), strings(directive.get("delete"))].concat()
    });
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for path in removed {
        if let Some(id) = named_after(&path).filter(|id| quit.is_empty() || quit.contains(id)) {
            *votes.entry(id).or_default() += 1;
        }
    }
    let most = votes.values().copied().max()?;
    let mut winners = votes.into_iter().filter(|(_, count)| *count == most).map(|(id, _)| id);
    let winner = winners.next()?;
    winners.next().is_none().then_some(winner)
}

/// The bundle identifier a path's last part is named after.
fn named_after(path: &str) -> Option<String> {
    NAMED_AFTER_APPS.iter().find_map(|(folder, ending)| {
        let (_, name) = path.split_once(folder)?;
        let id = name.strip_suffix(ending)?;
        is_bundle_id(id).then(|| id.to_owned())
    })
}

/// Whether a text is a bundle identifier in reverse-domain form.
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

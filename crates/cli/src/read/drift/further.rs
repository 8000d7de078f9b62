//! The drift of an app that only the sources on request have: pages show it, and a plain
//! `appstitch drift` does not compare them.

use appstitch_client::{Client, DriftEntry, DriftQuery, DriftScope, Source};

use super::super::request::{failure, get_of_app};
use crate::{exit::Failure, words::all_of};

/// The compared sources, for the sentence that says that they agree.
pub(super) fn compared(scope: DriftScope) -> String {
    let compared = Source::ALL.into_iter().filter(|source| scope.includes(*source));
    all_of(&compared.map(|source| source.describe().product).collect::<Vec<_>>())
}

/// How to see the drift with the sources outside a scope; `None` if there is none.
pub(super) async fn hint(
    client: &Client,
    slug: &str,
    scope: DriftScope,
) -> Result<Option<String>, Failure> {
    if scope == DriftScope::EVERYTHING {
        return Ok(None);
    }
    let pairs = DriftQuery::app_pairs(DriftScope::EVERYTHING);
    let raw = get_of_app(client, slug, "/drift", &pairs).await?;
    let entry: Option<DriftEntry> = raw.decode().map_err(failure)?;
    Ok(entry.map(|entry| differing(&entry, scope)))
}

/// Which sources outside a scope differ, and how to include them.
fn differing(entry: &DriftEntry, scope: DriftScope) -> String {
    let is_further = |source: &Source| {
        !scope.includes(*source)
            && entry.versions.iter().any(|stated| stated.source == source.token())
    };
    let further: Vec<Source> = DriftScope::ON_REQUEST.into_iter().filter(is_further).collect();
    let at = |place: &Option<String>| {
        let is_at = |source: &&Source| place.as_deref() == Some(source.token());
        further.iter().find(is_at).map(|source| source.describe().product)
    };
    let reason = match (at(&entry.laggard), at(&entry.leader)) {
        (Some(laggard), _) => format!("{laggard} is behind"),
        (None, Some(leader)) => format!("{leader} has a newer version"),
        (None, None) => "other sources differ".to_owned(),
    };
    let tokens: Vec<&str> = further.iter().map(|source| source.token()).collect();
    format!("{reason}; to see the drift, add --include {}", tokens.join(","))
}

#[cfg(test)]
mod tests {
    use appstitch_client::SourceVersion;

    use super::*;

    fn entry(leader: Option<&str>, laggard: Option<&str>) -> DriftEntry {
        let stated = |source: &str| SourceVersion {
            source: source.to_owned(),
            version: "1".to_owned(),
            parsed_ok: true,
        };
        DriftEntry {
            slug: "zoom".to_owned(),
            name: "Zoom".to_owned(),
            vendor: None,
            versions: ["label_tool", "cask_catalog", "mdm_installer"].map(stated).into(),
            leader: leader.map(str::to_owned),
            laggard: laggard.map(str::to_owned),
        }
    }

    #[test]
    fn a_source_that_is_not_compared_is_named_with_its_standing() {
        for (leader, laggard, expected) in [
            (Some("label_tool"), Some("mdm_installer"), "Jamf App Installers is behind"),
            (Some("mdm_installer"), Some("label_tool"), "Jamf App Installers has a newer version"),
            (None, None, "other sources differ"),
        ] {
            let hint = differing(&entry(leader, laggard), DriftScope::default());
            let expected = format!("{expected}; to see the drift, add --include mdm_installer");
            assert_eq!(hint, expected);
        }
        assert_eq!(compared(DriftScope::default()), "Installomator and Homebrew Cask");
    }
}

//! Whether the sources of an app agree on its newest version. Everything that says so asks here:
//! drift, the details, the pages and the badges.

use std::cmp::Ordering;

use appstitch_text::served;
use appstitch_types::{
    AppSources, LabelToolSource, Source, SourceVersion, StatedVersion, VersionAgreement,
    VersionOrder,
};
use appstitch_versions::{Version, stated::Stated};
use serde_json::{Map, Value};

use crate::{
    cask::is_staged,
    label::{
        literal::Literals,
        stated_version::{is_cut, label_version},
    },
    newest::is_before_release,
    standing::Standing,
};

/// The host of the service that states the casks' versions.
const CASK_SERVICE: &str = "formulae.brew.sh";

/// The versions that the sources of an app state: label, cask, title, listing.
pub struct Agreement {
    pub versions: Vec<SourceVersion>,
    /// Why a version is not compared with the others.
    left_out: Vec<Option<&'static str>>,
}

impl Agreement {
    pub fn of(sources: &AppSources) -> Self {
        let cask = sources.cask_catalog.as_ref();
        let is_read = |key: &str| matches!(key, "version" | "token" | "url");
        let entry = cask.map(|cask| cask.entry_json.read_keys(is_read)).unwrap_or_default();
        let label = sources.label_tool.as_ref().map(|label| Literals::read(&label.raw));
        Self::read(sources, label.as_ref(), &entry)
    }

    /// `label` and `cask_entry` are the parsed payloads.
    pub(crate) fn read(
        sources: &AppSources,
        label: Option<&Literals>,
        cask_entry: &Map<String, Value>,
    ) -> Self {
        let versions = stated_versions(sources, label, cask_entry);
        let left_out =
            versions.iter().map(|stated| why_left_out(stated, sources, label, cask_entry));
        Self { left_out: left_out.collect(), versions }
    }

    /// The versions that mean the same product and the same channel as the others.
    pub fn compared(&self) -> impl Iterator<Item = &SourceVersion> {
        let all = self.versions.iter().zip(&self.left_out);
        all.filter(|(_, left_out)| left_out.is_none()).map(|(stated, _)| stated)
    }

    /// How the version of one source stands to that of another; `None` if they are not compared.
    pub fn order(&self, left: Source, right: Source) -> Option<VersionOrder> {
        let of = |source: Source| {
            let stated = self.compared().find(|stated| stated.source == source.token())?;
            Some(stated.version.as_str())
        };
        match Relation::of(of(left)?, of(right)?) {
            Relation::Same | Relation::Different(Some(Ordering::Equal)) => Some(VersionOrder::Same),
            Relation::Different(Some(Ordering::Less)) => Some(VersionOrder::Older),
            Relation::Different(Some(Ordering::Greater)) => Some(VersionOrder::Newer),
            Relation::Different(None) => Some(VersionOrder::Unknown),
            Relation::CountedDifferently => None,
        }
    }

    /// How each version stands to the others.
    pub fn standings(&self) -> Vec<Standing> {
        let compared: Vec<&str> = self.compared().map(|stated| stated.version.as_str()).collect();
        let mut standings = (0..compared.len()).map(|position| Standing::of(&compared, position));
        self.left_out
            .iter()
            .map(|left_out| match left_out {
                None => standings.next().unwrap_or(Standing::Alone),
                Some(_) => Standing::Unordered,
            })
            .collect()
    }

    /// `None` if no source states a version.
    pub(crate) fn describe(&self) -> Option<VersionAgreement> {
        let standings = self.standings();
        let compared = || standings.iter().zip(&self.left_out).filter(|(_, out)| out.is_none());
        let are = |wanted: Standing| compared().all(|(standing, _)| *standing == wanted);
        let versions = self.versions.iter().zip(&self.left_out).map(|(stated, left_out)| {
            let (source, version) = (stated.source.clone(), stated.version.clone());
            StatedVersion { source, version, left_out: left_out.map(str::to_owned) }
        });
        (!self.versions.is_empty()).then(|| VersionAgreement {
            agree: if compared().count() < 2 || are(Standing::Unordered) {
                None
            } else {
                Some(are(Standing::Newest))
            },
            versions: versions.collect(),
        })
    }
}

fn stated_versions(
    sources: &AppSources,
    label: Option<&Literals>,
    cask_entry: &Map<String, Value>,
) -> Vec<SourceVersion> {
    let of_cask = cask_entry.get("version").and_then(Value::as_str);
    let label = label.and_then(|label| label_version(label, of_cask)).map(str::to_owned);
    let title = sources.mdm_installer.as_ref().and_then(|title| title.version.clone());
    let is_version = |key: &str| key == "version";
    let listing = sources.store_listing.as_ref().map(|listing| listing.raw.read_keys(is_version));
    let listing = listing.and_then(|mut listing| listing.shift_remove("version"));
    [
        (Source::LabelTool, label),
        (Source::CaskCatalog, of_cask.map(str::to_owned)),
        (Source::MdmInstaller, title),
        (Source::StoreListing, listing.and_then(|version| Some(version.as_str()?.to_owned()))),
    ]
    .into_iter()
    .filter_map(|(source, version)| {
        // A literal version, not a shell expression or a placeholder.
        let version = version.filter(|text| served::check_value("version", text).is_ok())?;
        Some(SourceVersion {
            source: source.token().to_owned(),
            parsed_ok: Version::parse(&version).is_some(),
            version,
        })
    })
    .collect()
}

/// Why a version of a label or a cask is not compared; `None` if it is.
fn why_left_out(
    stated: &SourceVersion,
    sources: &AppSources,
    label: Option<&Literals>,
    cask_entry: &Map<String, Value>,
) -> Option<&'static str> {
    let label = label?;
    let entry = |key: &str| cask_entry.get(key).and_then(Value::as_str);
    let cask = entry("version")?;
    let asks = |label: &LabelToolSource| label.raw.as_json().contains(CASK_SERVICE);
    if stated.source == Source::CaskCatalog.token() {
        let is_staged = entry("url").is_some_and(is_staged) && label.version().is_some();
        return is_staged.then_some("only some Macs get this release yet");
    }
    if stated.source != Source::LabelTool.token() {
        return None;
    }
    let is_plain = entry("token").is_none_or(|token| !token.contains('@'));
    if sources.label_tool.as_ref().is_some_and(asks) {
        // It lags only by chance.
        Some("the label asks the cask catalog for it")
    } else if is_cut(label, cask) {
        Some("it is only the beginning of the cask's version")
    } else if is_plain && is_before_release(&stated.version) && !is_before_release(cask) {
        Some("it is a pre-release")
    } else {
        None
    }
}

/// How two versions stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Same,
    /// They are different releases; the order is unknown if one cannot be ordered.
    Different(Option<Ordering>),
    /// They are counted differently, and say nothing about each other.
    CountedDifferently,
}

impl Relation {
    pub(crate) fn of(left: &str, right: &str) -> Self {
        match Stated::compare(left, right) {
            Stated::Same(_) => Self::Same,
            Stated::Different(order) if Stated::are_counted_alike(left, right) => {
                Self::Different(order)
            }
            Stated::Different(_) => Self::CountedDifferently,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn agreement(label: &Value, cask: &Value) -> VersionAgreement {
        let sources = json!({
            "label_tool": {"label_name": "sample", "label_url": "https://example.com/s.sh",
                "raw": label},
            "cask_catalog": {"token": "sample", "entry_json": cask},
        });
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        Agreement::of(&sources).describe().unwrap()
    }

    #[test]
    fn agreeing_and_not_being_comparable_are_told_apart() {
        let label = |version: &str| {
            json!({"appNewVersion": version, "downloadURL":
            "https://example.com/Sample.dmg"})
        };
        let cask = |version: &str| json!({"token": "sample", "version": version});
        let agrees = |left: &str, right: &str| agreement(&label(left), &cask(right)).agree;
        assert_eq!(agrees("1.2", "1.2.0"), Some(true));
        assert_eq!(agrees("1.2", "1.3"), Some(false));
        assert_eq!(agrees("53.1", "5.2"), None, "counted differently");
        assert_eq!(agrees("1.2", "1.2.3.4.5"), None, "only the beginning");
        assert_eq!(agrees("2.0beta1", "1.9"), None, "a pre-release");
        let left_out = agreement(&label("2.0beta1"), &cask("1.9")).versions.remove(0).left_out;
        assert_eq!(left_out.as_deref(), Some("it is a pre-release"));
        let staged = json!({"token": "sample", "version": "1.3",
            "url": "https://example.com/5-percent/Sample.dmg"});
        assert_eq!(agreement(&label("1.2"), &staged).agree, None);
    }
}

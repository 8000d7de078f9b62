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
    comparison::Comparison,
    label::{
        literal::Literals,
        stated_version::{is_cut, label_version},
    },
    newest::{
        KeptRelease, is_stage,
        omission::{Omission, loss},
    },
    relation::Relation,
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
        let edition = Edition::of(sources, label, cask_entry, &versions);
        let mut left_out: Vec<Option<&'static str>> =
            versions.iter().map(|stated| edition.why_left_out(stated)).collect();
        leave_out_unlike(&versions, &mut left_out);
        Self { versions, left_out }
    }

    /// The versions that mean the same product and the same channel as the others.
    pub fn compared(&self) -> impl Iterator<Item = &SourceVersion> {
        let all = self.versions.iter().zip(&self.left_out);
        all.filter(|(_, left_out)| left_out.is_none()).map(|(stated, _)| stated)
    }

    /// How the version of one source stands to that of another; `None` if they are not compared.
    pub fn order(&self, left: Source, right: Source) -> Option<VersionOrder> {
        let compared: Vec<&SourceVersion> = self.compared().collect();
        let place =
            |source: Source| compared.iter().position(|stated| stated.source == source.token());
        let texts: Vec<&str> = compared.iter().map(|stated| stated.version.as_str()).collect();
        match Comparison::of(&texts).relation(place(left)?, place(right)?) {
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
        let mut standings = Standing::of_each(&compared).into_iter();
        let left_out = self.left_out.iter().map(Option::is_some);
        left_out
            .map(|is_left_out| {
                if is_left_out {
                    Standing::LeftOut
                } else {
                    standings.next().unwrap_or(Standing::Alone)
                }
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

/// Leaves out what says nothing about the other versions: a version of another numbering, or one
/// that seems to be another release without separators.
fn leave_out_unlike(versions: &[SourceVersion], left_out: &mut [Option<&'static str>]) {
    let places: Vec<usize> = (0..versions.len()).filter(|at| left_out[*at].is_none()).collect();
    let text = |place: usize| versions[place].version.as_str();
    for at in places.iter().copied() {
        let lost = places.iter().filter_map(|other| loss(text(at), text(*other))).min();
        if lost == Some(Omission::SeemsRunTogether) {
            left_out[at] = Some("it seems to lack separators");
        }
    }
    let places: Vec<usize> = (0..versions.len()).filter(|at| left_out[*at].is_none()).collect();
    let texts: Vec<&str> = places.iter().map(|at| text(*at)).collect();
    let comparison = Comparison::of(&texts);
    let is_like = |left: usize, right: usize| {
        comparison.relation(left, right) != Relation::CountedDifferently
    };
    let alike = |one: usize| (0..texts.len()).filter(|other| is_like(one, *other)).count();
    // Of numberings that equally many use, that of the first source counts.
    let Some(common) = (0..texts.len()).rev().max_by_key(|one| alike(*one)) else { return };
    for other in (0..texts.len()).filter(|other| !is_like(common, *other)) {
        left_out[places[other]] = Some("it is counted differently");
    }
}

/// Which edition of an app its label and its cask are for.
struct Edition<'a> {
    kept: Option<KeptRelease>,
    /// Whether the cask is for the plain app, not for a channel or a major version.
    is_plain: bool,
    asks_cask: bool,
    is_label_cut: bool,
    /// The version of a cask that only some Macs get yet.
    staged: Option<&'a str>,
    versions: &'a [SourceVersion],
}

impl<'a> Edition<'a> {
    fn of(
        sources: &AppSources,
        label: Option<&Literals>,
        cask_entry: &'a Map<String, Value>,
        versions: &'a [SourceVersion],
    ) -> Self {
        let entry = |key: &str| cask_entry.get(key).and_then(Value::as_str);
        let stated = |source: Source| {
            let mut stated = versions.iter().filter(|stated| stated.source == source.token());
            Some(stated.next()?.version.as_str())
        };
        let (of_label, cask) = (stated(Source::LabelTool), stated(Source::CaskCatalog));
        let payload = sources.label_tool.as_ref();
        let asks = |label: &LabelToolSource| label.raw.as_json().contains(CASK_SERVICE);
        Self {
            kept: payload.zip(of_label).map(|(label, of)| KeptRelease::of(&label.label_name, of)),
            is_plain: entry("token").is_none_or(|token| !token.contains('@')),
            asks_cask: cask.is_some() && payload.is_some_and(asks),
            is_label_cut: label.zip(cask).is_some_and(|(label, cask)| is_cut(label, cask)),
            staged: cask.filter(|_| of_label.is_some() && entry("url").is_some_and(is_staged)),
            versions,
        }
    }

    /// `None` if a version is compared with the others.
    fn why_left_out(&self, stated: &SourceVersion) -> Option<&'static str> {
        let version = stated.version.as_str();
        let is_label = stated.source == Source::LabelTool.token();
        let is_cask = stated.source == Source::CaskCatalog.token();
        let is_staged = |staged: &str| Stated::compare(staged, version).is_same();
        let kept = self.kept.as_ref().filter(|_| !is_label);
        let others = self.versions.iter().filter(|other| other.source != stated.source);
        let mut others = others.map(|other| other.version.as_str());
        if is_label && self.asks_cask {
            // It lags only by chance.
            Some("the label asks the cask catalog for it")
        } else if is_label && self.is_label_cut {
            Some("it is only the beginning of the cask's version")
        } else if !is_label && self.staged.is_some_and(is_staged) {
            Some("only some Macs get this release yet")
        } else if kept.is_some_and(|kept| !kept.accepts(Some(version))) {
            Some("the label installs another release on purpose")
        } else if !is_label && !is_cask && !self.is_plain {
            Some("it is of another edition than the cask")
        } else if self.is_plain && is_stage(version, &mut others) {
            Some("it is a pre-release")
        } else {
            None
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
        assert_eq!(agrees("2681", "26.8.1"), Some(true), "without separators");
        assert_eq!(agrees("169.168", "1.93.138.0"), None, "perhaps 1.69.168");
        assert_eq!(agrees("1.9", "2.0beta1"), None, "a pre-release of the cask");
    }

    fn left_out(label_name: &str, stated: [&str; 4], token: &str) -> Vec<Option<String>> {
        let [label, cask, title, listing] = stated;
        let sources = json!({
            "label_tool": {"label_name": label_name, "label_url": "https://example.com/s.sh",
                "raw": {"appNewVersion": label, "downloadURL": "https://example.com/s.dmg"}},
            "cask_catalog": {"token": token, "entry_json": {"token": token, "version": cask,
                "url": "https://example.com/5-percent/s.dmg"}},
            "mdm_installer": {"title": "Sample", "source": "Jamf", "version": title},
            "store_listing": {"bundle_id": "com.example.s", "raw": {"version": listing}},
        });
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        let versions = Agreement::of(&sources).describe().unwrap().versions;
        versions.into_iter().map(|stated| stated.left_out).collect()
    }

    #[test]
    fn what_does_not_compete_for_the_newest_version_is_not_compared() {
        let staged = Some("only some Macs get this release yet".to_owned());
        let all = left_out("sample", ["1.2", "1.3", "1.3", "1.1"], "sample");
        assert_eq!(all, [None, staged.clone(), staged, None]);
        let on_purpose = Some("the label installs another release on purpose".to_owned());
        let all = left_out("sample3", ["3.1", "3.2", "4.0", "4.0"], "sample");
        assert_eq!(all[2..], [on_purpose.clone(), on_purpose]);
        let edition = Some("it is of another edition than the cask".to_owned());
        let all = left_out("sample", ["4.1", "4.2", "5.0", "5.0"], "sample@4");
        assert_eq!(all[2..], [edition.clone(), edition]);
        let all = left_out("sample", ["53.1", "5.2", "5.3", "53.2"], "sample");
        let differently = Some("it is counted differently".to_owned());
        assert_eq!(
            all[1..3],
            [Some("only some Macs get this release yet".to_owned()), differently]
        );
    }
}

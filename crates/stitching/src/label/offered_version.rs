//! The version that a generated label states: that of the file at its URL, as the installed app
//! shows it.

use appstitch_types::Source;
use appstitch_versions::{Version, stated::Stated};

use super::{
    literal::Literals,
    origin::{Offer, Origin},
};
use crate::newest::Newest;

/// The version of the file at the URL. The source of the URL is preferred if it states that
/// version, because the label's other variables fit its spelling.
pub(super) fn offered_version(
    origin: Option<&Origin>,
    newest: Option<&Newest<'_>>,
    label: Option<&Literals>,
) -> Option<(Source, String)> {
    let (source, version) = version_of_file(origin, newest, label)?;
    let others_file = origin.filter(|origin| origin.source != Source::LabelTool);
    let file = others_file.and_then(|origin| origin.full_version.as_deref());
    let own = label.zip(newest).zip(file);
    if let Some(own) = own.and_then(|((label, newest), file)| own_spelling(label, newest, file)) {
        return Some((Source::LabelTool, own.to_owned()));
    }
    if let Some(own) = label.and_then(|label| number_of_key(label, &version)) {
        return Some((Source::LabelTool, own.to_owned()));
    }
    let shown = if source == Source::CaskCatalog { shown(&version) } else { &version };
    Some((source, shown.to_owned()))
}

fn version_of_file(
    origin: Option<&Origin>,
    newest: Option<&Newest<'_>>,
    label: Option<&Literals>,
) -> Option<(Source, String)> {
    let newest = newest?;
    let Some(origin) = origin else {
        // Only the label and the cask describe the app that a label without a download is for.
        let stated = (newest.chosen.source, newest.chosen.version.to_owned());
        return Some(stated).filter(|(source, _)| *source != Source::MdmInstaller);
    };
    let stated = origin.version.clone().map(|version| (origin.source, version));
    // With a version key, a label states another number of the app than the others.
    let has_key = label.is_some_and(|label| label.text("versionKey").is_some());
    let is_replaced = |source| newest.replaces(source) || (newest.respells(source) && !has_key);
    match (origin.offer, stated) {
        (Offer::Other, stated) => stated.filter(|(_, version)| Version::parse(version).is_some()),
        (_, Some((source, version))) if !is_replaced(source) => Some((source, version)),
        _ => Some((newest.chosen.source, newest.chosen.version.to_owned())),
    }
}

/// What the label states, if that is the release of the file and nothing is missing: the author of the
/// label compared it with what the installed app shows.
fn own_spelling<'a>(label: &'a Literals, newest: &Newest<'_>, file: &str) -> Option<&'a str> {
    let own = label.version().filter(|_| !newest.respells(Source::LabelTool))?;
    // Some apps show the build, but some labels only know it from the address.
    let is_served = newest.chosen.source == Source::LabelTool;
    let file = if is_served { file } else { file.split(',').next()? };
    let is_shown = Stated::compare(own, file).is_exact();
    is_shown.then_some(own)
}

/// The label's version if it is another number of the app than `version`: the label tool compares
/// it with the value of the label's version key. Numbers of the same kind have as many parts, and
/// their first parts are as long.
fn number_of_key<'a>(label: &'a Literals, version: &str) -> Option<&'a str> {
    label.text("versionKey").filter(|key| *key != "CFBundleShortVersionString")?;
    let kind = |text: &str| (text.split('.').count(), text.find('.'));
    label.version().filter(|own| kind(own) != kind(version))
}

/// What the app shows of a version that a cask writes like the tag of a release: without a letter
/// before the number (`M138.0`) and without the platform after it (`11.1.0-win7`).
fn shown(version: &str) -> &str {
    const PLATFORMS: [&str; 4] = ["win", "mac", "osx", "linux"];
    let is_number = |text: &str| text.contains('.') && is_plain(text);
    let number = match version.split_once('-') {
        Some((number, word)) if PLATFORMS.iter().any(|platform| word.starts_with(platform)) => {
            number
        }
        _ => version,
    };
    let number = number.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or(number);
    if is_number(number) { number } else { version }
}

fn is_plain(version: &str) -> bool {
    version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A warning if a newer version cannot be installed, or if only a cask says how the app spells its
/// version and that is no plain number.
pub(super) fn warning(
    origin: Option<&Origin>,
    newest: Option<&Newest<'_>>,
    offered: Option<&(Source, String)>,
) -> Option<String> {
    let newest = newest?.chosen;
    let (source, stated) = (newest.source.describe().product, newest.version);
    if origin.is_some_and(|origin| origin.offer == Offer::Other) {
        return Some(format!(
            "appNewVersion: {source} states {stated}, but no installable download of it is known"
        ));
    }
    let (by, _) = offered?;
    (*by == Source::CaskCatalog && newest.source == *by && !is_plain(stated)).then(|| {
        format!(
            "appNewVersion: the cask states {stated}; if the installed app shows another version, \
             the label installs every time"
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{cask::CaskFacts, newest::VersionedSources};

    #[test]
    fn a_version_with_a_key_keeps_the_labels_number() {
        let number = |key: &str, own: &str, other: &str| {
            let label = json!({"versionKey": key, "appNewVersion": own});
            let label = Literals::of(label.as_object().unwrap().clone());
            number_of_key(&label, other).map(str::to_owned)
        };
        let build = "CFBundleVersion";
        for (own, other) in
            [("193.138", "1.93.138.0"), ("26.2.242", "2026.2.242"), ("20058", "4.2.0")]
        {
            assert_eq!(number(build, own, other).as_deref(), Some(own));
            assert_eq!(number("CFBundleShortVersionString", own, other), None);
        }
        assert_eq!(number(build, "25.11.1.42", "26.07.0.76"), None, "the same number of the app");
    }

    #[test]
    fn the_label_spells_its_version_as_the_app_shows_it() {
        let spelled = |own: &str, entry: &str| {
            let label = json!({"appNewVersion": "$(x)", "resolved": {"appNewVersion": own}});
            let label = Literals::of(label.as_object().unwrap().clone());
            let cask = json!({"token": "sample", "version": entry});
            let cask = CaskFacts::of(cask.as_object().unwrap());
            let sources = VersionedSources::new(Some(("sample", &label)), Some(&cask), None);
            let newest = Newest::choose(sources).unwrap();
            own_spelling(&label, &newest, entry).map(str::to_owned)
        };
        for own in ["Build 4200", "4200"] {
            assert_eq!(spelled(own, "4200").as_deref(), Some(own));
        }
        assert_eq!(spelled("11.0.32+9", "11.0.32,9").as_deref(), Some("11.0.32+9"));
        assert_eq!(spelled("4.51.0.7", "4.51.0,7").as_deref(), Some("4.51.0.7"));
        assert_eq!(spelled("2026-06-R", "4.40,2026-06"), None, "only the build");
        assert_eq!(spelled("214", "2.14,2026.03"), None, "the separators are lost");
        assert_eq!(spelled("1.9", "2.0"), None, "another release");
    }

    #[test]
    fn an_app_shows_neither_the_letter_nor_the_platform_of_a_tag() {
        assert_eq!(shown("M138.0.7204.303"), "138.0.7204.303");
        assert_eq!(shown("11.1.0-win7"), "11.1.0");
        assert_eq!(shown("2.0-macos.1"), "2.0");
        for other in ["R2025a", "A75", "1.0-beta.2", "26.4.1-57516", "2026-08-21", "1.2.3"] {
            assert_eq!(shown(other), other);
        }
    }
}

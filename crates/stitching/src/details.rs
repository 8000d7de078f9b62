//! What the sources know about an app beyond its record.

use appstitch_text::served;
use appstitch_types::{
    App, AppDetails, InstallMethod, LabelToolSource, Provenance, Source, StoreListingSource,
    Variant,
};
use appstitch_versions::stated::Stated;
use jiff::{civil::Date, tz::TimeZone};
use serde_json::{Map, Value};

use crate::{
    address::download_address,
    alias::aliases,
    cask::{CaskFacts, strings, used_names},
    label::literal::Literals,
    parsed_sources::ParsedSources,
};

/// The keys of a store listing that details come from.
const SELLER: &str = "sellerUrl";
const MINIMUM: &str = "minimumOsVersion";

/// Collects the details. `provenance` has the other names of the app's label, and when its version
/// was found.
pub fn collect_details(
    app: &App,
    parsed: &ParsedSources<'_>,
    provenance: Option<&Provenance>,
    variants: Vec<Variant>,
) -> AppDetails {
    let other_names = provenance.map_or(&[][..], |provenance| &provenance.other_names);
    let title_codes = provenance.map_or(&[][..], |provenance| &provenance.title_codes);
    let first_seen = provenance.and_then(|provenance| first_seen(app, parsed, provenance));
    let ParsedSources { sources, entry, cask, label, .. } = parsed;
    let (cask, label) = (cask.as_ref(), label.as_ref());
    let of_store = sources.store_listing.as_ref();
    let listing = of_store.map(|listing| listing.raw.read_keys(|key| key == SELLER));
    let title_architecture =
        sources.mdm_installer.as_ref().and_then(|title| title.architecture.as_deref());
    AppDetails {
        slug: app.slug.to_string(),
        description: text(entry, "desc"),
        homepage: cask
            .and_then(|cask| cask.homepage.as_deref())
            .or_else(|| listing.as_ref()?.get(SELLER)?.as_str())
            .and_then(|url| download_address(url).ok()),
        minimum_macos: minimum_macos(entry).or_else(|| minimum_of_listing(of_store?)),
        architectures: cask
            .and_then(|_| architectures(entry))
            .or_else(|| of_title(title_architecture?)),
        updates_itself: entry.get("auto_updates").and_then(Value::as_bool),
        deprecation: cask.and_then(|cask| cask.deprecation.clone()),
        app_files: listed(app_files(cask, label)),
        package_receipts: listed(receipts(cask, label)),
        blocking_processes: label.and_then(blocking_processes),
        aliases: listed(aliases(
            app,
            Some(sources),
            used_names(entry.get("old_tokens")),
            other_names,
            title_codes,
        )),
        variants: listed(variants),
        first_seen: app.latest_release_date.is_none().then_some(first_seen).flatten(),
        version_agreement: parsed.agreement().describe(),
        sources: listed(
            Source::ALL
                .into_iter()
                .filter(|source| sources.payload(*source).is_some())
                .map(|source| source.token().to_owned())
                .collect(),
        ),
    }
}

/// The day on which the label was first seen with the app's version.
fn first_seen(app: &App, parsed: &ParsedSources<'_>, provenance: &Provenance) -> Option<Date> {
    let found_at = provenance.label_values?.version?.found_at?;
    let stated = parsed.label.as_ref()?.version()?;
    let is_same = Stated::compare(stated, app.current_version.as_deref()?).is_exact();
    is_same.then(|| found_at.to_zoned(TimeZone::UTC).date())
}

fn listed<T>(values: Vec<T>) -> Option<Vec<T>> {
    (!values.is_empty()).then_some(values)
}

fn text(entry: &Map<String, Value>, key: &str) -> Option<String> {
    served::text("description", entry.get(key)?.as_str()?).ok()
}

fn version(value: Option<&Value>) -> Option<String> {
    let text = value?.as_str()?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').all(is_number).then(|| text.to_owned())
}

/// The cask's requirement: `{"macos": {">=": ["13"]}}`.
pub(crate) fn minimum_macos(entry: &Map<String, Value>) -> Option<String> {
    version(entry.get("depends_on")?.get("macos")?.get(">=")?.get(0))
}

pub(crate) fn minimum_of_listing(listing: &StoreListingSource) -> Option<String> {
    version(listing.raw.read_keys(|key| key == MINIMUM).get(MINIMUM))
}

/// The architectures of the platforms that the cask supports. Platforms of Apple silicon start with
/// `arm64_`, those of Intel have no prefix.
fn architectures(entry: &Map<String, Value>) -> Option<Vec<String>> {
    let platforms = strings(entry.get("supported_platforms"));
    let mut macs = platforms.iter().filter(|platform| !platform.contains("linux")).peekable();
    macs.peek()?;
    let is_silicon = |platform: &&&String| platform.starts_with("arm64_");
    let silicon = macs.clone().any(|platform| is_silicon(&&platform));
    let intel = macs.any(|platform| !is_silicon(&&platform));
    let named = [("arm64", silicon), ("x86_64", intel)];
    Some(named.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned()).collect())
}

fn of_title(architecture: &str) -> Option<Vec<String>> {
    let names: &[&str] = match architecture {
        "universal" => &["arm64", "x86_64"],
        "arm64" => &["arm64"],
        "x86_64" => &["x86_64"],
        _ => return None,
    };
    Some(names.iter().map(|name| (*name).to_owned()).collect())
}

/// The apps of the cask. Without a cask, the app that the label looks for, unless the label only
/// installs a package.
fn app_files(cask: Option<&CaskFacts>, label: Option<&Literals>) -> Vec<String> {
    if let Some(cask) = cask
        && !cask.app_names.is_empty()
    {
        return cask.app_names.iter().map(|name| format!("{name}.app")).collect();
    }
    let of_label = || {
        let label = label?;
        let method = label.text("type").and_then(InstallMethod::from_word)?;
        let file = label.text("appName").or_else(|| label.name())?;
        let file = file.rsplit('/').next()?;
        let file = format!("{}.app", file.strip_suffix(".app").unwrap_or(file));
        (!method.is_package() && served::check_text("app_files", &file).is_ok()).then_some(file)
    };
    cask.and_then(|cask| cask.removed_app.as_ref())
        .map(|name| format!("{name}.app"))
        .or_else(of_label)
        .into_iter()
        .collect()
}

fn receipts(cask: Option<&CaskFacts>, label: Option<&Literals>) -> Vec<String> {
    let of_label = label.and_then(|label| label.text("packageID")).map(str::to_owned);
    let of_cask = cask.map(|cask| &*cask.receipts).unwrap_or_default();
    let mut receipts: Vec<String> = of_cask.iter().cloned().chain(of_label).collect();
    receipts.sort();
    receipts.dedup();
    receipts
}

/// The label's list of processes. The label tool writes `NONE` for an empty list.
fn blocking_processes(label: &Literals) -> Option<Vec<String>> {
    let (_, value) = label.all().find(|(name, _)| *name == LabelToolSource::BLOCKING_PROCESSES)?;
    let processes = strings(Some(value));
    Some(if processes == ["NONE"] { Vec::new() } else { processes })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use appstitch_types::AppSources;

    fn details(sources: &Value) -> AppDetails {
        let app = json!({"slug": "sample", "name": "Sample", "sources": []});
        let app: App = serde_json::from_value(app).unwrap();
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        collect_details(&app, &ParsedSources::of(&sources), None, Vec::new())
    }

    fn cask(entry: &Value) -> AppDetails {
        details(&json!({"cask_catalog": {"token": "sample", "entry_json": entry}}))
    }

    #[test]
    fn what_no_source_knows_is_null() {
        let empty = serde_json::to_value(details(&json!({}))).unwrap();
        for (key, value) in empty.as_object().unwrap() {
            assert_eq!(value.is_null(), key != "slug", "{key}");
        }
    }

    #[test]
    fn a_cask_tells_what_it_needs_and_installs() {
        let found = cask(&json!({
            "desc": "Sample of an app", "homepage": "https://example.com/",
            "auto_updates": true, "depends_on": {"macos": {">=": ["13"]}},
            "supported_platforms": ["arm64_tahoe", "tahoe", "x86_64_linux"],
            "artifacts": [{"app": ["Sample.app"]}, {"uninstall": [{"pkgutil": "com.example.pkg"}]}],
        }));
        assert_eq!(found.description.as_deref(), Some("Sample of an app"));
        assert_eq!(found.homepage.unwrap().as_str(), "https://example.com/");
        assert_eq!(found.minimum_macos.as_deref(), Some("13"));
        assert_eq!(found.architectures.unwrap(), ["arm64", "x86_64"]);
        assert_eq!(found.updates_itself, Some(true));
        assert_eq!(found.app_files.unwrap(), ["Sample.app"]);
        assert_eq!(found.package_receipts.unwrap(), ["com.example.pkg"]);
        assert_eq!(found.deprecation, None);
    }

    #[test]
    fn junk_is_left_out() {
        let found = cask(&json!({
            "desc": "<b>x</b>", "homepage": "javascript:alert(1)",
            "depends_on": {"macos": {">=": ["$(sw_vers)"]}}, "supported_platforms": "tahoe;",
        }));
        assert_eq!((found.description, found.homepage, found.minimum_macos), (None, None, None));
        let found = cask(&json!({"homepage": "https://user:word@example.com/"}));
        assert_eq!(found.homepage, None, "somebody's own address");
    }

    #[test]
    fn a_label_tells_its_app_and_its_processes() {
        let label = |raw: Value| {
            let label = json!({"label_name": "sample", "label_url": "https://example.com/s.sh", "raw": raw});
            details(&json!({"label_tool": label}))
        };
        let found = label(json!({"name": "Sample", "type": "dmg",
            "blockingProcesses": ["Sample", "Helper"]}));
        assert_eq!(found.app_files.unwrap(), ["Sample.app"]);
        assert_eq!(found.blocking_processes.unwrap(), ["Sample", "Helper"]);
        let package =
            label(json!({"name": "Sample", "type": "pkg", "packageID": "com.example.pkg",
            "blockingProcesses": ["NONE"]}));
        assert_eq!(package.app_files, None);
        assert_eq!(package.package_receipts.unwrap(), ["com.example.pkg"]);
        assert_eq!(package.blocking_processes.unwrap(), Vec::<String>::new());
    }
}

//! A pkginfo for Munki: one property list, to be dropped into the `pkgsinfo` folder of a repository.

use appstitch_types::InstallMethod;
use plist::{Dictionary, Value};

use crate::{
    Made,
    download::Download,
    installed::{Installed, Shown, VersionKey},
    reason::Reason,
    subject::Subject,
};

/// Where Munki offers a new item first.
const CATALOG: &str = "testing";

pub(crate) fn pkginfo(subject: &Subject<'_>) -> Made {
    let chosen = (shown(subject), Download::choose(subject, is_installable));
    let (installed, download) = match chosen {
        (Ok(installed), Ok(download)) => (installed, download),
        (installed, download) => {
            let missing = [installed.err(), download.err()];
            return Err(missing.into_iter().flatten().flatten().collect());
        }
    };
    let warnings = warnings(subject, download, installed.version());
    let mut info = head(subject, installed.version());
    add_installer(&mut info, subject, download, installed.version())?;
    add_installs(&mut info, subject, download, installed)?;
    add_requirements(&mut info, subject, download);
    // Unattended, Munki installs while a user works, unless an app that blocks it is running.
    if let Some(blocking) = blocking_applications(subject) {
        let blocking = blocking.iter().map(String::as_str);
        info.insert("blocking_applications".to_owned(), list(blocking));
        info.insert("unattended_install".to_owned(), true.into());
    }
    if !warnings.is_empty() {
        text(&mut info, "notes", &warnings.join("\n"));
    }
    info.insert("_metadata".to_owned(), metadata(subject, download).into());
    Ok((property_list(info), warnings))
}

/// Munki finds an app by its path alone, so an app that it copies itself needs no bundle identifier.
fn shown<'a>(subject: &'a Subject<'_>) -> Result<Shown<'a>, Vec<Reason>> {
    let is_copied = subject.app.install_method == Some(InstallMethod::Dmg);
    if is_copied && subject.delivery.apps.len() == 1 {
        return Shown::of(subject);
    }
    Installed::of(subject).map(Shown::from)
}

const fn is_installable(method: InstallMethod) -> bool {
    matches!(method, InstallMethod::Dmg | InstallMethod::Pkg | InstallMethod::PkgInDmg)
}

fn head(subject: &Subject<'_>, version: &str) -> Dictionary {
    let mut info = Dictionary::new();
    text(&mut info, "name", &item_name(subject.app.slug.as_str()));
    text(&mut info, "display_name", &subject.app.name);
    text(&mut info, "version", version);
    info.insert("catalogs".to_owned(), list([CATALOG]));
    if let Some(vendor) = &subject.app.vendor {
        text(&mut info, "developer", vendor);
    }
    if let Some(description) = &subject.details.description {
        text(&mut info, "description", description);
    }
    info
}

/// The name of the item. Munki takes what follows the last hyphen for a version if it begins with a digit.
fn item_name(slug: &str) -> String {
    match slug.rsplit_once('-') {
        Some((name, end)) if end.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("{}_{end}", item_name(name))
        }
        _ => slug.to_owned(),
    }
}

fn add_installer(
    info: &mut Dictionary,
    subject: &Subject<'_>,
    download: Download<'_>,
    version: &str,
) -> Result<(), Vec<Reason>> {
    let extension = if download.method == InstallMethod::Pkg { "pkg" } else { "dmg" };
    let plain = |character: char| {
        if character.is_ascii_alphanumeric() || "._+-".contains(character) {
            character
        } else {
            '_'
        }
    };
    let version: String = version.chars().map(plain).collect();
    let file = format!("{}-{version}.{extension}", subject.app.slug);
    text(info, "installer_item_location", &file);
    text(info, "installer_item_hash", download.sha256.as_str());
    text(info, "PackageCompleteURL", download.url.as_str());
    match download.method {
        InstallMethod::Dmg => {
            text(info, "installer_type", "copy_from_dmg");
            info.insert("items_to_copy".to_owned(), items_to_copy(subject)?.into());
            info.insert("uninstallable".to_owned(), true.into());
            text(info, "uninstall_method", "remove_copied_items");
        }
        InstallMethod::PkgInDmg => {
            if let Some(package) = &subject.delivery.package {
                text(info, "package_path", package);
            }
        }
        _ => {}
    }
    Ok(())
}

fn items_to_copy(subject: &Subject<'_>) -> Result<Vec<Value>, Vec<Reason>> {
    let delivery = &subject.delivery;
    if delivery.has_unknown_apps {
        return Err(vec![Reason::UnknownApps]);
    }
    if delivery.apps.is_empty() {
        return Err(vec![Reason::NoAppFile]);
    }
    let item = |app: &appstitch_stitching::DeliveredApp| {
        let (folder, name) = app.installed.rsplit_once('/')?;
        let mut item = Dictionary::new();
        text(&mut item, "source_item", &app.source);
        text(&mut item, "destination_path", if folder.is_empty() { "/" } else { folder });
        if app.source.rsplit('/').next() != Some(name) {
            text(&mut item, "destination_item", name);
        }
        Some(Value::from(item))
    };
    Ok(delivery.apps.iter().filter_map(item).collect())
}

/// How Munki finds out whether the item is installed.
fn add_installs(
    info: &mut Dictionary,
    subject: &Subject<'_>,
    download: Download<'_>,
    installed: Shown<'_>,
) -> Result<(), Vec<Reason>> {
    match installed {
        Shown::App { key, version } => {
            let key = match key {
                VersionKey::ShortVersion => "CFBundleShortVersionString",
                VersionKey::BundleVersion => "CFBundleVersion",
            };
            let mut item = Dictionary::new();
            text(&mut item, "type", "application");
            // Without a path, Munki looks for the bundle identifier anywhere on the Mac.
            if let [app] = &*subject.delivery.apps {
                text(&mut item, "path", &app.installed);
            }
            let is_sure = !subject.installed.has_unsure_id;
            if let Some(bundle_id) = subject.app.bundle_id.as_ref().filter(|_| is_sure) {
                text(&mut item, "CFBundleIdentifier", bundle_id);
            }
            text(&mut item, key, version);
            text(&mut item, "version_comparison_key", key);
            info.insert("installs".to_owned(), vec![Value::from(item)].into());
        }
        Shown::Package { receipt, .. } if !download.method.is_package() => {
            return Err(vec![Reason::VersionOfPackage(receipt.to_owned())]);
        }
        Shown::Package { receipt, version } => {
            let mut item = Dictionary::new();
            text(&mut item, "packageid", receipt);
            text(&mut item, "version", version);
            info.insert("receipts".to_owned(), vec![Value::from(item)].into());
            // Munki removes the files of the receipts that are listed, and no others.
            if subject.details.package_receipts.as_deref().is_some_and(|all| all == [receipt]) {
                info.insert("uninstallable".to_owned(), true.into());
                text(info, "uninstall_method", "removepackages");
            }
        }
    }
    Ok(())
}

/// The apps that must not run during an installation: those that the label names, else those that the
/// download installs, else the one that the label looks for.
fn blocking_applications(subject: &Subject<'_>) -> Option<Vec<String>> {
    if let Some(processes) = &subject.details.blocking_processes {
        return Some(processes.clone());
    }
    let apps = subject.delivery.apps.iter();
    let files: Vec<String> =
        apps.filter_map(|app| Some(app.installed.rsplit('/').next()?.to_owned())).collect();
    if files.is_empty() {
        return Some(vec![subject.parsed.name_in_label()?.to_owned()]);
    }
    Some(files)
}

fn add_requirements(info: &mut Dictionary, subject: &Subject<'_>, download: Download<'_>) {
    let details = subject.details;
    if let Some(minimum) = &details.minimum_macos {
        text(info, "minimum_os_version", minimum);
    }
    if download.differs_on_intel {
        info.insert("supported_architectures".to_owned(), list(["arm64"]));
    } else if let Some(architectures) = &details.architectures {
        info.insert(
            "supported_architectures".to_owned(),
            list(architectures.iter().map(String::as_str)),
        );
    }
}

fn warnings(subject: &Subject<'_>, download: Download<'_>, version: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    if download.redirects() {
        warnings.push("The address may redirect. Munki follows redirects only if the preference FollowHTTPRedirects allows it.".to_owned());
    }
    if !download.has_version(version) {
        warnings.push("The address has no version in it: the next release has another checksum, and the installation then fails until this file is replaced.".to_owned());
    }
    if download.differs_on_intel {
        warnings.push("The file is for Macs with Apple silicon; Macs with an Intel processor need another one.".to_owned());
    }
    if !subject.delivery.requires.is_empty() {
        let required = subject.delivery.requires.join(", ");
        warnings.push(format!("Homebrew installs this first: {required}. Add it as requires."));
    }
    if let Some(shared) = subject.shared_id() {
        let is_at_a_path = subject.delivery.apps.len() == 1;
        let limit = if is_at_a_path { " if they are at the same path" } else { "" };
        warnings.push(format!("{shared}{limit}."));
    }
    if subject.details.updates_itself == Some(true) {
        warnings.push("The app updates itself.".to_owned());
    }
    if subject.details.deprecation.is_some() {
        warnings.push("Homebrew has deprecated or disabled the app; see its details.".to_owned());
    }
    warnings
}

/// Munki removes keys that begin with an underscore when it makes catalogs.
fn metadata(subject: &Subject<'_>, download: Download<'_>) -> Dictionary {
    let origins = &subject.provenance.fields;
    let mut metadata = Dictionary::new();
    text(&mut metadata, "created_by", "appstitch");
    text(&mut metadata, "app", subject.app.slug.as_str());
    let [address, checksum] = download.origins;
    let origins = [
        ("version_from", origins.current_version.as_deref()),
        ("download_from", address),
        ("checksum_from", checksum),
        ("bundle_id_from", origins.bundle_id.as_deref()),
    ];
    for (key, source) in origins {
        if let Some(source) = source {
            text(&mut metadata, key, source);
        }
    }
    metadata
}

fn text(dictionary: &mut Dictionary, key: &str, value: &str) {
    dictionary.insert(key.to_owned(), value.into());
}

fn list<'a>(values: impl IntoIterator<Item = &'a str>) -> Value {
    Value::Array(values.into_iter().map(Value::from).collect())
}

/// Keys stay in the order in which they were added.
pub(crate) fn property_list(dictionary: Dictionary) -> String {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = Value::Dictionary(dictionary).to_writer_xml(&mut bytes);
    let mut text = String::from_utf8(bytes).unwrap_or_default();
    text.push('\n');
    text
}

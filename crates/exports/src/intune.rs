//! Intune: an empty package whose pre-install script runs Installomator, as the latter's authors describe
//! it, and the description of the app for Microsoft Graph.

use serde_json::{Map, Value, json};

use crate::{
    Made,
    installed::{Installed, VersionKey},
    reason::Reason,
    script,
    subject::Subject,
};

/// The releases that Graph knows as the oldest one that an app runs on.
const RELEASES: [&str; 14] = [
    "10.7", "10.8", "10.9", "10.10", "10.11", "10.12", "10.13", "10.14", "10.15", "11.0", "12.0",
    "13.0", "14.0", "15.0",
];

/// The body of `POST /deviceAppManagement/mobileApps`, without the content of the package.
pub(crate) fn body(subject: &Subject<'_>) -> Made {
    let mut reasons = Vec::new();
    let app = subject.app;
    let label = subject.label_name();
    if label.is_none() {
        reasons.push(Reason::NoLabel);
    }
    if app.vendor.is_none() {
        reasons.push(Reason::NoVendor);
    }
    let installed = match Installed::of(subject) {
        // Intune compares `CFBundleShortVersionString`.
        Ok(Installed::App { bundle_id, key: VersionKey::ShortVersion, version }) => {
            Some((bundle_id, version))
        }
        Ok(Installed::App { key: VersionKey::BundleVersion, .. }) => {
            reasons.push(Reason::OtherVersionKey);
            None
        }
        Ok(Installed::Package { receipt, .. }) => {
            reasons.push(Reason::VersionOfPackage(receipt.to_owned()));
            None
        }
        Err(missing) => {
            reasons.extend(missing);
            None
        }
    };
    let (Some(label), Some(vendor), Some((bundle_id, version))) = (label, &app.vendor, installed)
    else {
        return Err(reasons);
    };
    let mut warnings = vec![
        "The package is an empty one, made with pkgbuild --nopayload; the pre-install script installs the app"
            .to_owned(),
    ];
    warnings.extend(subject.shared_id());
    let description = subject
        .details
        .description
        .clone()
        .unwrap_or_else(|| format!("Installed by the Installomator label {label}."));
    let mut body = json!({
        "@odata.type": "#microsoft.graph.macOSPkgApp",
        "displayName": app.name,
        "description": description,
        "publisher": vendor,
        "fileName": format!("{}.pkg", app.slug),
        "primaryBundleId": bundle_id,
        "primaryBundleVersion": version,
        "includedApps": [{
            "@odata.type": "microsoft.graph.macOSIncludedApp",
            "bundleId": bundle_id,
            "bundleVersion": version,
        }],
        // The label installs whatever is newest.
        "ignoreVersionDetection": true,
    });
    if let Some(homepage) = &subject.details.homepage {
        body["informationUrl"] = homepage.as_str().into();
    }
    match subject.details.minimum_macos.as_deref().and_then(release) {
        Some(release) => body["minimumSupportedOperatingSystem"] = release,
        None => warnings.push(
            "No oldest macOS is known that Intune has a name for; set minimumSupportedOperatingSystem"
                .to_owned(),
        ),
    }
    // JSON has no comments, and Intune shows these to admins.
    body["notes"] = warnings.join(". ").into();
    let mut text = serde_json::to_string_pretty(&body).unwrap_or_default();
    text.push('\n');
    Ok((text, warnings))
}

fn release(minimum: &str) -> Option<Value> {
    let mut parts = minimum.split('.');
    let (major, minor) = (parts.next()?, parts.next().unwrap_or("0"));
    // From macOS 11 on, Graph names the first part only.
    let name = if major == "10" { format!("10.{minor}") } else { format!("{major}.0") };
    let name = RELEASES.into_iter().find(|known| *known == name)?;
    let mut release = Map::new();
    release.insert(format!("v{}", name.replace('.', "_")), true.into());
    Some(release.into())
}

pub(crate) fn preinstall(subject: &Subject<'_>) -> Made {
    let Some(label) = subject.label_name() else { return Err(vec![Reason::NoLabel]) };
    Ok((script::preinstall(&subject.app.name, label), Vec::new()))
}

pub(crate) fn postinstall(subject: &Subject<'_>) -> Made {
    let mut reasons = Vec::new();
    if subject.label_name().is_none() {
        reasons.push(Reason::NoLabel);
    }
    let path = installed_path(subject).map_err(|reason| reasons.push(reason)).ok();
    let team = &subject.app.expected_team_id;
    if team.is_none() {
        reasons.push(Reason::NoTeamId);
    }
    match (path, team) {
        (Some(path), Some(team)) if reasons.is_empty() => {
            Ok((script::postinstall(&subject.app.name, path, team.as_str()), Vec::new()))
        }
        _ => Err(reasons),
    }
}

/// Where the app is after the label ran. A package puts it where its maker wants it, which the cask only
/// tells if it does not rename the app.
fn installed_path<'a>(subject: &'a Subject<'_>) -> Result<&'a str, Reason> {
    let delivery = &subject.delivery;
    let app = match &*delivery.apps {
        _ if delivery.has_unknown_apps => return Err(Reason::UnknownApps),
        [] => None,
        [app] => Some(app),
        _ => return Err(Reason::SeveralApps),
    };
    match (&delivery.app_of_label, app) {
        (Some(path), _) => Ok(path),
        (None, Some(app)) if app.is_renamed() => Err(Reason::RenamedApp(app.installed.clone())),
        (None, Some(app)) => Ok(&app.installed),
        (None, None) => Err(Reason::NoAppFile),
    }
}

//! Fleet: software and policies as YAML for `fleetctl gitops`.

use std::fmt::Write;

use appstitch_types::InstallMethod;

use crate::{
    Made,
    download::Download,
    installed::Installed,
    osquery::{on_one_line, warnings},
    quote::{comment, yaml},
    reason::Reason,
    subject::Subject,
};

/// The casks that Fleet maintains under their tokens, in order: the names in its public list of August
/// 2026. An app that Fleet added since gets a package or a policy until the list is renewed.
const MAINTAINED: &str = include_str!("fleet/maintained.txt");

/// The name under which Fleet maintains the app; without one, a package that it can install; else the policy.
/// Fleet takes packages only, no disk images and no archives.
pub(crate) fn software(subject: &Subject<'_>) -> Made {
    if let Some(token) = maintained(subject) {
        let mut text = head(subject, "software: fleet_maintained_apps:", &[]);
        let slug = yaml(&format!("{token}/darwin"));
        let _ = writeln!(text, "- slug: {slug}\n  self_service: true");
        return checked(text, Vec::new());
    }
    let Ok(download) = Download::choose(subject, |method| method == InstallMethod::Pkg) else {
        return policy(subject);
    };
    let mut warnings = Vec::new();
    let version = subject.app.current_version.as_deref();
    if version.is_none_or(|version| !download.has_version(version)) {
        warnings.push(
            "The address has no version in it: the checksum is wrong after the next release"
                .to_owned(),
        );
    }
    if download.differs_on_intel {
        warnings.push("The file is for Macs with Apple silicon".to_owned());
    }
    let mut text = head(subject, "software: packages:", &warnings);
    let _ = writeln!(
        text,
        "- url: {}\n  hash_sha256: {}\n  self_service: true",
        yaml(download.url.as_str()),
        yaml(download.sha256.as_str())
    );
    checked(text, warnings)
}

/// A policy that passes on Macs without the app and on those where it is current.
pub(crate) fn policy(subject: &Subject<'_>) -> Made {
    let installed = Installed::of(subject)?;
    let (name, version) = (&subject.app.name, installed.version());
    let query = format!("SELECT 1 WHERE NOT EXISTS ({});", on_one_line(installed));
    let warnings = warnings(subject);
    let mut text = head(subject, "policies:", &warnings);
    let lines = [
        // Fleet wants every name once, and editions of an app have the same one.
        ("- name", format!("{name} is up to date ({})", subject.app.slug)),
        ("  query", query),
        ("  description", format!("Passes if {name} is absent or at least version {version}.")),
        ("  resolution", format!("Update {name} to version {version} or newer.")),
    ];
    for (key, value) in lines {
        let _ = writeln!(text, "{key}: {}", yaml(&value));
    }
    text.push_str("  platform: darwin\n  critical: false\n");
    checked(text, warnings)
}

fn maintained<'a>(subject: &'a Subject<'_>) -> Option<&'a str> {
    let token = subject.parsed.sources().cask_catalog.as_ref()?.token.as_str();
    MAINTAINED.split_whitespace().any(|name| name == token).then_some(token)
}

/// `place` is where the list belongs in the file of a team.
fn head(subject: &Subject<'_>, place: &str, warnings: &[String]) -> String {
    let mut text = format!("# {}. This list belongs below {place}\n", comment(&subject.app.name));
    for warning in warnings {
        let _ = writeln!(text, "# {}", comment(warning));
    }
    text
}

/// Fleet replaces `$NAME` in its files.
fn checked(text: String, warnings: Vec<String>) -> Made {
    if text.contains('$') { Err(vec![Reason::Dollar]) } else { Ok((text, warnings)) }
}

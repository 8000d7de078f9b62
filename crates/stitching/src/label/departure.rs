//! Warnings where a generated label departs from the app's own label.

use appstitch_types::InstallMethod;
use serde_json::{Map, Value};

use super::{literal::Literals, origin::labels_type};

/// The variables whose values decide what is installed and when.
const COMPARED: [&str; 12] = [
    "name", "type", "packageID", "downloadURL", "appNewVersion", "expectedTeamID", "CLIArguments",
    "CLIInstaller", "curlOptions", "folderName", "installerTool", "pkgName",
];

/// One warning for each variable of the label that `content` has with another value or not at all.
pub(super) fn warnings(label: &Literals, content: &Map<String, Value>) -> Vec<String> {
    let departure = |variable: &str| {
        let own = label.value(variable).filter(|own| content.get(variable) != Some(own))?;
        let is_same = match variable {
            "name" => content.get("name").and_then(Value::as_str) == label.name(),
            // The label tool knows two words for it.
            "type" => content.get("type")?.as_str() == labels_type(label).map(InstallMethod::word),
            // The label finds its address by running.
            "downloadURL" => label.has_recorded_address,
            "appNewVersion" => label.version().is_none(),
            _ => false,
        };
        let own = match own {
            Value::Array(items) => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            text => text.as_str()?.to_owned(),
        };
        let end = if content.contains_key(variable) { "" } else { ", for another download" };
        (!is_same).then(|| format!("{variable}: the app's own label has {own}{end}"))
    };
    COMPARED.into_iter().filter_map(departure).collect()
}

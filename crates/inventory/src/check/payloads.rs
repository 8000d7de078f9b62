//! The parts of an app's payloads that a check needs.
//!
//! Most of a payload is about something else, and a catalog has thousands of them. So only the needed
//! members are parsed. An object with other types or repeated members is parsed as a whole.

use std::borrow::Cow;

use appstitch_stitching::{cask::CaskFacts, label::literal::Literals};
use appstitch_types::{AppSources, MdmInstallerSource, Uri};
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

/// The payloads of one app, as [`AppSources`] has them, not parsed yet.
///
/// ```
/// use appstitch_inventory::check::InstalledPayloads;
/// use appstitch_types::AppSources;
///
/// let sources = AppSources::default();
/// let json = serde_json::to_string(&sources)?;
/// let read: InstalledPayloads = serde_json::from_str(&json)?;
/// let taken = InstalledPayloads::from(&sources);
/// # let _ = (read, taken);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Default, Deserialize)]
pub struct InstalledPayloads<'a> {
    #[serde(borrow)]
    pub(super) label_tool: Option<LabelPayload<'a>>,
    #[serde(borrow)]
    pub(super) cask_catalog: Option<CaskPayload<'a>>,
    #[serde(borrow)]
    pub(super) store_listing: Option<ListingPayload<'a>>,
    pub(super) mdm_installer: Option<Cow<'a, MdmInstallerSource>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LabelPayload<'a> {
    #[serde(borrow)]
    pub(super) label_name: Cow<'a, str>,
    #[serde(borrow)]
    raw: &'a RawValue,
}

#[derive(Debug, Deserialize)]
pub(super) struct CaskPayload<'a> {
    #[serde(borrow)]
    pub(super) token: Cow<'a, str>,
    #[serde(borrow)]
    entry_json: &'a RawValue,
}

#[derive(Debug, Deserialize)]
pub(super) struct ListingPayload<'a> {
    #[serde(borrow)]
    pub(super) bundle_id: Cow<'a, str>,
    pub(super) store_url: Option<Uri>,
    #[serde(borrow)]
    raw: &'a RawValue,
}

impl<'a> From<&'a AppSources> for InstalledPayloads<'a> {
    fn from(sources: &'a AppSources) -> Self {
        let text = |text: &'a String| Cow::Borrowed(text.as_str());
        Self {
            label_tool: sources.label_tool.as_ref().map(|label| LabelPayload {
                label_name: text(&label.label_name),
                raw: label.raw.as_raw(),
            }),
            cask_catalog: sources.cask_catalog.as_ref().map(|cask| CaskPayload {
                token: text(&cask.token),
                entry_json: cask.entry_json.as_raw(),
            }),
            store_listing: sources.store_listing.as_ref().map(|listing| ListingPayload {
                bundle_id: text(&listing.bundle_id),
                store_url: listing.store_url.clone(),
                raw: listing.raw.as_raw(),
            }),
            mdm_installer: sources.mdm_installer.as_ref().map(Cow::Borrowed),
        }
    }
}

/// All members of an object, for one that is not as usual.
fn whole(raw: &RawValue) -> Map<String, Value> {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

/// An object of the members that are not absent.
fn members<const N: usize>(members: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let there = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    there.collect()
}

impl LabelPayload<'_> {
    /// The name of the app and its version, resolved if they need a shell. The address decides
    /// about the version.
    pub(super) fn literals(&self) -> Literals {
        #[derive(Deserialize)]
        struct Needed {
            name: Option<Value>,
            #[serde(rename = "appName")]
            app_name: Option<Value>,
            #[serde(rename = "appNewVersion")]
            version: Option<Value>,
            #[serde(rename = "versionKey")]
            version_key: Option<Value>,
            #[serde(rename = "downloadURL")]
            address: Option<Value>,
            resolved: Option<Value>,
            recorded: Option<Value>,
        }
        let needed: Result<Needed, _> = serde_json::from_str(self.raw.get());
        Literals::of(match needed {
            Ok(needed) => members([
                ("name", needed.name),
                ("appName", needed.app_name),
                ("appNewVersion", needed.version),
                ("versionKey", needed.version_key),
                ("downloadURL", needed.address),
                ("resolved", needed.resolved),
                ("recorded", needed.recorded),
            ]),
            Err(_) => whole(self.raw),
        })
    }
}

pub(super) struct InstalledCask {
    /// Only its names, tokens, files, versions, addresses and deprecation.
    pub(super) facts: CaskFacts,
    pub(super) updates_itself: bool,
}

impl CaskPayload<'_> {
    pub(super) fn read(&self) -> InstalledCask {
        #[derive(Deserialize)]
        struct Needed {
            token: Option<Value>,
            name: Option<Value>,
            old_tokens: Option<Value>,
            homepage: Option<Value>,
            url: Option<Value>,
            version: Option<Value>,
            auto_updates: Option<Value>,
            deprecated: Option<Value>,
            disabled: Option<Value>,
            artifacts: Option<Vec<Artifact>>,
        }
        #[derive(Deserialize)]
        struct Artifact {
            app: Option<Value>,
            target: Option<Value>,
            uninstall: Option<Value>,
        }
        let needed: Result<Needed, _> = serde_json::from_str(self.entry_json.get());
        let entry = match needed {
            Ok(needed) => {
                let artifact = |Artifact { app, target, uninstall }| {
                    members([("app", app), ("target", target), ("uninstall", uninstall)])
                };
                let artifacts = needed.artifacts.map(|all| all.into_iter().map(artifact).collect());
                members([
                    ("token", needed.token),
                    ("name", needed.name),
                    ("old_tokens", needed.old_tokens),
                    ("homepage", needed.homepage),
                    ("url", needed.url),
                    ("version", needed.version),
                    ("auto_updates", needed.auto_updates),
                    ("deprecated", needed.deprecated),
                    ("disabled", needed.disabled),
                    ("artifacts", artifacts),
                ])
            }
            Err(_) => whole(self.entry_json),
        };
        let updates_itself = entry.get("auto_updates").and_then(Value::as_bool);
        InstalledCask {
            facts: CaskFacts::of(&entry),
            updates_itself: updates_itself.unwrap_or_default(),
        }
    }
}

impl ListingPayload<'_> {
    /// The version of a listing for the Mac. A listing for the iPhone says nothing about the Mac.
    pub(super) fn version(&self) -> Option<Box<str>> {
        #[derive(Deserialize)]
        struct Needed {
            kind: Option<Value>,
            version: Option<Value>,
        }
        let needed: Result<Needed, _> = serde_json::from_str(self.raw.get());
        let listing = match needed {
            Ok(Needed { kind, version }) => members([("kind", kind), ("version", version)]),
            Err(_) => whole(self.raw),
        };
        let text = |name: &str| listing.get(name)?.as_str();
        text("version").filter(|_| text("kind") == Some("mac-software")).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cask(entry: &str) -> InstalledCask {
        let json = format!(r#"{{"cask_catalog": {{"token": "sample", "entry_json": {entry}}}}}"#);
        let payloads: InstalledPayloads<'_> = serde_json::from_str(&json).unwrap();
        payloads.cask_catalog.unwrap().read()
    }

    #[test]
    fn what_is_needed_of_a_cask_is_the_same_as_in_the_whole_entry() {
        let entries = [
            json!({"token": "sample@beta", "name": ["Sample", "Sample Pro"], "version": "1.2,34",
                "old_tokens": ["old"], "homepage": "https://example.com/", "auto_updates": true,
                "deprecated": true, "desc": "x", "variations": {"tahoe": {"version": "9"}},
                "artifacts": [{"app": ["Sample 1.app", {"target": "Sample.app"}], "target": "Sample.app"},
                    {"zap": [{"trash": "~/x"}]}, {"uninstall": [{"delete": "/Applications/Other.app"}]}]}),
            json!({"artifacts": ["text", {"app": ["A.app"]}], "name": "A", "version": 1}),
            json!({"artifacts": "none", "auto_updates": "yes", "disabled": true}),
            json!({}),
        ];
        for entry in entries {
            let (read, whole) =
                (cask(&entry.to_string()), CaskFacts::of(entry.as_object().unwrap()));
            let facts = read.facts;
            assert_eq!(facts.app_name, whole.app_name, "{entry}");
            assert_eq!(facts.removed_app, whole.removed_app, "{entry}");
            assert_eq!(facts.archived_app, whole.archived_app, "{entry}");
            assert_eq!((facts.names, facts.old_tokens), (whole.names, whole.old_tokens), "{entry}");
            assert_eq!((facts.version, facts.full_version), (whole.version, whole.full_version));
            assert_eq!((facts.homepage, facts.edition), (whole.homepage, whole.edition));
            assert_eq!(facts.deprecation.is_some(), whole.deprecation.is_some());
            assert_eq!(read.updates_itself, entry["auto_updates"] == json!(true));
        }
    }

    #[test]
    fn the_last_of_repeated_members_counts() {
        let read = cask(r#"{"version": "1.0", "version": "2.0", "name": ["Sample"]}"#);
        assert_eq!(read.facts.version.as_deref(), Some("2.0"));
        assert_eq!(read.facts.names, ["Sample"]);
    }
}

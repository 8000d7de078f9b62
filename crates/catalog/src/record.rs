//! Records given by hand, and the door they come in through.
//!
//! A record is one app with or without its source payloads. It is taken whole or refused
//! whole, and a refusal says which rule it broke.

use serde::{Deserialize, Serialize};
use serde_path_to_error::Track;
use thiserror::Error;

use crate::{App, AppSources, BrokenRule, Slug, package_type, served};

/// One app and what its sources said; without source detail there is nothing to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The stitched record.
    pub app: App,
    /// The payloads behind it; `None` is the record without source detail.
    pub sources: Option<AppSources>,
}

/// A record that was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// The record as it will be served.
    pub record: Record,
    /// The slug it was given under, where a route of that name made another one necessary.
    pub renamed_from: Option<Slug>,
}

/// A record that was not let in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct Refusal {
    /// The slug, if one could be read.
    pub slug: Option<String>,
    /// Whether there was a JSON object at all.
    pub readable: bool,
    /// Which rule was broken.
    pub why: String,
}

impl Record {
    /// Reads one record from JSON and checks every rule of the served fields.
    pub fn admit(json: &[u8]) -> Result<Admitted, Refusal> {
        let mut record = Self::read_strictly(json).map_err(|why| Refusal {
            slug: given_slug(json),
            readable: is_object(json),
            why,
        })?;
        record.check().map_err(|broken| Refusal {
            slug: Some(record.app.slug.to_string()),
            readable: true,
            why: broken.to_string(),
        })?;
        record.sources = record.sources.filter(|sources| !sources.is_empty());
        if let Some(sources) = &record.sources {
            record.app.sources = record.app.sources.union(sources.tokens());
        }
        let renamed_from =
            record.app.slug.unshadowed().map(|slug| std::mem::replace(&mut record.app.slug, slug));
        Ok(Admitted { record, renamed_from })
    }

    /// A key nobody knows is a spelling mistake, and would be lost without a word.
    fn read_strictly(json: &[u8]) -> Result<Self, String> {
        let mut unknown = Vec::new();
        let mut track = Track::new();
        let mut source = serde_json::Deserializer::from_slice(json);
        let tracked = serde_path_to_error::Deserializer::new(&mut source, &mut track);
        let record = serde_ignored::deserialize(tracked, |path| unknown.push(path.to_string()));
        let record: Self = record.map_err(|error| format!("{}: {error}", track.path()))?;
        source.end().map_err(|error| error.to_string())?;
        match unknown.first() {
            None => Ok(record),
            Some(key) => Err(format!("unknown key '{key}'")),
        }
    }

    fn check(&self) -> Result<(), BrokenRule> {
        let app = &self.app;
        served::check_text("name", &app.name)?;
        if let Some(vendor) = &app.vendor {
            served::check_text("vendor", vendor)?;
        }
        if let Some(bundle_id) = &app.bundle_id {
            served::check_value("bundle_id", bundle_id)?;
        }
        if let Some(version) = &app.current_version {
            served::check_value("current_version", version)?;
        }
        if app.sha256.is_some() && app.download_url.is_none() {
            return Err(BrokenRule::HashWithoutUrl);
        }
        let extension =
            app.download_url.as_ref().and_then(|url| package_type::extension(url.as_str()));
        if let (Some(method), Some((extension, kind))) = (app.install_method, extension)
            && !kind.fits(method)
        {
            return Err(BrokenRule::MethodContradictsUrl { method: method.word(), extension });
        }
        Ok(())
    }
}

fn is_object(json: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Map<_, serde_json::Value>>(json).is_ok()
}

fn given_slug(json: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(json).ok()?;
    let slug = value.pointer("/app/slug")?.as_str()?;
    Some(slug.chars().take(160).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Source;

    fn admit(app: serde_json::Value, sources: serde_json::Value) -> Result<Admitted, Refusal> {
        Record::admit(json!({"app": app, "sources": sources}).to_string().as_bytes())
    }

    fn refusal(app: serde_json::Value) -> String {
        admit(app, json!(null)).expect_err("should be refused").why
    }

    #[test]
    fn a_record_without_sources_has_no_source_detail() {
        let without = json!({"slug":"a","name":"A","sources":["label_tool"]});
        for sources in [json!(null), json!({}), json!({"label_tool": null})] {
            let admitted = admit(without.clone(), sources).unwrap();
            assert_eq!(admitted.record.sources, None);
            assert!(admitted.record.app.sources.contains(Source::LabelTool));
        }
    }

    #[test]
    fn a_payload_makes_its_source_a_token() {
        let app = json!({"slug":"a","name":"A","sources":[]});
        let admitted = admit(app, json!({"cask_catalog":{"token":"a","entry_json":{}}})).unwrap();
        assert!(admitted.record.app.sources.contains(Source::CaskCatalog));
    }

    #[test]
    fn a_slug_that_a_route_would_hide_is_renamed_and_told() {
        let admitted =
            admit(json!({"slug":"drift","name":"Drift","sources":[]}), json!(null)).unwrap();
        assert_eq!(admitted.record.app.slug.as_str(), "drift-app");
        assert_eq!(admitted.renamed_from.unwrap().as_str(), "drift");
    }

    #[test]
    fn junk_in_a_served_field_is_refused_with_the_reason() {
        let hash = "a".repeat(64);
        for (field, value, reason) in [
            ("name", json!("$name"), "name holds a shell expression"),
            ("vendor", json!(" "), "vendor is empty"),
            ("current_version", json!("latest"), "current_version is 'latest'"),
            ("sha256", json!("no_check"), "is no sha256"),
            ("sha256", json!(hash), "sha256 without download_url"),
            ("expected_team_id", json!("abc"), "is no team id"),
            ("download_url", json!("ftp://e.com/a"), "is no http or https address"),
            ("install_method", json!("exe"), "unknown variant `exe`"),
            ("latest_release_date", json!("soon"), "app.latest_release_date: "),
            ("sources", json!(["store_listing"]), "is no source token"),
            ("vendr", json!("x"), "unknown key 'app.vendr'"),
            ("slug", json!("a b"), "is no slug"),
        ] {
            let mut app = json!({"slug":"a","name":"A","sources":[]});
            app[field] = value;
            let why = refusal(app);
            assert!(why.contains(reason), "{field}: {why}");
        }
    }

    #[test]
    fn a_method_that_the_file_rules_out_is_refused() {
        let app = json!({"slug":"a","name":"A","sources":[],"install_method":"pkg",
            "download_url":"https://example.com/a.dmg"});
        assert_eq!(refusal(app), "install_method pkg contradicts download_url, which ends in .dmg");
    }

    #[test]
    fn a_refusal_tells_garbage_from_a_record_with_a_fault() {
        let garbage = Record::admit(b"<html>").unwrap_err();
        assert!(!garbage.readable && garbage.slug.is_none());
        let fault = Record::admit(br#"{"app":{"slug":"a"},"sources":null}"#).unwrap_err();
        assert!(fault.readable);
        assert_eq!(fault.slug.as_deref(), Some("a"));
        assert!(Record::admit(br#"{"app":{"slug":"a","name":"A","sources":[]}} x"#).is_err());
    }

    #[test]
    fn raw_payloads_come_through_verbatim() {
        let line = br#"{"app":{"slug":"a","name":"A","sources":["cask_catalog"]},"sources":{"cask_catalog":{"token":"a","entry_json":{"z":1.50,"a":[1e2]}}}}"#;
        let sources = Record::admit(line).unwrap().record.sources.unwrap();
        assert_eq!(sources.cask_catalog.unwrap().entry_json.as_json(), r#"{"z":1.50,"a":[1e2]}"#);
    }
}

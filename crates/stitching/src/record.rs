//! Manual records and their validation.
//!
//! A record is one app with or without its source payloads. Invalid records are rejected: not
//! JSON, a wrong type, no valid slug or name. If any other field is invalid, it becomes null and
//! a note gives the reason. Texts are brought into the normal form of the text rule.

use appstitch_text::served;
use appstitch_types::{
    App, AppSources, BrokenRule, InstallMethod, Sha256, Slug, Source, SourceSet, TeamId, Uri,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_path_to_error::Track;
use thiserror::Error;

use crate::{address::download_address, package_type, payload_text};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub app: App,
    /// `None` for a record without source detail.
    pub sources: Option<AppSources>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    pub record: Record,
    /// The omitted or changed values, each with the reason.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct Refusal {
    /// The slug that the record would be served under, if it could be read.
    pub slug: Option<String>,
    pub readable: bool,
    pub why: String,
}

/// The maximum number of notes about one record. A record may have millions of unknown keys.
const MAX_NOTES: usize = 100;

impl Record {
    /// Reads one record from JSON and omits invalid values.
    pub fn admit(json: &[u8]) -> Result<Admitted, Refusal> {
        let mut notes = Vec::new();
        if !is_object(json) {
            let why = "not a JSON object".to_owned();
            return Err(Refusal { slug: None, readable: false, why });
        }
        let refuse = |why| Refusal { slug: given_slug(json), readable: true, why };
        let given = GivenRecord::read(json, &mut notes).map_err(refuse)?;
        let sources = given.sources.map(|sources| payload_text::admit(sources, &mut notes));
        let sources = sources.filter(|sources| !sources.is_empty());
        let mut app = given.app.admit(&mut notes).map_err(|broken| refuse(broken.to_string()))?;
        if let Some(sources) = &sources {
            app.sources = app.sources.union(sources.tokens());
        }
        if let Some(slug) = app.slug.unshadowed() {
            notes.push(format!("a route uses this slug: the app is served as '{slug}'"));
            app.slug = slug;
        }
        Ok(Admitted { record: Self { app, sources }, notes })
    }
}

#[derive(Deserialize)]
struct GivenRecord {
    app: GivenApp,
    sources: Option<AppSources>,
}

#[derive(Deserialize)]
struct GivenApp {
    slug: Slug,
    bundle_id: Option<String>,
    name: String,
    vendor: Option<String>,
    current_version: Option<String>,
    latest_release_date: Option<String>,
    download_url: Option<String>,
    install_method: Option<String>,
    expected_team_id: Option<String>,
    sha256: Option<String>,
    sources: Vec<String>,
}

impl GivenRecord {
    /// Parses the record. Unknown keys are noted because they may be typos.
    fn read(json: &[u8], notes: &mut Vec<String>) -> Result<Self, String> {
        let mut track = Track::new();
        let mut source = serde_json::Deserializer::from_slice(json);
        let tracked = serde_path_to_error::Deserializer::new(&mut source, &mut track);
        let given = serde_ignored::deserialize(tracked, |path| {
            if notes.len() >= MAX_NOTES {
                return;
            }
            // serde_ignored writes an optional part of the path as `?`.
            let path = path.to_string().replace(".?", "");
            notes.push(format!("unknown key '{path}' is ignored"));
        });
        let given: Self = given.map_err(|error| match track.path().to_string().as_str() {
            "." => plain(&error),
            path => format!("{path}: {}", plain(&error)),
        })?;
        source.end().map_err(|error| plain(&error))?;
        Ok(given)
    }
}

impl GivenApp {
    fn admit(self, notes: &mut Vec<String>) -> Result<App, BrokenRule> {
        let name = served::text("name", &self.name)?;
        let mut door = Door { notes };
        let download_url =
            door.value("download_url", self.download_url, |text| download_address(&text));
        let install_method = door.value("install_method", self.install_method, |word| {
            InstallMethod::from_word(&word).ok_or(BrokenRule::InstallMethod(word))
        });
        let sha256 = door.value("sha256", self.sha256, |text| Sha256::parse(&text));
        Ok(App {
            slug: self.slug,
            bundle_id: door.text("bundle_id", self.bundle_id, served::value),
            name,
            vendor: door.text("vendor", self.vendor, served::text),
            current_version: door.text("current_version", self.current_version, served::value),
            latest_release_date: door.value(
                "latest_release_date",
                self.latest_release_date,
                |text| read_date(&text).ok_or(BrokenRule::Date(text)),
            ),
            install_method: door.fitting("install_method", install_method, |method| {
                fits_extension(*method, download_url.as_ref())
            }),
            expected_team_id: door
                .value("expected_team_id", self.expected_team_id, |text| TeamId::parse(&text)),
            sha256: door.fitting("sha256", sha256, |_| {
                download_url.as_ref().map(|_| ()).ok_or(BrokenRule::HashWithoutUrl)
            }),
            sources: door.tokens(self.sources),
            download_url,
        })
    }
}

struct Door<'a> {
    notes: &'a mut Vec<String>,
}

impl Door<'_> {
    fn value<T>(
        &mut self,
        field: &str,
        given: Option<String>,
        parse: impl FnOnce(String) -> Result<T, BrokenRule>,
    ) -> Option<T> {
        match parse(given?) {
            Ok(value) => Some(value),
            Err(broken) => {
                self.note(field, &broken);
                None
            }
        }
    }

    fn note(&mut self, field: &str, broken: &BrokenRule) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("{field} omitted: {broken}"));
        }
    }

    fn text(
        &mut self,
        field: &'static str,
        given: Option<String>,
        normal_form: fn(&'static str, &str) -> Result<String, BrokenRule>,
    ) -> Option<String> {
        self.value(field, given, |text| normal_form(field, &text))
    }

    fn fitting<T>(
        &mut self,
        field: &str,
        value: Option<T>,
        check: impl FnOnce(&T) -> Result<(), BrokenRule>,
    ) -> Option<T> {
        let value = value?;
        match check(&value) {
            Ok(()) => Some(value),
            Err(broken) => {
                self.note(field, &broken);
                None
            }
        }
    }

    fn tokens(&mut self, given: Vec<String>) -> SourceSet {
        let known = given.into_iter().filter_map(|token| {
            self.value("source", Some(token), |token| {
                Source::listed_from_token(&token).ok_or(BrokenRule::Source(token))
            })
        });
        known.collect()
    }
}

/// The message without its position. A record is one line, and the line number is reported
/// separately.
fn plain(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or(&message).to_owned()
}

/// Parses a date; only the served format YYYY-MM-DD is accepted.
fn read_date(text: &str) -> Option<Date> {
    text.parse().ok().filter(|date: &Date| date.to_string() == text && text.len() == 10)
}

fn fits_extension(method: InstallMethod, url: Option<&Uri>) -> Result<(), BrokenRule> {
    match url.and_then(|url| package_type::extension(url.as_str())) {
        Some((extension, kind)) if !kind.fits(method) => {
            Err(BrokenRule::MethodContradictsUrl { method: method.word(), extension })
        }
        _ => Ok(()),
    }
}

fn is_object(json: &[u8]) -> bool {
    json.trim_ascii().starts_with(b"{")
        && serde_json::from_slice::<serde::de::IgnoredAny>(json).is_ok()
}

/// The slug that a rejected record would have been served under.
fn given_slug(json: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct SlugOfRecord {
        app: SlugOfApp,
    }
    #[derive(Deserialize)]
    struct SlugOfApp {
        slug: String,
    }
    let SlugOfRecord { app } = serde_json::from_slice(json).ok()?;
    let served = Slug::parse(&app.slug).ok().and_then(|slug| slug.unshadowed());
    Some(served.map_or_else(|| app.slug.chars().take(160).collect(), |slug| slug.to_string()))
}

#[cfg(test)]
mod tests;

//! What the address of a badge asks for.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadgeForm {
    Svg,
    /// The description that the Shields service reads.
    Json,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadgeRequest<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) form: BadgeForm,
    /// The text on the left instead of the usual one; empty for none.
    header: Option<Cow<'a, str>>,
    /// The version below which the badge is red.
    pub(super) least_version: Option<Cow<'a, str>>,
    pub(super) have: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject<'a> {
    /// The number of apps.
    Catalog,
    /// The age of the data.
    Fresh,
    /// One fact about the app with a slug or another name.
    App(Cow<'a, str>, Fact<'a>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact<'a> {
    Version,
    /// The version of one source, by its token.
    SourceVersion(Cow<'a, str>),
    /// Whether label and cask agree.
    Drift,
    /// Whether the version that somebody has is the newest one.
    Current,
    Sources,
    Table,
}

impl<'a> BadgeRequest<'a> {
    /// Reads a path below `/badge/`, still percent-encoded, and its query; `None` if there is no such
    /// badge. Of a repeated parameter the last is used, and unknown ones are ignored.
    pub fn read(path: &'a str, query: Option<&'a str>) -> Option<Self> {
        let path = path.strip_prefix("/badge/")?;
        let (path, form) = if let Some(path) = path.strip_suffix(".svg") {
            (path, BadgeForm::Svg)
        } else {
            (path.strip_suffix(".json")?, BadgeForm::Json)
        };
        let mut segments = path.split('/');
        let kind = segments.next()?;
        let (name, source) = (segments.next().map(decoded), segments.next().map(decoded));
        let subject = match (kind, name, source, segments.next()) {
            ("catalog", None, None, None) => Subject::Catalog,
            ("fresh", None, None, None) => Subject::Fresh,
            ("version", Some(name), None, None) => Subject::App(name, Fact::Version),
            ("version", Some(name), Some(source), None) => {
                Subject::App(name, Fact::SourceVersion(source))
            }
            ("drift", Some(name), None, None) => Subject::App(name, Fact::Drift),
            ("current", Some(name), None, None) => Subject::App(name, Fact::Current),
            ("sources", Some(name), None, None) => Subject::App(name, Fact::Sources),
            ("table", Some(name), None, None) => Subject::App(name, Fact::Table),
            _ => return None,
        };
        let mut request = Self { subject, form, header: None, least_version: None, have: None };
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match &*name {
                "header" => request.header = Some(value),
                "minversion" => request.least_version = Some(value),
                "have" => request.have = Some(value),
                _ => {}
            }
        }
        Some(request)
    }

    pub fn form(&self) -> BadgeForm {
        self.form
    }

    /// The text on the left, if the address does not ask for another one.
    pub(super) fn label<'b>(&'b self, usual: &'b str) -> &'b str {
        self.header.as_deref().unwrap_or(usual)
    }
}

fn decoded(segment: &str) -> Cow<'_, str> {
    percent_decode_str(segment).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_fact_and_an_app() {
        let read = |path| BadgeRequest::read(path, None).map(|request| request.subject);
        let app = |name: &'static str, fact| Some(Subject::App(name.into(), fact));
        assert_eq!(read("/badge/version/firefox.svg"), app("firefox", Fact::Version));
        assert_eq!(read("/badge/version/a.svg.json"), app("a.svg", Fact::Version));
        assert_eq!(read("/badge/drift/notepad%2B%2B.json"), app("notepad++", Fact::Drift));
        let of_cask = Fact::SourceVersion("cask_catalog".into());
        assert_eq!(read("/badge/version/firefox/cask_catalog.svg"), app("firefox", of_cask));
        assert_eq!(read("/badge/catalog.json"), Some(Subject::Catalog));
        for path in [
            "/badge/version/firefox",
            "/badge/version/firefox.png",
            "/badge/version.svg",
            "/badge/versions/firefox.svg",
            "/badge/drift/firefox/cask_catalog.svg",
            "/badge/version/a/b/c.svg",
            "/badge/catalog/x.svg",
            "/badges/catalog.svg",
        ] {
            assert_eq!(read(path), None, "{path}");
        }
    }

    #[test]
    fn parameters_are_decoded_and_the_last_one_counts() {
        let query = Some("header=a+b&have=1.0%2B5&x=y&header=%3Cb%3E&minversion=");
        let request = BadgeRequest::read("/badge/current/a.svg", query).unwrap();
        assert_eq!(request.label("usual"), "<b>");
        assert_eq!(request.have.as_deref(), Some("1.0+5"));
        assert_eq!(request.least_version.as_deref(), Some(""));
        let request = BadgeRequest::read("/badge/current/a.svg", None).unwrap();
        assert_eq!(request.label("usual"), "usual");
    }
}

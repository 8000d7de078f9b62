//! A source that starts or stops to lag behind another one.

use jiff::Timestamp;

use crate::{
    line::line,
    title::{NAME_BYTES, VERSION_BYTES},
};

/// A source of an app that starts or stops to lag.
#[derive(Debug, Clone)]
pub struct NamedDrift<'a> {
    /// The number of the event, which no change has.
    pub seq: u64,
    /// When the revision was published.
    pub at: Timestamp,
    /// The app's slug.
    pub slug: &'a str,
    /// The app's name.
    pub name: &'a str,
    /// The token of the source.
    pub source: &'a str,
    /// Whether it lags now.
    pub lags: bool,
    /// The version that the source states, if it is known.
    pub version: Option<&'a str>,
    /// The newest version of any source, if it is known.
    pub newest: Option<&'a str>,
}

impl NamedDrift<'_> {
    /// One sentence, such as `Firefox: label_tool lags at 153.0.3, newest is 154.0`.
    #[must_use]
    pub fn title(&self) -> String {
        let name = line(self.name, NAME_BYTES);
        let name = if name.is_empty() { line(self.slug, NAME_BYTES) } else { name };
        let source = line(self.source, NAME_BYTES);
        let (version, newest) = (short(self.version), short(self.newest));
        if !self.lags {
            let at = version.map(|version| format!(", at {version}")).unwrap_or_default();
            return format!("{name}: {source} no longer lags{at}");
        }
        let at = version.map(|version| format!(" at {version}")).unwrap_or_default();
        let newest = newest.map(|newest| format!(", newest is {newest}")).unwrap_or_default();
        format!("{name}: {source} lags{at}{newest}")
    }

    pub(crate) fn summary(&self) -> String {
        let mut lines = vec![format!("Source: {}", line(self.source, NAME_BYTES))];
        lines.extend(short(self.version).map(|version| format!("Its version: {version}")));
        lines.extend(short(self.newest).map(|newest| format!("Newest version: {newest}")));
        lines.join("\n")
    }

    pub(crate) fn category(&self) -> &'static str {
        if self.lags { "lags" } else { "caught-up" }
    }
}

fn short(version: Option<&str>) -> Option<String> {
    version.map(|version| line(version, VERSION_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_starts_and_stops_to_lag() {
        let drift = NamedDrift {
            seq: 7,
            at: "2026-08-22T19:31:04Z".parse().unwrap(),
            slug: "firefox",
            name: "Firefox",
            source: "label_tool",
            lags: true,
            version: Some("153.0.3"),
            newest: Some("154.0"),
        };
        assert_eq!(drift.title(), "Firefox: label_tool lags at 153.0.3, newest is 154.0");
        let stopped = NamedDrift { lags: false, version: Some("154.0"), ..drift.clone() };
        assert_eq!(stopped.title(), "Firefox: label_tool no longer lags, at 154.0");
        let unknown = NamedDrift { lags: false, version: None, newest: None, ..drift };
        assert_eq!(unknown.title(), "Firefox: label_tool no longer lags");
    }
}

//! A source that starts or stops to lag behind another one, as text.

use appstitch_types::{DriftEvent, DriftEventKind, SourceVersion};
use appstitch_versions::is_lower_version;

use crate::{
    line::line,
    title::{NAME_BYTES, VERSION_BYTES},
};

/// The most sources that a summary lists. There are fewer.
const LISTED_SOURCES: usize = 16;

/// One sentence, such as `Firefox: label_tool lags at 153.0.3, newest is 154.0`.
pub(crate) fn title(event: &DriftEvent) -> String {
    let name = line(&event.name, NAME_BYTES);
    let name = if name.is_empty() { line(&event.slug, NAME_BYTES) } else { name };
    let source = line(&event.source, NAME_BYTES);
    let lagging = event.versions.iter().find(|version| version.source == event.source);
    let at = lagging.map(|version| format!(" at {}", short(version))).unwrap_or_default();
    match event.kind {
        DriftEventKind::Stopped => format!("{name}: {source} no longer lags{at}"),
        DriftEventKind::Started => {
            let newest = newest(event, lagging);
            let newest = newest.map(|newest| format!(", newest is {}", short(newest)));
            format!("{name}: {source} lags{at}{}", newest.unwrap_or_default())
        }
    }
}

/// What every source states, one per line.
pub(crate) fn summary(event: &DriftEvent) -> String {
    let versions = event.versions.iter().take(LISTED_SOURCES);
    let lines = versions
        .map(|version| format!("{}: {}", line(&version.source, NAME_BYTES), short(version)));
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { title(event) } else { lines.join("\n") }
}

/// The highest version that is above the one that lags.
fn newest<'a>(event: &'a DriftEvent, lagging: Option<&SourceVersion>) -> Option<&'a SourceVersion> {
    let lagging = lagging?;
    let above =
        event.versions.iter().filter(|one| is_lower_version(&lagging.version, &one.version));
    above.reduce(|best, one| if is_lower_version(&best.version, &one.version) { one } else { best })
}

fn short(version: &SourceVersion) -> String {
    line(&version.version, VERSION_BYTES)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(kind: &str, versions: &[(&str, &str)]) -> DriftEvent {
        let versions = versions.iter().map(
            |(source, version)| json!({"source": source, "version": version, "parsed_ok": true}),
        );
        serde_json::from_value(json!({
            "seq": 7, "at": "2026-08-22T19:31:04Z", "revision": "r", "slug": "firefox",
            "name": "Firefox", "vendor": "Mozilla", "kind": kind, "source": "label_tool",
            "versions": versions.collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    #[test]
    fn a_source_starts_and_stops_to_lag() {
        let apart = [("label_tool", "153.0.3"), ("cask_catalog", "154.0")];
        let started = event("started", &apart);
        assert_eq!(title(&started), "Firefox: label_tool lags at 153.0.3, newest is 154.0");
        assert_eq!(summary(&started), "label_tool: 153.0.3\ncask_catalog: 154.0");
        let equal = [("label_tool", "154.0"), ("cask_catalog", "154.0")];
        assert_eq!(title(&event("stopped", &equal)), "Firefox: label_tool no longer lags at 154.0");
        let gone = event("stopped", &[]);
        assert_eq!(title(&gone), "Firefox: label_tool no longer lags");
        assert_eq!(summary(&gone), title(&gone));
    }
}

//! What runs found, in the form in which it is published.

use appstitch_publish::{LabelReport, LabelResult, ResolvedLabel, ResolvedValues, UploadProblem};
use appstitch_resolver::{ArchitectureRun, LabelRun};
use appstitch_sources::label_tool;
use appstitch_text::check_found_version;
use appstitch_types::FoundBy;

#[derive(Debug, Default)]
pub struct PublishedFindings {
    /// The served revision; `None` if nothing was published.
    pub revision: Option<String>,
    pub outcomes: Vec<LabelReport>,
    pub problems: Vec<UploadProblem>,
}

impl PublishedFindings {
    pub fn of<'f, T>(&'f self, pick: impl Fn(&'f LabelReport) -> Option<T>) -> Vec<T> {
        self.outcomes.iter().filter_map(pick).collect()
    }

    pub fn unchanged(&self) -> usize {
        self.of(|outcome| matches!(outcome.result, LabelResult::Unchanged).then_some(())).len()
    }
}

/// The findings as lines. A label that found nothing has no line: it changes nothing.
pub fn lines(runs: &[LabelRun]) -> Result<Vec<u8>, serde_json::Error> {
    let mut lines = Vec::new();
    for line in runs.iter().filter_map(line) {
        serde_json::to_writer(&mut lines, &line)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn line(run: &LabelRun) -> Option<ResolvedLabel> {
    // A value that follows from the text alone is not a finding.
    let needed = label_tool::unresolved(&run.file, &run.text).ok()?;
    let values = values(&run.arm64, &needed);
    if values == ResolvedValues::default() {
        return None;
    }
    Some(ResolvedLabel {
        label: run.name.clone(),
        ok: true,
        values,
        found_by: FoundBy::Run,
        found_at: Some(run.started_at),
        fragment: Some(label_tool::fingerprint(&run.text)),
        i386: run.i386.as_ref().map(|run| self::values(run, &needed)),
    })
}

/// The values that were found. What is unknown or empty is left out, so that it overwrites nothing.
fn values(run: &ArchitectureRun, needed: &[&str]) -> ResolvedValues {
    let found = |name: &str, value: &Result<Option<String>, _>| {
        value.as_ref().ok().cloned().flatten().filter(|_| needed.contains(&name))
    };
    let version = found("appNewVersion", &run.app_new_version);
    // Most URLs contain the version, so a URL that was made of an empty or invalid one is no better.
    let is_usable = |url: &String| match &version {
        None => true,
        Some(version) if version.is_empty() => false,
        Some(version) => !url.contains(version.as_str()) || check_found_version(version).is_ok(),
    };
    let url = found("downloadURL", &run.download_url);
    ResolvedValues {
        download_url: url.filter(|url| !url.is_empty() && is_usable(url)),
        app_new_version: version.filter(|version| !version.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use appstitch_labels::Stopped;

    use super::*;

    fn run(url: Result<Option<&str>, Stopped>, version: Result<Option<&str>, Stopped>) -> LabelRun {
        LabelRun {
            file: "sample.sh".to_owned(),
            name: "sample".to_owned(),
            text: "sample)\nappNewVersion=$(curl -fs https://example.com)\n\
                   downloadURL=https://example.com/$appNewVersion.dmg\n;;"
                .to_owned(),
            started_at: "2026-03-05T10:00:00Z".parse().unwrap(),
            arm64: ArchitectureRun {
                download_url: url.map(|url| url.map(str::to_owned)),
                app_new_version: version.map(|version| version.map(str::to_owned)),
                requests: 1,
            },
            i386: None,
            exchanges: Vec::new(),
        }
    }

    #[test]
    fn what_is_unknown_or_empty_is_not_published() {
        let unknown = || Err(Stopped::Network("no answer".to_owned()));
        let runs = [
            run(unknown(), unknown()),
            run(Ok(Some("")), Ok(None)),
            run(unknown(), Ok(Some("1.0"))),
        ];
        let text = String::from_utf8(lines(&runs).unwrap()).unwrap();
        let [line] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["appNewVersion"], "1.0");
        assert_eq!((&line["found_by"], &line["ok"]), (&"run".into(), &true.into()));
        assert_eq!(line["found_at"], "2026-03-05T10:00:00Z");
        assert!(line.get("downloadURL").is_none() && line["fragment"].is_string(), "{line}");
    }

    #[test]
    fn a_url_made_of_an_invalid_version_is_left_out() {
        let url = |version: &str| {
            let url = format!("https://example.com/{version}.dmg");
            let line = line(&run(Ok(Some(&url)), Ok(Some(version))))?;
            Some(line.values.download_url.is_some())
        };
        assert_eq!(url("1.0"), Some(true));
        assert_eq!(url("agent"), Some(false), "the version is sent, and its rejection is reported");
        assert_eq!(url(""), None);
    }

    #[test]
    fn what_the_text_tells_is_no_finding() {
        let mut run = run(Ok(Some("https://example.com/a.dmg")), Ok(Some("1.0")));
        run.text =
            "sample)\nappNewVersion=1.0\ndownloadURL=https://example.com/a.dmg\n;;".to_owned();
        assert_eq!(line(&run), None);
    }
}

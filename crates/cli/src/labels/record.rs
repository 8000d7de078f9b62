//! `labels resolve --record`: writes what was asked, answered and found as cases.

use std::path::Path;

use anyhow::{Context, anyhow};
use appstitch_labels::{Architecture, Case, Stopped, write_cases};
use appstitch_resolver::{ArchitectureRun, LabelRun, RunReport, mac_today};
use ring::digest::{self, SHA256};

use crate::{exit::Failure, folder, whole_file, words::counted};

/// More requests than a label may make.
const MAX_FAILURES: usize = 100;

/// Rejects a file that cannot be written, before a long run.
pub(super) fn check(file: &Path) -> Result<(), Failure> {
    let why = if file.is_dir() {
        Some("it is a folder".to_owned())
    } else if file.is_file() || !file.exists() {
        folder::problem(folder::of(file))
    } else {
        // A device is written to where it is.
        None
    };
    why.map_or(Ok(()), |why| {
        Err(Failure::wrong_use(anyhow!("cannot write {}: {why}", file.display())))
    })
}

/// Writes the runs as cases, compressed if the name of the file says so.
pub(super) fn write(file: &Path, report: &RunReport) -> Result<(), Failure> {
    if !report.unrecorded.is_empty() {
        let labels = counted(report.unrecorded.len(), "label");
        eprintln!("warning: {labels} not recorded, because the answers are too large");
    }
    let recorded = report.runs.iter().filter(|run| !report.unrecorded.contains(&run.name));
    let mut cases = Vec::new();
    for run in recorded {
        let (case, is_same) = case_of(run);
        if !is_same {
            eprintln!(
                "warning: {}: its recorded answers give other values, because equal requests had \
                 different answers",
                run.name
            );
        }
        cases.push(case);
    }
    let compressed = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    write_cases(&cases, compressed)
        .and_then(|bytes| whole_file::write(file, &bytes))
        .with_context(|| format!("cannot write {}", file.display()))
        .map_err(Failure::unreachable)
}

/// The case of a run, and whether playing it gives the values of the run.
fn case_of(run: &LabelRun) -> (Case, bool) {
    let mut case = Case::new(run.file.strip_suffix(".sh").unwrap_or(&run.file), &run.name);
    case.fragment_sha256 = Some(digest(&run.text));
    case.day = Some(mac_today(Architecture::Arm64, run.started_at).day);
    for answer in &run.exchanges {
        case.add_answer(answer.clone());
    }
    let mut is_same = true;
    for (architecture, found) in
        [(Architecture::Arm64, &run.arm64), (Architecture::I386, run.intel())]
    {
        is_same &= add_run(&mut case, &run.text, architecture, found);
    }
    (case, is_same)
}

/// Plays the case and adds the result. Every request that was answered has a record, so one without
/// a record failed.
fn add_run(
    case: &mut Case,
    text: &str,
    architecture: Architecture,
    found: &ArchitectureRun,
) -> bool {
    for _ in 0..MAX_FAILURES {
        let Ok(played) = case.play(text, architecture) else { return true };
        let failed =
            played.requests.iter().find(|request| !case.is_answered(&request.method, &request.url));
        let Some(request) = failed else {
            case.add_run(architecture, &played);
            let same = |variable: &str, live: &Result<Option<String>, Stopped>| {
                let played = played.value(variable).map_or(Ok(None), |value| value.map(Some));
                match (played, live) {
                    (Ok(played), Ok(live)) => {
                        played.unwrap_or_default() == live.as_deref().unwrap_or_default()
                    }
                    (Err(_), Err(_)) => true,
                    _ => false,
                }
            };
            return same("downloadURL", &found.download_url)
                && same("appNewVersion", &found.app_new_version);
        };
        case.add_failure(request, &why(found, &request.url));
    }
    false
}

/// Why a request failed, as far as the values say.
fn why(found: &ArchitectureRun, url: &str) -> String {
    let values = [&found.download_url, &found.app_new_version];
    let reasons = values.into_iter().filter_map(|value| match value {
        Err(Stopped::Network(why)) => Some(why),
        _ => None,
    });
    let reasons: Vec<&String> = reasons.collect();
    let reason = reasons.iter().find(|why| why.contains(url)).or(reasons.first());
    reason.map_or_else(|| format!("{url} did not answer"), ToString::to_string)
}

/// The SHA-256 of a label's text, in hexadecimal.
pub(super) fn digest(text: &str) -> String {
    hex(digest::digest(&SHA256, text.as_bytes()).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect()
}

fn digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use appstitch_labels::{Exchange, Response};

    use super::*;

    fn recorded(url: &str, body: &str) -> Exchange {
        let response = Response { status: 200, headers: Vec::new(), body: body.to_owned() };
        Exchange { method: "GET".to_owned(), url: url.to_owned(), response }
    }

    fn run(version: Result<&str, &str>) -> LabelRun {
        let version = version
            .map(|version| Some(version.to_owned()))
            .map_err(|why| Stopped::Network(why.to_owned()));
        LabelRun {
            file: "sample.sh".to_owned(),
            name: "sample".to_owned(),
            text: "sample)\nname=Sample\nversion=$(curl -fs https://example.com/a)\n\
                   appNewVersion=$(curl -fs https://example.com/$version)\n;;"
                .to_owned(),
            started_at: "2027-03-05T10:00:00Z".parse().unwrap(),
            arm64: ArchitectureRun {
                download_url: Ok(None),
                app_new_version: version,
                requests: 2,
            },
            i386: None,
            exchanges: vec![recorded("https://example.com/a", "b")],
        }
    }

    #[test]
    fn a_failed_request_is_recorded_with_its_reason() {
        let (case, is_same) = case_of(&run(Err("https://example.com/b: timed out")));
        assert!(is_same);
        assert_eq!((case.label.as_str(), case.day), ("sample", Some((2027, 3, 5))));
        assert_eq!(case.fixtures.len(), 2);
        assert_eq!(case.fixtures[1].body, "https://example.com/b: timed out");
        assert_eq!(case.expected["i386"]["name"], "Sample");
        assert!(!case.expected["arm64"].contains_key("appNewVersion"));
        assert_eq!(case.requests["arm64"].len(), 2);
        assert_eq!(case.fragment_sha256.unwrap().len(), 64);
    }

    #[test]
    fn other_values_than_those_of_the_run_are_noticed() {
        let mut run = run(Ok("1.0"));
        run.exchanges.push(recorded("https://example.com/b", "1.0"));
        assert!(case_of(&run).1);
        run.exchanges[1] = recorded("https://example.com/b", "2.0");
        assert!(!case_of(&run).1);
    }
}

use appstitch_budget::Budget;

use super::*;

const NOW: &str = "2026-11-15T12:00:00Z";
const TEXT: &str = "sample|\\\nother)\n    name=\"Sample\"\n    appNewVersion=$(curl x)\n    ;;\n";

fn document(source: &str, key: &str, body: &str) -> Document {
    Document {
        source: source.into(),
        origin: String::new(),
        key: key.into(),
        body: body.to_owned().into(),
    }
}

fn labels() -> Vec<Document> {
    vec![document("label_tool", "fragment/sample.sh", TEXT)]
}

fn read(lines: &[&str], documents: &[Document]) -> MergedLabels {
    let (lines, now) = (lines.join("\n"), NOW.parse().unwrap());
    let lines = ResolvedLines::read(lines.as_bytes(), now, &mut Budget::default()).unwrap();
    MergedLabels::merge(&lines, documents)
}

fn stored(mut documents: Vec<Document>, upload: &MergedLabels) -> Vec<Document> {
    for upload in &upload.uploads {
        assert_eq!(upload.replaces, None);
        documents.retain(|document| {
            document.origin != upload.origin
                || upload.entries.iter().all(|entry| entry.key != document.key)
        });
        documents.extend(upload.entries.iter().map(|entry| Document {
            source: "label_tool".into(),
            origin: upload.origin.clone(),
            key: entry.key.clone(),
            body: entry.body.clone(),
        }));
    }
    documents
}

fn bodies(upload: &MergedLabels) -> Vec<String> {
    let entries = upload.uploads.iter().flat_map(|upload| &upload.entries);
    entries.map(|entry| String::from_utf8(entry.body.to_vec()).unwrap()).collect()
}

fn result(line: &str, documents: &[Document]) -> LabelResult {
    read(&[line], documents).report.labels.remove(0).result
}

const URL: &str = r#"{"label":"sample","ok":true,"downloadURL":"https://example.com/a.dmg"}"#;
const VERSION: &str = r#"{"label":"other","ok":true,"appNewVersion":"2.0"}"#;

#[test]
fn two_lines_of_one_label_complete_each_other() {
    for lines in [[URL, VERSION], [VERSION, URL]] {
        let upload = read(&lines, &labels());
        assert_eq!((upload.report.tally.received, upload.report.tally.rejected), (2, 0));
        assert_eq!(upload.uploads[0].entries[0].key, "resolution/sample.sh");
        let bodies = bodies(&upload);
        let [body] = &bodies[..] else { panic!("{bodies:?}") };
        assert!(body.contains("https://example.com/a.dmg") && body.contains("2.0"), "{body}");
    }
}

#[test]
fn a_line_completes_what_is_stored() {
    let documents = stored(labels(), &read(&[URL], &labels()));
    let second = bodies(&read(&[VERSION], &documents));
    assert!(second[0].contains("a.dmg") && second[0].contains("2.0"), "{second:?}");
}

#[test]
fn lines_that_cannot_be_used_are_reported() {
    let lines = [
        "nonsense",
        r#"{"label":"unknown","ok":true,"appNewVersion":"1"}"#,
        r#"{"label":"sample","ok":false,"appNewVersion":"1"}"#,
        r#"{"label":"sample","ok":true}"#,
        "",
        r#"{"label":"sample","ok":true,"appNewVersion":"and","downloadURL":"https://github.com"}"#,
        r#"{"label":"sample","ok":true,"appNewVersion":"1","found_by":"tracker"}"#,
        r#"{"label":"sample","ok":true,"appNewVersion":"1","found_by":"nobody"}"#,
        r#"{"label":"sample","ok":true,"appNewVersion":"1","found_at":"soon"}"#,
        r#"{"label":"sample","ok":true,"appNewVersion":"1","found_at":"2026-11-15T12:05:01Z"}"#,
        r#"{"label":"sample","ok":true,"appNewVersion":"1","fragment":"of another text"}"#,
        VERSION,
    ];
    let upload = read(&lines, &labels());
    let tally = &upload.report.tally;
    assert_eq!((bodies(&upload).len(), tally.received, tally.rejected), (1, 11, 10));
    let problems: Vec<_> =
        tally.problems.iter().map(|problem| format!("{}: {}", problem.what, problem.why)).collect();
    for (number, part) in [
        (0, "line 1: the line is not valid JSON"),
        (1, "line 2, label 'unknown': unknown label"),
        (2, "line 3, label 'sample': the run failed"),
        (3, "neither downloadURL nor appNewVersion is given"),
        (4, "appNewVersion \"and\" is rejected: it has no digit"),
        (4, "downloadURL \"https://github.com\" is rejected: it is a page of github.com"),
        (5, "expected 'run' or 'posted'"),
        (6, "found_by is 'nobody', expected 'run' or 'posted'"),
        (7, "found_at is 'soon', expected a time such as 2026-01-31T12:00:00Z"),
        (8, "is in the future"),
        (9, "another text of the label"),
    ] {
        assert!(problems[number].contains(part), "{part} in {problems:?}");
    }
}

#[test]
fn long_lines_and_names_are_rejected_with_short_reasons() {
    let name = "x".repeat(60_000);
    let unknown = format!(r#"{{"label":"{name}","ok":true,"appNewVersion":"1"}}"#);
    let odd = format!(r#"{{"label":"sample","ok":true,"found_by":"{name}"}}"#);
    let upload = read(&[&unknown, &odd, &" ".repeat(100_000), &"9".repeat(100_000)], &labels());
    let ResolvedReport { tally, labels } = &upload.report;
    assert_eq!((tally.received, tally.rejected), (3, 3));
    let bytes = |text: &serde_json::Value| text.to_string().len();
    let answer = serde_json::to_value((labels, &tally.problems)).unwrap();
    assert!(bytes(&answer) < 6_000, "{} bytes", bytes(&answer));
    assert!(answer.to_string().contains("longer than 65536 bytes"));
}

#[test]
fn a_junk_part_is_a_problem_and_the_other_part_is_used() {
    let line = r#"{"label":"sample","ok":true,"appNewVersion":"agent","downloadURL":"https://example.com/a.dmg",
        "i386":{"appNewVersion":"/bin/5"}}"#
        .replace('\n', "");
    let upload = read(&[&line], &labels());
    assert_eq!((upload.report.tally.rejected, upload.report.tally.problems.len()), (0, 2));
    let body = &bodies(&upload)[0];
    assert!(body.contains("a.dmg") && !body.contains("agent") && !body.contains("/bin"), "{body}");
}

#[test]
fn each_finder_has_a_document_and_the_newest_is_reported() {
    let run = r#"{"label":"sample","ok":true,"appNewVersion":"2.1","found_by":"run","found_at":"2026-11-15T11:00:00Z"}"#;
    for lines in [[run, VERSION], [VERSION, run]] {
        let upload = read(&lines, &labels());
        let origins: Vec<&str> =
            upload.uploads.iter().map(|upload| upload.origin.as_str()).collect();
        assert_eq!(origins, ["run", "resolved"]);
        let documents = stored(labels(), &upload);
        let higher = r#"{"label":"sample","ok":true,"appNewVersion":"2.2"}"#;
        let before = Some("2.1".to_owned());
        let after = Some("2.2".to_owned());
        assert_eq!(result(higher, &documents), LabelResult::Changed { before, after });
    }
}

#[test]
fn the_same_again_changes_nothing_and_keeps_its_first_time() {
    let early = VERSION.replace('}', r#","found_at":"2026-11-15T10:00:00Z"}"#);
    let documents = stored(labels(), &read(&[&early], &labels()));
    let again = read(&[VERSION], &documents);
    assert_eq!(again.report.labels[0].result, LabelResult::Unchanged);
    let body = &bodies(&again)[0];
    assert!(body.contains(r#""found_at":"2026-11-15T10:00:00Z""#), "{body}");
    assert!(body.contains(r#""seen_at":"2026-11-15T12:00:00Z""#), "{body}");
}

fn line(version: &str, time: &str) -> String {
    format!(
        r#"{{"label":"sample","ok":true,"appNewVersion":"{version}","found_at":"2026-11-15T{time}Z"}}"#
    )
}

#[test]
fn a_lower_version_is_a_problem_until_it_is_found_again_an_hour_later() {
    let (high, once, again) =
        (line("1.2", "09:00:00"), line("1.1", "10:00:00"), line("1.1", "11:00:00"));
    let first = read(&[&high, &once], &labels());
    assert_eq!((first.report.tally.rejected, first.report.tally.problems.len()), (0, 1));
    let why = &first.report.tally.problems[0].why;
    assert!(why.contains("1.1 is lower than the known 1.2") && why.contains("11:00:00Z"), "{why}");
    let documents = stored(labels(), &first);
    let (before, after) = (Some("1.2".to_owned()), Some("1.1".to_owned()));
    assert_eq!(result(&again, &documents), LabelResult::Changed { before, after });
    assert!(matches!(result(&line("1.3", "09:30:00"), &documents), LabelResult::Changed { .. }));
    assert!(matches!(result(&line("1.0", "08:00:00"), &documents), LabelResult::Rejected { .. }));
}

/// The label, for which the tracker found 1.2 at 09:00.
fn labels_with_tracked() -> Vec<Document> {
    let body = r#"{"appNewVersion":"1.2","found_at":"2026-11-15T09:00:00Z","is_settled":true}"#;
    let mut documents = labels();
    documents.push(document("label_versions", "sample", body));
    documents
}

#[test]
fn a_version_below_that_of_another_finder_is_a_problem_too() {
    let documents = labels_with_tracked();
    let first = read(&[&line("1.1", "10:00:00")], &documents);
    assert!(
        matches!(&first.report.labels[0].result, LabelResult::Pending { known, .. } if known == "1.2")
    );
    let documents = stored(documents, &first);
    let again = result(&line("1.1", "11:00:00"), &documents);
    let late = result(&line("1.1", "08:00:00"), &labels_with_tracked());
    assert_eq!(late, LabelResult::Unchanged, "older than what the tracker found");
    assert!(matches!(again, LabelResult::Changed { .. }), "{again:?}");
}

#[test]
fn a_line_can_be_written_and_read_again() {
    let line = ResolvedLabel {
        label: "sample".to_owned(),
        ok: true,
        values: ResolvedValues { app_new_version: Some("1.0".to_owned()), download_url: None },
        found_by: FoundBy::Run,
        found_at: Some(NOW.parse().unwrap()),
        fragment: Some(appstitch_sources::label_tool::fingerprint(TEXT)),
        i386: Some(ResolvedValues::default()),
    };
    let text = serde_json::to_string(&line).unwrap();
    assert_eq!(line::parse(text.as_bytes()), Ok(line));
    assert!(matches!(result(&text, &labels()), LabelResult::Changed { .. }), "{text}");
}

#[test]
fn a_version_that_held_for_long_waits_again_below_a_newer_one() {
    let early = read(&[&line("1.1", "01:00:00"), &line("1.1", "08:00:00")], &labels_with_tracked());
    let documents = stored(labels_with_tracked(), &early);
    let first = read(&[&line("1.1", "10:00:00")], &documents);
    let settles_at = "2026-11-15T11:00:00Z".parse().unwrap();
    let (version, known) = ("1.1".to_owned(), "1.2".to_owned());
    let pending = LabelResult::Pending { version, known, settles_at };
    assert_eq!(first.report.labels[0].result, pending);
    let documents = stored(documents, &first);
    assert_eq!(result(&line("1.1", "10:30:00"), &documents), pending);
    let (before, after) = (Some("1.2".to_owned()), Some("1.1".to_owned()));
    let changed = LabelResult::Changed { before, after };
    assert_eq!(result(&line("1.1", "11:00:00"), &documents), changed);
}

#[test]
fn a_value_of_an_earlier_version_of_the_program_gets_a_time() {
    let fragment = appstitch_sources::label_tool::fingerprint(TEXT);
    let body = format!(r#"{{"fragment":"{fragment}","appNewVersion":"1.3"}}"#);
    let mut documents = labels_with_tracked();
    documents.push(document("label_tool", "resolution/sample.sh", &body));
    let (before, after) = (Some("1.2".to_owned()), Some("1.3".to_owned()));
    let changed = LabelResult::Changed { before, after };
    assert_eq!(result(&line("1.3", "10:00:00"), &documents), changed);
}

#[test]
fn a_line_of_the_wrong_shape_is_rejected_in_plain_words() {
    for (line, why) in [
        ("[1]", "the line is not a JSON object"),
        ("{}", "label is missing"),
        (r#"{"label":7,"ok":true}"#, "label is 7, expected a string"),
        (r#"{"label":"sample"}"#, "ok is missing, expected true or false"),
        (r#"{"label":"sample","ok":"yes"}"#, "ok is 'yes', expected true or false"),
        (
            r#"{"label":"sample","ok":true,"found_by":null}"#,
            "found_by is null, expected 'run' or 'posted'",
        ),
        (
            r#"{"label":"sample","ok":true,"found_at":12}"#,
            "found_at is 12, expected a time such as 2026-01-31T12:00:00Z",
        ),
        (r#"{"label":"sample","ok":true,"i386":[]}"#, "i386 is an array, expected an object"),
        (
            r#"{"label":"sample","ok":true,"i386":{"downloadURL":{}}}"#,
            "i386.downloadURL is an object, expected a string",
        ),
        (
            r#"{"label":"sample","ok":true,"fragment":false}"#,
            "fragment is false, expected a string",
        ),
    ] {
        assert_eq!(
            result(line, &labels()),
            LabelResult::Rejected { why: why.to_owned() },
            "{line}"
        );
    }
    let null = r#"{"label":"sample","ok":true,"appNewVersion":"1","found_at":null,"i386":null}"#;
    assert!(matches!(result(null, &labels()), LabelResult::Changed { .. }));
}

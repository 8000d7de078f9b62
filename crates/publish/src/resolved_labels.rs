//! Reads an upload of resolved labels: NDJSON with the values found by running labels.

use std::collections::{BTreeMap, HashMap};

use appstitch_sources::{
    self as sources, RESOLUTION, Upstream,
    fetch::Validators,
    label_tool::{self, FRAGMENT, Resolution},
};
use appstitch_store::Document;
use serde::Deserialize;

use crate::{SourceUpload, Tally, origin::RESOLVED};

/// One line of the body.
#[derive(Deserialize)]
struct ResolvedLine {
    label: String,
    ok: bool,
    #[serde(rename = "downloadURL")]
    download_url: Option<String>,
    #[serde(rename = "appNewVersion")]
    app_new_version: Option<String>,
}

/// Converts lines to documents, for known labels only. `documents` are the stored documents of the
/// label source. A failed run changes nothing. A line without a URL or version keeps the value of
/// an earlier line or upload.
#[must_use]
pub fn read_resolved_labels(ndjson: &[u8], documents: &[Document]) -> (SourceUpload, Tally) {
    let fragments = fragments(documents);
    let stored: HashMap<&str, &Document> =
        documents.iter().map(|document| (document.key.as_str(), document)).collect();
    let mut tally = Tally::default();
    let mut resolutions: BTreeMap<String, Resolution> = BTreeMap::new();
    let lines = (1_usize..).zip(ndjson.split(|byte| *byte == b'\n'));
    for (number, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        tally.received += 1;
        match read(line, &fragments) {
            Ok((file, found)) => {
                let key = format!("{RESOLUTION}{file}");
                let earlier = resolutions.remove(&key).or_else(|| {
                    let document = stored.get(key.as_str())?;
                    serde_json::from_slice(&document.body).ok()
                });
                resolutions.insert(key, found.or(earlier));
            }
            Err((label, why)) => {
                let label = label.map_or_else(String::new, |label| format!(", label '{label}'"));
                tally.refuse(format!("line {number}{label}"), why);
            }
        }
    }
    let mut entries = Vec::new();
    for (key, resolution) in resolutions {
        match serde_json::to_vec(&resolution) {
            Ok(body) => entries.push(sources::UpstreamEntry { key, body: body.into() }),
            Err(error) => tally.refuse(key, error.to_string()),
        }
    }
    let upload = SourceUpload {
        source: Upstream::LabelTool.token(),
        origin: RESOLVED.to_owned(),
        entries,
        rejected: tally.rejected,
        replaces: None,
        validators: Validators::default(),
    };
    (upload, tally)
}

/// Returns the file of a line's label and the resolution. The error is the label's name, if the
/// line can be parsed, and the reason for rejecting the line.
fn read<'a>(
    line: &[u8],
    fragments: &HashMap<String, (&'a str, &'a str)>,
) -> Result<(&'a str, Resolution), (Option<String>, String)> {
    let line: ResolvedLine =
        serde_json::from_slice(line).map_err(|error| (None, error.to_string()))?;
    let rejected = |why: &str| (Some(line.label.clone()), why.to_owned());
    let (file, text) = fragments.get(&line.label).ok_or_else(|| rejected("unknown label"))?;
    if !line.ok {
        return Err(rejected("the run failed; the stored values are kept"));
    }
    let (url, version) = (line.download_url.as_deref(), line.app_new_version.as_deref());
    let found = Resolution::new(text, url, version)
        .ok_or_else(|| rejected("neither downloadURL nor appNewVersion is valid"))?;
    Ok((file, found))
}

/// The file and text of each label, by every name of the label. If a name is the main name of one
/// label and another name of a second label, the first label has precedence.
fn fragments(documents: &[Document]) -> HashMap<String, (&str, &str)> {
    let mut fragments = HashMap::new();
    let mut others = HashMap::new();
    for document in documents {
        let Some(file) = document.key.strip_prefix(FRAGMENT) else { continue };
        let Ok(text) = std::str::from_utf8(&document.body) else { continue };
        let Ok(label) = label_tool::parse(file, text) else { continue };
        for name in label.other_names {
            others.entry(name).or_insert((file, text));
        }
        fragments.insert(label.slug.to_string(), (file, text));
    }
    for (name, fragment) in others {
        fragments.entry(name).or_insert(fragment);
    }
    fragments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(key: &str, body: &str) -> Document {
        Document {
            source: "label_tool".into(),
            origin: String::new(),
            key: key.into(),
            body: body.to_owned().into(),
        }
    }

    fn labels() -> Vec<Document> {
        let text = "sample|\\\nother)\n    name=\"Sample\"\n    appNewVersion=$(curl x)\n    ;;\n";
        vec![document("fragment/sample.sh", text)]
    }

    fn read_lines(lines: &[&str], documents: &[Document]) -> (Vec<(String, String)>, Tally) {
        let (upload, tally) = read_resolved_labels(lines.join("\n").as_bytes(), documents);
        assert_eq!(upload.replaces, None);
        let entries = upload.entries.into_iter();
        let text = |body: &[u8]| String::from_utf8(body.to_vec()).unwrap();
        (entries.map(|entry| (entry.key, text(&entry.body))).collect(), tally)
    }

    const URL: &str = r#"{"label":"sample","ok":true,"downloadURL":"https://example.com/a.dmg"}"#;
    const VERSION: &str = r#"{"label":"other","ok":true,"appNewVersion":"2.0"}"#;

    #[test]
    fn two_lines_of_one_label_complete_each_other() {
        for lines in [[URL, VERSION], [VERSION, URL]] {
            let (entries, tally) = read_lines(&lines, &labels());
            assert_eq!((tally.received, tally.rejected), (2, 0));
            let [(key, body)] = &entries[..] else { panic!("{entries:?}") };
            assert_eq!(key, "resolution/sample.sh");
            assert!(body.contains("https://example.com/a.dmg") && body.contains("2.0"), "{body}");
        }
    }

    #[test]
    fn a_line_completes_what_is_stored() {
        let mut documents = labels();
        let (first, _) = read_lines(&[URL], &documents);
        documents.push(document(&first[0].0, &first[0].1));
        let (second, _) = read_lines(&[VERSION], &documents);
        assert!(second[0].1.contains("a.dmg") && second[0].1.contains("2.0"), "{second:?}");
    }

    #[test]
    fn lines_that_cannot_be_used_are_told() {
        let lines = [
            "nonsense",
            r#"{"label":"unknown","ok":true,"appNewVersion":"1"}"#,
            r#"{"label":"sample","ok":false,"appNewVersion":"1"}"#,
            r#"{"label":"sample","ok":true}"#,
            "",
            VERSION,
        ];
        let (entries, tally) = read_lines(&lines, &labels());
        assert_eq!((entries.len(), tally.received, tally.rejected), (1, 5, 4));
        let whats: Vec<_> = tally.problems.iter().map(|problem| problem.what.as_str()).collect();
        assert_eq!(
            whats,
            [
                "line 1",
                "line 2, label 'unknown'",
                "line 3, label 'sample'",
                "line 4, label 'sample'"
            ]
        );
    }
}

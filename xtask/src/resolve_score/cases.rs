//! The recorded cases and the labels.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use appstitch_labels::{Recorded, Replay, Response};
use flate2::read::GzDecoder;
use serde::Deserialize;

use crate::run::Failure;

/// A label with the answers that it needs and the values that a real shell found.
#[derive(Deserialize)]
pub(crate) struct Case {
    #[serde(rename = "case")]
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) arg: String,
    pub(crate) category: Vec<String>,
    /// The commands and the parts of the language that the label uses.
    #[cfg(test)]
    pub(crate) features: Vec<String>,
    /// Whether the values would be others with GNU's tools.
    #[cfg(test)]
    pub(crate) gnu_tools_differ: bool,
    pub(crate) expected: BTreeMap<String, BTreeMap<String, String>>,
    fixtures: Vec<Fixture>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
struct Fixture {
    method: String,
    url: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Case {
    pub(crate) fn network(&self) -> Replay {
        Replay::new(self.records())
    }

    /// The recorded answers.
    pub(crate) fn records(&self) -> impl Iterator<Item = Recorded> {
        self.fixtures.iter().map(|fixture| Recorded {
            method: fixture.method.clone(),
            url: fixture.url.clone(),
            response: Response {
                status: fixture.status,
                headers: fixture.headers.clone(),
                body: fixture.body.clone(),
            },
        })
    }

    #[cfg(test)]
    pub(crate) fn uses(&self, feature: &str) -> bool {
        self.features.iter().any(|own| own == feature)
    }

    #[cfg(test)]
    pub(crate) fn fixtures_as_json(&self) -> String {
        serde_json::to_string(&self.fixtures).expect("texts and numbers are valid JSON")
    }
}

/// Reads the cases, one a line, compressed or not.
pub(crate) fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let failure =
        |error: &dyn std::fmt::Display| Failure(format!("cannot read {}: {error}", file.display()));
    let open = File::open(file).map_err(|error| failure(&error))?;
    let reader: Box<dyn Read> = if file.extension().is_some_and(|extension| extension == "gz") {
        Box::new(GzDecoder::new(open))
    } else {
        Box::new(open)
    };
    let mut cases = Vec::new();
    for line in BufReader::new(reader).lines() {
        let line = line.map_err(|error| failure(&error))?;
        cases.push(serde_json::from_str(&line).map_err(|error| failure(&error))?);
    }
    Ok(cases)
}

/// The text of every label, by the name of its file.
pub(crate) fn fragments(archive: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut fragments = HashMap::new();
    for (path, text) in texts(archive, |path| in_folder(path, "fragments/labels"))? {
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            fragments.insert(name.to_owned(), text);
        }
    }
    Ok(fragments)
}

/// The functions that labels call.
#[cfg(test)]
pub(crate) fn helpers(archive: &Path) -> Result<String, Failure> {
    let is_file = |path: &Path| path.ends_with("fragments/functions.sh");
    let found = texts(archive, is_file)?.into_iter().next();
    found.map(|(_, text)| text).ok_or_else(|| Failure("the archive has no functions".to_owned()))
}

fn in_folder(path: &Path, folder: &str) -> bool {
    path.parent().is_some_and(|parent| parent.ends_with(folder))
}

/// The files of an archive that are wanted.
fn texts(archive: &Path, wanted: fn(&Path) -> bool) -> Result<Vec<(PathBuf, String)>, Failure> {
    let failure =
        |error: std::io::Error| Failure(format!("cannot read {}: {error}", archive.display()));
    let open = File::open(archive).map_err(failure)?;
    let mut texts = Vec::new();
    for entry in tar::Archive::new(GzDecoder::new(open)).entries().map_err(failure)? {
        let mut entry = entry.map_err(failure)?;
        let path = entry.path().map_err(failure)?.into_owned();
        if wanted(&path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(failure)?;
            texts.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(texts)
}

//! What holds for the files of every upstream: bytes in, entries and records out.

use std::{collections::HashSet, convert::Infallible};

use appstitch_budget::Budget;
use appstitch_hostile::Chance;
use appstitch_sources::{FileError, ParsedFile, Upstream, UpstreamEntry};
use appstitch_stitching::{Documents, Record, Stitched, stitch};
use jiff::Timestamp;

use super::generated_label;
use crate::target::{Target, ensure, is_one_in};

/// A label and a cask, so that other entries have apps to be attached to.
const LABEL: &str = "sample)\nname=\"Sample App\"\ntype=\"dmg\"\n\
downloadURL=\"https://example.com/SampleApp-1.2.dmg\"\nappNewVersion=\"1.2\"\n\
expectedTeamID=\"ABCDE12345\"\n;;\n";
const CASK: &str = r#"[{"token":"sample-app","name":["Sample App"],"homepage":"https://example.com/",
"url":"https://example.com/SampleApp-1.2.dmg","version":"1.2","sha256":"no_check",
"artifacts":[{"app":["Sample App.app"]},{"zap":[{"trash":["~/Library/Caches/com.example.sample"]}]}]}]"#;

/// The most bytes of an unpacked file.
const UNPACKED: usize = 1 << 16;

/// One in this many files is also stitched, which takes some hundred times as long as reading.
const STITCHED: u64 = 1024;

/// One in this many files is read twice.
const TWICE: u64 = 32;

pub(super) struct UpstreamFiles {
    upstream: Upstream,
    others: Documents,
    generate: fn(&mut Chance) -> String,
}

impl Target for UpstreamFiles {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        self.check_file(input)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        Some((self.generate)(chance).into_bytes())
    }
}

impl UpstreamFiles {
    pub(super) fn target(
        upstream: Upstream,
        generate: fn(&mut Chance) -> String,
    ) -> Result<Box<dyn Target>, String> {
        Ok(Box::new(Self::new(upstream, generate)?))
    }

    pub(super) fn new(
        upstream: Upstream,
        generate: fn(&mut Chance) -> String,
    ) -> Result<Self, String> {
        let mut others = Documents::default();
        let label = UpstreamEntry { key: "fragment/sample.sh".to_owned(), body: LABEL.into() };
        Upstream::LabelTool.decode(&[label], &mut others);
        let casks = read(Upstream::CaskCatalog, CASK.as_bytes());
        let casks = casks.map_err(|error| format!("cannot read the sample cask: {error}"))?;
        Upstream::CaskCatalog.decode(&casks.entries, &mut others);
        Ok(Self { upstream, others, generate })
    }

    /// Reads a file, and stitches its entries.
    pub(super) fn check_file(&self, file: &[u8]) -> Result<(), String> {
        let parsed = read(self.upstream, file);
        if is_one_in(TWICE, file) {
            let again = read(self.upstream, file);
            ensure(parsed == again, || "the same file gives the same entries".to_owned())?;
        }
        let Ok(parsed) = parsed else { return Ok(()) };
        let mut keys = HashSet::new();
        for entry in &parsed.entries {
            ensure(keys.insert(&entry.key), || format!("keys are unique: {}", entry.key))?;
            ensure(!entry.key.is_empty(), || "keys are not empty".to_owned())?;
        }
        if !is_one_in(STITCHED, file) {
            return Ok(());
        }
        let mut documents = self.others.clone();
        self.upstream.decode(&parsed.entries, &mut documents);
        check_stitched(&documents)
    }
}

/// The one place that calls the readers.
fn read(upstream: Upstream, file: &[u8]) -> Result<ParsedFile, FileError> {
    upstream.read_within(file, UNPACKED, Timestamp::MAX, &mut Budget::default())
}

fn check_stitched(documents: &Documents) -> Result<(), String> {
    let mut result = Ok(());
    let mut last = None;
    let Ok(_) = stitch(documents, |stitched| {
        if result.is_ok() {
            let slug = stitched.record.app.slug.clone();
            result = ensure(last.as_ref() < Some(&slug), || {
                format!("slugs are unique and in order: {slug} after {last:?}")
            })
            .and_then(|()| check_record(&stitched));
            last = Some(slug);
        }
        Ok::<(), Infallible>(())
    });
    result
}

/// What is served could be uploaded: junk stops at the entrance, whichever it takes.
fn check_record(stitched: &Stitched) -> Result<(), String> {
    let record = &stitched.record;
    let json = serde_json::to_vec(record).map_err(|error| format!("a record is JSON: {error}"))?;
    let admitted = Record::admit(&json).map_err(|refusal| {
        format!(
            "a stitched record is a valid record: {refusal}: {}",
            String::from_utf8_lossy(&json)
        )
    })?;
    ensure(admitted.record.app == record.app, || {
        format!("a stitched record has valid values: {:?}: {:?}", admitted.notes, record.app)
    })?;
    match &record.sources {
        Some(sources) => generated_label::check(&record.app, sources),
        None => Ok(()),
    }
}

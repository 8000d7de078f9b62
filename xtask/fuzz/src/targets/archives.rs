//! The tar archives of labels and of the versions that were found for them.
//!
//! The headers of an archive have sums. They are put right first, so that mutations get past them.

use appstitch_hostile::{Chance, label};
use appstitch_sources::Upstream;

use super::upstream_files::UpstreamFiles;
use crate::target::{Target, TargetEntry, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 6 << 10,
    smoke_runs: 500,
    ..TargetEntry::new("archives", || {
        let labels = UpstreamFiles::new(Upstream::LabelTool, |_| String::new())?;
        let versions = UpstreamFiles::new(Upstream::LabelVersions, |_| String::new())?;
        Ok(Box::new(Archives { labels, versions }))
    })
};

const DICTIONARY: &[&str] = &[
    "fragments/labels/a.sh",
    "TrackedLabelDetails/a.json",
    "ustar\0",
    "ustar  \0",
    "././@LongLink",
    "00000001000\0",
    "77777777777\0",
    "app)\nname=\"App\"\n;;\n",
    "[{\"appNewVersion\":\"1.2\",\"timeStamp\":\"2026-11-15T10:00:00Z\"}]",
    "\"timeStamp\":\"9999-12-31T23:59:59Z\"",
    "30 path=fragments/labels/b.sh\n",
    "11 size=9\n",
];

/// An archive consists of blocks of this size.
const BLOCK: usize = 512;

struct Archives {
    labels: UpstreamFiles,
    versions: UpstreamFiles,
}

impl Target for Archives {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let mut archive = input.to_vec();
        correct_sums(&mut archive);
        let files = if is_one_in(2, input) { &self.labels } else { &self.versions };
        files.check_file(&archive)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let mut archive = tar::Builder::new(Vec::new());
        for _ in 0..=chance.below(2) {
            let name = chance.pick(&["a", "b", "A b", "..", "é"]);
            let (path, content) = if chance.once_in(2) {
                (format!("x/fragments/labels/{name}.sh"), label(chance))
            } else {
                (format!("x/TrackedLabelDetails/{name}.json"), history(chance))
            };
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_cksum();
            // A path that the library does not write is left out.
            drop(archive.append_data(&mut header, path, content.as_bytes()));
        }
        archive.into_inner().ok()
    }
}

/// What was found for a label over time.
fn history(chance: &mut Chance) -> String {
    let finding = |chance: &mut Chance| {
        let version = chance.pick(&["1.2", "1.10", "v2", "", "and", "1.2.3-beta", "<b>"]);
        let time =
            chance.pick(&["2026-11-15T10:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31", "x"]);
        format!("{{\"appNewVersion\":\"{version}\",\"timeStamp\":\"{time}\"}}")
    };
    let findings: Vec<String> = (0..chance.below(4)).map(|_| finding(chance)).collect();
    format!("[{}]", findings.join(","))
}

/// Writes the right sum into every header that can be found by the sizes of the files before it.
fn correct_sums(archive: &mut [u8]) {
    let mut start = 0;
    while let Some(block) = archive.get_mut(start..start + BLOCK) {
        if let Some(sum) = block.get_mut(148..156) {
            sum.fill(b' ');
        }
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        for (place, digit) in block.iter_mut().skip(148).zip(format!("{sum:06o}\0 ").bytes()) {
            *place = digit;
        }
        let size = block.iter().skip(124).take(11).try_fold(0_usize, |size, byte| match byte {
            b'0'..=b'7' => Some(size * 8 + usize::from(byte - b'0')),
            _ => None,
        });
        start += BLOCK + size.unwrap_or(0).min(archive.len()).next_multiple_of(BLOCK);
    }
}

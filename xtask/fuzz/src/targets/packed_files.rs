//! Compressed files: gzip and zstd, recognized by their first bytes.

use std::io::Write;

use appstitch_hostile::Chance;
use appstitch_sources::Upstream;
use flate2::{Compression, write::GzEncoder};

use super::upstream_files::UpstreamFiles;
use crate::target::{Target, TargetEntry};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: &["\u{1f}", "(", "\0\0\0\0", "[{\"token\":\"a\"}]"],
    ..TargetEntry::new("packed_files", || {
        let files = UpstreamFiles::new(Upstream::CaskCatalog, |_| String::new())?;
        Ok(Box::new(PackedFiles(files)))
    })
};

struct PackedFiles(UpstreamFiles);

impl Target for PackedFiles {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        self.0.check_file(input)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let filling = chance.pick(&[" ", "a", "\n"]).repeat(chance.below(2000));
        let text = format!("[{{\"token\":\"sample\"}}{filling}]");
        if chance.once_in(2) {
            return zstd::bulk::compress(text.as_bytes(), 1).ok();
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).ok()?;
        encoder.finish().ok()
    }

    fn more_seeds(&self) -> Vec<Vec<u8>> {
        // Far more than the limit when unpacked.
        let large = vec![b' '; 1 << 18];
        zstd::bulk::compress(&large, 3).into_iter().collect()
    }
}

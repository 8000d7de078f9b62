//! Generated upstream files of any size, in the formats of the upstreams.

use std::{
    fs::{self, File},
    io::{BufWriter, Error, Write},
    process::{Command, Stdio},
    sync::LazyLock,
};

use appstitch_stitching::publishers::{Publisher, directory};

use super::{scratch, upload::Upload};
use crate::run::Failure;

/// The number of vendors: few enough that the apps of each fill a page.
const VENDORS: usize = 50;

/// One in this many apps has a recipe.
const RECIPE_EVERY: usize = 10;

#[derive(Clone, Copy)]
pub(super) struct MadeUp {
    pub(super) apps: usize,
    pub(super) labels: usize,
    /// Every tenth app has a different version in each edition.
    pub(super) edition: usize,
}

impl MadeUp {
    pub(super) fn new(apps: usize) -> Self {
        Self { apps, labels: 0, edition: 0 }
    }

    pub(super) fn slug(number: usize) -> String {
        format!("made-up-{number}")
    }

    pub(super) fn vendor(number: usize) -> &'static str {
        &Self::publisher(number).name
    }

    /// Vendors are known by their web sites, so these are real ones whose name needs no escaping
    /// in a URL.
    fn publisher(number: usize) -> &'static Publisher {
        static PUBLISHERS: LazyLock<Vec<&Publisher>> = LazyLock::new(|| {
            let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let publishers = directory().publishers().iter();
            let suitable = publishers
                .filter(|publisher| is_plain(&publisher.name) && !publisher.domains.is_empty());
            suitable.take(VENDORS).collect()
        });
        PUBLISHERS[number % VENDORS]
    }

    fn owner(number: usize) -> String {
        format!("vendor{}", number % VENDORS)
    }

    pub(super) fn upload(self) -> Result<Upload, Failure> {
        let mut parts = vec![
            ("cask_catalog", packed(|file| self.casks(file))?),
            ("recipe_index", packed(|file| self.recipes(file))?),
        ];
        if self.labels > 0 {
            parts.push(("label_tool", packed(|file| self.label_archive(file))?));
        }
        Ok(Upload::new(&parts))
    }

    fn version(self, number: usize) -> String {
        let edition = if number.is_multiple_of(10) { self.edition } else { 0 };
        format!("1.{number}.{edition}")
    }

    fn casks(self, file: &mut dyn Write) -> std::io::Result<()> {
        for number in 0..self.apps {
            let (slug, owner, version) =
                (Self::slug(number), Self::owner(number), self.version(number));
            let site = &Self::publisher(number).domains[0];
            write!(
                file,
                r#"{}{{"token":"{slug}","old_tokens":[],"name":["Made Up {number}"],"homepage":"https://{site}/","url":"https://github.com/{owner}/{slug}/releases/download/{version}/{slug}.dmg","version":"{version}","sha256":"{number:064x}","artifacts":[{{"uninstall":[{{"quit":"com.{owner}.{slug}"}}]}},{{"app":["Made Up {number}.app"]}}],"disabled":false}}"#,
                if number == 0 { "[" } else { "," },
            )?;
        }
        file.write_all(b"]")
    }

    fn recipes(self, file: &mut dyn Write) -> std::io::Result<()> {
        file.write_all(b"{\"identifiers\":{")?;
        for number in (0..self.apps).step_by(RECIPE_EVERY) {
            let comma = if number == 0 { "" } else { "," };
            write!(
                file,
                r#"{comma}"com.example.download.MadeUp{number}":{{"name":"Made Up {number}","path":"MadeUp/{number}.download.recipe","repo":"example/recipes"}}"#
            )?;
        }
        file.write_all(b"},\"shortnames\":{}}")
    }

    fn label_archive(self, file: &mut dyn Write) -> std::io::Result<()> {
        let mut archive = tar::Builder::new(file);
        for number in 0..self.labels {
            let (slug, owner) = (Self::slug(number), Self::owner(number));
            // As in most labels, only a shell can compute this version.
            let text = format!(
                "{slug})\n    name=\"Made Up {number}\"\n    type=\"dmg\"\n    downloadURL=\"https://github.com/{owner}/{slug}/releases/latest/download/{slug}.dmg\"\n    appNewVersion=$(versionFromGit {owner} {slug})\n    expectedTeamID=\"ABCDE12345\"\n    ;;\n"
            );
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            let path = format!("made-up/fragments/labels/{slug}.sh");
            archive.append_data(&mut header, path, text.as_bytes())?;
        }
        archive.finish()
    }
}

/// Compressed as upstream does it; a million generated casks are too large to upload as is.
///
/// Uses the gzip program, because compression in this unoptimized build would take minutes.
fn packed(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<Vec<u8>, Failure> {
    let folder = scratch()?;
    let path = folder.path().join("packed.gz");
    let pack = || {
        let mut gzip = Command::new("gzip")
            .args(["--fast", "--stdout"])
            .stdin(Stdio::piped())
            .stdout(File::create(&path)?)
            .spawn()?;
        let stdin = gzip.stdin.take().ok_or_else(|| Error::other("gzip has no stdin"))?;
        let mut file = BufWriter::new(stdin);
        write(&mut file)?;
        file.flush()?;
        drop(file);
        if gzip.wait()?.success() { fs::read(&path) } else { Err(Error::other("gzip failed")) }
    };
    pack().map_err(|error| Failure(format!("cannot compress a generated file: {error}")))
}

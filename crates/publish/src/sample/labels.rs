//! The label fragments of the sample, in an archive like the upstream's.

use std::io;

use flate2::{Compression, write::GzEncoder};

const FRAGMENTS: [(&str, &str); 15] = [
    ("1password8.sh", include_str!("../../sample/labels/1password8.sh")),
    ("bravepkg.sh", include_str!("../../sample/labels/bravepkg.sh")),
    ("docker.sh", include_str!("../../sample/labels/docker.sh")),
    ("firefoxpkg.sh", include_str!("../../sample/labels/firefoxpkg.sh")),
    ("googlechromepkg.sh", include_str!("../../sample/labels/googlechromepkg.sh")),
    ("handbrake.sh", include_str!("../../sample/labels/handbrake.sh")),
    ("iterm2.sh", include_str!("../../sample/labels/iterm2.sh")),
    ("microsoftedge.sh", include_str!("../../sample/labels/microsoftedge.sh")),
    (
        "microsoftvisualstudiocode.sh",
        include_str!("../../sample/labels/microsoftvisualstudiocode.sh"),
    ),
    ("notion.sh", include_str!("../../sample/labels/notion.sh")),
    ("rectangle.sh", include_str!("../../sample/labels/rectangle.sh")),
    ("slack.sh", include_str!("../../sample/labels/slack.sh")),
    ("spotify.sh", include_str!("../../sample/labels/spotify.sh")),
    ("vlc.sh", include_str!("../../sample/labels/vlc.sh")),
    ("zoom.sh", include_str!("../../sample/labels/zoom.sh")),
];

/// A gzipped tar archive of the fragments.
pub(super) fn archive() -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, text) in FRAGMENTS {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(
            &mut header,
            format!("sample/fragments/labels/{name}"),
            text.as_bytes(),
        )?;
    }
    archive.into_inner()?.finish()
}

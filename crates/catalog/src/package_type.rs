//! The file type of a download, derived from its URL.

use percent_encoding::percent_decode_str;

use crate::InstallMethod;

/// A file type that can be recognized by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    DiskImage,
    Package,
    Zip,
    Tar,
}

const EXTENSIONS: [(&str, FileKind); 12] = [
    (".dmg", FileKind::DiskImage),
    (".pkg", FileKind::Package),
    (".mpkg", FileKind::Package),
    (".zip", FileKind::Zip),
    (".tbz", FileKind::Tar),
    (".tbz2", FileKind::Tar),
    (".tgz", FileKind::Tar),
    (".txz", FileKind::Tar),
    (".tar", FileKind::Tar),
    (".tar.bz2", FileKind::Tar),
    (".tar.gz", FileKind::Tar),
    (".tar.xz", FileKind::Tar),
];

/// The extension of a URL's path and the file type it means.
pub(crate) fn extension(url: &str) -> Option<(&'static str, FileKind)> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decode_str(path).decode_utf8_lossy().to_ascii_lowercase();
    // Some hosts append a `download` segment to the file name.
    let path = path.strip_suffix("/download").unwrap_or(&path);
    EXTENSIONS
        .into_iter()
        .filter(|(extension, _)| path.ends_with(extension))
        .max_by_key(|(extension, _)| extension.len())
}

impl FileKind {
    /// Whether the method can install a file of this type.
    pub(crate) fn fits(self, method: InstallMethod) -> bool {
        use InstallMethod::{AppInDmgInZip, Dmg, Pkg, PkgInDmg, PkgInZip, Tbz, Zip};
        match self {
            Self::DiskImage => matches!(method, Dmg | PkgInDmg),
            Self::Package => matches!(method, Pkg),
            Self::Zip => matches!(method, Zip | PkgInZip | AppInDmgInZip),
            Self::Tar => matches!(method, Tbz),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_is_read_from_the_path_alone() {
        let kind = |url| extension(url).map(|(_, kind)| kind);
        assert_eq!(kind("https://e.com/A.DMG?x=.pkg#y.zip"), Some(FileKind::DiskImage));
        assert_eq!(kind("https://e.com/a.tar.bz2"), Some(FileKind::Tar));
        assert_eq!(kind("https://e.com/F.dmg/download"), Some(FileKind::DiskImage));
        assert_eq!(kind("https://e.com/F%2Epkg"), Some(FileKind::Package));
        assert_eq!(kind("https://e.com/?product=firefox"), None);
    }
}

//! The file type of a download, derived from its URL.

use appstitch_types::InstallMethod;
use percent_encoding::percent_decode_str;

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

/// The extension of the file at a URL and the file type it means. If the path has none, the query
/// can name the file (`?file=a.dmg`) or the format (`?format=dmg`).
pub(crate) fn extension(url: &str) -> Option<(&'static str, FileKind)> {
    let url = url.split('#').next().unwrap_or_default();
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let in_query = || {
        let values = query.split('&').filter_map(|parameter| parameter.split_once('='));
        let mut kinds = values.filter_map(|(name, value)| {
            ending(value).or_else(|| ending(&format!(".{value}")).filter(|_| is_format(name)))
        });
        let first = kinds.next()?;
        // Two files of different types say nothing.
        kinds.all(|(_, kind)| kind == first.1).then_some(first)
    };
    ending(path).or_else(in_query)
}

fn ending(text: &str) -> Option<(&'static str, FileKind)> {
    let text = percent_decode_str(text).decode_utf8_lossy().to_ascii_lowercase();
    let text = text.trim_end_matches('/');
    // Some hosts append a `download` segment to the file name.
    let text = text.strip_suffix("/download").unwrap_or(text);
    EXTENSIONS
        .into_iter()
        .filter(|(extension, _)| text.ends_with(extension))
        .max_by_key(|(extension, _)| extension.len())
}

fn is_format(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["format", "type", "ext", "extension", "package"].iter().any(|word| name.ends_with(word))
}

impl FileKind {
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
    fn the_extension_is_read_from_the_path() {
        let kind = |url| extension(url).map(|(_, kind)| kind);
        assert_eq!(kind("https://e.com/A.DMG?x=.pkg#y.zip"), Some(FileKind::DiskImage));
        assert_eq!(kind("https://e.com/a.tar.bz2"), Some(FileKind::Tar));
        assert_eq!(kind("https://e.com/F.dmg/download"), Some(FileKind::DiskImage));
        assert_eq!(kind("https://e.com/F%2Epkg"), Some(FileKind::Package));
        assert_eq!(kind("https://e.com/F.zip/"), Some(FileKind::Zip));
        assert_eq!(kind("https://e.com/?product=firefox"), None);
    }

    #[test]
    fn a_query_can_name_the_file_or_its_format() {
        let kind = |url| extension(url).map(|(_, kind)| kind);
        assert_eq!(
            kind("https://e.com/get.php?file=a-1.0.dmg&mirror=1"),
            Some(FileKind::DiskImage)
        );
        assert_eq!(kind("https://e.com/get?url=https%3A%2F%2Fe.com%2Fa.zip"), Some(FileKind::Zip));
        assert_eq!(kind("https://e.com/update?os=osx&filetype=zip"), Some(FileKind::Zip));
        assert_eq!(kind("https://e.com/download?os=mac"), None);
        assert_eq!(kind("https://e.com/get?like=pkg"), None);
        assert_eq!(kind("https://e.com/get?mac=a.dmg&other=a.zip"), None);
    }
}

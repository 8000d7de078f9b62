use std::{io, path::PathBuf};

use reqwest::Url;
use tokio::{fs::File, io::AsyncReadExt};

use crate::error::FetchError;

pub(crate) fn is_local(address: &str) -> bool {
    address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

pub(crate) async fn read(address: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
    let path = path(address)?;
    let failed = |error: io::Error| FetchError::File { address: address.to_owned(), error };
    let file = File::open(&path).await.map_err(failed)?;
    if !file.metadata().await.map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("not a regular file")));
    }
    let mut bytes = Vec::new();
    // One byte more than the limit, to detect a file that is too large.
    file.take(limit + 1).read_to_end(&mut bytes).await.map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(FetchError::TooLarge { address: address.to_owned(), limit });
    }
    Ok(bytes)
}

/// The absolute path of a `file:` URL. The URL parser would silently turn `file:name` into
/// `/name`, so relative paths are rejected.
fn path(address: &str) -> Result<PathBuf, FetchError> {
    let relative = || FetchError::RelativeFile(address.to_owned());
    let rest = address.get(5..).filter(|rest| rest.starts_with("///")).ok_or_else(relative)?;
    let url = Url::parse(&format!("file:{rest}")).map_err(|_| relative())?;
    url.to_file_path().map_err(|()| relative())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_paths_are_taken() {
        let found = |address: &str| path(address).unwrap();
        assert_eq!(found("file:///data/cask.json"), PathBuf::from("/data/cask.json"));
        assert_eq!(found("FILE:///data/a%20b"), PathBuf::from("/data/a b"));
        for address in ["file:cask.json", "file:./cask.json", "file://cask.json", "file://host/a"] {
            assert!(is_local(address));
            let error = path(address).unwrap_err();
            assert!(matches!(error, FetchError::RelativeFile(_)), "{address}: {error}");
            assert!(error.to_string().contains("file:///"), "{error}");
        }
        assert!(!is_local("https://example.com/") && !is_local("f"));
    }

    #[tokio::test]
    async fn only_regular_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cask.json");
        std::fs::write(&file, "[]").unwrap();
        let address = |path: &std::path::Path| format!("file://{}", path.display());
        assert_eq!(read(&address(&file), 2).await.unwrap(), b"[]");
        let error = read(&address(&file), 1).await.unwrap_err();
        assert!(matches!(error, FetchError::TooLarge { limit: 1, .. }), "{error}");
        for path in [folder.path(), &folder.path().join("missing"), "/dev/zero".as_ref()] {
            let error = read(&address(path), 2).await.unwrap_err();
            assert!(matches!(error, FetchError::File { .. }), "{error}");
        }
    }
}

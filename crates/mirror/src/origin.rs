//! Where a catalog comes from: the files on a web server, or in a folder.

use std::path::{self, PathBuf};

use appstitch_catalog_files::{INDEX, MOST_INDEX_BYTES, MOST_SIGNATURE_BYTES, PackedFile};
use appstitch_network::{FILE_TIME, FetchError, Fetched, Fetcher, NetworkAccess, Validators};
use appstitch_types::without_credentials;
use thiserror::Error;
use url::Url;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Ends with a slash.
    base: Url,
}

#[derive(Debug, Error)]
pub enum OriginError {
    #[error("'{0}' is neither an HTTP or HTTPS URL nor a folder")]
    Neither(String),
    #[error("'{0}': URLs with a user name, password, query or fragment are not supported")]
    Parts(String),
}

impl Origin {
    /// Reads a URL or a folder. A URL is that of a server, of the folder with the index, or of the index.
    pub fn read(text: &str) -> Result<Self, OriginError> {
        let neither = || OriginError::Neither(without_credentials(text));
        let url = Url::parse(text).ok();
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
        let Some(mut base) = url.clone().filter(is_web) else {
            let is_file = |url: &Url| url.scheme() == "file";
            let folder = match url.filter(is_file) {
                Some(url) => url.to_file_path().map_err(|()| neither())?,
                None => PathBuf::from(text),
            };
            // Links stay: one that leads to the newest of several folders may lead elsewhere later.
            let folder = path::absolute(folder).ok().filter(|folder| folder.is_dir());
            let base = Url::from_directory_path(folder.ok_or_else(neither)?);
            return Ok(Self { base: base.map_err(|()| neither())? });
        };
        let is_plain = base.username().is_empty()
            && base.password().is_none()
            && base.query().is_none()
            && base.fragment().is_none();
        if !is_plain {
            return Err(OriginError::Parts(without_credentials(text)));
        }
        let path = base.path();
        let folder = match path.strip_suffix(INDEX) {
            Some(folder) if folder.ends_with('/') => folder.to_owned(),
            _ if path == "/" => "/catalog/".to_owned(),
            _ => format!("{}/", path.trim_end_matches('/')),
        };
        base.set_path(&folder);
        Ok(Self { base })
    }

    /// The URL, if it is one that others could use. Folders concern this machine alone.
    pub fn public(&self) -> Option<String> {
        (self.base.scheme() != "file").then(|| self.base.to_string())
    }
}

/// Reads the files of an origin. It keeps its connections.
pub struct Reader {
    origin: Origin,
    fetcher: Fetcher,
}

impl Reader {
    pub fn new(origin: Origin, access: &NetworkAccess) -> Result<Self, FetchError> {
        Ok(Self { origin, fetcher: Fetcher::new(access)? })
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What may arrive is limited for each look, not for all of them together.
    pub(crate) fn start_over(&self) {
        self.fetcher.start_over();
    }

    /// The index, unless it still has this entity tag.
    pub(crate) async fn index(&self, etag: Option<String>) -> Result<Fetched, FetchError> {
        let known = Validators { etag, last_modified: None };
        self.fetch(INDEX, &known, MOST_INDEX_BYTES).await
    }

    /// A file beside the index; `None` if it is not there.
    pub(crate) async fn beside_index(&self, name: &str) -> Result<Option<String>, FetchError> {
        let fetched = self.fetch(name, &Validators::default(), MOST_SIGNATURE_BYTES).await;
        match fetched {
            // Other bytes than text are no signature, which its reader says.
            Ok(Fetched::File { bytes, .. }) => {
                Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
            }
            Err(error) if error.is_missing() => Ok(None),
            Ok(Fetched::Unchanged) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A patch; `None` if the origin has none, or a longer one.
    pub(crate) async fn patch(&self, path: &str, most: u64) -> Option<Vec<u8>> {
        match self.fetch(path, &Validators::default(), most).await {
            Ok(Fetched::File { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// A file that the index names, at most as long as the index says.
    pub(crate) async fn file(&self, file: &PackedFile) -> Result<Vec<u8>, FetchError> {
        match self.fetch(&file.path, &Validators::default(), file.size).await? {
            Fetched::File { bytes, .. } => Ok(bytes),
            Fetched::Unchanged => Ok(Vec::new()),
        }
    }

    async fn fetch(
        &self,
        path: &str,
        known: &Validators,
        most: u64,
    ) -> Result<Fetched, FetchError> {
        let address = self.origin.base.join(path).map_err(|_| FetchError::Address(path.into()))?;
        self.fetcher.fetch_at_most(address.as_str(), known, FILE_TIME, most, &|_, _| {}).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> String {
        Origin::read(text).unwrap().base.to_string()
    }

    #[test]
    fn a_server_and_a_folder_on_the_web_are_told_apart_by_the_path() {
        for (text, wanted) in [
            ("https://apps.example.com", "https://apps.example.com/catalog/"),
            ("https://apps.example.com/", "https://apps.example.com/catalog/"),
            ("http://cdn.example.com/mac/apps", "http://cdn.example.com/mac/apps/"),
            ("http://cdn.example.com/mac/index.json", "http://cdn.example.com/mac/"),
            ("https://apps.example.com/catalog/", "https://apps.example.com/catalog/"),
            ("https://apps.example.com/index.json", "https://apps.example.com/"),
            ("https://apps.example.com/my-index.json", "https://apps.example.com/my-index.json/"),
        ] {
            assert_eq!(base(text), wanted);
            assert_eq!(Origin::read(text).unwrap().public().as_deref(), Some(wanted));
        }
    }

    #[test]
    fn a_folder_must_exist_and_concerns_this_machine_alone() {
        let folder = std::env::temp_dir();
        let origin = Origin::read(folder.to_str().unwrap()).unwrap();
        assert_eq!(origin, Origin::read(&format!("file://{}", folder.display())).unwrap());
        assert!(origin.base.as_str().ends_with('/') && origin.public().is_none());
        assert!(matches!(Origin::read("/no/such/folder"), Err(OriginError::Neither(_))));
        let spaced = tempfile::Builder::new().prefix("a stick").tempdir().unwrap();
        let url = Url::from_directory_path(spaced.path()).unwrap();
        assert!(url.as_str().contains("a%20stick"));
        assert_eq!(Origin::read(url.as_str()).unwrap(), Origin { base: url });
    }

    #[test]
    fn a_link_may_lead_to_another_folder_later() {
        let folder = tempfile::tempdir().unwrap();
        let current = folder.path().join("current");
        std::os::unix::fs::symlink(folder.path(), &current).unwrap();
        let origin = Origin::read(current.to_str().unwrap()).unwrap();
        assert!(origin.base.path().ends_with("/current/"), "{origin:?}");
    }

    #[test]
    fn addresses_with_secrets_are_refused_without_printing_them() {
        for text in ["https://user:sesame@example.com/", "https://example.com/?key=sesame"] {
            let error = Origin::read(text).unwrap_err();
            assert!(matches!(error, OriginError::Parts(_)));
            assert!(!text.contains("user") || !error.to_string().contains("sesame"), "{error}");
        }
        assert!(Origin::read("ftp://example.com/").is_err());
    }
}

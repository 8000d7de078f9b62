//! Why a catalog is not taken over.

use appstitch_catalog_files::{FileError, IndexError, VerifyError};
use appstitch_network::FetchError;
use appstitch_store::{BackupError, StoreError};
use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum MirrorError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("the catalog is not signed")]
    NotSigned,
    #[error(transparent)]
    Signature(#[from] VerifyError),
    #[error("the origin has catalog {found}, and the store has catalog {known}")]
    OtherCatalog { known: String, found: String },
    #[error("the origin has an older catalog than the store: serial {found} instead of {known}")]
    Older { known: u64, found: u64 },
    #[error(
        "the catalog has no file with its sources; its server is being upgraded, or too old for mirrors"
    )]
    NoSources,
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the file with the sources is of revision {found}, and the index of {wanted}")]
    Revision { found: String, wanted: String },
    #[error("the file with the sources cannot be read: {0}")]
    Copy(BackupError),
    #[error("cannot write to the store: {0}")]
    Store(#[from] StoreError),
}

impl MirrorError {
    /// Whether the files may only have changed while they were read.
    pub(crate) fn may_be_between_two_revisions(&self) -> bool {
        match self {
            Self::Signature(error) => matches!(error, VerifyError::Wrong | VerifyError::Comment),
            Self::File(_) | Self::Store(StoreError::Moved) => true,
            Self::Fetch(error) => error.is_missing(),
            _ => false,
        }
    }

    /// Until when the server asks to wait, if it does.
    pub fn wait_until(&self, now: Timestamp) -> Option<Timestamp> {
        let Self::Fetch(error) = self else { return None };
        let wait = SignedDuration::try_from(error.wait()?).ok()?;
        now.checked_add(wait).ok()
    }

    /// The same for everyone to read: without what only concerns this machine and its network.
    pub fn public_reason(&self) -> String {
        match self {
            Self::Fetch(error) => error.public_reason(),
            Self::Store(_) => "cannot write to the store".to_owned(),
            error => error.to_string(),
        }
    }
}

impl From<BackupError> for MirrorError {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Store(error) => Self::Store(error),
            error => Self::Copy(error),
        }
    }
}

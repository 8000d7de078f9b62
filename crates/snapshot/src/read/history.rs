//! The versions that an app had.

use appstitch_types::{AppHistory, AppVersion};

use crate::snapshot::{ReadError, Snapshot};

impl Snapshot {
    /// The versions that an app had, newest first. An app that left the catalog is known as long as the
    /// journal knows it.
    pub fn history(&self, slug: &str) -> Result<AppHistory, ReadError> {
        let current = match self.find(slug) {
            Ok(position) => Some(self.read_app(position).map_err(|_| ReadError::Internal)?),
            Err(error) if self.journal().of_app(slug).all(|row| row.slug() != slug) => {
                return Err(error);
            }
            Err(_) => None,
        };
        let mut history = self.journal().history(slug);
        // The journal of an app that did not change since it began is empty.
        if history.versions.is_empty()
            && let Some(version) = current.and_then(|app| app.current_version)
        {
            history.versions.push(AppVersion { version, first_seen: None, until: None });
        }
        Ok(history)
    }
}

//! The exports of many apps at once, made in the background and kept for the next who ask.
//!
//! Those of the whole catalog take more than a second of processor time. On the threads for reads, searches
//! and pages would wait for them. So one archive is made at a time, at the priority of background work, and
//! those who want the same one get it without making it again.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use appstitch_exports::ExportFormat;
use appstitch_publish::Publisher;
use appstitch_snapshot::{ExportFile, Filter, ReadError, Selection, Snapshot};
use tokio::sync::Mutex as Turn;

/// The memory for archives, in bytes. The newest one stays, however large it is.
const MOST_BYTES: usize = 32 << 20;

#[derive(Default)]
pub(crate) struct ExportShelf {
    /// Newest first, and all of one revision.
    kept: Mutex<VecDeque<Archive>>,
    /// Held while an archive is made.
    turn: Arc<Turn<()>>,
}

struct Archive {
    /// The token of its revision.
    revision: String,
    format: ExportFormat,
    selection: Selection,
    file: ExportFile,
}

impl ExportShelf {
    pub(crate) fn find(
        &self,
        snapshot: &Snapshot,
        format: ExportFormat,
        selection: Selection,
    ) -> Option<ExportFile> {
        let is_wanted = |archive: &&Archive| {
            archive.revision == snapshot.token()
                && (archive.format, archive.selection) == (format, selection)
        };
        self.kept().iter().find(is_wanted).map(|archive| archive.file.clone())
    }

    /// Makes an archive of the published revision. The work goes on even if nobody waits any more. Returns
    /// whether there is one.
    pub(crate) async fn make(
        self: &Arc<Self>,
        publisher: &Publisher,
        format: ExportFormat,
        filter: Filter,
    ) -> bool {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let (shelf, snapshot) = (Arc::clone(self), publisher.current());
        let work = move || {
            let made = shelf.make_now(&snapshot, format, &filter);
            drop(turn);
            made.is_ok()
        };
        matches!(publisher.background().run_blocking(work).await, Ok(true))
    }

    fn make_now(
        &self,
        snapshot: &Snapshot,
        format: ExportFormat,
        filter: &Filter,
    ) -> Result<(), ReadError> {
        let selection = snapshot.apps().select(filter);
        if self.find(snapshot, format, selection).is_some() {
            return Ok(());
        }
        let file = snapshot.export_archive(format, selection, None)?;
        let revision = snapshot.token().to_owned();
        let mut kept = self.kept();
        kept.retain(|archive| archive.revision == revision);
        kept.push_front(Archive { revision, format, selection, file });
        let mut size = 0;
        let has_room = |archive: &&Archive| {
            size += archive.file.body.len();
            size <= MOST_BYTES
        };
        let most = kept.iter().take_while(has_room).count();
        kept.truncate(most.max(1));
        Ok(())
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Archive>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[tokio::test]
    async fn an_archive_is_made_once_for_all_who_wait_and_as_long_as_its_revision() {
        let folder = tempfile::tempdir().unwrap();
        let service = fixture::service(folder.path(), 3).await;
        let (shelf, publisher) = (&service.parts().exports, &service.parts().publisher);
        let format = ExportFormat::Osquery;
        let vendor = || Filter { vendor: Some("VENDOR 1".to_owned()), ..Filter::default() };
        let find = || {
            let snapshot = publisher.current();
            shelf.find(&snapshot, format, snapshot.apps().select(&vendor()))
        };
        assert_eq!(find(), None, "nothing is made for nobody");
        let make = || shelf.make(publisher, format, vendor());
        assert_eq!(tokio::join!(make(), make()), (true, true));
        assert_eq!(shelf.kept().len(), 1);
        let made = find().unwrap();
        fixture::publish(publisher, 4).await;
        assert_eq!(find(), None, "another revision has other files");
        assert!(make().await);
        assert_eq!(find().unwrap().token(), made.token(), "the same files have the same tag");
        assert_eq!(shelf.kept().len(), 1);
    }
}

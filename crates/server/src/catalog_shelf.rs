//! The files of the catalog, made when somebody asks for them and kept for readers of an older index.
//!
//! Making them takes about a second of processor time, so nothing is made for nobody, and never twice at
//! once. Servers of the same revision with the same keys make the same bytes.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use appstitch_catalog_files::{CatalogFiles, PublicKey, Received, SecretKey, Signer};
use appstitch_publish::Publisher;
use appstitch_snapshot::Snapshot;
use tokio::sync::Mutex as Turn;

/// How many revisions keep their files.
const MOST_REVISIONS: usize = 30;
/// From how many older revisions there are patches. Mirrors look often.
const MOST_PATCHES: usize = 3;
/// The memory for the files of all revisions, in bytes. The newest ones stay, however large they are.
const MOST_BYTES: usize = 32 << 20;

#[derive(Default)]
pub(crate) struct CatalogShelf {
    signer: Option<Signer>,
    /// Newest first.
    kept: Mutex<VecDeque<Arc<CatalogFiles>>>,
    /// Held while files are made.
    turn: Arc<Turn<()>>,
}

impl CatalogShelf {
    pub(crate) fn new(signer: Option<Signer>) -> Self {
        Self { signer, ..Self::default() }
    }

    /// The keys of the catalog: the one that signs, and while keys change the one that will.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        let signer = self.signer.iter();
        signer
            .flat_map(|signer| std::iter::once(&signer.current).chain(&signer.next))
            .map(SecretKey::public)
    }

    /// The files of a revision, if they were made.
    pub(crate) fn find(&self, revision: &str) -> Option<Arc<CatalogFiles>> {
        self.kept().iter().find(|files| files.index.revision == revision).cloned()
    }

    /// The files that were made last.
    pub(crate) fn newest(&self) -> Option<Arc<CatalogFiles>> {
        self.kept().front().cloned()
    }

    /// Makes the files of the published revision in the background; others wait for the same work, which
    /// goes on without them. Returns whether there are files then.
    pub(crate) async fn make(self: &Arc<Self>, publisher: &Publisher) -> bool {
        // Both are background work, so the files would take their time from a revision that is being
        // published, and be outdated right away.
        publisher.at_rest().await;
        let made = self.files_of(publisher, publisher.current()).await;
        made.inspect_err(|why| tracing::error!(why, "cannot make the files of the catalog")).is_ok()
    }

    /// The files of a revision, made now if they are missing. The error says why they cannot be made.
    pub(crate) async fn files_of(
        self: &Arc<Self>,
        publisher: &Publisher,
        snapshot: Arc<Snapshot>,
    ) -> Result<Arc<CatalogFiles>, String> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if let Some(kept) = self.find(snapshot.token()) {
            return Ok(kept);
        }
        let copy = publisher.copy_of(&snapshot).await.map_err(|error| error.to_string())?;
        let (shelf, received) = (Arc::clone(self), publisher.received());
        let work = move || {
            let made = CatalogFiles::of(&snapshot, copy.as_deref(), shelf.signer.as_ref());
            let files = made.map(|made| {
                let mut made = handed_on(made, received.as_deref());
                shelf.add_patches(&mut made);
                shelf.keep(made)
            });
            drop(turn);
            files.map_err(|error| error.to_string())
        };
        publisher.background().run_blocking(work).await.map_err(|error| error.to_string())?
    }

    /// Patches from the last revisions, as far as their files were made here.
    fn add_patches(&self, files: &mut CatalogFiles) {
        let older: Vec<_> = self.kept().iter().take(MOST_PATCHES).cloned().collect();
        let copies =
            older.iter().filter_map(|files| Some((files.index.revision.clone(), files.copy()?)));
        if let Err(error) = files.add_patches(copies) {
            tracing::warn!(%error, "cannot make a patch of the catalog");
        }
    }

    fn keep(&self, files: CatalogFiles) -> Arc<CatalogFiles> {
        let files = Arc::new(files);
        let mut kept = self.kept();
        kept.push_front(Arc::clone(&files));
        let mut size = 0;
        let has_room = |files: &&Arc<CatalogFiles>| {
            size += files.size();
            size <= MOST_BYTES
        };
        let most = kept.iter().take(MOST_REVISIONS).take_while(has_room).count();
        kept.truncate(most.max(1));
        files
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<CatalogFiles>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A mirror hands on the index and the signatures of its origin, with the same files.
fn handed_on(made: CatalogFiles, received: Option<&Received>) -> CatalogFiles {
    let Some(received) = received else { return made };
    made.handed_on(received).unwrap_or_else(|made| {
        tracing::warn!(
            "this version packs the files of the catalog in another way than the origin, so they are not signed"
        );
        *made
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[tokio::test]
    async fn those_who_wait_get_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let service = fixture::service(folder.path(), 3).await;
        let (shelf, publisher) = (&service.parts().catalog, &service.parts().publisher);
        assert!(shelf.newest().is_none(), "nothing is made for nobody");
        let (one, other) = tokio::join!(shelf.make(publisher), shelf.make(publisher));
        assert!(one && other);
        assert_eq!(shelf.kept().len(), 1);
        let made = shelf.files_of(publisher, publisher.current()).await.unwrap();
        assert!(Arc::ptr_eq(&made, &shelf.newest().unwrap()));
        assert_eq!(made.index.apps, 3);
    }

    #[tokio::test]
    async fn the_files_of_the_last_thirty_revisions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let service = fixture::service(folder.path(), 1).await;
        let (shelf, publisher) = (&service.parts().catalog, &service.parts().publisher);
        let mut made = Vec::new();
        for apps in 2..34 {
            fixture::publish(publisher, apps).await;
            let files = shelf.files_of(publisher, publisher.current()).await.unwrap();
            made.push(files.index.revision.clone());
        }
        let (gone, kept) = made.split_at(2);
        assert!(kept.iter().all(|revision| shelf.find(revision).is_some()));
        assert!(gone.iter().all(|revision| shelf.find(revision).is_none()));
    }
}

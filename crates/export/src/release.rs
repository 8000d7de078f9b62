//! Makes and writes a release: asks for every address, and writes what the last release does not have.
//!
//! Several threads ask, each for one answer at a time, so no more than a few answers are in memory. A
//! content that the last release has, or that this one has already, becomes a hard link.

mod write;

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use appstitch_server::{LocalResponse, LocalService};
use serde_json::{Map, Value};
use tokio::runtime::Handle;

use crate::{
    content::ContentId,
    error::ExportError,
    folder::Folder,
    manifest::{Manifest, ManifestEntry, State},
    marks::SharedTags,
    plan::{NOT_FOUND, PAGE, Plan, Target, plan},
    summary::Summary,
};
use write::{WriteResult, Writer};

/// An export of the responses of a service into a folder.
pub struct Export<'a> {
    pub service: &'a LocalService,
    pub folder: &'a Path,
    /// Names the program exactly: after an update, everything is compared again.
    pub program: &'a str,
}

pub trait Watcher: Sync {
    /// Tells how many addresses of how many are done.
    fn progress(&self, done: usize, total: usize);
    /// Whether to stop. Then the old export stays.
    fn is_stopped(&self) -> bool;
}

impl Export<'_> {
    /// Exports everything that changed and switches to it. This blocks; the runtime is for responses that
    /// wait.
    pub fn run(&self, runtime: &Handle, watcher: &dyn Watcher) -> Result<Summary, ExportError> {
        let folder = Folder::open(self.folder)?;
        let snapshot = self.service.snapshot();
        let state = State::new(snapshot.token(), &self.service.page_tag(), self.program);
        let before =
            folder.current().and_then(|release| Some((Manifest::read(&release)?, release)));
        if let Some((last, _)) = before.as_ref().filter(|(last, _)| last.state == state) {
            return Ok(Summary {
                revision: state.revision,
                is_unchanged: true,
                addresses: last.files.len(),
                ..Summary::default()
            });
        }
        let partial = folder.start()?;
        let exported = self.export(&folder, &partial, state, before.as_ref(), (runtime, watcher));
        if exported.is_err() {
            // On a full disk, others need the room. What stays behind is removed by the next export.
            let _ = fs::remove_dir_all(&partial);
        }
        exported
    }

    fn export(
        &self,
        folder: &Folder,
        partial: &Path,
        state: State,
        before: Option<&(Manifest, PathBuf)>,
        (runtime, watcher): (&Handle, &dyn Watcher),
    ) -> Result<Summary, ExportError> {
        runtime.block_on(self.service.make_catalog_files());
        let plan = plan(self.service);
        let last = before.map(|(manifest, release)| (manifest, release.as_path()));
        let work = Work {
            service: self.service,
            runtime,
            watcher,
            tags: SharedTags::new(&state.revision, &state.page_tag),
            writer: Writer::new(partial, last),
            kinds: Mutex::default(),
            plan: &plan,
            next: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        };
        let (mut files, taken) = work.run()?;
        if let Some((manifest, release)) = last {
            work.keep_older_catalogs(&mut files, manifest, release)?;
        }
        work.write_not_found()?;
        files.sort_unstable_by(|left, right| {
            (&left.address, &left.file).cmp(&(&right.address, &right.file))
        });
        let (written_files, written_bytes) = work.writer.written();
        let kinds = work.kinds.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut summary = Summary { written_files, written_bytes, ..Summary::default() };
        summary.compare(&files, before.map(|(manifest, _)| &manifest.files[..]));
        summary.left_out = [plan.left_out, taken].concat();
        let name = format!("{}.{}", state.revision, state.page_tag);
        summary.revision.clone_from(&state.revision);
        let manifest = Manifest { state, kinds: kinds.listed, files };
        manifest.write(partial).map_err(ExportError::at(partial))?;
        if watcher.is_stopped() {
            return Err(ExportError::Stopped);
        }
        folder.switch(partial, &name)?;
        Ok(summary)
    }
}

impl Summary {
    /// Counts what differs from the export before.
    fn compare(&mut self, files: &[ManifestEntry], before: Option<&[ManifestEntry]>) {
        let mut before: HashMap<&str, &ManifestEntry> =
            before.into_iter().flatten().map(|entry| (entry.file.as_str(), entry)).collect();
        self.addresses = files.len();
        for entry in files {
            let same = before.remove(entry.file.as_str());
            let is_same = same.is_some_and(|same| same.sha256 == entry.sha256);
            self.changed += usize::from(!is_same);
        }
        self.removed = before.len();
    }
}

/// The route of the catalog's files, below the folders of revisions.
const CATALOG_FILE: &str = "/catalog/{revision}/{file}";
/// How many revisions have their files.
const KEPT_CATALOGS: usize = 30;

/// The revision that a file of the catalog belongs to.
fn revision_of(entry: &ManifestEntry) -> Option<&str> {
    entry.address.split('/').nth(2)
}

#[derive(Default)]
struct Kinds {
    listed: Vec<Map<String, Value>>,
}

impl Kinds {
    fn number(&mut self, fields: Map<String, Value>) -> usize {
        let known = self.listed.iter().position(|kind| *kind == fields);
        known.unwrap_or_else(|| {
            self.listed.push(fields);
            self.listed.len() - 1
        })
    }
}

struct Work<'a> {
    service: &'a LocalService,
    runtime: &'a Handle,
    watcher: &'a dyn Watcher,
    tags: SharedTags,
    writer: Writer<'a>,
    kinds: Mutex<Kinds>,
    plan: &'a Plan,
    next: AtomicUsize,
    failed: AtomicBool,
}

/// The addresses that have files now, and those whose names are taken.
type Done = (Vec<ManifestEntry>, Vec<String>);

impl Work<'_> {
    fn run(&self) -> Result<Done, ExportError> {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let ended: Vec<Result<Done, ExportError>> = thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work())).collect();
            let joined = running.into_iter().map(thread::ScopedJoinHandle::join);
            // A panic has been reported by its thread.
            joined.map(|ended| ended.unwrap_or(Err(ExportError::Stopped))).collect()
        });
        let mut all = Done::default();
        for done in ended {
            let (files, taken) = done?;
            all.0.extend(files);
            all.1.extend(taken);
        }
        Ok(all)
    }

    /// Works until there is nothing left to do.
    fn work(&self) -> Result<Done, ExportError> {
        let mut done = Done::default();
        while let Some(target) = self.plan.targets.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.watcher.is_stopped() || self.failed.load(Ordering::Relaxed) {
                // The thread that failed returns the error.
                return if self.failed.load(Ordering::Relaxed) {
                    Ok(done)
                } else {
                    Err(ExportError::Stopped)
                };
            }
            match self.export(target) {
                Ok(Some(Ok(entry))) => done.0.push(entry),
                Ok(Some(Err(taken))) => done.1.push(taken),
                Ok(None) => {}
                Err(error) => {
                    self.failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            let finished = self.next.load(Ordering::Relaxed).min(self.plan.targets.len());
            self.watcher.progress(finished, self.plan.targets.len());
        }
        Ok(done)
    }

    /// Exports one address: its entry, or its address if the name of its file is taken; `None` if there
    /// is nothing at the address.
    fn export(
        &self,
        target: &Target,
    ) -> Result<Option<Result<ManifestEntry, String>>, ExportError> {
        let response = self.runtime.block_on(self.service.get(&target.address, target.accept));
        match response.status {
            200 => {}
            // An app without a cask has no Brewfile, and so on.
            404 => return Ok(None),
            status => {
                return Err(ExportError::UnexpectedStatus {
                    address: target.address.clone(),
                    status,
                });
            }
        }
        // A badge that says what is wrong is not for keeping.
        if response.header("cache-control") == Some("no-store") {
            return Ok(None);
        }
        let varies = response.header("vary").is_some_and(|vary| vary.contains("accept-encoding"));
        let id = ContentId::of(&response.body, varies);
        let own = target.has_marks.then(|| self.tags.marked_file(target, &response));
        let content_file = own.as_deref().unwrap_or(&target.file);
        let mut result = self.writer.put(content_file, id, &response.body)?;
        if let Some(own) = &own {
            // Several addresses may lead to one file.
            result = self.writer.link(&target.file, own)?;
        }
        if result == WriteResult::NameTaken {
            return Ok(Some(Err(target.address.clone())));
        }
        Ok(Some(Ok(self.entry(target, &response, id, own))))
    }

    fn entry(
        &self,
        target: &Target,
        response: &LocalResponse,
        id: ContentId,
        own: Option<String>,
    ) -> ManifestEntry {
        let fields = response.headers.iter();
        let (headers, shared): (Vec<_>, Vec<_>) =
            fields.partition(|(name, value)| self.tags.is_unshared(name, value));
        let map = |fields: Vec<&(String, String)>| -> Map<String, Value> {
            fields.into_iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
        };
        let kind = self.number(map(shared));
        ManifestEntry {
            address: target.address.clone(),
            route: target.route.to_owned(),
            file: target.file.clone(),
            own,
            kind,
            headers: map(headers),
            bytes: response.body.len() as u64,
            sha256: id.sha256(),
            packed: id.is_packed,
        }
    }

    /// Keeps the files of older revisions of the catalog, for readers of an older index.
    fn keep_older_catalogs(
        &self,
        files: &mut Vec<ManifestEntry>,
        last: &Manifest,
        release: &Path,
    ) -> Result<(), ExportError> {
        let mut revisions = BTreeSet::new();
        let is_file = |entry: &&ManifestEntry| entry.route == CATALOG_FILE;
        revisions.extend(files.iter().filter(is_file).filter_map(revision_of));
        let current = revisions.clone();
        revisions.extend(last.files.iter().filter(is_file).filter_map(revision_of));
        // Their names begin with their times.
        let oldest = revisions.iter().rev().nth(KEPT_CATALOGS - 1).copied().unwrap_or_default();
        let is_kept = |entry: &&ManifestEntry| {
            revision_of(entry).is_some_and(|known| known >= oldest && !current.contains(known))
        };
        let mut older = Vec::new();
        for entry in last.files.iter().filter(is_file).filter(is_kept) {
            let Some(fields) = last.kinds.get(entry.kind) else { continue };
            if self.writer.keep(release, &entry.file)? {
                older.push(ManifestEntry { kind: self.number(fields.clone()), ..entry.clone() });
            }
        }
        files.extend(older);
        Ok(())
    }

    fn number(&self, kind: Map<String, Value>) -> usize {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner).number(kind)
    }

    /// Writes the page that browsers get for an unknown address. It is not in the manifest: no address
    /// leads to it.
    fn write_not_found(&self) -> Result<(), ExportError> {
        let response = self.runtime.block_on(self.service.get("/@", PAGE));
        let path = self.writer.path(NOT_FOUND);
        fs::write(&path, &response.body).map_err(ExportError::at(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, sha256: &str) -> ManifestEntry {
        ManifestEntry {
            address: format!("/{file}"),
            route: String::new(),
            file: file.to_owned(),
            own: None,
            kind: 0,
            headers: Map::new(),
            bytes: 1,
            sha256: sha256.to_owned(),
            packed: false,
        }
    }

    #[test]
    fn what_differs_from_the_export_before_is_counted() {
        let before = [entry("same", "1"), entry("other", "1"), entry("gone", "1")];
        let now = [entry("same", "1"), entry("other", "2"), entry("new", "1")];
        let mut summary = Summary::default();
        summary.compare(&now, Some(&before));
        assert_eq!((summary.addresses, summary.changed, summary.removed), (3, 2, 1));
        let mut first = Summary::default();
        first.compare(&now, None);
        assert_eq!((first.addresses, first.changed, first.removed), (3, 3, 0));
    }
}

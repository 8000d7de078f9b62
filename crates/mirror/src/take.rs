//! Verifies a catalog and takes it over.

use std::collections::BTreeSet;

use appstitch_catalog_files::{
    Index, KEY, PackedFile, PublicKey, Received, SIGNATURE, VerifyError, apply_patch, patch_path,
    serial_at, signature_of, verify,
};
use appstitch_network::{Fetched, Validators};
use appstitch_publish::RECEIVED;
use appstitch_snapshot::ServedEntry;
use appstitch_store::{COPY_RULES, Edition, Remembered, Store, StoreError, check_copy};

use crate::{error::MirrorError, origin::Reader};

/// Whose catalog is taken over.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// One of them must have signed the index. Without any, nothing is verified.
    pub keys: Vec<PublicKey>,
    /// Whether an older catalog, or another one, replaces what the store has.
    pub allows_rollback: bool,
}

#[derive(Debug)]
pub enum Taken {
    /// The store has this catalog already.
    Unchanged(Box<Index>),
    /// The store has it now.
    New(Box<Index>),
}

/// What the store serves before anything is fetched.
struct Before {
    edition: Edition,
    /// The catalog of another store, if it serves one.
    served: Option<Served>,
}

struct Served {
    catalog: String,
    serial: u64,
    revision: String,
    /// What it was received with. A restored backup has nothing of it.
    received: Option<(Received, Index)>,
}

/// Takes over the catalog of an origin, completely or not at all.
pub async fn take(reader: &Reader, trust: &Trust, store: &Store) -> Result<Taken, MirrorError> {
    reader.start_over();
    match attempt(reader, trust, store, true).await {
        // Somebody may have published between two requests, or replaced the files of a folder.
        Err(error) if error.may_be_between_two_revisions() => {
            attempt(reader, trust, store, false).await
        }
        taken => taken,
    }
}

async fn before(store: &Store) -> Result<Before, MirrorError> {
    let summary = store.summary("").await?;
    let edition = summary.edition;
    let Some((made_by, revision)) = summary.served_by.zip(summary.revision) else {
        return Ok(Before { edition, served: None });
    };
    if made_by.rules != COPY_RULES {
        // Told before anything is fetched.
        return Err(StoreError::OwnCatalog.into());
    }
    let body = store.refresh_memory(RECEIVED.to_owned()).await?;
    let received: Option<Received> = body.and_then(|body| serde_json::from_str(&body).ok());
    let received = received.and_then(|received| {
        let index = received.index().ok()?;
        (index.revision == revision.token).then_some((received, index))
    });
    let served = Served {
        catalog: summary.journal.epoch,
        serial: serial_at(revision.changed_at),
        revision: revision.token,
        received,
    };
    Ok(Before { edition, served: Some(served) })
}

async fn attempt(
    reader: &Reader,
    trust: &Trust,
    store: &Store,
    may_be_conditional: bool,
) -> Result<Taken, MirrorError> {
    let Before { edition, served } = before(store).await?;
    let origin = reader.origin().public();
    // Another key, or another origin, has to show everything again.
    let known = served.as_ref().and_then(|served| served.received.as_ref());
    let known = known.filter(|(received, index)| {
        received.origin == origin && is_trusted(received, index, trust)
    });
    let etag = known.filter(|_| may_be_conditional).and_then(|(known, _)| known.etag.clone());
    let (bytes, validators) = match (reader.index(etag).await?, known) {
        (Fetched::File { bytes, validators }, _) => (bytes, validators),
        (Fetched::Unchanged, Some((_, index))) => {
            return Ok(Taken::Unchanged(Box::new(index.clone())));
        }
        // A server that answers so without being asked.
        (Fetched::Unchanged, None) => (Vec::new(), Validators::default()),
    };
    if let Some((_, index)) = known.filter(|(known, _)| known.index.as_bytes() == bytes) {
        return Ok(Taken::Unchanged(Box::new(index.clone())));
    }
    let index = Index::read(&bytes)?;
    let beside = beside(reader, trust, &bytes, &index).await?;
    if let Some(served) = served.as_ref().filter(|_| !trust.allows_rollback) {
        check_order(served, &index)?;
    }
    let file = index.with_sources.as_ref().ok_or(MirrorError::NoSources)?;
    let copy = match patched(reader, store, served.as_ref(), &index, file).await {
        Some(copy) => copy,
        None => whole(reader, file).await?,
    };
    let copy = checked(copy, &index).await?;
    // The index is JSON, so it is text.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let received = Received { origin, etag: validators.etag, index: text, beside };
    // Texts can always be written.
    let body = serde_json::to_string(&received).unwrap_or_default();
    store.receive(copy, edition, Remembered { source: RECEIVED.to_owned(), body }).await?;
    Ok(Taken::New(Box::new(index)))
}

/// The copy made from that of the store with a patch, if the origin has one. Only the right text is used.
async fn patched(
    reader: &Reader,
    store: &Store,
    served: Option<&Served>,
    index: &Index,
    file: &PackedFile,
) -> Option<Vec<u8>> {
    let served = served.filter(|served| served.revision != index.revision)?;
    // A longer patch than the whole file is of no use.
    let patch = reader.patch(&patch_path(&index.revision, &served.revision), file.size).await?;
    let older = store.copy().await.ok()?.text;
    let file = file.clone();
    let applying = tokio::task::spawn_blocking(move || {
        let newer = apply_patch(&older, &patch, file.raw_size)?;
        file.is_text(&newer).then_some(newer)
    });
    applying.await.ok()?
}

async fn whole(reader: &Reader, file: &PackedFile) -> Result<Vec<u8>, MirrorError> {
    let (file, packed) = (file.clone(), reader.file(file).await?);
    blocking(move || Ok(file.unpack(&packed)?)).await
}

/// The files beside the index: the signatures, and the key of the one that was verified.
async fn beside(
    reader: &Reader,
    trust: &Trust,
    bytes: &[u8],
    index: &Index,
) -> Result<Vec<(String, String)>, MirrorError> {
    let published = reader.beside_index(KEY).await?;
    let mut names = vec![SIGNATURE.to_owned()];
    if let Some(next) = &index.next_key {
        // While keys change, each signature also has the name of its key. All of them are handed on:
        // readers may know only one of the keys.
        let texts = published.as_deref().into_iter().chain([next.as_str()]);
        let published = texts.filter_map(|text| PublicKey::read(text).ok());
        let keys = trust.keys.iter().cloned().chain(published);
        let ids: BTreeSet<String> = keys.map(|key| key.id()).collect();
        names.extend(ids.iter().map(|id| signature_of(id)));
    }
    let mut found = Vec::new();
    for name in names {
        found.extend(reader.beside_index(&name).await?.map(|text| (name, text)));
    }
    let key = if trust.keys.is_empty() {
        published
    } else {
        // Nobody vouches for the published key. People who trust this mirror would trust it, too.
        let (signature, key) = verified(bytes, index, &found, &trust.keys)?;
        found.retain(|(name, _)| name != SIGNATURE);
        found.push((SIGNATURE.to_owned(), signature));
        Some(key.file())
    };
    found.extend(key.map(|text| (KEY.to_owned(), text)));
    Ok(found)
}

/// A signature of one of the keys, and that key.
fn verified<'a>(
    bytes: &[u8],
    index: &Index,
    signatures: &[(String, String)],
    keys: &'a [PublicKey],
) -> Result<(String, &'a PublicKey), MirrorError> {
    let mut why = MirrorError::NotSigned;
    for (_, signature) in signatures {
        match verify(bytes, index, signature, keys) {
            Ok(key) => return Ok((signature.clone(), key)),
            // A wrong signature of a known key says more than one of an unknown key.
            Err(_) if matches!(why, MirrorError::Signature(VerifyError::Wrong)) => {}
            Err(error) => why = error.into(),
        }
    }
    Err(why)
}

fn is_trusted(received: &Received, index: &Index, trust: &Trust) -> bool {
    let signatures = received.beside.iter().filter(|(name, _)| name != KEY);
    trust.keys.is_empty()
        || signatures.into_iter().any(|(_, signature)| {
            verify(received.index.as_bytes(), index, signature, &trust.keys).is_ok()
        })
}

fn check_order(served: &Served, found: &Index) -> Result<(), MirrorError> {
    if served.catalog != found.catalog {
        let (known, found) = (served.catalog.clone(), found.catalog.clone());
        return Err(MirrorError::OtherCatalog { known, found });
    }
    if found.serial < served.serial {
        return Err(MirrorError::Older { known: served.serial, found: found.serial });
    }
    Ok(())
}

/// Reads the copy once before the store is touched.
async fn checked(copy: Vec<u8>, index: &Index) -> Result<Vec<u8>, MirrorError> {
    let reading = blocking(move || {
        let summary = check_copy(&copy, |app| ServedEntry::read(app).is_ok())?;
        Ok((copy, summary.revision.unwrap_or_default()))
    });
    let (copy, found) = reading.await?;
    if found != index.revision {
        return Err(MirrorError::Revision { found, wanted: index.revision.clone() });
    }
    Ok(copy)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MirrorError> + Send + 'static,
) -> Result<T, MirrorError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::WorkerGone)?
}

//! The effect of a change to the documents of the upstreams on the validators of their URLs.
//!
//! The validators of a URL are valid only for the documents last fetched from it. They are removed
//! as soon as anything other than a new file from that URL changes these documents.

use appstitch_network::Validators;
use appstitch_store::{Contents, DocumentName, FetchedFrom};

use crate::{
    rules::rules,
    source_upload::{SourceUpload, StayingOrigin},
};

pub(crate) struct FetchedRows {
    pub(crate) put: Vec<FetchedFrom>,
    /// Pairs of source and URL.
    pub(crate) removed: Vec<(String, String)>,
}

impl FetchedRows {
    pub(crate) fn work_out(
        contents: &Contents,
        uploads: &[SourceUpload],
        staying: &[StayingOrigin],
        removed_documents: &[DocumentName],
    ) -> Self {
        let put: Vec<FetchedFrom> = uploads
            .iter()
            .filter(|upload| upload.validators != Validators::default())
            .map(|upload| FetchedFrom {
                source: upload.source.to_owned(),
                address: upload.origin.clone(),
                etag: upload.validators.etag.clone(),
                last_modified: upload.validators.last_modified.clone(),
                reader: rules().to_owned(),
            })
            .filter(|row| !contents.fetched.contains(row))
            .collect();
        let lost_documents = |row: &FetchedFrom| {
            removed_documents
                .iter()
                .any(|name| (&name.source, &name.origin) == (&row.source, &row.address))
        };
        let has_documents = |row: &FetchedFrom| {
            contents
                .documents
                .iter()
                .any(|document| (&document.source, &document.origin) == (&row.source, &row.address))
        };
        let stays = |row: &FetchedFrom| {
            staying
                .iter()
                .any(|origin| (origin.source, &origin.origin) == (&row.source, &row.address))
        };
        let is_replaced = |row: &&FetchedFrom| {
            let upload = uploads
                .iter()
                .find(|upload| (upload.source, &upload.origin) == (&row.source, &row.address));
            if let Some(upload) = upload {
                return upload.validators == Validators::default();
            }
            let mut files = uploads.iter().filter(|upload| upload.replaces.is_some());
            let files_arrive = files.any(|upload| upload.source == row.source);
            // A URL whose file was empty has no documents that could be replaced.
            lost_documents(row) || (files_arrive && !stays(row) && !has_documents(row))
        };
        let removed = contents.fetched.iter().filter(is_replaced);
        let removed = removed.map(|row| (row.source.clone(), row.address.clone())).collect();
        Self { put, removed }
    }
}

use std::sync::Arc;

use appstitch_publish::{
    CatalogChange, ChangePreview, PublishError, Published, Publisher, SourceUpload,
};

use crate::{
    fetched_files::FetchedFiles,
    file_report::{FileReport, shrinks},
    store_lookup::ListingMemory,
};

#[derive(Debug)]
pub struct Refreshed<T = Published> {
    pub reports: Vec<FileReport>,
    /// `None` if there was nothing to publish.
    pub published: Option<T>,
    /// What to remember now.
    pub memory: Option<ListingMemory>,
}

/// Publishes everything as one revision, without sources that shrink suspiciously. Unchanged files
/// are published, too: the store records when they were received.
pub async fn publish(
    publisher: &Arc<Publisher>,
    fetch: FetchedFiles,
    allow_shrink: bool,
) -> Result<Refreshed, PublishError> {
    without_shrinking(fetch, allow_shrink, |change| publisher.publish(change)).await
}

/// What publishing would do. Nothing is changed.
pub async fn preview(
    publisher: &Arc<Publisher>,
    fetch: FetchedFiles,
    allow_shrink: bool,
) -> Result<Refreshed<ChangePreview>, PublishError> {
    without_shrinking(fetch, allow_shrink, |change| publisher.preview_change(change)).await
}

async fn without_shrinking<T, F: Future<Output = Result<T, PublishError>>>(
    fetch: FetchedFiles,
    allow_shrink: bool,
    publish: impl Fn(CatalogChange) -> F,
) -> Result<Refreshed<T>, PublishError> {
    let FetchedFiles { files, mut staying, mut reports, memory } = fetch;
    let mut uploads: Vec<SourceUpload> = files.into_iter().map(|file| file.upload).collect();
    while !uploads.is_empty() || staying.iter().any(|origin| origin.is_current) {
        let (uploads_now, staying_now) = (uploads.clone(), staying.clone());
        let change =
            CatalogChange::Sources { uploads: uploads_now, staying: staying_now, allow_shrink };
        match publish(change).await {
            Ok(published) => return Ok(Refreshed { reports, published: Some(published), memory }),
            Err(PublishError::Shrinks { source_token, removed, present }) => {
                uploads.retain(|upload| upload.source != source_token);
                staying.retain(|origin| origin.source != source_token);
                FileReport::fail_source(&mut reports, source_token, &shrinks(removed, present));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Refreshed { reports, published: None, memory })
}

//! An async client for the appstitch catalog service.
//!
//! ```no_run
//! use appstitch_client::{AppsQuery, Client};
//! use futures_util::TryStreamExt;
//!
//! # async fn example() -> Result<(), appstitch_client::ResponseError> {
//! let client = Client::new("http://127.0.0.1:8000")?;
//! if let Some(app) = client.get_app("firefoxpkg").await? {
//!     println!("{} {:?}", app.name, app.current_version);
//! }
//! let mut apps = std::pin::pin!(client.all_apps(AppsQuery::vendor("Mozilla")));
//! while let Some(app) = apps.try_next().await? {
//!     println!("{}", app.slug);
//! }
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod builder;
mod cache;
mod canonical;
mod changes;
mod error;
mod exports;
mod inventory;
mod of_app;
mod query;
mod raw;
mod reads;
mod retry;
mod transport;
mod uploads;
mod walk;

pub use appstitch_types::inventory::{
    CheckRule, CheckedApp, Confidence, InventoryReport, InventoryTotals, MatchedBy, SkippedRows,
    Verdict,
};
pub use appstitch_types::{
    Alias, AliasKind, AliasMatch, AliasMatches, App, AppChange, AppDetails, AppExports, AppHistory,
    AppSources, AppVersion, CaskCatalogSource, CatalogStats, ChangeKind, ChangesResponse,
    ComparedVersion, Deprecation, DeprecationStatus, DriftEntry, DriftResponse, DriftScope,
    ExportReason, ExportState, FieldChange, FoundBy, GeneratedLabel, InstallMethod, LabelFinding,
    LabelToolSource, LabelValues, MdmInstallerSource, Provenance, RecipeEntry, RecipeIndexSource,
    RejectedEntry, SameReleaseRule, Slug, Source, SourceRefreshStatus, SourceStatus,
    SourceStatusResponse, SourceVersion, StoreListingSource, Variant, VersionComparison,
    VersionOrder,
    search::{MatchTier, NearestApp, SearchField, SearchHit, SearchMatch, SearchResponse},
};
pub use builder::ClientBuilder;
pub use changes::ChangesQuery;
pub use error::{ErrorKind, ResponseError};
pub use exports::ExportQuery;
pub use inventory::InventoryQuery;
pub use of_app::LabelFormat;
pub use query::{AppsQuery, DriftQuery, SearchQuery};
pub use raw::RawResponse;
pub use uploads::{UploadOptions, UploadProblem, UploadSummary, UploadedApps};

use std::sync::Arc;

use reqwest::header::HeaderValue;
use transport::Transport;

/// A client of one server. Clones share connections, the cache and the limit on requests.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    follow_canonical: bool,
    /// The value of the `Authorization` header of uploads.
    deploy_token: Option<HeaderValue>,
}

impl Client {
    /// A client with the default settings.
    pub fn new(base: &str) -> Result<Self, ResponseError> {
        Self::builder(base).build()
    }

    /// Starts building a client with other settings.
    #[must_use]
    pub fn builder(base: &str) -> ClientBuilder {
        ClientBuilder::new(base)
    }
}

//! The records, responses and sources of the catalog.
//!
//! The server, the tools, the clients and the OpenAPI document share these definitions. The crate
//! has no rules beyond those that make a value valid, and few dependencies.
//!
//! ```
//! use appstitch_types::Slug;
//!
//! assert!(Slug::parse("firefox").is_ok());
//! assert!(Slug::parse("no spaces").is_err());
//! ```

#![warn(missing_docs)]

mod alias;
mod app;
mod app_change;
mod app_exports;
mod app_history;
mod broken_rule;
mod checked_text;
mod deprecation;
mod details;
mod drift;
mod drift_event;
mod finding;
mod generated_label;
pub mod inventory;
mod payload;
mod provenance;
mod raw_object;
pub mod search;
mod seen_version;
mod sha256;
mod slug;
mod source;
mod source_status;
mod stats;
mod team_id;
mod uri;
mod url_credentials;
mod validation;
mod variant;
mod version_comparison;
mod words;

pub use alias::{Alias, AliasKind, AliasMatch, AliasMatches};
pub use app::{App, InstallMethod};
pub use app_change::{
    AppChange, ChangeKind, ChangesResponse, FieldChange, RECORD_FIELDS, RecordFields, Squash,
    UnreadChange, apply_change, apply_squashed, changed_fields, revision_check,
};
pub use app_exports::{AppExports, ExportReason, ExportRefusal, ExportState, ExportedFile};
pub use app_history::{AppHistory, AppVersion};
pub use broken_rule::BrokenRule;
pub use deprecation::{Deprecation, DeprecationStatus};
pub use details::{AppDetails, StatedVersion, VersionAgreement};
pub use drift::{DriftEntry, DriftResponse, DriftScope, SourceVersion};
pub use drift_event::{DriftEvent, DriftEventKind};
pub use finding::{FoundBy, LabelFinding, LabelValues};
pub use generated_label::GeneratedLabel;
pub use payload::{
    AppSources, CaskCatalogSource, LabelToolSource, MdmInstallerSource, Payload, RecipeEntry,
    RecipeIndexSource, StoreListingSource,
};
pub use provenance::{
    FieldOrigins, FieldReasons, Provenance, SourceMatch, SourceMatches, TitleCode,
};
pub use raw_object::{RawObject, read_member};
pub use seen_version::SeenVersion;
pub use sha256::Sha256;
pub use slug::Slug;
pub use source::{DriftRole, Source, SourceDescription, SourceSet};
pub use source_status::{
    MirrorStatus, RejectedEntry, SourceRefreshStatus, SourceStatus, SourceStatusResponse,
};
pub use stats::{CatalogStats, SourceCoverage};
pub use team_id::TeamId;
pub use uri::Uri;
pub use url_credentials::{has_credentials, without_credentials};
pub use validation::{HttpValidationError, Location, ValidationError};
pub use variant::Variant;
pub use version_comparison::{ComparedVersion, SameReleaseRule, VersionComparison, VersionOrder};

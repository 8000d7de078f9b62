//! Wire types of the catalog and the rules that derive them.
//!
//! The server, the tools, the clients and the schema share one definition of every record. The
//! rules are pure functions: no clock, no I/O, no async, and the same input always gives the same
//! result.
//!
//! ```
//! use appstitch_catalog::{Slug, Version};
//!
//! assert!(Slug::parse("firefox").is_ok());
//! assert!(Slug::parse("no spaces").is_err());
//! assert!(Version::parse("v4.32") == Version::parse("4.32.0"));
//! ```

mod alias;
mod app;
mod app_change;
mod app_history;
pub mod bounds;
mod broken_rule;
mod cask;
mod checked_text;
mod details;
mod documents;
mod drift;
mod drift_event;
mod finding;
mod fold;
mod indexed;
mod installed_app;
pub mod inventory;
mod junk;
mod label;
mod left_out;
mod newest;
mod normal_name;
mod package_type;
mod parsed_sources;
mod payload;
mod payload_text;
mod provenance;
pub mod publishers;
mod raw_object;
mod record;
mod repository;
pub mod search;
mod search_names;
mod served;
mod sha256;
mod shared_keys;
mod slug;
mod source;
mod source_status;
mod standing;
mod stats;
mod stitch;
mod team_id;
mod text;
mod uri;
mod url_credentials;
mod url_version;
mod validation;
mod variant;
mod version;
mod version_comparison;

pub use alias::{Alias, AliasKind, AliasMatch, AliasMatches};
pub use app::{App, InstallMethod};
pub use app_change::{
    AppChange, ChangeKind, ChangesResponse, FieldChange, RECORD_FIELDS, RecordFields, Squash,
    UnreadChange, apply_change, apply_squashed, changed_fields, revision_check,
};
pub use app_history::{AppHistory, AppVersion};
pub use broken_rule::BrokenRule;
pub use cask::deprecation::{Deprecation, DeprecationStatus};
pub use details::AppDetails;
pub use documents::{Documents, LabelDocument, RecipeDocument, TitleDocument};
pub use drift::{
    DriftEntry, DriftResponse, DriftScope, SourceVersion, find_drift, source_versions,
};
pub use drift_event::{DriftEvent, DriftEventKind};
pub use finding::{FoundBy, LabelFinding, LabelValues, is_lower_version};
pub use fold::fold_case;
pub use indexed::IndexedValues;
pub use installed_app::{InstalledApp, InstalledFrom};
pub use junk::{Junk, check_found_address, check_found_version};
pub use label::{GeneratedLabel, generate_label, generate_label_fragment};
pub use left_out::LeftOut;
pub use parsed_sources::ParsedSources;
pub use payload::{
    AppSources, CaskCatalogSource, LabelToolSource, MdmInstallerSource, RecipeEntry,
    RecipeIndexSource, StoreListingSource,
};
pub use provenance::{FieldOrigins, FieldReasons, Provenance, SourceMatch, SourceMatches};
pub use raw_object::RawObject;
pub use record::{Admitted, Record, Refusal};
pub use served::trimmed;
pub use sha256::Sha256;
pub use slug::Slug;
pub use source::{Source, SourceSet};
pub use source_status::{SourceStatus, SourceStatusResponse};
pub use standing::Standing;
pub use stats::{CatalogStats, SourceCoverage};
pub use stitch::{Stitched, stitch};
pub use team_id::TeamId;
pub use text::visible;
pub use uri::Uri;
pub use url_credentials::{has_credentials, without_credentials};
pub use validation::{HttpValidationError, Location, ValidationError};
pub use variant::Variant;
pub use version::{Version, stated::Rule as SameReleaseRule};
pub use version_comparison::{ComparedVersion, VersionComparison, VersionOrder};

//! The rules that make one record per app from the entries of all sources.
//!
//! [`stitch()`] matches the entries with their evidence and chooses the value of each field. The
//! other rules derive from the payloads of one app what is served beside its record: drift,
//! details, variants, generated labels. All are pure functions: no clock, no I/O, no async, and the
//! same input always gives the same result.

mod address;
mod agreement;
mod alias;
pub mod bounds;
pub mod cask;
mod comparison;
mod delivery;
mod details;
mod documents;
mod drift;
mod indexed;
mod installed_facts;
pub mod label;
mod left_out;
pub mod newest;
mod package_type;
mod parsed_sources;
mod payload_text;
mod provenance;
pub mod publishers;
mod record;
mod relation;
mod repository;
mod search_key;
mod search_names;
pub mod shared_keys;
mod standing;
mod stitch;
mod url_version;
mod variant;
mod version_place;

pub use agreement::Agreement;
pub use delivery::{DeliveredApp, Delivery, DirectFile};
pub use details::collect_details;
pub use documents::{Documents, LabelDocument, PatchTitle, RecipeDocument, TitleDocument};
pub use drift::find_drift;
pub use indexed::IndexedValues;
pub use installed_facts::InstalledFacts;
pub use label::{generate_label, generate_label_fragment};
pub use left_out::LeftOut;
pub use parsed_sources::ParsedSources;
pub use payload_text::CheckedEntry;
pub use provenance::manual_provenance;
pub use record::{Admitted, Record, Refusal};
pub use search_key::{SearchKey, WordStart};
pub use standing::Standing;
pub use stitch::{Stitched, stitch};
pub use url_version::names_version;
pub use variant::describe_variant;
pub use version_place::VersionPlace;

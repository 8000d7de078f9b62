//! Variants: several records for deliveries of the same product.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::InstallMethod;

/// A record for another delivery of the same product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Variant {
    /// The variant's slug.
    pub slug: String,
    /// The variant's name.
    pub name: String,
    /// Whether it is the main record of the product.
    pub is_main: bool,
    /// The release channel, such as `beta` or `esr`; null for the usual one.
    pub channel: Option<String>,
    /// The edition, such as `enterprise`; null for the usual one.
    pub edition: Option<String>,
    /// The language, such as `da`; null for the usual one.
    pub language: Option<String>,
    /// The major version that the record is limited to; null for the newest one.
    pub major_version: Option<String>,
    /// How the variant's download is installed.
    pub install_method: Option<InstallMethod>,
    /// The variant's newest version.
    pub current_version: Option<String>,
}

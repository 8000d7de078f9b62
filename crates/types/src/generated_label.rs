//! A generated installer label.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// An installer-label fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedLabel {
    /// The label's name: the app's slug.
    pub label_name: String,
    /// The label's variables; unresolved variables are omitted. The values apply to Macs with Apple
    /// silicon.
    #[schema(value_type = Object)]
    pub content: Map<String, Value>,
    /// The sources that contributed.
    pub sources_used: Vec<String>,
    /// Warnings, for example about unresolved variables; each starts with the variable's name.
    pub warnings: Vec<String>,
}

//! The body of a 422 answer to a request that does not fit its parameters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Where in the request a fault was found: a name or a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Location {
    /// A name, such as `query` or `limit`.
    Name(String),
    /// A position in a list.
    Index(i64),
}

/// One fault of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ValidationError {
    /// The kind of fault, stable for programs.
    #[serde(rename = "type")]
    pub kind: String,
    /// The path to the faulty value.
    #[schema(inline)]
    pub loc: Vec<Location>,
    /// The fault in words.
    pub msg: String,
    /// The value as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// Figures behind the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    pub ctx: Option<Map<String, Value>>,
}

/// The faults of a request, one entry per bad parameter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = HTTPValidationError)]
pub struct HttpValidationError {
    /// The faults, in the order of the parameters.
    #[serde(default)]
    pub detail: Vec<ValidationError>,
}

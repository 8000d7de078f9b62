//! The body of a 422 response to a request with invalid parameters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// One step of the path to an invalid value: a name or a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Location {
    /// A name, such as `query` or `limit`.
    Name(String),
    /// A position in a list.
    Index(i64),
}

/// One error of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ValidationError {
    /// The error type; stable, for use by programs.
    #[serde(rename = "type")]
    pub kind: String,
    /// The path to the invalid value.
    #[schema(inline)]
    pub loc: Vec<Location>,
    /// The error message.
    pub msg: String,
    /// The value as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The values used in the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    pub ctx: Option<Map<String, Value>>,
}

/// The errors of a request, one entry per invalid parameter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = HTTPValidationError)]
pub struct HttpValidationError {
    /// The errors, in the order of the parameters.
    #[serde(default)]
    pub detail: Vec<ValidationError>,
}
